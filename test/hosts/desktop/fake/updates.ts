import type { App, AutoUpdater, BrowserWindow, Dialog, OpenDialogReturnValue } from 'electron';
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { UpdaterApp } from '../../../../src-main/hosts/desktop/updates/updater.ts';

type UpdaterPart =
  | 'getName'
  | 'getVersion'
  | 'isPackaged'
  | 'off'
  | 'once'
  | 'quit'
  | 'relaunch'
  | 'releaseSingleInstanceLock'
  | 'whenReady';

/** The application as an installer sees it: `end` is what Electron does when everything is closed. */
export class FakeUpdaterApp extends EventEmitter implements Pick<App, Exclude<UpdaterPart, 'off' | 'once'>> {
  isPackaged = true;
  readonly steps: string[] = [];
  getName(): string {
    return 'Field Console';
  }
  getVersion(): string {
    return '1.0.0';
  }
  whenReady(): Promise<void> {
    return Promise.resolve();
  }
  quit(): void {
    this.steps.push('quit');
  }
  relaunch(): void {
    this.steps.push('relaunch');
  }
  releaseSingleInstanceLock(): void {
    this.steps.push('unlock');
  }
  end(): void {
    this.emit('quit', {}, 0);
  }
  asApp(): UpdaterApp & { readonly isPackaged: boolean } {
    return Object.assign(this, {} satisfies Partial<App>) as Pick<
      App,
      Exclude<UpdaterPart, 'off' | 'once'>
    > as App;
  }
}

/** The system's folder dialog, which answers what a test says. */
export class FakeFolderDialog implements Pick<Dialog, 'showOpenDialog'> {
  answer: OpenDialogReturnValue = { canceled: true, filePaths: [] };
  readonly asked: unknown[][] = [];
  showOpenDialog(...given: unknown[]): Promise<OpenDialogReturnValue> {
    this.asked.push(given);
    return Promise.resolve(this.answer);
  }
}

export const aWindow = { id: 1 } satisfies Pick<BrowserWindow, 'id'> as BrowserWindow;

/** macOS's own updater: fetches what it is pointed at, as Squirrel does, and ends the application. */
export class FakeSquirrel
  extends EventEmitter
  implements Pick<AutoUpdater, 'checkForUpdates' | 'quitAndInstall' | 'setFeedURL'>
{
  readonly app: FakeUpdaterApp;
  /** Set where Squirrel refuses, as it does an application that is signed by somebody else. */
  refusal: string | null = null;
  fetched: Buffer | null = null;
  #feed: Parameters<AutoUpdater['setFeedURL']>[0] | null = null;

  constructor(app: FakeUpdaterApp) {
    super();
    this.app = app;
  }
  setFeedURL(options: Parameters<AutoUpdater['setFeedURL']>[0]): void {
    this.#feed = options;
  }
  checkForUpdates(): void {
    void this.#fetch();
  }
  quitAndInstall(): void {
    this.app.steps.push('squirrel');
    this.app.emit('before-quit');
  }
  async #fetch(): Promise<void> {
    if (this.#feed === null) throw new Error('No feed was set');
    if (this.refusal !== null) {
      this.emit('error', new Error(this.refusal));
      return;
    }
    const { url, headers = {} } = this.#feed;
    const { url: zip } = (await (await fetch(url, { headers })).json()) as { url: string };
    this.fetched = Buffer.from(await (await fetch(zip)).arrayBuffer());
    this.emit('update-downloaded');
  }
}

/** What electron-updater gets when it asks for Electron by itself; answers with what takes it away again. */
export function standIn(exports: object): () => void {
  const require = createRequire(createRequire(import.meta.url).resolve('electron-updater'));
  const path = require.resolve('electron');
  const before = require.cache[path];
  const module: Pick<NodeJS.Module, 'exports' | 'id' | 'filename' | 'loaded'> = {
    exports,
    id: path,
    filename: path,
    loaded: true,
  };
  require.cache[path] = module as NodeJS.Module;
  return () => {
    if (before === undefined) delete require.cache[path];
    else require.cache[path] = before;
  };
}
