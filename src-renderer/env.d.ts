import type { PreloadBridge } from '../src-preload/contract/index.ts';

declare global {
  interface Window {
    /** Present under the desktop host only. */
    readonly fieldConsole?: PreloadBridge;
    /** Trusted Types, as far as the page uses them; absent in browsers that do not know them. */
    readonly trustedTypes?: {
      createPolicy(
        name: string,
        rules: {
          readonly createHTML?: (markup: string) => string;
          readonly createScriptURL: (address: string) => string;
        },
      ): unknown;
    };
  }
}
