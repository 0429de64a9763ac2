import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const notice = `Field Console needs this folder. Do not delete it to save space.
On Windows its file "Local State" holds the key of "device.secret": without that key,
data on this computer cannot be opened, evidence that was not sent included.
`;

/**
 * Makes Chromium's profile folder in a data folder and returns its path. On Windows its `Local State` has the key of
 * `device.secret`, so it must not look like a cache. It was once called `window`; that folder is renamed with its
 * content. When that fails, as while another console uses it, the old one is used.
 */
export function openProfileFolder(dataDir: string): string {
  const folder = join(dataDir, 'profile');
  const former = join(dataDir, 'window');
  if (!existsSync(folder) && existsSync(former)) {
    try {
      renameSync(former, folder);
    } catch {
      return former;
    }
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'DO-NOT-DELETE.txt'), notice, { mode: 0o600 });
  return folder;
}
