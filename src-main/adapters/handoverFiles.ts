import { hkdfSync, randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeviceSecretReading, DeviceSecretSource } from '../core/base/ports.ts';
import type { HandoverFiles } from '../core/features/notes/handover/handoverFiles.ts';
import { isShut } from '../core/vault/keyStoreTrouble.ts';
import { sealBytes, unsealBytes } from '../core/vault/seal.ts';
import { replaceFile } from './durableFiles.ts';
import { readPlain, UnfitFileError } from './plainFile.ts';
import { readSmallFile } from './vault/folder.ts';
import { storing } from './vault/reason.ts';

/** In the folder of the vaults' anchors, outside of the data folder. */
const secretFile = 'handover.secret';
const secretBytes = 32;
/** A larger file does not come from the console, and would only fill the memory. */
const largestFile = 16 * 1024 * 1024;
/** The first byte of a file: whether its key also needs the system's key store. */
const marks = { plain: 0, keyStore: 1 } as const;

/**
 * Handovers in `handovers` in the data folder, sealed with AES-256-GCM. The secret is in `secretDir`, which should not
 * be copied together with the data folder, and is made at the first write. If the system's key store has a secret for
 * this user, the key needs that too. Without a key store, a person with both folders can read them.
 */
export function createHandoverFiles(options: {
  readonly dataDir: string;
  readonly secretDir: string;
  readonly deviceSecret: DeviceSecretSource;
}): HandoverFiles {
  const { dataDir, secretDir, deviceSecret } = options;
  const folder = join(dataDir, 'handovers');

  async function secret(): Promise<Uint8Array | null> {
    const found = await readSmallFile(join(secretDir, secretFile));
    return found?.byteLength === secretBytes ? found : null;
  }

  /** An incomplete file is not a secret: nothing was ever sealed with it. */
  async function madeSecret(): Promise<Uint8Array> {
    const found = await secret();
    if (found) return found;
    await replaceFile(join(secretDir, secretFile), randomBytes(secretBytes));
    return (await secret()) ?? madeSecret();
  }

  return {
    read: (deployment) =>
      storing(async () => {
        const bytes = await readPlain(join(folder, deployment), largestFile).catch(damagedIfUnfit);
        if (bytes === null) return { kind: 'none' };
        const mark = bytes[0];
        const device = await deviceSecret.read();
        if (isShut(device) || (device.kind === 'none' && mark === marks.keyStore)) return { kind: 'shut' };
        const found = await secret();
        // Without it nothing proves who wrote the file, nor without the key store's where there is one.
        if (!found) return { kind: 'damaged' };
        const key = keyOf(found, device, deployment);
        const opened = unsealBytes(key, bytes.subarray(1), boundTo(deployment, mark));
        key.fill(0);
        return opened === null ? { kind: 'damaged' } : { kind: 'text', text: opened.toString('utf8') };
      }),

    write: (deployment, text) =>
      storing(async () => {
        const device = await deviceSecret.read();
        if (isShut(device)) return 'shut';
        const mark = markOf(device);
        const key = keyOf(await madeSecret(), device, deployment);
        const sealed = sealBytes(key, Buffer.from(text), boundTo(deployment, mark));
        key.fill(0);
        await replaceFile(join(folder, deployment), Buffer.concat([Uint8Array.of(mark), sealed]));
        return 'written';
      }),

    setAside: (deployment, at) =>
      storing(() => {
        const date = new Date(at).toISOString().replaceAll(/[:.]/g, '-');
        return rename(join(folder, deployment), join(folder, `${deployment}-unreadable-${date}`));
      }),
  };
}

function damagedIfUnfit(error: unknown): Buffer {
  if (error instanceof UnfitFileError) return Buffer.alloc(0);
  throw error;
}

const markOf = ({ kind }: DeviceSecretReading): number => (kind === 'secret' ? marks.keyStore : marks.plain);

/** Each deployment has another key, so that a renamed file does not open. */
function keyOf(secret: Uint8Array, device: DeviceSecretReading, deployment: string): Uint8Array {
  const material = Buffer.concat([secret, device.kind === 'secret' ? device.secret : new Uint8Array(0)]);
  const key = hkdfSync('sha256', material, Buffer.from(deployment), 'field-console handovers v1', 32);
  material.fill(0);
  return new Uint8Array(key);
}

const boundTo = (deployment: string, mark: number | undefined): Uint8Array =>
  Buffer.from(JSON.stringify(['field-console handovers', 1, deployment, mark]));
