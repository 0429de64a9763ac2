import { takeLaunchCode } from './admission.ts';
import type { Bridge } from './bridge.ts';
import { SocketBridge } from './socket.ts';
import { Packr } from 'msgpackr/index-no-eval';
import {
  desktopProof,
  packerOptions,
  proofHeader,
  type PreloadBridge,
  type Push,
} from '../../../src-preload/contract/index.ts';

const packer = new Packr(packerOptions);

/** The desktop host's bridge: the preload's functions as they are. It cannot be lost while the page lives. */
export function preloadBridge(preload: PreloadBridge): Bridge {
  return {
    ...preload,
    subscribe: (listener) =>
      preload.subscribe((push) =>
        listener(push instanceof Uint8Array ? (packer.unpack(push) as Push) : push),
      ),
    routeHeaders: () => ({ [proofHeader]: desktopProof }),
    // Electron reads a Blob whole into the main process's memory before it sends the first byte: 5 GB would end it.
    routeBody: (file) => ({ body: file.stream(), duplex: 'half' }),
    onLink: (listener) => {
      listener({ state: 'up' });
      return () => undefined;
    },
  };
}

/** Opens the bridge of whichever host shows this page. */
export function openBridge(): Bridge {
  if (window.fieldConsole !== undefined) return preloadBridge(window.fieldConsole);
  return new SocketBridge(takeLaunchCode(window.location, window.history));
}
