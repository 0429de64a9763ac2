import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { kioskArguments, profilePreferences } from './kioskBrowser.ts';
import { writeLaunchFile } from './launchFile.ts';

/** In the data folder: the profile of each browser, and the file with its address. */
const kioskFolder = 'kiosk-browser';
const pageName = 'open.html';

/** A browser of the kiosk, from its start until it has ended and its profile is removed. */
export interface BrowserChild {
  /** Ends the browser at once and removes its profile. Never rejects. */
  end(): Promise<void>;
}

type Target =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string };

/**
 * Starts a browser that fills the screen with a page. Its profile is new each time, so that a fault of the last one, or
 * traces of an operator, cannot remain.
 *
 * @param options.onEnd called once, when it ends unexpectedly or could not be started
 */
export async function startBrowser(options: {
  readonly program: string;
  readonly dataDir: string;
  readonly target: Target;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onEnd: (why: string) => void;
}): Promise<BrowserChild> {
  const { program, dataDir, target, onEnd } = options;
  const root = join(dataDir, kioskFolder);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(root, 'profile-'));
  await mkdir(join(folder, 'Default'), { mode: 0o700 });
  await writeFile(join(folder, 'Default', 'Preferences'), profilePreferences, { mode: 0o600 });
  const page =
    target.kind === 'file' ? target.path : await writeLaunchFile({ folder, url: target.url, name: pageName });

  // The service manager must not listen to the browser.
  const {
    NOTIFY_SOCKET: _socket,
    WATCHDOG_USEC: _usec,
    WATCHDOG_PID: _pid,
    ...environment
  } = options.environment;
  let ended = false;
  // A separate process group, which can be ended as a whole.
  const child = spawn(program, kioskArguments({ profile: folder, page, environment }), {
    detached: process.platform !== 'win32',
    stdio: 'ignore',
    env: environment,
  });
  const killNow = (): void => killGroup(child);
  // Also when the console ends because of an error.
  process.once('exit', killNow);
  const over = new Promise<void>((resolve) => {
    const hear = (why: string): void => {
      process.off('exit', killNow);
      resolve();
      if (ended) return;
      ended = true;
      onEnd(why);
    };
    child.once('error', (error) => hear(error.message));
    child.once('exit', (status, signal) => hear(signal ?? `status ${String(status)}`));
  });
  return {
    end: async () => {
      ended = true;
      killNow();
      await over;
      // Its processes may still write while they end.
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(
        () => undefined,
      );
    },
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/**
 * Removes the profiles that a killed console left, and ends the browsers that still use them: they would cover the new
 * one. A browser is recognised by the profile in its arguments, never by its process id alone.
 */
export async function sweepBrowsers(dataDir: string): Promise<void> {
  const root = join(dataDir, kioskFolder);
  for (const name of await readdir(root).catch(() => [])) {
    const folder = join(root, name);
    // Chromium names its process there: host-number.
    const lock = await readlink(join(folder, 'SingletonLock')).catch(() => '');
    const pid = Number(/-(\d+)$/.exec(lock)?.[1] ?? Number.NaN);
    const command = Number.isSafeInteger(pid)
      ? await readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => '')
      : '';
    if (command.split('\0').includes(`--user-data-dir=${folder}`)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined);
  }
}
