import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type {
  ReleaseManifest,
  ReleasePackage,
  UpdateTarget,
} from '../../../../src-main/core/features/updates/release.ts';
import type { UpdateKey, UpdateTrust } from '../../../../src-main/core/features/updates/trust.ts';

/** A pair of keys of a test's own. */
export interface TestKey {
  readonly entry: UpdateKey;
  /** A line of a signature file. */
  line(bytes: Uint8Array): string;
}

export function makeKey(id: string, more: Partial<UpdateKey> = {}): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    entry: { id, publicKey: raw.toString('base64'), ...more },
    line: (bytes) => `${id} ${sign(null, bytes, privateKey).toString('base64')}\n`,
  };
}

export const target: UpdateTarget = { platform: 'linux', arch: 'x64', kind: 'appimage' };
export const running = '1.0.0';
export const runningSequence = 10;
export const packageFile = 'field-console-1.1.0-linux-x86_64.AppImage';

export const trustIn = (keys: readonly TestKey[], more: Partial<UpdateTrust> = {}): UpdateTrust => ({
  channel: 'stable',
  sequence: runningSequence,
  server: null,
  keys: keys.map(({ entry }) => entry),
  ...more,
});

export interface TestRelease {
  readonly manifest: Buffer;
  readonly signature: Buffer;
  readonly file: string;
  readonly content: Buffer;
}

export interface ReleaseChange {
  readonly signedBy?: readonly TestKey[];
  readonly content?: Buffer;
  readonly release?: Partial<ReleaseManifest['release']>;
  readonly package?: Partial<Record<keyof ReleasePackage, unknown>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
}

export const someContent = (bytes = 3_000_000): Buffer => Buffer.alloc(bytes, 'a package of the console ');

/** A release that a console of version 1.0.0 may take, or what a change makes of it. */
export function makeRelease(key: TestKey, change: ReleaseChange = {}): TestRelease {
  const { content = someContent(), signedBy = [key] } = change;
  const described = {
    platform: 'linux',
    arch: 'x64',
    kind: 'appimage',
    file: packageFile,
    bytes: content.byteLength,
    sha512: createHash('sha512').update(content).digest('base64'),
    ...change.package,
  };
  const body = {
    version: 1,
    product: 'field-console',
    channel: 'stable',
    release: {
      version: '1.1.0',
      sequence: runningSequence + 1,
      releasedAt: '2026-11-19T08:00:00.000Z',
      expiresAt: '2099-11-19T08:00:00.000Z',
      ...change.release,
    },
    packages: [described],
    ...change.manifest,
  };
  const manifest = Buffer.from(JSON.stringify(body));
  const signature = Buffer.from(signedBy.map((one) => one.line(manifest)).join(''));
  return { manifest, signature, file: String(described.file), content };
}

/** Lays the three files of a release beside one another. */
export async function layOut(folder: string, { manifest, signature, content }: TestRelease): Promise<void> {
  await writeFile(join(folder, 'release.json'), manifest);
  await writeFile(join(folder, 'release.json.sig'), signature);
  await writeFile(join(folder, packageFile), content);
}

/** Made when first needed, and removed with everything in it when the process ends. */
const folders: { parent: string | null } = { parent: null };

export function temporaryFolder(): string {
  if (folders.parent === null) {
    const parent = mkdtempSync(join(tmpdir(), 'field-console-updates-'));
    process.once('exit', () => rmSync(parent, { recursive: true, force: true }));
    folders.parent = parent;
  }
  return mkdtempSync(join(folders.parent, 'case-'));
}
