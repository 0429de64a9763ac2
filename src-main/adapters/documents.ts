import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Documents } from '../core/base/ports.ts';
import { KeyedQueue } from '../core/base/queues.ts';
import { replaceFile, syncFolder } from './durableFiles.ts';
import { readPlain } from './plainFile.ts';

/** Without separators and a leading dot, so that no name leaves the folder or is hidden in it. */
const nameRule = /^[a-z0-9][a-z0-9.-]{0,127}$/;
/** A larger file does not come from the console, and would only fill the memory. */
const largestDocument = 16 * 1024 * 1024;

/**
 * Documents as files of `dir` (mode 0700). Each is written to a file beside it, fsynced and renamed: after a power cut
 * there is either the old text or the new one.
 */
export function createDocuments(dir: string): Documents {
  const pathOf = (name: string): string => {
    if (!nameRule.test(name)) throw new RangeError(`"${name}" is not a document's name`);
    return join(dir, name);
  };
  /** One queue for each document, so that the last requested text is the one that stays. */
  const order = new KeyedQueue();
  const inOrder = <T>(name: string, work: (path: string) => Promise<T>): Promise<T> =>
    order.run(name, async () => work(pathOf(name)));

  return {
    read: (name) =>
      inOrder(name, async (path) => {
        const bytes = await readPlain(path, largestDocument);
        return bytes && new TextDecoder().decode(bytes);
      }),
    write: (name, text) => inOrder(name, (path) => replaceFile(path, text)),
    remove: (name) =>
      inOrder(name, async (path) => {
        await rm(path, { force: true });
        await syncFolder(dir);
      }),
  };
}
