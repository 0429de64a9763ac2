import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StorageError } from '../../core/vault/storage.ts';

/**
 * Where the program of a thread lies: in its folder of the sources, `folder/name`; in the built console beside
 * the entries, which may be one folder up from the chunk that this file became part of.
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
