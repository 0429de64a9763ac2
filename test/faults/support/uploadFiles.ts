import { createHash } from 'node:crypto';

/** What a console under test is given to do. */
export interface UploadTask {
  readonly credentials: { readonly username: string; readonly password: string };
  readonly files: readonly string[];
  /** One more, of which only the first piece comes. */
  readonly unending?: string;
}

/** In every file: found in the data folder, it was written as it is. */
export const fileCanary = 'canary-file-91c4';

/** The bytes of the file of a name, 20 to 60 kB; other names have other bytes. */
export function fileBytes(name: string): Buffer {
  const digest = createHash('sha256').update(name).digest();
  const length = 20_000 + (digest.readUInt16LE(0) % 40_000);
  const line = `${fileCanary} ${digest.toString('hex')}\n`;
  return Buffer.from(line.repeat(Math.ceil(length / line.length)));
}

export const fileDigest = (name: string): string =>
  createHash('sha256').update(fileBytes(name)).digest('hex');
