import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';

const made = new Set<string>();
afterEach(async () => {
  for (const folder of made) await rm(folder, { recursive: true, force: true });
  made.clear();
});

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-test-'));
  made.add(folder);
  return folder;
}

/** What `fill` makes in a folder, made once; every test takes a copy of its own. */
export function preparedOnce(fill: (root: string) => Promise<void>): () => Promise<string> {
  let made = '';
  beforeAll(async () => {
    made = await mkdtemp(join(tmpdir(), 'field-console-test-'));
    await fill(made);
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
