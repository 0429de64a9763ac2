import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Longer than any start that needs such a folder, in milliseconds. */
const leftAfterMs = 60 * 60_000;

export interface PassingFolderOptions {
  readonly parent: string;
  readonly remove: (path: string) => void;
  /** Runs a step when the process ends. */
  readonly atExit: (step: () => void) => void;
}

const ofThisProcess = (): PassingFolderOptions => ({
  parent: tmpdir(),
  remove: (path) => rmSync(path, { recursive: true, force: true }),
  atExit: (step) => void process.once('exit', step),
});

/**
 * A folder that is removed when the process ends. On Windows Chromium has its files open until the very end, so that it
 * cannot be removed then: the next such start removes it. `now`: Unix milliseconds of the wall clock.
 */
export function passingFolder(
  name: string,
  now: number,
  options: PassingFolderOptions = ofThisProcess(),
): string {
  const { parent, remove, atExit } = options;
  const prefix = `field-console-${name}-`;
  const tryToRemove = (path: string): void => {
    try {
      remove(path);
    } catch {
      // It is in use, or belongs to another user.
    }
  };
  for (const left of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const path = join(parent, left);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - changed > leftAfterMs) tryToRemove(path);
  }
  const folder = mkdtempSync(join(parent, prefix));
  atExit(() => tryToRemove(folder));
  return folder;
}
