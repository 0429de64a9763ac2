import type { BrowserWindow, BrowserWindowConstructorOptions, NativeImage, Rectangle } from 'electron';
import { FakeContents } from './contents.ts';
import { Emitter, event } from './emitter.ts';
import { unfriendly, type ElectronFacts } from './facts.ts';

export type WindowPart =
  | 'close'
  | 'destroy'
  | 'flashFrame'
  | 'focus'
  | 'getNormalBounds'
  | 'hide'
  | 'isDestroyed'
  | 'isFocused'
  | 'isFullScreen'
  | 'isKiosk'
  | 'isMaximized'
  | 'isMinimized'
  | 'isVisible'
  | 'loadURL'
  | 'maximize'
  | 'minimize'
  | 'removeMenu'
  | 'restore'
  | 'setFullScreen'
  | 'setKiosk'
  | 'setOverlayIcon'
  | 'show'
  | 'showInactive';

/** A window that stands as it is told to, and forgets nothing of it. */
export class FakeWindow extends Emitter implements Pick<BrowserWindow, WindowPart> {
  readonly options: BrowserWindowConstructorOptions;
  /** The first is 1. */
  id = 1;
  readonly webContents: FakeContents;
  #saidReady = false;
  #failed = false;
  readonly loaded: string[] = [];
  readonly done: string[] = [];
  loads: () => Promise<void> = () => Promise.resolve();
  destroyed = false;
  focused = true;
  visible = false;
  minimized = false;
  maximized = false;
  fullScreen: boolean;
  kiosk: boolean;
  menu = true;
  readonly #facts: ElectronFacts;

  constructor(options: BrowserWindowConstructorOptions, facts: ElectronFacts = unfriendly) {
    super();
    this.options = options;
    this.#facts = facts;
    this.webContents = new FakeContents(facts, options.webPreferences?.zoomFactor);
    this.fullScreen = options.fullscreen === true;
    this.kiosk = options.kiosk === true;
  }
  loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    this.#failed = false;
    return this.loads();
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  isFocused(): boolean {
    return this.focused;
  }
  isFullScreen(): boolean {
    return this.fullScreen;
  }
  isKiosk(): boolean {
    return this.kiosk;
  }
  getNormalBounds(): Rectangle {
    const { x = 0, y = 0, width = 800, height = 600 } = this.options;
    return { x, y, width, height };
  }
  isMaximized(): boolean {
    return this.maximized;
  }
  // Shows the window too, by Electron's types.
  maximize(): void {
    this.maximized = true;
    this.visible = true;
    this.done.push('maximize');
    this.emit('maximize');
  }
  isMinimized(): boolean {
    return this.minimized;
  }
  isVisible(): boolean {
    return this.visible;
  }
  minimize(): void {
    this.minimized = true;
    this.emit('minimize');
  }
  restore(): void {
    this.minimized = false;
    this.done.push('restore');
  }
  show(): void {
    this.visible = true;
    this.done.push('show');
  }
  showInactive(): void {
    this.visible = true;
    this.done.push('showInactive');
  }
  hide(): void {
    this.visible = false;
    this.emit('hide');
  }
  focus(): void {
    this.focused = true;
    this.done.push('focus');
    this.emit('focus');
  }
  /** As the page's own `window.focus()` (fact 8). */
  focusFromPage(): void {
    if (this.#facts.pagesRaiseTheirWindows) this.focus();
  }
  /** A dialog of this program takes the keyboard, until the person answers it. */
  openDialog(): () => void {
    this.blur();
    return () => {
      this.focused = true;
      this.emit('focus');
    };
  }
  setFullScreen(on: boolean): void {
    if (this.options.fullscreen === false && !this.#facts.explicitFullScreenIsHarmless) return;
    this.fullScreen = on;
  }
  setKiosk(on: boolean): void {
    this.kiosk = on;
  }
  flashing = false;
  flashFrame(flag: boolean): void {
    this.flashing = flag;
  }
  /** What is said of the image over the taskbar's icon; null where there is none. */
  overlay: string | null = null;
  setOverlayIcon(image: NativeImage | null, description: string): void {
    this.overlay = image && description;
  }
  removeMenu(): void {
    this.menu = false;
  }
  /** Whether this window's page is drawn (fact 1). */
  get draws(): boolean {
    return this.visible || this.#facts.hiddenWindowsDraw;
  }
  /** The page's document is laid out for the first time; each document says so (fact 2). */
  layOut(): void {
    if (!this.draws) return;
    // A document that failed has no first layout (fact 3).
    if (this.#failed && !this.#facts.failedPagesAreLaidOut) return;
    this.webContents.paint();
    if (this.#saidReady && this.#facts.readyToShowOnce) return;
    this.#saidReady = true;
    this.emit('ready-to-show');
  }
  /** The page's document is loaded. */
  finishLoad(): void {
    this.webContents.emit('did-finish-load');
  }
  /** The page's document, or a frame of it, cannot be loaded: -6 is that the file was not found. */
  failLoad(code = -6, isMainFrame = true): void {
    if (isMainFrame) this.#failed = true;
    this.webContents.emit('did-fail-load', event(), code, 'ERR_FILE_NOT_FOUND', '', isMainFrame, 1, 1);
  }
  /** The preload throws, and the page it was to serve is not run. */
  failPreload(error: Error): void {
    this.#failed = true;
    this.webContents.emit('preload-error', event(), '/preload.cjs', error);
  }
  /** As the system's button, its keys, or Electron's end do it. */
  close(): void {
    if (this.destroyed || this.happens('close')) return;
    this.destroyed = true;
    this.webContents.destroyed = true;
    this.emit('closed');
  }
  /** Nobody is asked. What the window was asked and has not answered stays without an answer. */
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.webContents.destroyed = true;
    this.emit('closed');
  }
  /** The system takes the keyboard away. */
  blur(): void {
    this.focused = false;
    this.emit('blur');
  }
  leaveFullScreen(): void {
    this.fullScreen = false;
    this.kiosk = false;
    this.emit('leave-full-screen');
  }
}
