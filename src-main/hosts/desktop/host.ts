import type { ClearStorageDataOptions, Session } from 'electron';
import process from 'node:process';
import type { Policy } from '../../core/features/policy/policy.ts';
import type { PageFiles } from '../pages.ts';
import type { Attachment, ShownDesktop } from './attachment.ts';
import { bringForward, ConsoleWindows, type WindowsHost } from './consoleWindows.ts';
import type { BreakdownOptions, RunningConsole } from './breakdown.ts';
import type { DesktopElectron } from './electron.ts';
import { endWith, type SignalSource } from './ending.ts';
import { guardApp, guardSession } from './guard.ts';
import { keepKiosk } from './kiosk.ts';
import { menuTemplate } from './menus.ts';
import { gatherOpenings, openIn, type Opened, type Openings } from './opening.ts';
import { consoleSession, pageSchemes, servePage } from './pageProtocol.ts';
import type { PaperPress } from './paperPress.ts';
import { createZoomer, zoomMenuItems, type Zoomer } from './settings/zoom.ts';

/** The scheme of links that choose a known deployment. */
const linkScheme = 'field-console';
const storages: ClearStorageDataOptions['storages'] = [
  ...(['cookies', 'filesystem', 'indexdb', 'localstorage', 'serviceworkers', 'cachestorage'] as const),
];

/** The first half of the desktop host: what must happen before Electron is ready. Call it before the first `await`. */
export interface DesktopStart {
  /** False when another start with the same data folder has the window; that window was brought forward. */
  readonly first: boolean;
  /** Shows the console. Resolves when the window exists. */
  run(options: DesktopHostOptions): Promise<ShownDesktop>;
}

export interface DesktopHostOptions
  extends WindowsHost, Pick<RunningConsole, 'close'>, Pick<BreakdownOptions, 'supervised'> {
  readonly pages: PageFiles;
  /** A document that is being printed, by its address in the page's origin. */
  readonly paper: PaperPress['answer'];
  /** Node's `process`, the source of signals. */
  readonly process: SignalSource;
  /** Stops this thread for so many milliseconds. */
  readonly sleep: (ms: number) => void;
  readonly policy: Policy;
  /** Whether links have to be registered for this account, since no installer did. */
  readonly tiesLinks: boolean;
  /** The parts that belong to the window, in the order of their start. */
  readonly attachments: readonly Attachment[];
}

export function prepareDesktop(options: {
  readonly electron: DesktopElectron;
  /** The folder for Chromium's files. Two starts with the same folder share one window. */
  readonly profileFolder: string;
  /** What this start opens. A second start hands it to the first. */
  readonly opened: Opened;
}): DesktopStart {
  const { electron, opened } = options;
  const { app } = electron;
  app.enableSandbox();
  app.setPath('userData', options.profileFolder);
  app.setPath('sessionData', options.profileFolder);
  electron.protocol.registerSchemesAsPrivileged(pageSchemes);
  // Before the lock is taken: from then on other starts hand over what they open.
  const openings = gatherOpenings({ app, first: opened });
  const first = app.requestSingleInstanceLock({ ...opened });

  return { first, run: (host) => showConsole(electron, openings, host) };
}

/** The second half of the desktop host: waits until Electron is ready, and shows the console. */
async function showConsole(
  electron: DesktopElectron,
  openings: Openings,
  host: DesktopHostOptions,
): Promise<ShownDesktop> {
  const { app, powerMonitor } = electron;
  const { console, clock, logger, policy } = host;
  const kiosk = policy.kiosk !== 'off';
  await app.whenReady();
  const session = openPageSession(electron, host);
  const zoomer = createZoomer(console);
  app.setAboutPanelOptions({
    applicationName: 'Field Console',
    applicationVersion: app.getVersion(),
    copyright: 'Field Console contributors, Apache-2.0',
  });
  const menu = (): void => showMenu(electron, host, zoomer, () => windows.shown.window.close());
  host.words.onChange(menu);
  menu();
  const windows = new ConsoleWindows({ electron, host, session, kiosk, zoomer });
  const { window } = windows.shown;
  const parts = host.attachments.map((attach) => attach(windows.shown));
  if (kiosk && !host.selfTest) {
    const { platform, dialogs } = host;
    parts.push(keepKiosk({ electron, window, platform, dialogs, clock, logger }));
  }
  if (host.tiesLinks && !kiosk && !host.selfTest) registerLinks(app);
  const open = openIn({ console, logger, kiosk, drop: policy.drop });
  openings.handTo((what) => {
    bringForward(window);
    open(what);
  });
  app.on('activate', () => bringForward(window));
  powerMonitor.on('resume', () => console.wake());
  powerMonitor.on('unlock-screen', () => console.wake());
  endWith({
    ...{ app, window, process: host.process, clock, logger },
    ...{ supervised: host.supervised, sleep: host.sleep },
    close: async () => {
      for (const part of parts.reverse()) part.close();
      zoomer.close();
      windows.close();
      await host.close();
    },
  });
  return windows.shown;
}

/** The session of the console's pages: guarded, without storage, and serving the page. */
function openPageSession(electron: DesktopElectron, host: DesktopHostOptions): Session {
  const { console, logger, pages, paper, hotReload, policy } = host;
  const session = consoleSession(electron.session);
  // At each start removes what a page stored all the same. Without a list it would be the compiled shaders too.
  void session.clearStorageData({ storages }).catch(() => logger.warn('page-storage-not-cleared'));
  for (const guarded of [session, electron.session.defaultSession]) {
    guardSession({ session: guarded, hotReload, exports: policy.exports, logger });
  }
  guardApp({ app: electron.app, logger });
  servePage({ session, pages, console, paper, logger });
  return session;
}

function showMenu(
  { Menu }: DesktopElectron,
  host: DesktopHostOptions,
  zoomer: Zoomer,
  quit: () => void,
): void {
  const template = menuTemplate({
    platform: host.platform,
    development: host.hotReload !== null,
    kiosk: host.policy.kiosk !== 'off',
    zoom: zoomMenuItems(zoomer, host.words),
    quit,
    words: host.words,
  });
  Menu.setApplicationMenu(template && Menu.buildFromTemplate(template));
}

/** Registers links for this account. After `--` no part of a link can be read as a switch. */
function registerLinks(app: DesktopElectron['app']): void {
  app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--']);
}
