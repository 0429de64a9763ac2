/** Finds Electron's binary, or has it downloaded under a watch that does not wait for a dead link. */
import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const electronFolder = join(here, '..', 'node_modules', 'electron');
/** Where Electron's executable lies in its folder on each system. */
const executables = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  linux: 'electron',
  win32: 'electron.exe',
};
/** Without a byte for this long the download is given up. */
const longestSilenceMs = 20_000;
/** Unpacking brings no bytes, but must end too. */
const unpackMs = 180_000;

/** Whether the unpacked Electron is the one of package-lock.json: an update of the lock file leaves the older one there. */
function isCurrent() {
  const textOf = (name) => readFileSync(join(electronFolder, name), 'utf8').trim();
  try {
    return textOf('dist/version').replace(/^v/, '') === JSON.parse(textOf('package.json')).version;
  } catch {
    return false;
  }
}

/** The path of Electron's executable, or null. */
export function electronBinary() {
  const pathFile = join(electronFolder, 'path.txt');
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  // The path file is written by the download, which a folder of one's own makes needless.
  const inside = existsSync(pathFile)
    ? readFileSync(pathFile, 'utf8').trim()
    : override
      ? executables[process.platform]
      : undefined;
  if (inside === undefined || (!override && !isCurrent())) return null;
  const binary = join(override || join(electronFolder, 'dist'), inside);
  return existsSync(binary) ? binary : null;
}

/**
 * Downloads the binary.
 *
 * @param {string} node the Node executable to do it with
 * @param {number} silenceMs how long no byte may come
 * @returns {Promise<string | null>} null when it is there, else why it is not, as half a sentence
 */
export async function downloadElectron(node, silenceMs = longestSilenceMs) {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-electron-'));
  try {
    return await new Promise((resolve) => {
      const child = fork(join(here, 'download-electron.mjs'), [folder], {
        execPath: node,
        execArgv: [],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      let reason = null;
      let timer;
      const watch = (ms, words) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          reason = words;
          child.kill('SIGKILL');
        }, ms);
      };
      const stop = () => child.kill('SIGKILL');
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
      for (const signal of signals) process.on(signal, stop);
      watch(silenceMs, `nothing was received for ${silenceMs / 1000} s`);
      child.on('message', (message) => {
        if (message.failed) reason = message.failed;
        else if (message.downloaded) watch(unpackMs, 'unpacking it took too long');
        else if (message.received > 0) watch(silenceMs, `nothing was received for ${silenceMs / 1000} s`);
      });
      child.on('error', (error) => {
        reason = error.message;
      });
      child.on('close', () => {
        clearTimeout(timer);
        for (const signal of signals) process.off(signal, stop);
        resolve(electronBinary() === null ? (reason ?? 'the download ended without it') : null);
      });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
