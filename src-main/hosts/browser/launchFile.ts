import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The launch file's name in the data folder. */
export const launchFileName = 'launch.html';

/**
 * Writes the page that leads a browser in: its address carries the launch code, so the file is 0600
 * and the code never stands in any process's arguments. Replaced whole, so that a browser never reads
 * half of one.
 *
 * @returns the file's path
 */
export async function writeLaunchFile(options: {
  readonly folder: string;
  readonly url: string;
  readonly name?: string;
}): Promise<string> {
  const { folder, url, name = launchFileName } = options;
  const path = join(folder, name);
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}">
<title>Field Console</title>
<p><a href="${url}">Open Field Console</a></p>
</html>
`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(page);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return path;
}

/** Takes the launch file away: what it leads to is gone. */
export async function removeLaunchFile(folder: string): Promise<void> {
  await rm(join(folder, launchFileName), { force: true });
}
