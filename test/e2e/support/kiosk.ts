import { chromium, type Browser, type Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { chromiumLaunch, withoutWebgl } from '../../support/chromium.ts';
import { until } from '../../support/clock.ts';
import { serveProgram } from './launch.ts';

/** A built browser host that runs a browser of its own as a kiosk. */
export interface ServedKiosk {
  readonly dataDir: string;
  /** Resolves to the exit status. */
  readonly exited: Promise<number | null>;
  output(): string;
  /** The kiosk's browser as it is now, through its debugging port; waits for one that is not in `before`. */
  browser(before?: readonly string[]): Promise<KioskBrowser>;
  stop(): Promise<number | null>;
}

export interface KioskBrowser {
  readonly profile: string;
  readonly pid: number;
  readonly page: Page;
  /** Lets go of the debugging port; the browser goes on. */
  release(): Promise<void>;
}

const waitMs = 60_000;

/** A headless shell has no windows, and so none without a frame: it takes the page as a plain address. */
const plainAddress = ['for word do', '  shift', '  set -- "$@" "${word#--app=}"', 'done'];

/**
 * A program that starts the tests' Chromium with what a machine without a screen needs. The console
 * itself never passes any of it. No test of it looks at the map.
 */
async function wrapper(folder: string): Promise<string> {
  const { executablePath, args } = await chromiumLaunch();
  const path = join(folder, 'kiosk-chromium');
  const isShell = args.includes('--headless=shell');
  const more = [...withoutWebgl(args), ...(isShell ? [] : ['--headless=new']), '--remote-debugging-port=0'];
  const words = [executablePath, ...more].map((word) => `'${word}'`).join(' ');
  const lines = ['#!/bin/sh', ...(isShell ? plainAddress : []), `exec ${words} "$@"`, ''];
  await writeFile(path, lines.join('\n'), { mode: 0o700 });
  return path;
}

export async function serveKiosk(options: {
  readonly folder: string;
  readonly dataDir: string;
  readonly args: readonly string[];
  readonly program?: string;
}): Promise<ServedKiosk> {
  const { folder, dataDir } = options;
  const program = options.program ?? (await wrapper(folder));
  const child = spawn(
    process.execPath,
    [serveProgram(), '--kiosk', '--browser', program, '--data-dir', dataDir, ...options.args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    dataDir,
    exited,
    output: () => output,
    browser: async (before = []) => {
      const root = join(dataDir, 'kiosk-browser');
      let found: { profile: string; port: string } | null = null;
      const look = async (): Promise<void> => {
        for (const profile of await readdir(root).catch(() => [])) {
          if (before.includes(profile)) continue;
          const text = await readFile(join(root, profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
          const [port] = text.split('\n');
          if (port) found = { profile, port };
        }
      };
      const end = Date.now() + waitMs;
      for (;;) {
        await look();
        if (found !== null) break;
        if (Date.now() > end) throw new Error(`No browser of the kiosk came: ${output}`);
        await new Promise((done) => setTimeout(done, 100));
      }
      const { profile, port } = found as { profile: string; port: string };
      const { browser, page } = await attach(`http://127.0.0.1:${port}`);
      const pid = await processOf(browser);
      return { profile, pid, page, release: () => browser.close() };
    },
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/**
 * A browser and the console's page in it. Whoever attaches while the page turns from the launch file to the
 * console may be left holding the one that is gone: then it attaches again.
 */
async function attach(address: string): Promise<{ readonly browser: Browser; readonly page: Page }> {
  const end = Date.now() + waitMs;
  for (;;) {
    const browser: Browser = await chromium.connectOverCDP(address);
    const pages = (): Page[] => browser.contexts().flatMap((context) => context.pages());
    await until(() => pages().length > 0, 'the page of the kiosk', waitMs);
    for (const page of pages()) {
      const shows = page.locator('#app > *').first().waitFor({ timeout: 5_000 });
      const shown = await shows.then(
        () => true,
        () => false,
      );
      if (shown) return { browser, page };
    }
    await browser.close();
    if (Date.now() > end) throw new Error('The kiosk shows no console');
  }
}

/** The browser's own process, which it names itself: a headless shell leaves no lock file that would. */
async function processOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const own = processInfo.find(({ type }) => type === 'browser');
  if (!own) throw new Error('The browser of the kiosk names no process');
  return own.id;
}
