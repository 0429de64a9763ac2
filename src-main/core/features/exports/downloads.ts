import type { BasePorts, Clock, Random } from '../../base/ports.ts';
import type { Scope } from '../../base/scope.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';

/** How long a file can be fetched, milliseconds. */
const keptMs = 5 * 60_000;
/** The most files that wait. Beyond it the oldest is dropped. */
const mostWaiting = 8;

interface Held {
  readonly bytes: Uint8Array;
  readonly cancel: () => void;
}

/** A file that can be fetched once as `GET /export/{exportId}`. */
export interface Download {
  readonly exportId: string;
  readonly fileName: string;
}

/**
 * Small files that a verb made and that wait for the page: the audit list, a diagnostics bundle, views, a handover
 * report. In memory only. A file that is not fetched is overwritten with zeros.
 */
export class Downloads {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #held = new Map<string, Held>();

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Takes ownership of `bytes`: the caller must not write to them afterwards. */
  put(fileName: string, bytes: Uint8Array): Download {
    const exportId = Buffer.from(this.#random.bytes(16)).toString('hex');
    const cancel = this.#clock.schedule(keptMs, () => {
      this.#drop(exportId);
    });
    this.#held.set(exportId, { bytes, cancel });
    for (const id of [...this.#held.keys()].slice(0, -mostWaiting)) this.#drop(id);
    return { exportId, fileName };
  }

  /** The bytes, once: the caller then has the only copy. Null when no such file waits. */
  take(exportId: string): Uint8Array | null {
    const held = this.#held.get(exportId);
    if (!held) return null;
    held.cancel();
    this.#held.delete(exportId);
    return held.bytes;
  }

  /** Drops all files: those of one operator must not reach the next. */
  clear(): void {
    for (const id of [...this.#held.keys()]) this.#drop(id);
  }

  #drop(exportId: string): void {
    this.take(exportId)?.fill(0);
  }
}

/** Files made for one operator are dropped at the lock and the sign-out, so that the next one cannot fetch them. */
export function openDownloads(
  scope: Scope,
  { store, ...ports }: Pick<BasePorts, 'clock' | 'random'> & { readonly store: ConsoleStore },
): Downloads {
  const downloads = new Downloads(ports);
  let wasOpen = false;
  const stops = [
    () => {
      downloads.clear();
    },
    store.watch('lock', ({ locked }) => {
      if (locked) downloads.clear();
    }),
    store.watch('session', ({ vault }) => {
      if (wasOpen && vault !== 'open') downloads.clear();
      wasOpen = vault === 'open';
    }),
  ];
  for (const stop of stops) scope.onEnd(stop);
  return downloads;
}
