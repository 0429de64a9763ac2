import type { Clock } from '../../../src-main/core/base/ports.ts';
import { seeded, type Seeded } from '../../../src-main/training/seeded.ts';

export interface LineOptions {
  readonly clock: Clock;
  /** Each way. */
  readonly bytesPerSecond: number;
  readonly roundTripMs: number;
  /** The share of connections that are reset, each after at most 64 KB. */
  readonly resets: number;
  /** `fair`: each connection has its turn. `single`: packets leave in the order in which they came, as in a modem. */
  readonly queue: 'fair' | 'single';
  /** The most bytes of one connection and direction that are sent and not acknowledged. */
  readonly bufferBytes: number;
  readonly seed?: number;
}

/** A field link: 64 kbit/s each way, 700 ms, 5 % of the connections reset. */
export const fieldLine = {
  bytesPerSecond: 8_000,
  roundTripMs: 700,
  resets: 0.05,
  queue: 'fair',
  bufferBytes: 48 * 1024,
} as const satisfies Omit<LineOptions, 'clock'>;

/** The shortest time in which a line carries `bytes` one way, after so many round trips. Milliseconds. */
export const leastMs = (
  { bytesPerSecond, roundTripMs }: Pick<LineOptions, 'bytesPerSecond' | 'roundTripMs'>,
  { bytes, roundTrips }: { readonly bytes: number; readonly roundTrips: number },
): number => (bytes / bytesPerSecond) * 1_000 + roundTrips * roundTripMs;

const packetBytes = 1_400;
/** Of each packet, and of one without data. */
const headerBytes = 40;
/** So often a line that is off is tried. */
const offStepMs = 500;
/** A connection that is reset has carried less than this. */
const mostBeforeReset = 64 * 1024;

/** What one end of a connection takes from the line. */
export interface End {
  /** The bytes arrived. `taken` acknowledges them, and is called once. */
  readonly receive: (bytes: Uint8Array, taken: () => void) => void;
  /** The other end has ended, and all its bytes have arrived. */
  readonly ended: () => void;
  /** What this end may send again after `send` answered false. */
  readonly drained: () => void;
  /** The connection was reset. */
  readonly reset: () => void;
}

/** One direction of a connection. */
export interface Sender {
  /** False when the sender should wait for `drained`. */
  send(bytes: Uint8Array): boolean;
  end(): void;
}

interface Packet {
  readonly pipe: Pipe;
  readonly size: number;
  readonly arrive: () => void;
}

/**
 * A slow line between a console and a service: what is sent waits in a queue, leaves at the line's rate, arrives half a
 * round trip later, in order, and is acknowledged half a round trip after it was taken. Pure but for its clock, so that
 * tests use it on a virtual clock and the bench in real time. Acknowledgements cost no bytes.
 */
export class Line {
  readonly options: LineOptions;
  readonly carried = { up: 0, down: 0, connections: 0, resets: 0 };
  /** Bytes that an end has handed over and the other one has not got, without headers. */
  readonly backlog = { up: 0, down: 0 };
  readonly #draw: Seeded;
  readonly #up: Carrier;
  readonly #down: Carrier;
  /** While it is off nothing leaves. TCP sends again what was lost, so it leaves later. */
  isOff = false;

  constructor(options: LineOptions) {
    this.options = options;
    this.#draw = seeded(options.seed ?? 1, 'line');
    this.#up = new Carrier(options, () => this.isOff);
    this.#down = new Carrier(options, () => this.isOff);
  }

  /** Opens a connection. `opened` is called when the handshake has come back. */
  connect(ends: { readonly near: End; readonly far: End; readonly opened: () => void }): {
    readonly near: Sender;
    readonly far: Sender;
    /** Ends the connection without a word to either end. */
    drop(): void;
  } {
    this.carried.connections += 1;
    const { bufferBytes } = this.options;
    let left = this.#draw.next() < this.options.resets ? this.#draw.below(mostBeforeReset) : Infinity;
    const drop = (): void => {
      up.drop();
      down.drop();
    };
    const count = (way: 'up' | 'down') => (size: number) => {
      this.carried[way] += size;
      left -= size;
      if (left > 0 || up.isOver) return;
      this.carried.resets += 1;
      drop();
      ends.near.reset();
      ends.far.reset();
    };
    const queue = (way: 'up' | 'down') => (size: number) => {
      this.backlog[way] += size;
    };
    const up: Pipe = new Pipe(this.#up, bufferBytes, {
      ...{ to: ends.far, from: ends.near },
      ...{ count: count('up'), queue: queue('up') },
    });
    const down: Pipe = new Pipe(this.#down, bufferBytes, {
      ...{ to: ends.near, from: ends.far },
      ...{ count: count('down'), queue: queue('down') },
    });
    up.signal(() => {
      down.signal(() => {
        up.open();
        down.open();
        ends.opened();
      });
    });
    return { near: up, far: down, drop };
  }
}

