import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StorageError } from '../../core/vault/storage.ts';

/**
 * The file of a thread's program: among the sources `folder/name`; in the built console beside the entries, which may
 * be one folder up from the chunk with this file.
 *
 * @throws StorageError `unsupported` when it is missing
 */
export function programUrl(folder: string, name: string): URL {
  const candidates = [`../${folder}/${name}.ts`, `${name}.js`, `../${name}.js`];
  const urls = candidates.map((path) => new URL(path, import.meta.url));
  const url = urls.find((candidate) => existsSync(fileURLToPath(candidate)));
  if (!url) throw new StorageError('unsupported', `the program ${name} is missing`);
  return url;
}
