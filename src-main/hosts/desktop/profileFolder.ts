import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const noticeName = 'DO-NOT-DELETE.txt';
const notice = `Field Console needs this folder. Do not delete it to save space.
On Windows its file "Local State" holds the key of "device.secret": without that key,
data on this computer cannot be opened, evidence that was not sent included.
`;

/**
 * Makes Chromium's profile folder in a data folder and returns its path. On Windows its `Local State` has the key of
 * `device.secret`, so it must not look like a cache. On a full or read-only disk Chromium could not lock it: then it is
 * a passing folder, with that key.
 */
export function openProfileFolder(dataDir: string, makePassing: () => string): string {
  const folder = join(dataDir, 'profile');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Of this start alone: another one may try at the same time.
    const probe = join(folder, `writable-${String(process.pid)}`);
    writeFileSync(probe, noticeName, { mode: 0o600 });
    rmSync(probe);
  } catch {
    const passing = makePassing();
    const key = join(folder, 'Local State');
    if (existsSync(key)) copyFileSync(key, join(passing, 'Local State'));
    return passing;
  }
  try {
    writeFileSync(join(folder, noticeName), notice, { flag: 'wx', mode: 0o600 });
  } catch {
    // It is there, or another program has it open: the console needs only the folder.
  }
  return folder;
}