/** One direction of the line: one packet after another. */
class Carrier {
  readonly options: LineOptions;
  readonly #isOff: () => boolean;
  /** Fair: the packets of each pipe that has some, the one whose turn it is first. Single: all in one. */
  readonly #queues = new Map<Pipe | null, Packet[]>();
  #freeAt = 0;
  #isBusy = false;

  constructor(options: LineOptions, isOff: () => boolean) {
    this.options = options;
    this.#isOff = isOff;
  }

  add(packet: Packet): void {
    const key = this.options.queue === 'fair' ? packet.pipe : null;
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, [packet]);
    else queue.push(packet);
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    const { clock, bytesPerSecond, roundTripMs } = this.options;
    if (this.#isOff()) {
      this.#isBusy = true;
      clock.schedule(offStepMs, () => this.#next());
      return;
    }
    const packet = this.#take();
    this.#isBusy = packet !== null;
    if (packet === null) return;
    // A late timer does not slow the line.
    this.#freeAt = Math.max(this.#freeAt, clock.elapsed()) + (packet.size / bytesPerSecond) * 1_000;
    clock.schedule(this.#freeAt - clock.elapsed(), () => {
      clock.schedule(roundTripMs / 2, packet.arrive);
      this.#next();
    });
  }

  #take(): Packet | null {
    for (const [key, queue] of this.#queues) {
      this.#queues.delete(key);
      const packet = queue.shift();
      if (queue.length > 0) this.#queues.set(key, queue);
      if (packet !== undefined && !packet.pipe.isOver) return packet;
    }
    return null;
  }
}

interface Ends {
  readonly to: End;
  readonly from: End;
  /** So many bytes have arrived, with headers. */
  readonly count: (size: number) => void;
  /** So many bytes more are on their way, or fewer. */
  readonly queue: (size: number) => void;
}

class Pipe implements Sender {
  readonly #carrier: Carrier;
  readonly #bufferBytes: number;
  readonly #with: Ends;
  /** Handed over, and not on the line: null is the end. */
  readonly #waiting: (Uint8Array | null)[] = [];
  /** On the line, in order. */
  readonly #sent: (Uint8Array | null)[] = [];
  #unacknowledged = 0;
  #onTheirWay = 0;
  #isOpen = false;
  isOver = false;

  constructor(carrier: Carrier, bufferBytes: number, ends: Ends) {
    this.#carrier = carrier;
    this.#bufferBytes = bufferBytes;
    this.#with = ends;
  }

  /** A packet without data. */
  signal(arrive: () => void): void {
    this.#carrier.add({
      pipe: this,
      size: headerBytes,
      arrive: () => {
        if (this.isOver) return;
        arrive();
        this.#with.count(headerBytes);
      },
    });
  }

  open(): void {
    this.#isOpen = true;
    this.#fill();
  }

  drop(): void {
    this.isOver = true;
    this.#waiting.length = 0;
    this.#queue(-this.#onTheirWay);
  }

  send(bytes: Uint8Array): boolean {
    if (this.isOver) return true;
    this.#queue(bytes.byteLength);
    for (let at = 0; at < bytes.byteLength; at += packetBytes)
      this.#waiting.push(bytes.subarray(at, at + packetBytes));
    this.#fill();
    return this.#waiting.length === 0;
  }

  end(): void {
    if (this.isOver) return;
    this.#waiting.push(null);
    this.#fill();
  }

  #fill(): void {
    if (!this.#isOpen) return;
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const size = next?.byteLength ?? 0;
      if (this.#unacknowledged + size > this.#bufferBytes) return;
      this.#waiting.shift();
      this.#unacknowledged += size;
      this.#sent.push(next);
      this.#carrier.add({ pipe: this, size: size + headerBytes, arrive: () => this.#arrive() });
    }
  }

  /** Timers of real time may be late in another order: what arrives is the next in order. */
  #arrive(): void {
    const bytes = this.#sent.shift();
    if (this.isOver || bytes === undefined) return;
    const size = bytes?.byteLength ?? 0;
    this.#queue(-size);
    if (bytes === null) this.#with.to.ended();
    else this.#with.to.receive(bytes, () => this.#acknowledge(size));
    this.#with.count(size + headerBytes);
  }

  #queue(size: number): void {
    this.#onTheirWay += size;
    this.#with.queue(size);
  }

  #acknowledge(size: number): void {
    const { clock, roundTripMs } = this.#carrier.options;
    clock.schedule(roundTripMs / 2, () => {
      if (this.isOver) return;
      this.#unacknowledged -= size;
      const waited = this.#waiting.length > 0;
      this.#fill();
      if (waited && this.#waiting.length === 0) this.#with.from.drained();
    });
  }
}
