/**
 * `npm run dev` where Electron's binary is not: the console in a browser, its page served from the sources and
 * changed in place while they are edited. Console, contract and host are those of `npm run serve`, run from their
 * sources too; a change of them takes a new start.
 */
import { join } from 'node:path';
import process from 'node:process';
import { dataFolderOf, exitStatus, openApp } from '../../src-main/cli/app.ts';
import { noControl } from '../../src-main/core/features/ports.ts';
import { parseArguments, usage } from '../../src-main/hosts/arguments.ts';
import {
  launchFileName,
  removeLaunchFile,
  writeLaunchFile,
} from '../../src-main/hosts/browser/launchFile.ts';
import { openInBrowser } from '../../src-main/hosts/browser/opener.ts';
import { startBrowserHost, type BrowserHost } from '../../src-main/hosts/browser/server.ts';
import { securityHeaders } from '../../src-main/hosts/csp.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { startPageServer, type PageServer } from './pageServer.ts';

const top = join(import.meta.dirname, '../..');
const { version } = packageJson;
const leaveWithinMs = 1_500;
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

async function start(): Promise<number | null> {
  const parsed = parseArguments({
    argv: process.argv.slice(2),
    environment: process.env,
    workingFolder: process.cwd(),
  });
  if (parsed.kind !== 'run') {
    say(parsed.kind === 'refused' ? parsed.sentence : usage);
    return parsed.kind === 'refused' ? exitStatus.refused : exitStatus.done;
  }
  const { options } = parsed;
  // As the desktop in development (src-main/desktop.ts): the station's data is left alone.
  const dataDir = options.dataDir ?? join(dataFolderOf(options), 'development');
  const openSystem = (target: string): Promise<boolean> =>
    openInBrowser({ target, platform: process.platform, environment: process.env });
  let host: BrowserHost | null = null;
  let pages: PageServer | null = null;
  let launchUrl = '';
  /** An address of the host's as one of the page server's. */
  const served = (url: string): string => url.replace(host?.origin ?? '', pages?.origin ?? '');
  const writeLaunch = async (folder: string): Promise<void> => {
    if (pages) await writeLaunchFile({ folder, url: served(launchUrl) });
  };

  const opened = await openApp({
    host: 'browser',
    version,
    start: { ...options, dataDir },
    openExternal: openSystem,
    control: {
      ...noControl,
      openWindow: (show) => (host === null ? null : served(host.issueWindowUrl(show))),
    },
  });
  if (opened.kind !== 'open') {
    say(opened.sentence);
    return exitStatus[opened.kind];
  }
  closers.push(() => opened.close());
  host = await startBrowserHost({
    app: opened.app,
    clock: opened.ports.clock,
    logger: opened.ports.logger,
    // Pages come from the page server.
    pages: {
      answer: () => Promise.resolve({ status: 404, headers: securityHeaders(''), body: new Uint8Array() }),
    },
    version,
    dataDir: opened.dataDir,
    port: 0,
    onLaunchUrl: async (url) => {
      launchUrl = url;
      await writeLaunch(opened.dataDir);
    },
  });
  closers.push(host.close);
  pages = await startPageServer({ top, port: options.port, hostOrigin: host.origin });
  closers.push(pages.close);
  await writeLaunch(opened.dataDir);
  closers.push(() => removeLaunchFile(opened.dataDir));
  if (options.opened !== null) await opened.app.openFile(options.opened);
  process.stdout.write(`Console ready at ${served(host.issueUrl())}\n`);
  if (options.open && !(await openSystem(join(opened.dataDir, launchFileName))))
    say(`No browser could be opened; open the address above, or ${join(opened.dataDir, launchFileName)}.`);
  return null;
}

const closers: (() => Promise<void>)[] = [];
let leaving = false;
async function leave(status: number): Promise<void> {
  if (leaving) return;
  leaving = true;
  // What does not close in time is closed by the system.
  setTimeout(() => process.exit(status), leaveWithinMs).unref();
  for (const close of closers.reverse()) {
    await close().catch((error: unknown) => say(`While closing: ${String(error)}`));
  }
  process.exit(status);
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, () => void leave(exitStatus.done));

start().then(
  (status) => {
    if (status !== null) void leave(status);
  },
  (error: unknown) => {
    say(`The console could not start: ${error instanceof Error ? error.message : String(error)}`);
    void leave(exitStatus.failed);
  },
);
