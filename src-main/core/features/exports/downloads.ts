import type { Clock, Random } from '../../base/ports.ts';

/** How long a file waits to be fetched, milliseconds. */
const keptMs = 5 * 60_000;
/** So many wait at most; the oldest makes room. */
const mostWaiting = 8;

interface Held {
  readonly bytes: Uint8Array;
  readonly cancel: () => void;
}

/** A file that waits to be fetched once as `GET /export/{exportId}`. */
export interface Download {
  readonly exportId: string;
  readonly fileName: string;
}

/**
 * The one place where small files that a verb has made wait for the page to fetch them: the audit list, a
 * diagnostics bundle, views, a handover report. In memory only, and zeroed when nobody comes for one.
 */
export class Downloads {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #held = new Map<string, Held>();

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Takes `bytes` over: nobody else writes to them after this. */
  put(fileName: string, bytes: Uint8Array): Download {
    const exportId = Buffer.from(this.#random.bytes(16)).toString('hex');
    const cancel = this.#clock.schedule(keptMs, () => {
      this.#drop(exportId);
    });
    this.#held.set(exportId, { bytes, cancel });
    for (const id of [...this.#held.keys()].slice(0, -mostWaiting)) this.#drop(id);
    return { exportId, fileName };
  }

  /** The bytes, once: whoever fetched them has the only copy. Null when none of that id wait. */
  take(exportId: string): Uint8Array | null {
    const held = this.#held.get(exportId);
    if (!held) return null;
    held.cancel();
    this.#held.delete(exportId);
    return held.bytes;
  }

  /** Nothing that was made for whoever was there waits for whoever comes next. */
  clear(): void {
    for (const id of [...this.#held.keys()]) this.#drop(id);
  }

  #drop(exportId: string): void {
    this.take(exportId)?.fill(0);
  }
}
