import type { Socket } from 'node:net';
import type { LineState } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';

type Bytes = LineState['hour'];

interface Step extends Bytes {
  readonly at: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The bytes of so many milliseconds are counted together. */
const stepMs = 300_000;

/** The bytes to and from the service, with the headers of HTTP. No runtime says what encryption and packets add. */
export class Traffic {
  readonly #clock: Clock;
  readonly #began: number;
  readonly #open = new Set<Pick<Socket, 'bytesRead' | 'bytesWritten'>>();
  /** Those of connections that have ended. */
  #past: Bytes = { sent: 0, received: 0 };
  #before: Bytes = this.#past;
  /** Oldest first. */
  #steps: Step[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#began = clock.elapsed();
  }

  /** Counts a connection's bytes. */
  carry(socket: Pick<Socket, 'bytesRead' | 'bytesWritten' | 'once'>): void {
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#past = sum([this.#past, bytesOf(socket)]);
    });
  }

  /** All bytes since the start, both ways. */
  get total(): number {
    const { sent, received } = this.#total();
    return sent + received;
  }

  /** Bytes of the last hour, and of the last day or since the start, which was `spanMs` ago. */
  review(): { readonly hour: Bytes; readonly day: Bytes; readonly spanMs: number } {
    const now = this.#clock.elapsed();
    const total = this.#total();
    const at = now - (now % stepMs);
    const news = { sent: total.sent - this.#before.sent, received: total.received - this.#before.received };
    this.#before = total;
    const last = this.#steps.at(-1);
    if (last?.at === at) this.#steps[this.#steps.length - 1] = { at, ...sum([last, news]) };
    else this.#steps.push({ at, ...news });
    while ((this.#steps[0]?.at ?? now) <= now - dayMs) this.#steps.shift();
    const hour = this.#steps.filter((step) => step.at > now - hourMs);
    return { hour: sum(hour), day: sum(this.#steps), spanMs: Math.min(dayMs, now - this.#began) };
  }

  #total(): Bytes {
    return sum([this.#past, ...[...this.#open].map(bytesOf)]);
  }
}

const bytesOf = ({ bytesRead, bytesWritten }: Pick<Socket, 'bytesRead' | 'bytesWritten'>): Bytes => ({
  sent: bytesWritten,
  received: bytesRead,
});

const sum = (all: readonly Bytes[]): Bytes => ({
  sent: all.reduce((bytes, { sent }) => bytes + sent, 0),
  received: all.reduce((bytes, { received }) => bytes + received, 0),
});
