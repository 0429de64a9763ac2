import type { SafeStorage } from 'electron';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemState } from '../../../../src-preload/contract/index.ts';
import { writeAtomically } from '../../../adapters/durableFiles.ts';
import { readPlain } from '../../../adapters/plainFile.ts';
import type { LogEvent } from '../../../core/base/logEvents.ts';
import type { Logger, Random } from '../../../core/base/ports.ts';
import type { Policy } from '../../../core/features/policy/policy.ts';

export const secretFileName = 'device.secret';
const secretBytes = 32;
/** A larger file does not come from the console. */
export const largestSecretFile = 65_536;

/** Only the asynchronous functions: Electron will remove the others. */
export type SystemStorage = Pick<
  SafeStorage,
  'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend' | 'isAsyncEncryptionAvailable'
>;

interface KeyStoreAccess {
  readonly safeStorage: SystemStorage;
  readonly platform: NodeJS.Platform;
}

/**
 * The system's storage for this user's secrets, for the diagnostics page, and the key store's state. Does not ask the
 * key store, since a locked one would make the page wait. Call it after Electron is ready.
 */
export function storageBackend(keeping: KeyStoreAccess, keyStore: SystemState['keyStore']): string {
  const name = nameOf(keeping);
  switch (keyStore) {
    case 'open':
      return name;
    case 'not-used':
      return `${name} (not used)`;
    case 'waiting':
      return `${name} (has not answered)`;
    case 'closed':
      return `${name} (did not open)`;
  }
}

/**
 * Whether a reliable key store exists, has stored this data folder's secret, and does not open because its prompt was
 * dismissed. False for a system without a key store. Never rejects.
 */
export async function isKeyStoreClosed(
  keeping: KeyStoreAccess & { readonly dataDir: string },
): Promise<boolean> {
  if (!isNamed(keeping) || (await isReliable(keeping))) return false;
  return access(join(keeping.dataDir, secretFileName)).then(
    () => true,
    () => false,
  );
}

function nameOf({ safeStorage, platform }: KeyStoreAccess): string {
  if (platform === 'darwin') return 'keychain';
  if (platform === 'win32') return 'dpapi';
  return platform === 'linux' ? safeStorage.getSelectedStorageBackend() : 'none';
}

const isNamed = (keeping: KeyStoreAccess): boolean =>
  !['basic_text', 'unknown', 'none'].includes(nameOf(keeping));

/** Whether other users cannot decrypt its secrets: `basic_text` uses a password that everyone knows. */
async function isReliable(keeping: KeyStoreAccess): Promise<boolean> {
  if (!isNamed(keeping)) return false;
  try {
    return await keeping.safeStorage.isAsyncEncryptionAvailable();
  } catch {
    return false;
  }
}

export interface SecretOptions {
  readonly safeStorage: SystemStorage;
  readonly platform: NodeJS.Platform;
  readonly dataDir: string;
  readonly policy: Pick<Policy, 'passwordOnly'>;
  /** Decrypts the file with the key of the application's former name; null when that does not open it either. */
  readonly askFormerName: () => Promise<string | null>;
  readonly random: Random;
  readonly logger?: Logger;
}

/**
 * The secret with which vaults of this data folder need this user's system account in addition to the password: 32
 * random bytes in `device.secret`, encrypted by the system's key store and made at the first call. A secret that only
 * the application's former name opens is encrypted again under the present one. Null where the policy allows only the
 * password, where the system has no reliable key store, or where the file cannot be decrypted. Such a file is never
 * overwritten, since vaults may be sealed with it. Call it after Electron is ready. Never rejects.
 */
export async function readDeviceSecret(options: SecretOptions): Promise<Uint8Array | null> {
  const { safeStorage, platform, dataDir, policy, askFormerName, random, logger } = options;
  const path = join(dataDir, secretFileName);
  const refused = (event: LogEvent, error?: unknown): null => {
    logger?.warn(event, error === undefined ? {} : { message: messageOf(error) });
    return null;
  };
  if (policy.passwordOnly) return null;
  if (!(await isReliable(options))) {
    logger?.info('device-secret-unavailable', { backend: nameOf(options) });
    return null;
  }

  let kept: Buffer | null;
  try {
    kept = await readPlain(path, largestSecretFile);
  } catch (error) {
    return refused('device-secret-unreadable', error);
  }
  if (kept === null) {
    const secret = random.bytes(secretBytes);
    try {
      await seal(options, path, secret);
      return secret;
    } catch (error) {
      return refused('device-secret-not-made', error);
    }
  }

  let opened = await openSecret(safeStorage, kept);
  if (opened.secret === null && platform !== 'win32') {
    const former = secretIn(await askFormerName());
    if (former !== null) opened = { secret: former, stale: true, problem: null };
  }
  const { secret, stale, problem } = opened;
  if (secret === null) return refused('device-secret-unreadable', problem);
  // The name or the system's key has changed: the old key may be lost soon.
  if (stale)
    await seal(options, path, secret).catch((error: unknown) => refused('device-secret-stale', error));
  return secret;
}

interface OpenedSecret {
  readonly secret: Uint8Array | null;
  readonly stale: boolean;
  readonly problem: unknown;
}

async function openSecret(safeStorage: SystemStorage, kept: Buffer): Promise<OpenedSecret> {
  try {
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(kept);
    return { secret: secretIn(result), stale: shouldReEncrypt, problem: 'not a secret' };
  } catch (error) {
    return { secret: null, stale: false, problem: error };
  }
}

/** The secret in a decrypted text. Another key may give a text too, since Linux's encryption is not authenticated. */
function secretIn(text: string | null): Uint8Array | null {
  const bytes = Buffer.from(text ?? '', 'base64');
  return bytes.byteLength === secretBytes && bytes.toString('base64') === text ? new Uint8Array(bytes) : null;
}

/** Writes the secret encrypted, after a check that it can be decrypted. */
async function seal(
  { safeStorage, platform }: KeyStoreAccess,
  path: string,
  secret: Uint8Array,
): Promise<void> {
  const text = Buffer.from(secret).toString('base64');
  const encrypted = await safeStorage.encryptStringAsync(text);
  // Chromium's mark for its built-in key: the key store did not answer, although one is configured.
  if (platform === 'linux' && encrypted.subarray(0, 3).toString('latin1') === 'v10') {
    throw new Error('The key store did not answer');
  }
  const { result } = await safeStorage.decryptStringAsync(encrypted);
  if (result !== text) throw new Error('What was encrypted does not come back');

  // It must survive a power cut: without its secret, a sealed vault does not open.
  await writeAtomically(path, encrypted);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
