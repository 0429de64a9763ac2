import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file below a folder, as bytes read as Latin-1 so that any text in it can be found. */
export async function filesBelow(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(path, await readFile(path, 'latin1'));
  }
  return files;
}

/** The forms in which a secret could hide: as it is, URL-encoded, base64 and base64url. */
export const formsOf = (secret: string): string[] => [
  ...new Set([
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ]),
];
