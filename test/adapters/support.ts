import { mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { mountSmallDisk } from '../support/smallDisk.ts';

type Close = () => unknown;
/** While something is prepared for many tests: what closes what it opened. */
let preparing: Close[] | null = null;

/**
 * Has `close` called after the test, or after the preparation in which it is called; the last one first. A hook of
 * this module would not do: it would be one of the first test file alone that a process loads.
 */
export function afterwards(close: Close): void {
  if (preparing === null) onTestFinished(async () => void (await close()));
  else preparing.push(close);
}

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-test-'));
  afterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What `fill` makes in a folder, made once; every test takes its own copy. */
export function preparedOnce(fill: (root: string) => Promise<void>): () => Promise<string> {
  let made = '';
  beforeAll(async () => {
    made = await mkdtemp(join(tmpdir(), 'field-console-test-'));
    const opened: Close[] = (preparing = []);
    try {
      await fill(made);
    } finally {
      preparing = null;
      for (const close of opened.reverse()) await close();
    }
  });
  afterAll(() => rm(made, { recursive: true, force: true }));
  return async () => {
    const root = await temporaryFolder();
    await cp(made, root, { recursive: true });
    return root;
  };
}

/** The permission bits, as in `0o600`. */
export const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

/** Permission bits mean nothing on Windows, and root may write anywhere. */
export const hasModes = process.platform !== 'win32';
export const isRoot = process.getuid?.() === 0;

/** Whether this user may mount a disk: tried on a folder that is removed afterwards. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'field-console-test-'));
  const unmount = isRoot ? mountSmallDisk(folder, 1) : null;
  unmount?.();
  rmSync(folder, { recursive: true });
  return unmount !== null;
}

/** A folder on a separate disk, both removed after the test. Throws where `mayMount` is false. */
export async function smallDisk(megabytes: number): Promise<string> {
  const folder = await temporaryFolder();
  const unmount = mountSmallDisk(folder, megabytes);
  if (unmount === null) throw new Error('This user may not mount a disk');
  afterwards(unmount);
  return folder;
}
