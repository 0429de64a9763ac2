import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isPlainName } from './plainName.ts';
import { bytesOfBase64 } from './trust.ts';
import { isVersion } from './version.ts';

export const manifestName = 'release.json';
export const signatureName = 'release.json.sig';
export const product = 'field-console';

/** The largest manifest, bytes. */
export const largestManifest = 65_536;
/** The largest package, bytes: several times a real one. */
const largestPackage = 2 * 1024 ** 3;

export const packageKinds = ['appimage', 'deb', 'nsis', 'mac-zip'] as const;

const packageSchema = z.object({
  platform: z.enum(['linux', 'win32', 'darwin']),
  /** `universal` runs on both. */
  arch: z.enum(['x64', 'arm64', 'universal']),
  kind: z.enum(packageKinds),
  file: z.string().refine(isPlainName),
  bytes: z.int().min(1).max(largestPackage),
  sha512: z.string().refine((text) => bytesOfBase64(text, 64) !== null),
});
export type ReleasePackage = z.infer<typeof packageSchema>;

/**
 * The manifest of a release, version 1. Unknown members are ignored, so that a console can read the manifests of later
 * releases.
 */
const manifestSchema = z.object({
  version: z.literal(1),
  product: z.string().max(64),
  channel: z.string().max(32),
  release: z.object({
    version: z.string().refine(isVersion),
    /** Greater with every release, whatever its version. */
    sequence: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    releasedAt: z.iso.datetime(),
    /**
     * From this time on the release is refused: a server that withholds later releases cannot offer this one without
     * end.
     */
    expiresAt: z.iso.datetime(),
    /** The share of consoles that offer it without a manual check, per cent. */
    rollout: z.number().min(0).max(100).optional(),
  }),
  packages: z.array(packageSchema).min(1).max(64),
});
export type ReleaseManifest = z.infer<typeof manifestSchema>;

/** Reads a manifest whose signature is valid; null when it is not a manifest. Never throws. */
export function readManifest(bytes: Uint8Array): ReleaseManifest | null {
  if (bytes.byteLength > largestManifest) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const reading = manifestSchema.safeParse(JSON.parse(text));
    return reading.success ? reading.data : null;
  } catch {
    return null;
  }
}

/** The packages that a console can install. */
export interface UpdateTarget {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly kind: ReleasePackage['kind'];
}

/** The package for this computer: one for its architecture, else a universal one. */
export function packageFor(
  { packages }: Pick<ReleaseManifest, 'packages'>,
  { platform, arch, kind }: UpdateTarget,
): ReleasePackage | null {
  const fitting = (wanted: string): ReleasePackage | undefined =>
    packages.find((entry) => entry.platform === platform && entry.kind === kind && entry.arch === wanted);
  return fitting(arch) ?? fitting('universal') ?? null;
}

/**
 * Whether a console is among the first `percent` for a release. Each release selects others, so that it is not always
 * the same consoles that try it first.
 */
export function isAmong(percent: number, consoleId: string, sequence: number): boolean {
  const digest = createHash('sha256')
    .update(`${consoleId} ${String(sequence)}`)
    .digest();
  return (digest.readUInt32BE(0) / 4_294_967_296) * 100 < percent;
}
