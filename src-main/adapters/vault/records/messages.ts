import type { SpooledFacts } from '../../../core/vault/records.ts';

/** Bytes in the memory that two threads share: `slot` is a place of one block in it. */
export interface FilledSlot {
  readonly slot: number;
  readonly bytes: number;
  /** Whether the file ends with it. */
  readonly last: boolean;
}

export interface SealingRequest {
  readonly job: number;
  readonly memory: SharedArrayBuffer;
  /** Where it grows, and where it lies when it is complete. Both in one folder. */
  readonly partial: string;
  readonly complete: string;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

interface Job {
  readonly job: number;
}

/** What the threads of the spool are asked. `job` is one file; jobs go on side by side. */
export interface SpoolMessages {
  readonly beginSealing: { readonly request: SealingRequest; readonly reply: null };
  readonly seal: { readonly request: Job & { readonly filled: FilledSlot }; readonly reply: null };
  /** Replies when the file would survive a power cut under its name. */
  readonly finishSealing: { readonly request: Job; readonly reply: null };
  readonly beginHashing: {
    readonly request: Job & { readonly memory: SharedArrayBuffer };
    readonly reply: null;
  };
  readonly hash: { readonly request: Job & { readonly filled: FilledSlot }; readonly reply: null };
  readonly finishHashing: { readonly request: Job; readonly reply: SpooledFacts };
  /** Ends a job of either sort and removes what came of it. */
  readonly giveUp: { readonly request: Job; readonly reply: null };
}
