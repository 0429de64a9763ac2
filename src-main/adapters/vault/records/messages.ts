import type { SpooledFacts } from '../../../core/vault/records.ts';

/** Bytes in the shared memory of two threads: `slot` is the place of one block. */
export interface FilledSlot {
  readonly slot: number;
  readonly bytes: number;
  /** Whether this is the file's last block. */
  readonly last: boolean;
}

export interface SealingRequest {
  readonly job: number;
  readonly memory: SharedArrayBuffer;
  /** The paths while it grows and when it is complete, in one folder. */
  readonly partial: string;
  readonly complete: string;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

interface Job {
  readonly job: number;
}

/** The messages to the threads of the spool. `job` is one file; jobs run side by side. */
export interface SpoolMessages {
  readonly beginSealing: { readonly request: SealingRequest; readonly reply: null };
  readonly seal: { readonly request: Job & { readonly filled: FilledSlot }; readonly reply: null };
  /** Replies when the complete file is safe from a power cut. */
  readonly finishSealing: { readonly request: Job; readonly reply: null };
  readonly beginHashing: {
    readonly request: Job & { readonly memory: SharedArrayBuffer };
    readonly reply: null;
  };
  readonly hash: { readonly request: Job & { readonly filled: FilledSlot }; readonly reply: null };
  readonly finishHashing: { readonly request: Job; readonly reply: SpooledFacts };
  /** Ends a file, whose full pieces stay. */
  readonly leave: { readonly request: Job; readonly reply: null };
  /** Ends a job of either kind and removes its file. */
  readonly giveUp: { readonly request: Job; readonly reply: null };
}
