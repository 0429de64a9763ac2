import { readFileSync } from 'node:fs';
import { makeBridgeRules, type BridgeRules } from './bridgeRules.ts';
import { socketPath, type FromPage, type ToPage } from './messages.ts';
import { makeWire, type Wire } from './wire.ts';

type Listener = (event: object, ...args: unknown[]) => void;

/**
 * What a preload gets from `require('electron')`, over a socket to the main process. It is written into pages as
 * text, so it uses nothing from outside of itself but types.
 */
function electronOfPage(wire: Wire, rules: BridgeRules, address: string) {
  const clone = structuredClone;
  const listeners = new Map<string, Set<Listener>>();
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const unsent: FromPage[] = [];
  let last = 0;
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  const tell = (message: FromPage): void => {
    if (socket.readyState === WebSocket.CONNECTING) unsent.push(message);
    else socket.send(wire.encode(message));
  };
  socket.addEventListener('open', () => {
    for (const message of unsent.splice(0)) tell(message);
  });
  socket.addEventListener('message', ({ data }: MessageEvent) => {
    const message = wire.decode(new Uint8Array(data as ArrayBuffer)) as ToPage;
    if (message.kind === 'push') {
      for (const listener of [...(listeners.get(message.channel) ?? [])]) {
        listener({ sender: electron.ipcRenderer }, ...message.args);
      }
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'answer') asked?.resolve(message.value);
    else asked?.reject(new Error(message.message));
  });
  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: unknown) => {
        rules.expose(globalThis, name, api);
      },
    },
    ipcRenderer: {
      invoke: async (channel: string, ...args: unknown[]) => {
        const given = clone(args);
        last += 1;
        const id = last;
        return new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          tell({ kind: 'invoke', id, channel, args: given });
        });
      },
      send: (channel: string, ...args: unknown[]) => {
        tell({ kind: 'send', channel, args: clone(args) });
      },
      on: (channel: string, listener: Listener) => {
        listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
      },
      off: (channel: string, listener: Listener) => {
        listeners.get(channel)?.delete(listener);
      },
    },
  };
  return {
    electron,
    failed: (error: unknown) => {
      tell({ kind: 'preload-error', message: String(error) });
    },
  };
}

/**
 * The script that runs the built preload in a page before the page's own: in the top frame of the console's origin, and
 * as text of this script, as the page's policy lets nothing be compiled.
 */
export function preloadScript(options: {
  readonly path: string;
  readonly origin: string;
  readonly window: number;
}): string {
  const { path, origin, window } = options;
  const address = `${origin.replace('https:', 'wss:')}${socketPath}?window=${String(window)}`;
  return `(() => {
  if (window !== window.top || location.origin !== ${JSON.stringify(origin)}) return;
  const { electron, failed } = (${electronOfPage.toString()})(
    (${makeWire.toString()})(), (${makeBridgeRules.toString()})(), ${JSON.stringify(address)});
  const require = (name) => {
    if (name === 'electron') return electron;
    throw new Error('A sandboxed preload has no module ' + name);
  };
  const module = { exports: {} };
  try {
    ((require, module, exports) => {
${readFileSync(path, 'utf8')}
    })(require, module, module.exports);
  } catch (error) {
    failed(error);
  }
})();`;
}
