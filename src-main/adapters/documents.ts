import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Documents } from '../core/base/ports.ts';
import { isMissing, syncFolder, writeAtomically } from './durableFiles.ts';

/** No separators, no leading dot, so no name can leave the folder or hide in it. */
const nameRule = /^[a-z0-9][a-z0-9.-]{0,127}$/;

/**
 * Documents as files of `dir` (mode 0700), each written beside itself, fsynced and renamed: after a
 * power cut there is the old text or the new one, never half of either.
 */
export function createDocuments(dir: string): Documents {
  /** Writes of one document follow one another, so that the last one asked for is the one that stays. */
  const lastWrites = new Map<string, Promise<void>>();

  const afterEarlier = (name: string, run: (path: string) => Promise<void>): Promise<void> => {
    const earlier = lastWrites.get(name) ?? Promise.resolve();
    const done = earlier.catch(() => undefined).then(() => run(pathOf(dir, name)));
    const settled = done
      .catch(() => undefined)
      .finally(() => {
        if (lastWrites.get(name) === settled) lastWrites.delete(name);
      });
    lastWrites.set(name, settled);
    return done;
  };

  return {
    read: async (name) => {
      const path = pathOf(dir, name);
      await lastWrites.get(name);
      try {
        return await readFile(path, 'utf8');
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    write: (name, text) => afterEarlier(name, (path) => replace(dir, path, text)),
    remove: (name) =>
      afterEarlier(name, async (path) => {
        await rm(path, { force: true });
        await syncFolder(dir);
      }),
  };
}

async function replace(dir: string, path: string, text: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  await writeAtomically(path, text);
  await syncFolder(dir);
}

function pathOf(dir: string, name: string): string {
  if (!nameRule.test(name)) throw new RangeError(`"${name}" is not a document's name`);
  return join(dir, name);
}
