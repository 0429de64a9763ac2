import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The launch file's name in the data folder. */
export const launchFileName = 'launch.html';

/**
 * Writes the page that opens the console in a browser. Its address has the launch code, so the file is 0600 and the
 * code is never in a process's arguments. The file is replaced as a whole, so that a browser never reads half of it.
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
  try {
    await writeFile(draft, page, { flag: 'wx', mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return path;
}

/**
 * Writes the launch file into the data folder. If that disk is full or read-only, writes it into a separate folder
 * (0700) among the system's temporary files, so that a browser can still open the console.
 *
 * @returns its path, and the way to remove it; rejects when it could not be written anywhere
 */
export async function placeLaunchFile(options: {
  readonly dataDir: string;
  readonly url: string;
}): Promise<LaunchFile> {
  const { dataDir, url } = options;
  try {
    const path = await writeLaunchFile({ folder: dataDir, url });
    return { path, remove: () => removeLaunchFile(dataDir) };
  } catch {
    const folder = await mkdtemp(join(tmpdir(), 'field-console-launch-'));
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
    try {
      return { path: await writeLaunchFile({ folder, url }), remove };
    } catch (error) {
      await remove();
      throw error;
    }
  }
}

/** The written launch file. `remove` deletes it when its address is no longer valid. */
export interface LaunchFile {
  readonly path: string;
  remove(): Promise<void>;
}

/** Deletes the launch file, whose address is no longer valid. */
export async function removeLaunchFile(folder: string): Promise<void> {
  await rm(join(folder, launchFileName), { force: true });
}
