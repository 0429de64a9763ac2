import type {
  AutoUpdater,
  BrowserWindow,
  BrowserWindowConstructorOptions,
  CrashReporter,
  CrashReporterStartOptions,
  CustomScheme,
  Dialog,
  IpcMain,
  IpcMainEvent,
  IpcMainInvokeEvent,
  Menu,
  MenuItemConstructorOptions,
  MessageBoxOptions,
  NativeImage,
  NativeTheme,
  OpenDialogReturnValue,
  PowerMonitor,
  PowerSaveBlocker,
  Protocol,
  SaveDialogOptions,
  SaveDialogReturnValue,
  Screen,
  Session,
  Shell,
  Tray,
} from 'electron';
import { join } from 'node:path';
import { types } from 'node:util';
import type { DesktopElectron } from '../../../../src-main/hosts/desktop/electron.ts';
import type { SystemStorage } from '../../../../src-main/hosts/desktop/settings/deviceSecret.ts';
import { FakeApp } from './app.ts';
import type { FakeContents, FakeFrame } from './contents.ts';
import { Emitter } from './emitter.ts';
import { unfriendly, type ElectronFacts } from './facts.ts';
import { FakeSafeStorage } from './safeStorage.ts';
import { display, FakeScreen } from './screen.ts';
import { FakeSession, type SessionPart } from './session.ts';
import { FakeTraySystem } from './tray.ts';
import { forkUtility } from './utility.ts';
import { FakeWindow, type WindowPart } from './window.ts';

type InvokeHandler = Parameters<IpcMain['handle']>[1];

/** Who sends over IPC: a page, and the frame of it. */
export interface Sender {
  readonly sender: FakeContents;
  readonly senderFrame: FakeFrame | null;
}

/** Electron's main process as far as the desktop host knows it, recording what is asked of it. */
export class FakeElectron {
  readonly windows: FakeWindow[] = [];
  readonly app: FakeApp;
  readonly pageSession: FakeSession;
  /** Electron's own, which no page of the console has. */
  readonly defaultSession: FakeSession;
  readonly safeStorage: FakeSafeStorage;
  readonly screen = new FakeScreen([display(1, { x: 0, y: 0, width: 1920, height: 1080 })]);
  readonly tray = new FakeTraySystem();
  readonly power = new Emitter();
  /** macOS's own updater: it tells of an update, closes the windows, and only then quits the application. */
  readonly updater = new Emitter();
  readonly ipc = new Emitter();
  readonly handlers = new Map<string, InvokeHandler>();
  readonly partitions: unknown[][] = [];
  readonly schemes: CustomScheme[] = [];
  readonly errorBoxes: string[] = [];
  /** What was asked in a box, and how the latest is answered. */
  readonly questions: MessageBoxOptions[] = [];
  answer: (response: number) => void = () => undefined;
  /** The folder in which every file is saved that a dialog asks about; null cancels each of these. */
  savesIn: string | null = null;
  /** How the latest dialog for a folder is answered; null cancels it. */
  choose: (folder: string | null) => void = () => undefined;
  readonly crashReports: (CrashReporterStartOptions | undefined)[] = [];
  readonly opened: string[] = [];
  readonly popups: MenuItemConstructorOptions[][] = [];
  /** The templates behind menus that were made. */
  readonly templates = new Map<object, MenuItemConstructorOptions[]>();
  /** The application's menu; undefined while it was never set, null for none. */
  menu: MenuItemConstructorOptions[] | null | undefined;
  readonly blockers = new Map<number, string>();
  readonly theme: Pick<NativeTheme, 'themeSource'> = { themeSource: 'system' };
  /** What pages answer to scripts that look at them. `drawn`: whether the system draws the page. */
  page: (script: string, drawn: boolean) => unknown = () => null;
  opens = true;
  /** Hears of each window as it is made, before the host does anything with it. */
  onWindow: (window: FakeWindow) => void = () => undefined;
  readonly #facts: ElectronFacts;

