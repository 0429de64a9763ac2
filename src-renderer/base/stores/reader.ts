import {
  decodeIncidentFrame,
  type ConsoleState,
  type IncidentFrame,
  type LinkMessage,
  type Push,
} from '../../../src-preload/contract/index.ts';

/** What a push changed, for the parts that show it. */
export interface Applied {
  readonly epoch: string;
  readonly snapshot: boolean;
  readonly slices: Partial<ConsoleState>;
  readonly frame: IncidentFrame | null;
}

/**
 * The thread of pushes as one subscriber follows it (contract/pushes.ts): which epoch and revision
 * it stands at, and what to answer to each push. Holds no state of the console itself.
 *
 *   lost --snapshot--> following --base = revision, same epoch--> following
 *   following --any other delta--> lost (asks to resync, once)
 *   lost --delta--> lost (a delta that was sent before the resync was asked; dropped)
 */
export class PushReader {
  #position: { readonly epoch: string; readonly revision: number } | null = null;
  #asked = false;

  /**
   * @param apply is called with what changed, before the acknowledgement is returned; when it throws
   * (a frame that cannot be read) the thread counts as lost and a snapshot is asked for.
   */
  take(push: Push, apply: (applied: Applied) => void): LinkMessage | null {
    const snapshot = push.base === null;
    const follows = push.epoch === this.#position?.epoch && push.base === this.#position.revision;
    if (!snapshot && !follows) return this.#lose();
    try {
      const frame = push.incidents === null ? null : decodeIncidentFrame(push.incidents);
      apply({ epoch: push.epoch, snapshot, slices: push.slices, frame });
    } catch (error) {
      // A snapshot that cannot be read would be answered with the same bytes for ever.
      if (snapshot) throw error;
      return this.#lose();
    }
    this.#position = { epoch: push.epoch, revision: push.revision };
    this.#asked = false;
    return { kind: 'acknowledge', epoch: push.epoch, revision: push.revision };
  }

  #lose(): LinkMessage | null {
    this.#position = null;
    if (this.#asked) return null;
    this.#asked = true;
    return { kind: 'resync' };
  }
}
