import process from 'node:process';
import { WebSocket } from 'ws';
import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import { event } from '../../hosts/desktop/fake/emitter.ts';
import type { FakeElectron } from '../../hosts/desktop/fake/electron.ts';
import type { FakeWindow } from '../../hosts/desktop/fake/window.ts';
import type { FromBrowser, FromPage, ToBrowser, ToPage } from './messages.ts';
import { makeWire } from './wire.ts';

const wire = makeWire();
export const say = (message: ToBrowser): void => void process.send?.(message);

/** Ties the fake's windows to pages of a browser that the parent process owns. */
export interface WindowsOfBrowser {
  /** A document of a window opened its socket, before anything else of it is heard. */
  onPage(socket: WebSocket, window: number): void;
}

export function tieWindows(fake: FakeElectron): WindowsOfBrowser {
  const windows = new Map<number, FakeWindow>();
  const pages = new Map<FakeWindow, WebSocket>();
  const asked = new Map<number, (answer: Extract<FromBrowser, { kind: 'done' }>) => void>();
  let lastQuestion = 0;
  const ask = async (question: (id: number) => ToBrowser): Promise<unknown> => {
    lastQuestion += 1;
    const id = lastQuestion;
    const answer = await new Promise<Extract<FromBrowser, { kind: 'done' }>>((resolve) => {
      asked.set(id, resolve);
      say(question(id));
    });
    if (answer.error !== null) throw new Error(answer.error);
    return answer.value;
  };

  fake.onWindow = (window) => {
    const id = windows.size + 1;
    const contents = window.webContents;
    windows.set(id, window);
    window.loads = async () => {
      const url = window.loaded.at(-1) ?? '';
      const preload = window.options.webPreferences?.preload !== undefined;
      try {
        await ask((question) => ({ kind: 'load', id: question, window: id, url, preload }));
      } catch (error) {
        if (!window.destroyed) window.failLoad();
        throw error;
      }
    };
    contents.answer = (script) => ask((question) => ({ kind: 'run', id: question, window: id, script }));
    contents.prints = async (options) =>
      Buffer.from(
        (await ask((question) => ({ kind: 'print', id: question, window: id, options }))) as Uint8Array,
      );
    contents.send = (channel, ...args) => {
      const page = pages.get(window);
      if (page?.readyState === WebSocket.OPEN) tell(page, { kind: 'push', channel, args });
    };
    contents.forcefullyCrashRenderer = () => say({ kind: 'crash', window: id });
    window.on('closed', () => {
      say({ kind: 'close', window: id });
      if (fake.windows.every(({ destroyed }) => destroyed)) fake.app.emit('window-all-closed');
    });
  };

  process.on('message', (message: FromBrowser) => {
    if (message.kind === 'done') {
      asked.get(message.id)?.(message);
      asked.delete(message.id);
      return;
    }
    const window = windows.get(message.window);
    if (window === undefined || window.destroyed) return;
    switch (message.kind) {
      case 'laid-out':
        window.webContents.emit('dom-ready', event());
        window.layOut();
        break;
      case 'loaded':
        window.finishLoad();
        break;
      case 'crashed':
        window.webContents.die('crashed');
        break;
      case 'closed':
        window.close();
        break;
    }
  });

  const hear = async (window: FakeWindow, socket: WebSocket, message: FromPage): Promise<void> => {
    const { webContents } = window;
    const from = { sender: webContents, senderFrame: webContents.mainFrame };
    switch (message.kind) {
      case 'preload-error':
        webContents.emit('preload-error', event(), 'preload', new Error(message.message));
        break;
      case 'send':
        fake.tell(message.channel, from, ...message.args);
        break;
      case 'invoke': {
        const { id, channel, args } = message;
        const fail = (why: string): void =>
          tell(socket, {
            kind: 'failure',
            id,
            message: `Error invoking remote method '${channel}': ${why}`,
          });
        if (!fake.handlers.has(channel)) {
          fail('Error: No handler registered');
          return;
        }
        try {
          tell(socket, { kind: 'answer', id, value: await fake.invoke(channel, from, ...args) });
        } catch (error) {
          fail(String(error));
        }
      }
    }
  };
  return {
    onPage: (socket, id) => {
      const window = windows.get(id);
      if (window === undefined || window.destroyed) {
        socket.close();
        return;
      }
      pages.set(window, socket);
      // Before the new document is heard: what the old one subscribed to ends here.
      window.webContents.emit('did-navigate', event(), `${desktopOrigin}/`, 200, 'OK');
      socket.on('message', (frame: Buffer) => {
        if (pages.get(window) === socket) void hear(window, socket, wire.decode(frame) as FromPage);
      });
    },
  };
}

function tell(socket: WebSocket, message: ToPage): void {
  socket.send(wire.encode(message));
}
