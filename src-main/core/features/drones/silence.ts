import { droneSilentMs } from '../../../../src-preload/contract/index.ts';
import type { Drone } from './droneTable.ts';

/** Silent drones: their number, and the first of them with the server time of its last position (Unix ms). */
export interface DroneSilence {
  readonly count: number;
  readonly id: string;
  readonly since: number;
}

/** When the present stream was opened, and when anything came on it last, also a comment; `Clock.elapsed()`. */
export interface StreamHeard {
  readonly since: number;
  readonly last: number;
  /** A stream was open before it: the service may repeat what it sent meanwhile. */
  readonly isAgain: boolean;
}

export interface SilenceSources {
  /** Times of the open stream; null while none is open. */
  readonly heard: () => StreamHeard | null;
  /** Null: no drone is silent now, since the last silent one reports again or was forgotten. */
  readonly onSilence: (silence: DroneSilence | null, why: 'silent' | 'reports' | 'forgotten') => void;
}

/**
 * Which drones are silent. Other data must prove a silence: something that came on the same stream at least
 * `droneSilentMs` after the drone's last position. While the stream is closed, broken or stuck, no drone becomes
 * silent, and a new stream proves nothing yet.
 */
export class Silences {
  readonly #sources: SilenceSources;
  readonly #silent = new Map<string, Drone>();

  constructor(sources: SilenceSources) {
    this.#sources = sources;
  }

  /** Time has passed. */
  look(drones: Iterable<Drone>): void {
    const heard = this.#sources.heard();
    if (heard === null) return;
    const before = this.#silent.size;
    for (const drone of drones) {
      if (heard.last - Math.max(drone.heardAt, heard.since) >= droneSilentMs)
        this.#silent.set(drone.id, drone);
    }
    if (this.#silent.size > before) this.#tell('silent');
  }

  reports(id: string): void {
    if (this.#silent.delete(id)) this.#tell('reports');
  }

  forgotten(ids: readonly string[]): void {
    const before = this.#silent.size;
    for (const id of ids) this.#silent.delete(id);
    if (this.#silent.size < before) this.#tell('forgotten');
  }

  #tell(why: 'silent' | 'reports' | 'forgotten'): void {
    const [first] = [...this.#silent.values()].sort((a, b) => a.at - b.at);
    const { size: count } = this.#silent;
    this.#sources.onSilence(first ? { count, id: first.id, since: first.at } : null, why);
  }
}
