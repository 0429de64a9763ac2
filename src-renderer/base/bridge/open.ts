import { takeLaunchCode } from './admission.ts';
import type { Bridge } from './bridge.ts';
import { preloadBridge } from './preload.ts';
import { SocketBridge } from './socket.ts';

/** Opens the bridge of whichever host shows this page. */
export function openBridge(): Bridge {
  if (window.fieldConsole !== undefined) return preloadBridge(window.fieldConsole);
  return new SocketBridge(takeLaunchCode(window.location, window.history));
}
