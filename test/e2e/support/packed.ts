import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { extractAll } from '@electron/asar';
import { executableIn, makeDrivable, packedFolder } from '../../../build/drivable.ts';
import { electronBinary } from '../../../build/electron-binary.mjs';
import { removeFolder, temporaryFolder } from './launch.ts';

/** @throws Error when there is no packed application, or one that is older than what was built since. */
function packed(): { readonly folder: string; readonly archive: string } {
  const found = packedFolder();
  if (found === null)
    throw new Error('There is no packed application: make it with "npm run package -- --dir"');
  return found;
}

/** Why the desktop host cannot be driven on this machine, in a few words, or null. */
export function noDesktop(): string | null {
  if (electronBinary() === null) return 'no Electron binary';
  const noDisplay =
    process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'];
  return noDisplay ? 'no display' : null;
}

/** Unpacks the archive and names the browser host in it. Node itself cannot read inside of an archive. */
export async function extractServe(): Promise<{ readonly program: string; remove(): Promise<void> }> {
  const { archive } = packed();
  const folder = await temporaryFolder();
  extractAll(archive, folder);
  return { program: join(folder, 'out/main/serve.js'), remove: () => removeFolder(folder) };
}

/** A copy of the packed application that differs in the one fuse that Playwright's driver needs. */
export async function makeDriven(): Promise<{ readonly executable: string; remove(): Promise<void> }> {
  const { folder } = packed();
  const copy = await temporaryFolder();
  return { executable: await makeDrivable(folder, copy), remove: () => removeFolder(copy) };
}

/** Runs the packed application as it is shipped, until it ends. */
export async function runShipped(
  args: readonly string[],
  folder: string,
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  const program = executableIn(packed().folder);
  const child = spawn(program, [...args, '--data-dir', `${folder}/data`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}
