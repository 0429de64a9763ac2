import { z } from 'zod';
import { isPlainName } from './plainName.ts';
import { bytesOfBase64 } from './trust.ts';
import { isVersion } from './version.ts';

export const manifestName = 'release.json';
export const signatureName = 'release.json.sig';
export const product = 'field-console';

/** What a manifest may have at most, bytes. */
export const largestManifest = 65_536;
/** What a package may have at most, bytes: several times what one has. */
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
 * What a release says of itself, version 1. Members that are not known are let be: a console must still
 * understand the release after the next one.
 */
const manifestSchema = z.object({
  version: z.literal(1),
  product: z.string().max(64),
  channel: z.string().max(32),
  release: z.object({
    version: z.string().refine(isVersion),
    /** Greater with every release, whatever its version is called. */
    sequence: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    releasedAt: z.iso.datetime(),
    /** From then on it is refused: who withholds later releases cannot offer this one for ever. */
    expiresAt: z.iso.datetime(),
    /** Per cent of the consoles that are told of it unasked. */
    rollout: z.number().min(0).max(100).optional(),
  }),
  packages: z.array(packageSchema).min(1).max(64),
});
export type ReleaseManifest = z.infer<typeof manifestSchema>;

/** Reads a manifest whose signature holds; null when it is none. Never throws. */
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

/** What packages a console can install. */
export interface UpdateTarget {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly kind: ReleasePackage['kind'];
}

/** The package for this computer: one of its own architecture before one for all. */
export function packageFor(
  { packages }: Pick<ReleaseManifest, 'packages'>,
  { platform, arch, kind }: UpdateTarget,
): ReleasePackage | null {
  const fitting = (wanted: string): ReleasePackage | undefined =>
    packages.find((entry) => entry.platform === platform && entry.kind === kind && entry.arch === wanted);
  return fitting(arch) ?? fitting('universal') ?? null;
}
