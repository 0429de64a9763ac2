import type { Clock } from '../ports.ts';

/** How long a bundle waits to be fetched, milliseconds. */
const keptMs = 5 * 60_000;

/** Holds one bundle until it is fetched, replaced or too old. */
export class BundleShelf {
  readonly #clock: Clock;
  #held: { readonly id: string; readonly bytes: Uint8Array; readonly cancel: () => void } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  put(id: string, bytes: Uint8Array): void {
    this.clear();
    const cancel = this.#clock.schedule(keptMs, () => {
      this.clear();
    });
    this.#held = { id, bytes, cancel };
  }

  /** The bundle, once: whoever fetched it has the only copy. */
  take(id: string): Uint8Array | null {
    const held = this.#held;
    if (held?.id !== id) return null;
    held.cancel();
    this.#held = null;
    return held.bytes;
  }

  clear(): void {
    if (!this.#held) return;
    this.#held.cancel();
    this.#held.bytes.fill(0);
    this.#held = null;
  }
}
