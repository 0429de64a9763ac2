import type {
  CidProfile,
  CidVerdict,
  Failure,
  Message,
  UploadDecision,
} from '../../../../src-preload/contract/index.ts';

/**
 * The destination of an upload and the layout of its form. Stored with the key: a deployment file that changes
 * meanwhile must not change the bytes that are repeated under it.
 */
export interface UploadTarget {
  readonly path: string;
  readonly field: string;
  /** Further parts of the form, in their order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly incidentField: string | null;
}

/** An idempotency key: it identifies one intended effect (interface: Shared conventions). */
export interface UploadKey {
  readonly value: string;
  readonly boundary: string;
  readonly target: UploadTarget;
  /** A digest of bytes, account and target. */
  readonly boundTo: string;
  /** How many times bytes were, or may have been, sent under it. */
  readonly attempts: number;
  /** The service's time at the first attempt, Unix milliseconds; null where that was not verified. */
  readonly anchor: number | null;
  /** Successes whose body could not be read. */
  readonly unreadable: number;
}

export type KeyEnd =
  /** The service refused it for good. */
  | 'refused'
  /** The operator sent it again under a new key. */
  | 'sent-anew'
  /** It was made for other bytes, another account or another address. */
  | 'not-bound';

/** A key that is never used again, kept as a record. */
export interface EndedKey {
  readonly value: string;
  readonly attempts: number;
  readonly end: KeyEnd;
  readonly status: number | null;
  readonly requestId: string | null;
  /** Server time, Unix milliseconds. */
  readonly at: number;
}

export interface ComputedCid {
  readonly profile: CidProfile;
  readonly cid: string;
}

export interface Confirmation {
  /** Server time, Unix milliseconds. */
  readonly at: number;
  readonly cid: string | null;
  readonly verdict: CidVerdict | null;
  readonly profile: CidProfile | null;
  readonly requestId: string | null;
  /** Further facts about it. */
  readonly note: Message | null;
}

export type UploadPhase =
  | { readonly state: 'receiving' }
  /**
   * `consented`: the operator wants it sent although it may have arrived, with a new key if necessary. `newKey`: always
   * with a new key, because the service has answered the present one.
   */
  | { readonly state: 'queued'; readonly consented: boolean; readonly newKey: boolean }
  | { readonly state: 'sending' }
  | {
      readonly state: 'waiting';
      readonly failure: Failure;
      /** Server time; null where it is not known. */
      readonly until: number | null;
    }
  /** The only state whose copy is destroyed. */
  | ({ readonly state: 'sent' } & Confirmation)
  /** Answered with success, without a proof: the copy stays. `note` says why. */
  | ({ readonly state: 'unproven' } & Confirmation)
  | {
      readonly state: 'needs-decision';
      readonly decision: UploadDecision;
      readonly why: Message;
      readonly remedy: Message;
      readonly failure: Failure | null;
      readonly sameAs: string | null;
      /** Of `other-bytes`: the answer. */
      readonly said: Confirmation | null;
    }
  | { readonly state: 'failed'; readonly failure: Failure };

/** One upload as stored. Immutable: each change makes a new object. */
export interface UploadItem {
  readonly id: string;
  /** Safe to show and to send. */
  readonly fileName: string;
  readonly bytes: number;
  readonly addedAt: number;
  readonly incidentId: string | null;
  /** The order in the list. */
  readonly place: number;
  /** Grows with each write. When a row and a sidecar differ, the higher number is the later one. */
  readonly step: number;
  /** `slow-link`: until the line is measured as quick. */
  readonly paused: boolean | 'slow-link';
  /** Null until the file is in the spool. */
  readonly sha256: string | null;
  readonly computed: readonly ComputedCid[];
  readonly key: UploadKey | null;
  readonly endedKeys: readonly EndedKey[];
  readonly phase: UploadPhase;
}

export const attemptsOf = ({ key }: UploadItem): number => key?.attempts ?? 0;

/** Neither answered with success nor failed: it is still to be sent. */
export const isUnsent = ({ phase }: UploadItem): boolean =>
  phase.state !== 'sent' && phase.state !== 'unproven' && phase.state !== 'failed';
