import { execFileSync } from 'node:child_process';

/** Runs a program; says whether it ended well. */
export function ran(program: string, ...words: string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Puts a disk of its own under `folder`, which only a user with the right to mount can; answers with
 * what takes it away again, or null where that right is missing.
 */
export function mountSmallDisk(folder: string, megabytes: number): (() => void) | null {
  const size = `size=${String(megabytes)}m`;
  if (!ran('mount', '-t', 'tmpfs', '-o', size, 'tmpfs', folder)) return null;
  return () => void ran('umount', '-l', folder);
}
