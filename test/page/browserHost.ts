import { Packr } from 'msgpackr/index-no-eval';
import {
  launchParameter,
  packerOptions,
  proofKey,
  type ConsoleMessage,
  type Hello,
  type PageMessage,
} from '../../src-preload/contract/index.ts';
import type { StandIn } from './standIn.ts';

/**
 * What becomes of a page of the browser host, which the desktop's bridge cannot show: `refused` at the door, `silent`
 * before its first snapshot, `lost` after it.
 */
export type BrowserHost = 'refused' | 'silent' | 'lost';

const packer = new Packr(packerOptions);

/** Lets the page find a browser host in the place of the desktop's bridge; the function answered with loses it. */
export function hostInBrowser(kind: BrowserHost, standIn: StandIn): () => void {
  sessionStorage.removeItem(proofKey);
  // The gallery's server answers a launch code with nothing that the page knows.
  if (kind === 'silent') history.replaceState(null, '', `${location.search}#${launchParameter}=stand-in`);
  if (kind !== 'lost') return () => undefined;
  sessionStorage.setItem(proofKey, 'stand-in');
  const sockets: EventTarget[] = [];
  const host = { lost: false };

  class StandInSocket extends EventTarget {
    binaryType = 'arraybuffer';

    constructor() {
      super();
      sockets.push(this);
      queueMicrotask(() => {
        this.dispatchEvent(host.lost ? new CloseEvent('close', { code: 1006 }) : new Event('open'));
      });
    }

    send(bytes: Uint8Array): void {
      const message = packer.unpack(bytes) as PageMessage | Hello;
      if (message.kind === 'link') standIn.bridge.answer(message.message);
      else if (message.kind === 'call') {
        const call = standIn.bridge.verbs[message.verb as never] as (request: unknown) => Promise<never>;
        void call(message.request).then((result) => {
          this.#give({ kind: 'reply', id: message.id, result });
        });
      } else {
        this.#give({ kind: 'welcome', version: 'stand-in' });
        standIn.bridge.subscribe((push) => {
          if (!(push instanceof Uint8Array)) this.#give({ kind: 'push', push });
        });
      }
    }

    #give(message: ConsoleMessage): void {
      const data = Uint8Array.from(packer.pack(message)).buffer;
      this.dispatchEvent(new MessageEvent('message', { data }));
    }
  }
  Object.assign(window, { WebSocket: StandInSocket });
  return () => {
    host.lost = true;
    sockets.at(-1)?.dispatchEvent(new CloseEvent('close', { code: 1006 }));
  };
}
