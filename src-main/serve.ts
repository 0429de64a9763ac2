/** Composition list of the browser host. */
import { join } from 'node:path';
import process from 'node:process';
import packageJson from '../package.json' with { type: 'json' };
import { exitStatus, openStation } from './cli/station.ts';
import { parseArguments, usage, type StartOptions } from './hosts/arguments.ts';
import { launchFileName, removeLaunchFile, writeLaunchFile } from './hosts/browser/launchFile.ts';
import { openInBrowser } from './hosts/browser/opener.ts';
import { startBrowserHost } from './hosts/browser/server.ts';
import { openPageFiles } from './hosts/pages.ts';

/** The system gives the console two seconds to leave; what is not closed by then is cut. */
const leaveWithinMs = 1_500;

const { version } = packageJson;
const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
// Whoever started the console may have stopped reading; that is no reason to end.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const closers: (() => Promise<void>)[] = [];
let leaving = false;

async function leave(status: number): Promise<void> {
  if (leaving) return;
  leaving = true;
  setTimeout(() => process.exit(status), leaveWithinMs).unref();
  for (const close of closers.reverse()) {
    // What cannot be closed is closed by the system; the rest still gets its turn.
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
  const show = async (dataDir: string): Promise<boolean> =>
    start.open && openSystem(join(dataDir, launchFileName));

  const station = await openStation({ host: 'browser', version, start, openExternal: openSystem });
  if (station.kind === 'failed') {
    say(station.sentence);
    return leave(exitStatus.failed);
  }
  if (station.kind === 'owned') {
    const shown = station.owner?.host === 'browser' && (await show(station.dataDir));
    say(shown ? `${station.sentence} It was opened again.` : station.sentence);
    return leave(exitStatus.owned);
  }
  closers.push(() => station.close());
  const { console, ports, dataDir } = station;
  const host = await startBrowserHost({
    console,
    clock: ports.clock,
    logger: ports.logger,
    pages: await openPageFiles({ root: join(import.meta.dirname, '../renderer') }),
    version,
    port: start.port,
    onLaunchUrl: async (url) => {
      await writeLaunchFile({ folder: dataDir, url });
    },
  });
  closers.push(async () => {
    await removeLaunchFile(dataDir);
    await host.close();
  });
  station.announce(host.origin);
  if (start.opened !== null) await console.proposeDeploymentFile(start.opened);
  if (leaving) return;
  process.stdout.write(`Console ready at ${host.issueUrl()}\n`);
  if (start.open && !(await show(dataDir))) {
    say(`No browser could be opened; open the address above, or ${join(dataDir, launchFileName)}.`);
  }
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
  case 'run':
    serve(parsed.options).catch((error: unknown) => {
      say(`The console could not start: ${reason(error)}`);
      void leave(exitStatus.failed);
    });
    break;
}
