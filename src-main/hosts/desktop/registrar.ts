import type { IpcMainEvent, IpcMainInvokeEvent, WebContents, WebFrameMain } from 'electron';
import { Packr } from 'msgpackr';
import {
  largestMessage,
  linkChannel,
  linkMessageSchema,
  packerOptions,
  pushChannel,
  subscribeChannel,
  unsubscribeChannel,
  verbChannel,
  verbNames,
  windowChannel,
  windowWords,
  type Push,
  type WindowWord,
} from '../../../src-preload/contract/index.ts';
import { nameOf } from '../../core/base/errors.ts';
import type { BasePorts } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import type { Subscription } from '../../core/state/publisher.ts';
import { hostFailure } from '../failures.ts';
import type { DesktopElectron } from './electron.ts';
import { isOwnPage } from './guard.ts';

export interface RegistrarOptions extends Pick<BasePorts, 'clock' | 'logger'> {
  readonly ipcMain: DesktopElectron['ipcMain'];
  readonly console: App;
  /** Called for a push to a page, and for a page's acknowledgement. */
  readonly onTraffic: (what: 'sent' | 'answered', page: WebContents) => void;
  readonly onWindowWord: (word: WindowWord, page: WebContents) => void;
}

/** Whether two objects are the same frame: each event has a new object for it. */
const isSameFrame = (one: WebFrameMain, other: WebFrameMain): boolean =>
  one.frameToken === other.frameToken && one.processId === other.processId;

/** Connects pages to the console: one channel per verb, one subscription per page. */
export interface Registrar {
  /** Ends the page's subscription, because its document closes or has closed. */
  release(contents: WebContents): void;
  /** From now on nothing reaches the console, and no verb is answered. */
  close(): void;
}

export function createRegistrar(options: RegistrarOptions): Registrar {
  const { ipcMain, console, clock, logger, onTraffic, onWindowWord } = options;
  const subscriptions = new Map<WebContents, Subscription>();
  let closed = false;

  /** Only the top frame of the console's own page may call. The frame is null after its end. */
  const isOwn = (event: IpcMainEvent | IpcMainInvokeEvent, channel: string): boolean => {
    const frame = event.senderFrame;
    const own = frame !== null && isSameFrame(frame, event.sender.mainFrame) && isOwnPage(frame.url);
    if (!own) logger.warn('foreign-sender', { channel });
    return own;
  };
  const release = (contents: WebContents): void => {
    subscriptions.get(contents)?.close();
    subscriptions.delete(contents);
  };

  for (const verb of verbNames) {
    const channel = verbChannel(verb);
    ipcMain.handle(channel, async (event, ...args: unknown[]) => {
      const refuse = (code: 'foreign-sender' | 'malformed-request' | 'internal') => ({
        ok: false as const,
        failure: hostFailure(code, clock.wallNow()),
      });
      if (!isOwn(event, channel)) return refuse('foreign-sender');
      if (args.length !== 1 || !isPlain(args[0])) return refuse('malformed-request');
      // The page goes next: a failure, or a call that rejects, would be its last picture.
      if (closed) return new Promise<never>(() => undefined);
      try {
        return await console.call(verb, args[0]);
      } catch (error) {
        logger.error('call-broke', { verb, error: nameOf(error) });
        return refuse('internal');
      }
    });
  }

  const subscribe = (event: IpcMainEvent): void => {
    if (!isOwn(event, subscribeChannel)) return;
    const { sender } = event;
    release(sender);
    subscriptions.set(
      sender,
      console.subscribe((push) => {
        if (sender.isDestroyed() || sender.isCrashed()) return;
        sender.send(pushChannel, pushForm(push));
        onTraffic('sent', sender);
      }),
    );
  };
  const unsubscribe = (event: IpcMainEvent): void => {
    if (isOwn(event, unsubscribeChannel)) release(event.sender);
  };
  const link = (event: IpcMainEvent, ...args: unknown[]): void => {
    if (!isOwn(event, linkChannel)) return;
    const message = args.length === 1 && isPlain(args[0]) ? linkMessageSchema.safeParse(args[0]) : null;
    if (!message?.success) {
      logger.warn('malformed-link-message');
      return;
    }
    onTraffic('answered', event.sender);
    subscriptions.get(event.sender)?.answer(message.data);
  };
  const window = (event: IpcMainEvent, ...args: unknown[]): void => {
    if (!isOwn(event, windowChannel)) return;
    const word = windowWords.find((known) => args.length === 1 && args[0] === known);
    if (word === undefined) logger.warn('malformed-window-message');
    else onWindowWord(word, event.sender);
  };
  ipcMain.on(windowChannel, window);
  ipcMain.on(subscribeChannel, subscribe);
  ipcMain.on(unsubscribeChannel, unsubscribe);
  ipcMain.on(linkChannel, link);

  return {
    release,
    close: () => {
      closed = true;
      ipcMain.off(subscribeChannel, subscribe);
      ipcMain.off(unsubscribeChannel, unsubscribe);
      ipcMain.off(linkChannel, link);
      ipcMain.off(windowChannel, window);
      for (const contents of [...subscriptions.keys()]) release(contents);
    },
  };
}

/** Up to this size, in bytes, an object costs less than packing and unpacking it. */
const largestObject = 16_384;

const packer = new Packr(packerOptions);

/**
 * A push in the form for the bridge. Electron copies an object twice, property by property, but an array of bytes as a
 * whole: so a large push is sent as bytes, packed as in the browser host's messages.
 */
function pushForm(push: Push): Push | Uint8Array {
  const packed = packer.pack(push);
  // A copy: msgpackr returns a part of a larger buffer, all of which would be sent.
  return packed.byteLength > largestObject ? new Uint8Array(packed) : push;
}

/** Deeper than any request of the contract. */
const deepest = 32;

/**
 * Whether a value that came over IPC is plain data: no accessors, no other prototypes, nothing that a later merge could
 * turn into one, no cycle, and no larger than a message to the browser host. The check runs and copies nothing of the
 * value.
 */
export function isPlain(value: unknown): boolean {
  let bytes = 0;
  const look = (part: unknown, depth: number): boolean => {
    if (typeof part === 'string') bytes += Buffer.byteLength(part);
    else bytes += 8;
    if (bytes > largestMessage || depth > deepest) return false;
    if (part === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof part)) return true;
    if (typeof part !== 'object') return false;
    const list = Array.isArray(part);
    // A sparse list may claim any length, and checking each place would take as long.
    if (list) bytes += part.length;
    if (bytes > largestMessage) return false;
    const prototype: unknown = Object.getPrototypeOf(part);
    if (prototype !== (list ? Array.prototype : Object.prototype) && prototype !== null) return false;
    for (const key of Reflect.ownKeys(part)) {
      if (list && key === 'length') continue;
      if (typeof key !== 'string' || key === '__proto__') return false;
      const property = Object.getOwnPropertyDescriptor(part, key);
      if (property === undefined || !('value' in property)) return false;
      bytes += Buffer.byteLength(key);
      if (!look(property.value, depth + 1)) return false;
    }
    return true;
  };
  return look(value, 0);
}
