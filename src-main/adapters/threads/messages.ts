import type { StorageReason } from '../../core/vault/storage.ts';

/**
 * What a thread is asked: for the name of each message its request and its reply. One table stands for each program
 * of a thread; what its owner may ask and what it must answer derive from it.
 */
export type MessageTable<T> = {
  readonly [K in keyof T]: { readonly request: unknown; readonly reply: unknown };
};
export type Name<T> = keyof T & string;
export type Request<T extends MessageTable<T>, K extends keyof T> = T[K]['request'];
export type Reply<T extends MessageTable<T>, K extends keyof T> = T[K]['reply'];

export type ToThread =
  | { readonly id: number; readonly name: string; readonly request: unknown }
  /** A piece was taken: one more may come. `stop` ends the message, since its taker failed. */
  | { readonly id: number; readonly taken: 'more' | 'stop' };

export type FromThread =
  | { readonly id: number; readonly reply: unknown }
  | { readonly id: number; readonly piece: Uint8Array }
  | { readonly id: number; readonly reason: StorageReason; readonly detail: string };
