import type { CacheKeys, CacheLoss, StorageReason, StoredChange } from '../../core/vault/storage.ts';

/** What the cache's worker is asked. One thread serves one open cache, in the order of the questions. */
export type CacheQuestion =
  | {
      readonly kind: 'open';
      readonly folder: string;
      readonly keys: CacheKeys;
      /** Unix milliseconds, for the name of a file that is put aside. */
      readonly now: number;
      readonly fresh: boolean;
      /** Opened before by this process: one that is not as it was left is not touched. */
      readonly again: boolean;
      readonly maximumPages: number;
    }
  | { readonly kind: 'count-closed'; readonly folder: string }
  | { readonly kind: 'load' }
  | { readonly kind: 'write'; readonly change: StoredChange }
  | { readonly kind: 'document'; readonly name: string }
  | { readonly kind: 'count' }
  | { readonly kind: 'close' };

export interface CacheAnswers {
  readonly open: { readonly lost: CacheLoss | null };
  readonly 'count-closed': number;
  readonly load: { readonly incidents: number; readonly damaged: number; readonly older: boolean };
  readonly write: null;
  readonly document: { readonly text: string | null; readonly damaged: boolean };
  readonly count: number;
  readonly close: null;
}

export type ToWorker =
  | { readonly id: number; readonly question: CacheQuestion }
  /** A batch was taken: one more may come. `stop` ends the load, since its taker failed. */
  | { readonly id: number; readonly taken: 'more' | 'stop' };

export type FromWorker =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly batch: Uint8Array }
  | { readonly id: number; readonly reason: StorageReason; readonly detail: string };
