import type { Input, PrintToPDFOptions, RenderProcessGoneDetails, WebContents, WebFrameMain } from 'electron';
import { Emitter, event } from './emitter.ts';
import { unfriendly, type ElectronFacts } from './facts.ts';

type ContentsPart =
  | 'executeJavaScript'
  | 'forcefullyCrashRenderer'
  | 'isCrashed'
  | 'isDestroyed'
  | 'printToPDF'
  | 'send'
  | 'setVisualZoomLevelLimits'
  | 'setWebRTCIPHandlingPolicy'
  | 'setWindowOpenHandler'
  | 'setZoomFactor';

/** The frame of a page as far as the console looks at it. */
export type FakeFrame = Pick<WebFrameMain, 'frameToken' | 'processId' | 'url'> & { url: string };

/** The top frame of a page as one event brings it. */
export const topFrame = (url = 'console://app/'): FakeFrame => ({ url, frameToken: 'top', processId: 7 });
/** A frame inside of a page, of the same process. */
export const innerFrame = (url = 'console://app/'): FakeFrame => ({ url, frameToken: 'inner', processId: 7 });

/** A page's contents, recording what is asked of them. */
export class FakeContents extends Emitter implements Pick<WebContents, ContentsPart> {
  readonly #frame = topFrame();
  readonly #facts: ElectronFacts;
  readonly #zoomFromStart: number;
  readonly sent: { channel: string; args: unknown[] }[] = [];
  readonly zoomLimits: [number, number][] = [];
  readonly scripts: string[] = [];
  readonly printed: PrintToPDFOptions[] = [];
  /** A hidden window may have no answer to being printed, ever. */
  prints: (options: PrintToPDFOptions) => Promise<Buffer> = () => new Promise(() => undefined);
  /** What the page answers to a script that looks at it. */
  answer: (script: string) => unknown = () => null;
  destroyed = false;
  crashed = false;
  zoomRefused = false;
  zoom = 1;
  webRtc: string | null = null;
  /** The zoom of the window's first paint; null while nothing was painted. */
  firstPaintZoom: number | null = null;
  windowOpen: Parameters<WebContents['setWindowOpenHandler']>[0] | null = null;

  constructor(facts: ElectronFacts = unfriendly, zoomFactor = 1) {
    super();
    this.#facts = facts;
    this.zoom = zoomFactor;
    this.#zoomFromStart = zoomFactor;
  }
  get mainFrame(): FakeFrame {
    return this.#facts.framesAreOneObject ? this.#frame : { ...this.#frame };
  }
  /** The top frame turns out to be of another address or another process. */
  changeFrame(change: Partial<FakeFrame>): FakeFrame {
    return Object.assign(this.#frame, change);
  }
  /** The page goes to `url` by itself; answers whether its document changed. */
  navigate(url: string): boolean {
    const fields = { url, isMainFrame: true, isSameDocument: false };
    if (!this.#facts.deniedNavigationsDoNotStart) this.emit('did-start-navigation', event(fields));
    if (this.happens('will-frame-navigate', fields) || this.happens('will-navigate', fields)) return false;
    this.emit('did-navigate', event(), url, 200, 'OK');
    return true;
  }
  /** The page is painted. */
  paint(): void {
    this.firstPaintZoom ??= this.#facts.zoomsBeforePaint ? this.zoom : this.#zoomFromStart;
  }
  setWindowOpenHandler(handler: Parameters<WebContents['setWindowOpenHandler']>[0]): void {
    this.windowOpen = handler;
  }
  setWebRTCIPHandlingPolicy(policy: Parameters<WebContents['setWebRTCIPHandlingPolicy']>[0]): void {
    this.webRtc = policy;
  }
  setVisualZoomLevelLimits(least: number, most: number): Promise<void> {
    this.zoomLimits.push([least, most]);
    return this.zoomRefused ? Promise.reject(new Error('Not allowed')) : Promise.resolve();
  }
  async executeJavaScript(script: string): Promise<unknown> {
    this.scripts.push(script);
    return await this.answer(script);
  }
  printToPDF(options: PrintToPDFOptions): Promise<Buffer> {
    this.printed.push(options);
    return this.prints(options);
  }
  setZoomFactor(factor: number): void {
    this.zoom = factor;
  }
  forcefullyCrashRenderer(): void {
    this.die('killed');
  }
  /** The page's process ends. */
  die(reason: RenderProcessGoneDetails['reason']): void {
    this.emit('render-process-gone', event(), { reason, exitCode: 9 } satisfies RenderProcessGoneDetails);
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  isCrashed(): boolean {
    return this.crashed;
  }
  send(channel: string, ...args: unknown[]): void {
    this.sent.push({ channel, args });
  }

  /** Strikes a key; answers whether the page did not hear of it. */
  press(key: string, held: Partial<Input> = {}): boolean {
    const input: Input = {
      type: 'keyDown',
      key,
      code: '',
      isAutoRepeat: false,
      isComposing: false,
      shift: false,
      control: false,
      alt: false,
      meta: false,
      location: 0,
      modifiers: [],
      ...held,
    };
    return this.happens('before-input-event', {}, input);
  }
  /** Asks to open a window; answers what becomes of it. */
  openWindow(url: string): string | undefined {
    return this.windowOpen?.({
      url,
      frameName: '',
      features: '',
      disposition: 'new-window',
      referrer: { url: '', policy: 'default' },
    }).action;
  }
  /** As Electron hands it over. */
  asContents(): WebContents {
    return contentsOf(this);
  }
}

function contentsOf(part: Pick<WebContents, ContentsPart>): WebContents {
  return part as WebContents;
}
