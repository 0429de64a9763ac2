/**
 * The browser host as it is, but for what the desktop's composition gives the console beyond it: updates,
 * here believed on a test's own key. Electron's installer is a line on the output. The first argument is an
 * `UpdatedConsole` as JSON; the others are the browser host's own.
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { createClock } from '../../../src-main/adapters/clock.ts';
import { createNetwork } from '../../../src-main/adapters/network.ts';
import { createFolderSource } from '../../../src-main/adapters/updates/folderSource.ts';
import { createPrivateFolder } from '../../../src-main/adapters/updates/privateFolder.ts';
import { createServerSource } from '../../../src-main/adapters/updates/serverSource.ts';
import { openApp } from '../../../src-main/cli/app.ts';
import { noControl } from '../../../src-main/core/features/ports.ts';
import { readTrust } from '../../../src-main/core/features/updates/trust.ts';
import { parseArguments } from '../../../src-main/hosts/arguments.ts';
import { startBrowserHost } from '../../../src-main/hosts/browser/server.ts';
import { openPageFiles } from '../../../src-main/hosts/pages.ts';
import { handedOver, type UpdatedConsole } from '../support/updatedConsole.ts';

const [described = '', ...argv] = process.argv.slice(2);
const { version, trust, target, ca, stick } = JSON.parse(described) as UpdatedConsole;
const parsed = parseArguments({ argv, environment: {}, workingFolder: process.cwd() });
if (parsed.kind !== 'run' || parsed.options.dataDir === null) throw new Error('No console to run');
const { options: start } = parsed;
const dataDir = parsed.options.dataDir;
const clock = createClock();
const station = await openApp({
  host: 'browser',
  version,
  start,
  openExternal: () => Promise.resolve(false),
  control: {
    ...noControl,
    updates: {
      offered: 'yes',
      trust: readTrust(trust),
      target,
      server: (address) =>
        createServerSource({ address, clock, network: { ...createNetwork(), authorities: () => [ca] } }),
      chooseFolder: () => Promise.resolve(createFolderSource(stick)),
      folder: createPrivateFolder(dataDir),
      install: (checked) => {
        process.stdout.write(`${handedOver}${JSON.stringify(checked)}\n`);
        return Promise.resolve({ kind: 'begun' });
      },
    },
  },
});
if (station.kind !== 'open') throw new Error(station.sentence);
const host = await startBrowserHost({
  app: station.app,
  clock: station.ports.clock,
  logger: station.ports.logger,
  pages: await openPageFiles({ root: resolve('out/renderer') }),
  version,
  dataDir: station.dataDir,
  port: 0,
  onLaunchUrl: () => Promise.resolve(),
});
process.once('SIGTERM', () => {
  void host
    .close()
    .then(() => station.close())
    .then(() => process.exit(0));
});
process.stdout.write(`Console ready at ${host.issueUrl()}\n`);
