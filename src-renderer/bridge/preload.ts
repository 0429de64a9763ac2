import { desktopProof, proofHeader, type PreloadBridge } from '../../src-preload/contract/index.ts';
import type { Bridge } from './bridge.ts';

/** The desktop host's bridge: the preload's functions as they are. It cannot be lost while the page lives. */
export function preloadBridge(preload: PreloadBridge): Bridge {
  return {
    verbs: preload.verbs,
    subscribe: (listener) => preload.subscribe(listener),
    answer: (message) => {
      preload.answer(message);
    },
    routeHeaders: () => ({ [proofHeader]: desktopProof }),
    onLink: (listener) => {
      listener({ state: 'up' });
      return () => undefined;
    },
  };
}
