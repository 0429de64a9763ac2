import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderFacts } from '../../core/features/diagnostics/tools.ts';

type Part = keyof FolderFacts['parts'];

const named: readonly Part[] = ['vaults', 'maps', 'logs', 'temporary'];

/** Sizes by what they are for. Files that go while they are counted count as nothing. */
export async function readFolder(dataDir: string): Promise<FolderFacts> {
  const parts: Record<Part, number> = { vaults: 0, maps: 0, logs: 0, temporary: 0, other: 0 };
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    const part = named.find((name) => name === entry.name) ?? 'other';
    const path = join(dataDir, entry.name);
    parts[part] += entry.isDirectory() ? await bytesBelow(path) : await bytesOf(path);
  }
  const free = await statfs(dataDir).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
  return { free, parts };
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isFile()) bytes += await bytesOf(join(entry.parentPath, entry.name));
  }
  return bytes;
}

const bytesOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
