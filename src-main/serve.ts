/** Composition list of the browser host. */
import { join } from 'node:path';
import process from 'node:process';
import packageJson from '../package.json' with { type: 'json' };
import { createServiceManager, type ServiceManager } from './adapters/systemd.ts';
import { exitStatus, moveFormerData, openApp, type RunningApp } from './cli/app.ts';
import { checkFromCommandLine } from './cli/check.ts';
import { noControl, type HostControl } from './core/features/ports.ts';
import { parseArguments, usage, type StartOptions } from './hosts/arguments.ts';
import { findBrowser } from './hosts/browser/kioskBrowser.ts';
import { launchFileName, placeLaunchFile, type LaunchFile } from './hosts/browser/launchFile.ts';
import { hasScreen, openInBrowser } from './hosts/browser/opener.ts';
import { startBrowserHost, type BrowserHost } from './hosts/browser/server.ts';
import { superviseBrowser, type SupervisedBrowser } from './hosts/browser/supervise.ts';
import { openPageFiles } from './hosts/pages.ts';
import { errorFacts } from './hosts/recovery/errorFacts.ts';
import { relaunchStatus } from './hosts/recovery/recovery.ts';

/** The system gives the console two seconds to end. What is not closed after this time is cut off, milliseconds. */
const leaveWithinMs = 1_500;

/** How long the page with instructions stays before the service manager may start the console again, milliseconds. */
const stoppedForMs = 10 * 60_000;

const rendererFolder = join(import.meta.dirname, '../renderer');
const { version } = packageJson;
const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
// The program that started the console may have closed the pipe; that is no reason to end.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const closers: (() => Promise<void>)[] = [];
let leaving = false;

async function leave(status: number): Promise<void> {
  if (leaving) return;
  leaving = true;
  setTimeout(() => process.exit(status), leaveWithinMs).unref();
  for (const close of closers.reverse()) {
    // The system closes what cannot be closed here, and the other parts still close.
    await close().catch((error: unknown) => say(`While closing: ${reason(error)}`));
  }
  process.exit(status);
}

async function serve(start: StartOptions): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => void leave(exitStatus.done));
  }
  const openSystem = (target: string): Promise<boolean> =>
    openInBrowser({ target, platform: process.platform, environment: process.env });
  let kiosk: SupervisedBrowser | null = null;
  let host: BrowserHost | null = null;
  const control: HostControl = {
    ...noControl,
    leave: () => void leave(exitStatus.done),
    openWindow: (show) => host?.issueWindowUrl(show) ?? null,
    workerLost: () => kiosk?.workerLost(),
  };
  const show = async (path: string): Promise<boolean> => start.open && openSystem(path);

  moveFormerData(start);
  const opened = await openApp({ host: 'browser', version, start, openExternal: openSystem, control });
  if (opened.kind === 'failed' || opened.kind === 'refused') {
    say(opened.sentence);
    return leave(exitStatus[opened.kind]);
  }
  if (opened.kind === 'owned') {
    const shown = opened.owner?.host === 'browser' && (await show(join(opened.dataDir, launchFileName)));
    say(shown ? `${opened.sentence} Its page was opened in the browser.` : opened.sentence);
    return leave(exitStatus.owned);
  }
  closers.push(() => opened.close());
  const { app, ports, dataDir, policy } = opened;
  const { clock, logger } = ports;
  process.on('uncaughtExceptionMonitor', (error) => logger.error('console-broke', errorFacts(error)));
  const manager = createServiceManager({ environment: process.env, clock, logger });
  let launchFile: LaunchFile | null = null;
  const served = await startBrowserHost({
    app,
    clock,
    logger,
    pages: await openPageFiles({ root: rendererFolder }),
    version,
    dataDir,
    port: start.port,
    onLaunchUrl: async (url) => {
      const before = launchFile;
      launchFile = null;
      try {
        launchFile = await placeLaunchFile({ dataDir, url });
      } catch (error) {
        // No disk can be written: the printed address still opens the console.
        logger.error('launch-file-failed', { error: reason(error) });
      }
      if (before !== null && before.path !== launchFile?.path) await before.remove();
    },
    onKioskPage: () => kiosk?.onPage() ?? null,
  });
  host = served;
  closers.push(async () => {
    await launchFile?.remove();
    await served.close();
  });
  opened.announce(served.origin);
  if (start.opened !== null) await app.openFile(start.opened);
  if (leaving) return;
  process.stdout.write(`Console ready at ${served.issueUrl()}\n`);
  manager.ready();
  closers.push(() => Promise.resolve(manager.stopping()));
  if (start.open && policy.kiosk !== 'off') {
    kiosk = await openKiosk({ start, running: opened, host: served, manager });
    if (kiosk) closers.push(kiosk.close);
    return;
  }
  const path = (launchFile as LaunchFile | null)?.path ?? null;
  if (start.open && (path === null || !(await show(path)))) {
    say(`No browser could be opened; open the address above${path === null ? '' : `, or ${path}`}.`);
  }
}

/** A separate browser that fills the screen; null when there is none, after a line on standard error. */
async function openKiosk(options: {
  readonly start: StartOptions;
  readonly running: RunningApp;
  readonly host: BrowserHost;
  readonly manager: ServiceManager;
}): Promise<SupervisedBrowser | null> {
  const { start, running, host, manager } = options;
  const { clock, logger, documents } = running.ports;
  const { platform, env: environment } = process;
  const program = start.browser ?? (await findBrowser({ platform, environment }));
  if (program === null || (start.browser === null && !hasScreen(platform, environment))) {
    say(
      program === null
        ? 'No Chromium, Chrome or Edge was found for the kiosk; open the address above in a browser.'
        : 'There is no screen for the kiosk; open the address above in a browser.',
    );
    return null;
  }
  return superviseBrowser({
    clock,
    logger,
    documents,
    dataDir: running.dataDir,
    program,
    environment,
    issueUrl: () => host.issueKioskUrl(),
    stoppedPage: join(rendererFolder, 'stopped.html'),
    relaunch: () => {
      say('The console ends, so that its service manager starts it again.');
      void leave(relaunchStatus);
    },
    onStopped: () => {
      say('The console has stopped after repeated failures. Its log says why.');
      clock.schedule(stoppedForMs, () => manager.fallSilent());
    },
  });
}

const parsed = parseArguments({
  argv: process.argv.slice(2),
  environment: process.env,
  workingFolder: process.cwd(),
});
switch (parsed.kind) {
  case 'version':
    process.stdout.write(`${version}\n`);
    break;
  case 'help':
    process.stdout.write(usage);
    break;
  case 'refused':
    say(`${parsed.sentence}\n\n${usage}`);
    process.exitCode = exitStatus.refused;
    break;
  case 'check':
    checkFromCommandLine(parsed.path).then(
      (status) => (process.exitCode = status),
      (error: unknown) => {
        say(`The check could not be made: ${reason(error)}`);
        process.exitCode = exitStatus.failed;
      },
    );
    break;
  case 'run':
    serve(parsed.options).catch((error: unknown) => {
      say(`The console could not start: ${reason(error)}`);
      void leave(exitStatus.failed);
    });
    break;
}