  /** Unfriendly in every fact that is not named. */
  constructor(facts: Partial<ElectronFacts> = {}) {
    this.#facts = { ...unfriendly, ...facts };
    this.app = new FakeApp(this.windows, this.#facts);
    this.pageSession = new FakeSession(this.#facts);
    this.defaultSession = new FakeSession(this.#facts);
    this.safeStorage = new FakeSafeStorage('ann', () => this.app.keyName, this.#facts.keyStoreAnswers);
  }

  /**
   * Whether compiled code is kept (fact 13): only for a scheme that says so, and only in a session that lies on
   * the disk.
   */
  get keepsCode(): boolean {
    if (this.#facts.codeIsAlwaysKept) return true;
    const said = this.schemes.every(({ privileges }) => privileges?.codeCache === true);
    return said && this.pageSession.partition?.startsWith('persist:') === true;
  }

  /** As a page asks for something over IPC: what cannot be cloned leaves neither the page nor the host. */
  invoke(channel: string, from: Sender, ...args: unknown[]): unknown {
    const event: Partial<Record<keyof IpcMainInvokeEvent, unknown>> = { type: 'frame', ...from };
    const answer: unknown = this.handlers.get(channel)?.(event as IpcMainInvokeEvent, ...this.#crossed(args));
    return this.#facts.objectsCrossAsTheyAre || !(answer instanceof Promise) ? answer : answer.then(crossed);
  }
  #crossed(args: readonly unknown[]): unknown[] {
    return this.#facts.objectsCrossAsTheyAre ? [...args] : args.map(crossed);
  }
  /** As a page tells something over IPC. */
  tell(channel: string, from: Sender, ...args: unknown[]): void {
    const event: Partial<Record<keyof IpcMainEvent, unknown>> = { type: 'frame', ...from };
    this.ipc.emit(channel, event, ...this.#crossed(args));
  }

  /** macOS's updater ends the application to install what it fetched (fact 36). */
  installUpdate(): void {
    const { app, updater, windows } = this;
    if (this.#facts.updatersQuitFirst) {
      app.quit();
      return;
    }
    updater.emit('before-quit-for-update');
    for (const window of windows) window.close();
    if (windows.every(({ destroyed }) => destroyed)) app.quit();
  }

  /** As the host sees it. */
  asElectron(): DesktopElectron {
    const { app, pageSession, ipc, power, safeStorage, screen, windows } = this;
    const page = (script: string, drawn: boolean): unknown => this.page(script, drawn);
    const facts = this.#facts;
    const made = (window: FakeWindow): void => this.onWindow(window);
    class BrowserWindowOfFake extends FakeWindow {
      /** None has the focus until somebody gives it to one. */
      static getFocusedWindow(): null {
        return null;
      }
      static getAllWindows(): FakeWindow[] {
        return windows.filter(({ destroyed }) => !destroyed);
      }
      constructor(options: BrowserWindowConstructorOptions = {}) {
        super(options, facts);
        this.id = windows.push(this);
        this.webContents.answer = (script) => page(script, this.draws);
        made(this);
        app.emit('web-contents-created', {}, this.webContents);
      }
    }
    const ipcMain: Pick<IpcMain, 'handle'> = {
      handle: (channel, handler) => {
        if (this.handlers.has(channel)) throw new Error(`Second handler for ${channel}`);
        this.handlers.set(channel, handler);
      },
    };
    const menu: { buildFromTemplate: (typeof Menu)['buildFromTemplate'] } & Pick<
      typeof Menu,
      'setApplicationMenu'
    > = {
      buildFromTemplate: (template) => {
        const items = template as MenuItemConstructorOptions[];
        const made: Pick<Menu, 'popup'> = { popup: () => void this.popups.push(items) };
        this.templates.set(made, items);
        return made as Menu;
      },
      setApplicationMenu: (set) => {
        this.menu = set && (this.templates.get(set) ?? null);
      },
    };
    // A dialog of the system takes the keyboard until it is answered (fact 35).
    const withKeyboard = async <T>(asked: Promise<T>): Promise<T> => {
      if (facts.dialogsLeaveTheKeyboard) return asked;
      const giveBack = windows.filter(({ destroyed }) => !destroyed).map((window) => window.openDialog());
      const answer = await asked;
      for (const give of giveBack) give();
      return answer;
    };
    const dialog: Pick<Dialog, 'showErrorBox'> & {
      showMessageBox: () => Promise<{ response: number }>;
      showOpenDialog: () => Promise<OpenDialogReturnValue>;
      showSaveDialog: (...given: unknown[]) => Promise<SaveDialogReturnValue>;
    } = {
      showOpenDialog: () =>
        withKeyboard(
          new Promise((answered) => {
            this.choose = (folder) =>
              answered({ canceled: folder === null, filePaths: folder === null ? [] : [folder] });
          }),
        ),
      showSaveDialog: (...given) => {
        const { defaultPath = '' } = given.at(-1) as SaveDialogOptions;
        const filePath = this.savesIn === null ? '' : join(this.savesIn, defaultPath);
        return withKeyboard(Promise.resolve({ canceled: filePath === '', filePath }));
      },
      showMessageBox: (...given: unknown[]) => {
        const asked = given[1] as MessageBoxOptions;
        this.questions.push(asked);
        return withKeyboard(
          new Promise((answered) => {
            this.answer = (response) => answered({ response });
            asked.signal?.addEventListener('abort', () => answered({ response: asked.cancelId ?? 0 }));
          }),
        );
      },
      showErrorBox: (_title, words) => {
        if (facts.boxesBeforeReady || app.steps.includes('ready')) this.errorBoxes.push(words);
      },
    };
    const shell: Pick<Shell, 'openExternal' | 'openPath'> = {
      openExternal: (url) => {
        this.opened.push(url);
        return this.opens ? Promise.resolve() : Promise.reject(new Error('No browser'));
      },
      openPath: (path) => {
        this.opened.push(path);
        return Promise.resolve('');
      },
    };
    // Only the parts of the tray are the tray's own; menus are made here.
    const { nativeImage, Tray } = this.tray.asElectron();
    const crashReporter: Pick<CrashReporter, 'start'> = {
      start: (options) => {
        app.steps.push('crash-reporter');
        this.crashReports.push(options);
      },
    };
    const powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'> = {
      start: (type) => {
        const id = this.blockers.size + 1;
        this.blockers.set(id, type);
        return id;
      },
      stop: (id) => this.blockers.delete(id),
    };
    const protocol: Pick<Protocol, 'registerSchemesAsPrivileged'> = {
      registerSchemesAsPrivileged: (schemes) => {
        app.steps.push('schemes');
        this.schemes.push(...schemes);
      },
    };
    const session: Pick<DesktopElectron['session'], 'defaultSession' | 'fromPartition'> = {
      defaultSession: asSession(this.defaultSession),
      fromPartition: (...asked) => {
        this.partitions.push(asked);
        pageSession.partition = asked[0];
        return asSession(pageSession);
      },
    };
    const parts: Parts = {
      app,
      BrowserWindow: BrowserWindowOfFake,
      crashReporter,
      dialog,
      ipcMain: Object.assign(ipc, ipcMain),
      Menu: menu,
      nativeImage,
      nativeTheme: this.theme,
      powerMonitor: power,
      autoUpdater: this.updater,
      powerSaveBlocker,
      protocol,
      safeStorage,
      screen,
      session,
      shell,
      Tray,
      utilityProcess: { fork: forkUtility },
    };
    return parts as DesktopElectron;
  }
}

/** A value on the other side of the bridge: a clone, which nobody there may change. Proxies are refused (fact 11). */
function crossed(value: unknown): unknown {
  if (hasProxy(value)) throw new DOMException('An object could not be cloned.', 'DataCloneError');
  return frozen(structuredClone(value));
}

function hasProxy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return types.isProxy(value) || Object.values(value).some(hasProxy);
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

function asSession(session: Pick<Session, SessionPart>): Session {
  return session as Session;
}

/** What the fake is of Electron: a member that Electron no longer has like this does not compile. */
interface Parts {
  readonly app: Pick<DesktopElectron['app'], 'exit' | 'isPackaged' | 'quit' | 'whenReady'>;
  readonly BrowserWindow: new (options?: BrowserWindowConstructorOptions) => Pick<BrowserWindow, WindowPart>;
  readonly crashReporter: Pick<CrashReporter, 'start'>;
  readonly dialog: Pick<Dialog, 'showErrorBox'>;
  readonly ipcMain: Pick<IpcMain, 'handle'>;
  readonly Menu: Pick<typeof Menu, 'buildFromTemplate' | 'setApplicationMenu'>;
  readonly nativeImage: Pick<DesktopElectron['nativeImage'], 'createFromBuffer'>;
  readonly nativeTheme: Pick<NativeTheme, 'themeSource'>;
  readonly powerMonitor: Pick<PowerMonitor, 'emit'>;
  readonly autoUpdater: Pick<AutoUpdater, 'emit'>;
  readonly powerSaveBlocker: Pick<PowerSaveBlocker, 'start' | 'stop'>;
  readonly protocol: Pick<Protocol, 'registerSchemesAsPrivileged'>;
  readonly safeStorage: SystemStorage;
  readonly screen: Pick<Screen, 'getAllDisplays'>;
  readonly session: Pick<DesktopElectron['session'], 'defaultSession' | 'fromPartition'>;
  readonly shell: Pick<Shell, 'openExternal' | 'openPath'>;
  readonly Tray: new (image: NativeImage) => Pick<Tray, 'destroy' | 'setImage' | 'setToolTip'>;
  readonly utilityProcess: { fork(...request: Parameters<typeof forkUtility>): unknown };
}
