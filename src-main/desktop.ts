/** Composition list of the desktop host. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { app, BrowserWindow, dialog, ipcMain, Menu, powerMonitor, protocol, session, shell } from 'electron';
import packageJson from '../package.json' with { type: 'json' };
import { dataFolderOf, exitStatus, openStation } from './cli/station.ts';
import { parseArguments, usage, type StartOptions } from './hosts/arguments.ts';
import { launchFileName } from './hosts/browser/launchFile.ts';
import { ownArguments } from './hosts/desktop/arguments.ts';
import { prepareDesktop, type DesktopStart } from './hosts/desktop/host.ts';
import { openPageFiles } from './hosts/pages.ts';

const { version } = packageJson;
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);

async function show(desktop: DesktopStart, start: StartOptions): Promise<void> {
  const station = await openStation({
    host: 'desktop',
    version,
    start,
    openExternal: (url) =>
      shell.openExternal(url).then(
        () => true,
        () => false,
      ),
  });
  if (station.kind !== 'open') {
    say(station.sentence);
    if (station.kind === 'owned' && station.owner?.host === 'browser' && start.open) {
      await app.whenReady();
      await shell.openPath(join(station.dataDir, launchFileName));
    } else {
      // Started by a double click there is no terminal to read the sentence in.
      await app.whenReady();
      dialog.showErrorBox('Field Console', station.sentence);
    }
    app.exit(station.kind === 'owned' ? exitStatus.owned : exitStatus.failed);
    return;
  }
  await desktop.run({
    console: station.console,
    close: () => station.close(),
    clock: station.ports.clock,
    logger: station.ports.logger,
    pages: await openPageFiles({ root: join(import.meta.dirname, '../renderer') }),
    preload: join(import.meta.dirname, '../preload/index.cjs'),
    developmentUrl: app.isPackaged ? null : (process.env['ELECTRON_RENDERER_URL'] ?? null),
    platform: process.platform,
  });
}

const parsed = parseArguments({
  argv: ownArguments({ argv: process.argv, packaged: app.isPackaged }),
  environment: process.env,
  workingFolder: process.cwd(),
});
switch (parsed.kind) {
  case 'version':
    process.stdout.write(`${version}\n`);
    app.exit(exitStatus.done);
    break;
  case 'help':
    process.stdout.write(usage);
    app.exit(exitStatus.done);
    break;
  case 'refused':
    say(`${parsed.sentence}\n\n${usage}`);
    app.exit(exitStatus.refused);
    break;
  case 'run':
    begin(parsed.options);
    break;
}

function begin(start: StartOptions): void {
  const broke = (error: unknown): void => {
    say(`The console could not start: ${error instanceof Error ? error.message : String(error)}`);
    app.exit(exitStatus.failed);
  };
  try {
    const profileFolder = join(dataFolderOf(start), 'window');
    mkdirSync(profileFolder, { recursive: true, mode: 0o700 });
    const desktop = prepareDesktop({
      electron: { app, BrowserWindow, dialog, ipcMain, Menu, powerMonitor, protocol, session },
      profileFolder,
      opened: start.opened,
    });
    if (desktop.first) {
      show(desktop, start).catch(broke);
      return;
    }
    say('Another Field Console has this data folder; its window was brought forward.');
    app.exit(exitStatus.owned);
  } catch (error) {
    broke(error);
  }
}
