import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import process from 'node:process';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { PrintToPDFOptions } from 'electron';
import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import type { FromBrowser, ToBrowser } from '../standIn/messages.ts';
import { preloadScript } from '../standIn/preload.ts';
import type { RunningConsole } from './launch.ts';

/** Of Electron's options those that the console gives; both hand them to the same part of Chromium. */
const pdfOptions = ({
  preferCSSPageSize = false,
  printBackground = false,
  generateTaggedPDF = false,
}: PrintToPDFOptions): Parameters<Page['pdf']>[0] => ({
  preferCSSPageSize,
  printBackground,
  tagged: generateTaggedPDF,
});

/** A desktop application on the stand-in of Electron. */
export interface StandInConsole extends RunningConsole {
  /** Resolves to the exit status. */
  readonly exited: Promise<number | null>;
  /** The first window's page once it is loaded. Rejects when the application ends before. */
  firstPage(): Promise<Page>;
}

/**
 * Starts the built desktop application with the fake of `electron`. Its windows are pages of `browser`, in a context of
 * their own; `prepare` is given each before it loads anything.
 */
export function startOnStandIn(options: {
  readonly browser: Browser;
  readonly folder: string;
  readonly dataDir: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly context: BrowserContextOptions;
  /** Whether its main process has Node's inspector, whose address it writes to standard error. */
  readonly inspected?: boolean;
  readonly prepare: (page: Page) => Promise<void>;
}): StandInConsole {
  const { browser, folder, dataDir, args, environment, prepare, inspected = false } = options;
  const child = fork(resolve('test/e2e/programs/standInDesktop.ts'), ['--data-dir', dataDir, ...args], {
    execArgv: inspected ? ['--inspect=0'] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Where a desktop keeps what starts at login is the operator's own.
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: `${folder}/config`, ...environment },
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const tell = (message: FromBrowser): void => {
    if (child.connected) child.send(message);
  };

  const context = browser.newContext(options.context);
  const pages = new Map<number, Promise<Page>>();
  let origin = '';
  const first = Promise.withResolvers<Page>();
  first.promise.catch(() => undefined);

  const openPage = async (window: number, preload: boolean): Promise<Page> => {
    const page = await (await context).newPage();
    page.on('domcontentloaded', () => tell({ kind: 'laid-out', window }));
    page.on('load', () => tell({ kind: 'loaded', window }));
    let crashed = false;
    page.on('crash', () => {
      // Playwright drives no page again that died: the window goes on in another one.
      crashed = true;
      pages.delete(window);
      tell({ kind: 'crashed', window });
    });
    page.on('close', () => {
      if (!crashed) tell({ kind: 'closed', window });
    });
    await prepare(page);
    if (!preload) return page;
    const path = resolve('out/preload/index.cjs');
    await page.addInitScript({ content: preloadScript({ path, origin, window }) });
    return page;
  };
  const answer = (id: number, work: Promise<unknown>): void => {
    work.then(
      (value) => tell({ kind: 'done', id, value, error: null }),
      (error: unknown) => tell({ kind: 'done', id, value: null, error: String(error) }),
    );
  };
  const load = async ({ window, url, preload }: Extract<ToBrowser, { kind: 'load' }>): Promise<void> => {
    const opening = pages.get(window) ?? openPage(window, preload);
    pages.set(window, opening);
    const page = await opening;
    await page.goto(url.replace(desktopOrigin, origin));
    first.resolve(page);
  };
  /** Nothing where there is no such page any more. */
  const withPage = async (window: number, work: (page: Page) => Promise<unknown>): Promise<unknown> => {
    const page = await pages.get(window);
    return page === undefined || page.isClosed() ? undefined : work(page);
  };
  child.on('message', (message: ToBrowser) => {
    switch (message.kind) {
      case 'serves':
        origin = message.origin;
        break;
      case 'load':
        answer(message.id, load(message));
        break;
      case 'run':
        answer(
          message.id,
          withPage(message.window, (page) => page.evaluate(message.script)),
        );
        break;
      case 'print':
        answer(
          message.id,
          withPage(message.window, (page) => page.pdf(pdfOptions(message.options))),
        );
        break;
      case 'crash':
        // The page dies of it, so that this never succeeds.
        withPage(message.window, (page) => page.goto('chrome://crash')).catch(() => undefined);
        break;
      case 'close':
        void withPage(message.window, (page) => page.close());
        break;
    }
  });
  const exited = once(child, 'exit').then(async ([code]) => {
    first.reject(new Error(`The application left with status ${String(code)}: ${stderr}`));
    await (await context).close();
    return code as number | null;
  });
  return {
    dataDir,
    pid: child.pid ?? -1,
    exited,
    output: () => ({ stdout, stderr }),
    firstPage: () => first.promise,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
