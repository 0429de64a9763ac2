import type { Clock, Random } from '../../../base/ports.ts';
import type { SpoolAnswer } from '../../../base/spoolAnswer.ts';
import { takePicture } from '../../exports/index.ts';

/** A page that announced a picture and never hands over is given up after so long, milliseconds. */
const withinMs = 5 * 60_000;

interface Announced {
  readonly id: string;
  readonly controller: AbortController;
  readonly cancel: () => void;
  bytes: Uint8Array | 'none' | 'coming';
}

/**
 * The picture of the map for one handover report, from its announcement by a page until the report is made. In
 * memory only. Another announcement takes its place.
 */
export class MapPicture {
  readonly #clock: Clock;
  readonly #random: Random;
  #announced: Announced | null = null;

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** @returns under which id the picture is to come, as `PUT /spool/{id}`: 16 hexadecimal digits. */
  announce(): string {
    this.clear();
    const id = Buffer.from(this.#random.bytes(8)).toString('hex');
    const cancel = this.#clock.schedule(withinMs, () => {
      this.clear();
    });
    this.#announced = { id, cancel, controller: new AbortController(), bytes: 'none' };
    return id;
  }

  /** Takes an opaque PNG of at most 32 MiB; null where no picture of that id was announced. Never rejects. */
  receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> | null {
    const announced = this.#announced;
    if (announced?.id !== id) return null;
    return announced.bytes === 'none' ? this.#take(announced, body) : Promise.resolve('busy');
  }

  /** The picture, once; null where none came under this id. */
  take(id: string): Uint8Array | null {
    const announced = this.#announced;
    if (announced?.id !== id || typeof announced.bytes === 'string') return null;
    this.#forget();
    return announced.bytes;
  }

  /** Forgets what was announced or came, and ends what is coming. */
  clear(): void {
    const bytes = this.#announced?.bytes;
    this.#forget();
    if (bytes instanceof Uint8Array) bytes.fill(0);
  }

  #forget(): void {
    this.#announced?.cancel();
    this.#announced?.controller.abort();
    this.#announced = null;
  }

  async #take(announced: Announced, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    announced.bytes = 'coming';
    const { signal } = announced.controller;
    const bytes = await takePicture({ body, clock: this.#clock, signal });
    announced.bytes = bytes ?? 'none';
    if (bytes === null) return 'refused';
    if (!signal.aborted) return 'kept';
    bytes.fill(0);
    return 'refused';
  }
}
