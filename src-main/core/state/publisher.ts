import {
  encodeIncidentFrame,
  slicesWhileLocked,
  type ConsoleState,
  type LinkMessage,
  type Push,
} from '../../../src-preload/contract/index.ts';
import type { Clock } from '../base/ports.ts';
import type { ConsoleStore } from './consoleStore.ts';

/** One page's mirror. The console keeps at most one push in flight until it is acknowledged. */
export interface Subscription {
  /** Takes a page's acknowledgement or its request for a snapshot. */
  answer(message: LinkMessage): void;
  close(): void;
}

interface Subscriber {
  readonly send: (push: Push) => void;
  /** What the page has applied; null when it must be given everything. */
  acknowledged: { readonly epoch: string; readonly revision: number } | null;
  inFlight: { readonly epoch: string; readonly revision: number } | null;
  /** The page was told less than all (it was locked) and must not build on what it has. */
  partial: boolean;
}

export interface PublisherOptions {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  /** How long changes gather before a page is told, milliseconds. */
  readonly gatherMs?: number;
  /** The same while all incidents are read for the first time, and every page of a list is a change. */
  readonly gatherInFirstMs?: number;
  /** A delta up to this is never replaced by a snapshot, bytes. */
  readonly deltaLimit?: number;
}

/**
 * Tells pages what changed. At most one push is on its way to a page until that page acknowledges
 * it; the next one is computed from what the page has, at the time it is sent. So a page that is
 * paused costs nothing but its next delta, however much happened meanwhile.
 *
 * A locked console tells of `slicesWhileLocked` only and of no incident; once unlocked a page gets
 * a snapshot.
 */
export class Publisher {
  readonly #store: ConsoleStore;
  readonly #clock: Clock;
  readonly #gatherMs: number;
  readonly #gatherInFirstMs: number;
  readonly #deltaLimit: number;
  readonly #subscribers = new Set<Subscriber>();
  readonly #stopListening: () => void;
  #cancelFlush: (() => void) | null = null;

  constructor(options: PublisherOptions) {
    const { store, clock, gatherMs = 30, gatherInFirstMs = 150, deltaLimit = 1_000_000 } = options;
    this.#store = store;
    this.#clock = clock;
    this.#gatherMs = gatherMs;
    this.#gatherInFirstMs = gatherInFirstMs;
    this.#deltaLimit = deltaLimit;
    this.#stopListening = store.onChange(() => {
      this.#plan();
    });
  }

  subscribe(send: (push: Push) => void): Subscription {
    const subscriber: Subscriber = { send, acknowledged: null, inFlight: null, partial: false };
    this.#subscribers.add(subscriber);
    this.#plan(0);
    return {
      answer: (message) => {
        this.#answer(subscriber, message);
      },
      close: () => {
        this.#subscribers.delete(subscriber);
      },
    };
  }

  /**
   * Tells pages in the next task, without gathering, what they do not know yet: for what an operator asked for
   * and waits to see.
   */
  flushSoon(): void {
    if (![...this.#subscribers].some((subscriber) => this.#isBehind(subscriber))) return;
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    this.#plan(0);
  }

  close(): void {
    this.#stopListening();
    this.#subscribers.clear();
    this.#cancelFlush?.();
    this.#cancelFlush = null;
  }

  #answer(subscriber: Subscriber, message: LinkMessage): void {
    if (!this.#subscribers.has(subscriber)) return;
    switch (message.kind) {
      case 'acknowledge': {
        const { inFlight } = subscriber;
        if (inFlight?.epoch !== message.epoch || inFlight.revision !== message.revision) return;
        subscriber.acknowledged = inFlight;
        subscriber.inFlight = null;
        break;
      }
      case 'resync':
        subscriber.acknowledged = null;
        subscriber.inFlight = null;
        break;
    }
    if (this.#isBehind(subscriber)) this.#plan();
  }

  #isBehind({ acknowledged, partial }: Subscriber): boolean {
    const { epoch, revision } = this.#store;
    if (partial && !this.#store.slice('lock').locked) return true;
    return acknowledged?.epoch !== epoch || acknowledged.revision !== revision;
  }

  #plan(wait: number | null = null): void {
    if (this.#cancelFlush || this.#subscribers.size === 0) return;
    const isFirst = this.#store.slice('sync').phase === 'first';
    const ms = wait ?? (isFirst ? this.#gatherInFirstMs : this.#gatherMs);
    this.#cancelFlush = this.#clock.schedule(ms, () => {
      this.#cancelFlush = null;
      this.#flush();
    });
  }

  #flush(): void {
    // A change that is half written announces itself once more when it is whole.
    if (this.#store.writing) return;
    for (const subscriber of this.#subscribers) {
      if (subscriber.inFlight || !this.#isBehind(subscriber)) continue;
      const push = this.#pushFor(subscriber);
      if (!push) continue;
      subscriber.inFlight = { epoch: push.epoch, revision: push.revision };
      subscriber.send(push);
    }
  }

  /** Null when there is nothing that this page may be told. */
  #pushFor(subscriber: Subscriber): Push | null {
    const { epoch, revision } = this.#store;
    const locked = this.#store.slice('lock').locked;
    const { acknowledged } = subscriber;
    const usable = acknowledged?.epoch === epoch && (locked || !subscriber.partial);
    const base = usable ? acknowledged.revision : null;
    if (locked) {
      const slices = withheld(this.#store.slicesSince(base));
      if (base !== null && Object.keys(slices).length === 0) return null;
      subscriber.partial = true;
      return { epoch, revision, base, slices, incidents: null };
    }
    subscriber.partial = false;
    if (base !== null) {
      const delta = this.#delta(base);
      if (delta) return delta;
    }
    const frame = this.#store.frameSince(null);
    const incidents = frame && encodeIncidentFrame(frame);
    return { epoch, revision, base: null, slices: this.#store.slicesSince(null), incidents };
  }

  /** Null when it would be large, and no smaller than half of everything. */
  #delta(base: number): Push | null {
    const { epoch, revision } = this.#store;
    const frame = this.#store.frameSince(base);
    const incidents = frame && encodeIncidentFrame(frame);
    const isMost = frame !== null && frame.columns.length * 2 > this.#store.incidents.count;
    if (isMost && incidents && incidents.byteLength > this.#deltaLimit) return null;
    return { epoch, revision, base, slices: this.#store.slicesSince(base), incidents };
  }
}

function withheld(slices: Partial<ConsoleState>): Partial<ConsoleState> {
  const allowed: ReadonlySet<string> = new Set(slicesWhileLocked);
  return Object.fromEntries(Object.entries(slices).filter(([name]) => allowed.has(name)));
}
