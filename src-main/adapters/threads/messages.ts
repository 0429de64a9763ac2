import { SerialQueue } from '../../core/base/queues.ts';
import type { StorageReason } from '../../core/vault/storage.ts';

/**
 * The messages to a thread: a request and a reply for each name. There is one table for each thread's program; the
 * types of owner and program derive from it.
 */
export type MessageTable<T> = {
  readonly [K in keyof T]: { readonly request: unknown; readonly reply: unknown };
};
export type Name<T> = keyof T & string;
export type Request<T extends MessageTable<T>, K extends keyof T> = T[K]['request'];
export type Reply<T extends MessageTable<T>, K extends keyof T> = T[K]['reply'];

/** Takes a piece that comes before the reply. A second one may come while the first is being taken. */
export type Take = (piece: Uint8Array) => void | Promise<void>;

/** Sends the messages of a table. */
export interface Asker<T extends MessageTable<T>> {
  ask<K extends Name<T>>(name: K, request: Request<T, K>, take?: Take): Promise<Reply<T, K>>;
}

export type ToThread =
  | { readonly id: number; readonly name: string; readonly request: unknown }
  /** A piece was taken: one more may come. `stop` ends the message, since its taker failed. */
  | { readonly id: number; readonly taken: 'more' | 'stop' };

export type FromThread =
  | { readonly id: number; readonly reply: unknown }
  | { readonly id: number; readonly piece: Uint8Array }
  | { readonly id: number; readonly reason: StorageReason; readonly detail: string };

/**
 * Makes the taker for each try. Pieces are taken one after another, even if their thread has died meanwhile. A new try
 * skips the pieces that were taken before. After a failure none is taken.
 */
export function takersOf(take: Take): () => Take {
  const order = new SerialQueue();
  let taken = 0;
  let failure: { readonly error: unknown } | null = null;
  const takeInTurn = async (piece: Uint8Array | null): Promise<void> => {
    if (failure) throw failure.error;
    try {
      if (piece) await take(piece);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  return () => {
    let come = 0;
    return (piece) => {
      come += 1;
      const isTaken = come <= taken;
      taken = Math.max(taken, come);
      return order.run(() => takeInTurn(isTaken ? null : piece));
    };
  };
}
