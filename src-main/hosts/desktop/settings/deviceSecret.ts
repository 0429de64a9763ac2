import type { SafeStorage } from 'electron';
import { join } from 'node:path';
import type { SystemState } from '../../../../src-preload/contract/index.ts';
import { writeAtomically } from '../../../adapters/durableFiles.ts';
import { readPlain } from '../../../adapters/plainFile.ts';
import { textOf } from '../../../core/base/errors.ts';
import type { LogEvent } from '../../../core/base/logEvents.ts';
import type { DeviceSecretReading, Logger, Random } from '../../../core/base/ports.ts';
import type { Policy } from '../../../core/features/policy/policy.ts';

const secretFileName = 'device.secret';
const secretBytes = 32;
/** A larger file does not come from the console. */
const largestSecretFile = 65_536;

/** Only the asynchronous functions: Electron will remove the others. */
export type SystemStorage = Pick<
  SafeStorage,
  'decryptStringAsync' | 'encryptStringAsync' | 'getSelectedStorageBackend'
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

function nameOf({ safeStorage, platform }: KeyStoreAccess): string {
  if (platform === 'darwin') return 'keychain';
  if (platform === 'win32') return 'dpapi';
  return platform === 'linux' ? safeStorage.getSelectedStorageBackend() : 'none';
}

/** Whether other users cannot decrypt its secrets: `basic_text` uses a password that everyone knows. */
const isNamed = (keeping: KeyStoreAccess): boolean =>
  !['basic_text', 'unknown', 'none'].includes(nameOf(keeping));

/** What the key store gave, once it has answered. */
export type SecretReading = Exclude<DeviceSecretReading, { readonly kind: 'waiting' }>;

export interface SecretOptions {
  readonly safeStorage: SystemStorage;
  readonly platform: NodeJS.Platform;
  readonly dataDir: string;
  readonly policy: Pick<Policy, 'passwordOnly'>;
  readonly random: Random;
  readonly logger?: Logger;
}

/**
 * The secret with which vaults of this data folder need this user's system account in addition to the password: 32
 * random bytes in `device.secret`, encrypted by the system's key store and made at the first call. `none` where the
 * policy allows only the password, where the system has no reliable key store, or where the file cannot be decrypted by
 * one that works. Such a file is never overwritten, since vaults may be sealed with it. `closed` where the key store did
 * not open, as after a prompt that was dismissed: Electron asks once in a process, and says afterwards that the key store
 * is there (safeStorage), so this is judged by what it does. Call it after Electron is ready. Never rejects.
 */
export async function readDeviceSecret(options: SecretOptions): Promise<SecretReading> {
  const { safeStorage, dataDir, policy, random, logger } = options;
  const path = join(dataDir, secretFileName);
  const without = (kind: 'none' | 'closed', event: LogEvent, error: unknown): SecretReading => {
    logger?.warn(event, { message: textOf(error) });
    return { kind };
  };
  if (policy.passwordOnly) return { kind: 'none' };
  if (!isNamed(options)) {
    logger?.info('device-secret-unavailable', { backend: nameOf(options) });
    return { kind: 'none' };
  }

  let kept: Buffer | null;
  try {
    kept = await readPlain(path, largestSecretFile);
  } catch (error) {
    return without('none', 'device-secret-unreadable', error);
  }
  if (kept === null) {
    const secret = random.bytes(secretBytes);
    try {
      await seal(options, path, secret);
      return { kind: 'secret', secret };
    } catch (error) {
      return without(error instanceof KeyStoreShut ? 'closed' : 'none', 'device-secret-not-made', error);
    }
  }

  const { secret, stale, problem } = await openSecret(safeStorage, kept);
  if (secret === null) {
    const kind = (await isOpen(options)) ? 'none' : 'closed';
    return without(kind, 'device-secret-unreadable', problem);
  }
  // The system's key has changed: the old one may be lost soon.
  if (stale)
    await seal(options, path, secret).catch((error) => without('none', 'device-secret-stale', error));
  return { kind: 'secret', secret };
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

/** The key store encrypts nothing. */
class KeyStoreShut extends Error {
  override readonly name = 'KeyStoreShut';
}

async function encrypt({ safeStorage, platform }: KeyStoreAccess, text: string): Promise<Buffer> {
  const encrypted = await safeStorage.encryptStringAsync(text).catch((error: unknown) => {
    throw new KeyStoreShut(textOf(error));
  });
  // Chromium's mark for its built-in key: the key store did not answer, although one is configured.
  if (platform === 'linux' && encrypted.subarray(0, 3).toString('latin1') === 'v10')
    throw new KeyStoreShut('The key store did not answer');
  return encrypted;
}

const isOpen = (keeping: KeyStoreAccess): Promise<boolean> =>
  encrypt(keeping, '').then(
    () => true,
    () => false,
  );

/** Writes the secret encrypted, after a check that it can be decrypted. */
async function seal(keeping: KeyStoreAccess, path: string, secret: Uint8Array): Promise<void> {
  const text = Buffer.from(secret).toString('base64');
  const encrypted = await encrypt(keeping, text);
  const { result } = await keeping.safeStorage.decryptStringAsync(encrypted);
  if (result !== text) throw new Error('What was encrypted does not come back');

  // It must survive a power cut: without its secret, a sealed vault does not open.
  await writeAtomically(path, encrypted);
}
