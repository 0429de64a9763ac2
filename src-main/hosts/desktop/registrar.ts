import type { IpcMainEvent, IpcMainInvokeEvent, WebContents, WebFrameMain } from 'electron';
import {
  linkChannel,
  linkMessageSchema,
  pushChannel,
  subscribeChannel,
  unsubscribeChannel,
  verbChannel,
  verbNames,
  windowChannel,
  windowWords,
  type WindowWord,
} from '../../../src-preload/contract/index.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import type { Subscription } from '../../core/state/publisher.ts';
import { hostFailure } from '../failures.ts';
import type { DesktopElectron } from './electron.ts';
import { isOwnPage } from './guard.ts';
import { isPlain } from './plain.ts';
import { pushForm } from './pushForm.ts';

export interface RegistrarOptions {
  readonly ipcMain: DesktopElectron['ipcMain'];
  readonly console: App;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Hears of a push that went to a page, and of a page's answer to one. */
  readonly onTraffic: (what: 'sent' | 'answered', page: WebContents) => void;
  readonly onWindowWord: (word: WindowWord, page: WebContents) => void;
}

/** Whether two objects are the same frame: each event brings one of its own for it. */
const isSameFrame = (one: WebFrameMain, other: WebFrameMain): boolean =>
  one.frameToken === other.frameToken && one.processId === other.processId;

/** Ties pages to the console: one channel per verb, one subscription per page. */
export interface Registrar {
  /** Ends the page's subscription, as its document is going or gone. */
  release(contents: WebContents): void;
  close(): void;
}

export function createRegistrar(options: RegistrarOptions): Registrar {
  const { ipcMain, console, clock, logger, onTraffic, onWindowWord } = options;
  const subscriptions = new Map<WebContents, Subscription>();

  /** Only the top frame of the console's own page may speak; the frame is null once it has gone. */
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
      try {
        return await console.call(verb, args[0]);
      } catch (error) {
        logger.error('call-broke', { verb, error: error instanceof Error ? error.name : 'unknown' });
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
      for (const verb of verbNames) ipcMain.removeHandler(verbChannel(verb));
      ipcMain.off(subscribeChannel, subscribe);
      ipcMain.off(unsubscribeChannel, unsubscribe);
      ipcMain.off(linkChannel, link);
      ipcMain.off(windowChannel, window);
      for (const contents of [...subscriptions.keys()]) release(contents);
    },
  };
}
