import type { PreloadBridge } from '../src-preload/contract/index.ts';

declare global {
  interface Window {
    /** Present under the desktop host only. */
    readonly fieldConsole?: PreloadBridge;
  }
}
