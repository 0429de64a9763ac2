import { EventEmitter } from 'node:events';
import type { DesktopElectron } from '../../../src-main/hosts/desktop/electron.ts';

type Handler = (...args: unknown[]) => unknown;

export class FakeContents extends EventEmitter {
  readonly mainFrame: { url: string } = { url: 'console://app/' };
  readonly sent: { channel: string; args: unknown[] }[] = [];
  destroyed = false;
  windowOpen: ((details: { url: string }) => { action: string }) | null = null;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpen = handler;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  isCrashed(): boolean {
    return false;
  }
  send(channel: string, ...args: unknown[]): void {
    this.sent.push({ channel, args });
  }
}

export class FakeSession extends EventEmitter {
  requestHandler: Handler | null = null;
  checkHandler: Handler | null = null;
  deviceHandler: Handler | null = null;
  beforeRequest: Handler | null = null;
  spellChecker: boolean | null = null;
  readonly schemes = new Map<string, (request: Request) => Promise<Response>>();
  readonly protocol = {
    handle: (scheme: string, handler: (request: Request) => Promise<Response>): void => {
      this.schemes.set(scheme, handler);
    },
  };
  readonly webRequest = {
    onBeforeRequest: (handler: Handler): void => {
      this.beforeRequest = handler;
    },
  };
  setPermissionRequestHandler(handler: Handler): void {
    this.requestHandler = handler;
  }
  setPermissionCheckHandler(handler: Handler): void {
    this.checkHandler = handler;
  }
  setDevicePermissionHandler(handler: Handler): void {
    this.deviceHandler = handler;
  }
  setSpellCheckerEnabled(enabled: boolean): void {
    this.spellChecker = enabled;
  }
}

export class FakeWindow extends EventEmitter {
  readonly webContents: FakeContents;
  readonly loaded: string[] = [];
  readonly done: string[] = [];
  readonly options: Record<string, unknown>;
  minimized = false;
  constructor(options: Record<string, unknown>, contents: FakeContents) {
    super();
    this.options = options;
    this.webContents = contents;
  }
  loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    return Promise.resolve();
  }
  isDestroyed = (): boolean => false;
  isMinimized = (): boolean => this.minimized;
  restore = (): void => void this.done.push('restore');
  show = (): void => void this.done.push('show');
  focus = (): void => void this.done.push('focus');
}

/** Electron as far as the desktop host knows it, recording what is asked of it. */
export class FakeElectron {
  readonly steps: string[] = [];
  readonly windows: FakeWindow[] = [];
  readonly handlers = new Map<string, Handler>();
  readonly listeners = new EventEmitter();
  readonly pageSession = new FakeSession();
  readonly partitions: unknown[][] = [];
  readonly schemes: unknown[] = [];
  readonly errorBoxes: string[] = [];
  readonly power = new EventEmitter();
  readonly exits: number[] = [];
  readonly paths = new Map<string, string>();
  readonly lockData: unknown[] = [];
  menu: unknown = null;
  isFirst = true;
  quits = 0;
  readonly appEvents = new EventEmitter();

  /** As the host sees it. */
  asElectron(): DesktopElectron {
    const app = Object.assign(this.appEvents, {
      enableSandbox: () => void this.steps.push('sandbox'),
      setPath: (name: string, path: string) => void this.paths.set(name, path),
      requestSingleInstanceLock: (data: unknown) => {
        this.steps.push('lock');
        this.lockData.push(data);
        return this.isFirst;
      },
      whenReady: () => {
        this.steps.push('ready');
        return Promise.resolve();
      },
      quit: () => {
        this.quits += 1;
      },
      exit: (status: number) => void this.exits.push(status),
    });
    const newWindow = (options: Record<string, unknown>): FakeWindow => {
      const contents = new FakeContents();
      this.appEvents.emit('web-contents-created', {}, contents);
      const window = new FakeWindow(options, contents);
      this.windows.push(window);
      return window;
    };
    const fake = {
      app,
      BrowserWindow: function BrowserWindow(options: Record<string, unknown>) {
        return newWindow(options);
      },
      dialog: { showErrorBox: (_title: string, words: string) => void this.errorBoxes.push(words) },
      ipcMain: {
        handle: (channel: string, handler: Handler) => {
          if (this.handlers.has(channel)) throw new Error(`Second handler for ${channel}`);
          this.handlers.set(channel, handler);
        },
        removeHandler: (channel: string) => void this.handlers.delete(channel),
        on: (channel: string, listener: Handler) => this.listeners.on(channel, listener),
        off: (channel: string, listener: Handler) => this.listeners.off(channel, listener),
      },
      Menu: {
        buildFromTemplate: (template: unknown) => template,
        setApplicationMenu: (menu: unknown) => {
          this.menu = menu;
        },
      },
      powerMonitor: this.power,
      protocol: {
        registerSchemesAsPrivileged: (schemes: unknown[]) => {
          this.steps.push('schemes');
          this.schemes.push(...schemes);
        },
      },
      session: {
        fromPartition: (...args: unknown[]) => {
          this.partitions.push(args);
          return this.pageSession;
        },
      },
    };
    // The host uses this much of Electron; the rest of its types is not here to be had.
    return fake as unknown as DesktopElectron;
  }
}

/** An event as Electron gives it to listeners that may prevent it. */
export function event<T extends object>(fields: T): T & { prevented: boolean; preventDefault(): void } {
  return Object.assign(
    {
      prevented: false,
      preventDefault() {
        this.prevented = true;
      },
    },
    fields,
  );
}
