import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Documents } from '../core/base/ports.ts';
import { KeyedQueue } from '../core/base/queues.ts';
import { isMissing, replaceFile, syncFolder } from './durableFiles.ts';

/** No separators, no leading dot, so no name can leave the folder or hide in it. */
const nameRule = /^[a-z0-9][a-z0-9.-]{0,127}$/;

/**
 * Documents as files of `dir` (mode 0700), each written beside itself, fsynced and renamed: after a
 * power cut there is the old text or the new one, never half of either.
 */
export function createDocuments(dir: string): Documents {
  const pathOf = (name: string): string => {
    if (!nameRule.test(name)) throw new RangeError(`"${name}" is not a document's name`);
    return join(dir, name);
  };
  /** Of one document, so that the last text asked for is the one that stays. */
  const order = new KeyedQueue();
  const inOrder = <T>(name: string, work: (path: string) => Promise<T>): Promise<T> =>
    order.run(name, async () => work(pathOf(name)));

  return {
    read: (name) =>
      inOrder(name, async (path) => {
        try {
          return await readFile(path, 'utf8');
        } catch (error) {
          if (isMissing(error)) return null;
          throw error;
        }
      }),
    write: (name, text) => inOrder(name, (path) => replaceFile(path, text)),
    remove: (name) =>
      inOrder(name, async (path) => {
        await rm(path, { force: true });
        await syncFolder(dir);
      }),
  };
}
