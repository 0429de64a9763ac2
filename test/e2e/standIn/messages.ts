import type { PrintToPDFOptions } from 'electron';

/** What travels between a page's preload and the main process on the stand-in. */
export type FromPage =
  | { readonly kind: 'invoke'; readonly id: number; readonly channel: string; readonly args: unknown[] }
  | { readonly kind: 'send'; readonly channel: string; readonly args: unknown[] }
  | { readonly kind: 'preload-error'; readonly message: string };
export type ToPage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  | { readonly kind: 'push'; readonly channel: string; readonly args: unknown[] };

/** What the main process on the stand-in asks of the test that owns the browser. */
export type ToBrowser =
  | { readonly kind: 'serves'; readonly origin: string }
  | {
      readonly kind: 'load';
      readonly id: number;
      readonly window: number;
      readonly url: string;
      /** Whether the window's pages have one. */
      readonly preload: boolean;
    }
  | { readonly kind: 'run'; readonly id: number; readonly window: number; readonly script: string }
  | {
      readonly kind: 'print';
      readonly id: number;
      readonly window: number;
      readonly options: PrintToPDFOptions;
    }
  | { readonly kind: 'crash' | 'close'; readonly window: number };
/** What the browser's owner answers and tells. `error` null: it went well. */
export type FromBrowser =
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown; readonly error: string | null }
  | {
      readonly kind: 'laid-out' | 'loaded' | 'crashed' | 'closed';
      readonly window: number;
    };

/** Where the page's preload speaks to the main process. */
export const socketPath = '/stand-in';
