import {
  encodeIncidentFrame,
  slicesWhileLocked,
  type ConsoleState,
  type LinkMessage,
  type Push,
} from '../../../src-preload/contract/index.ts';
import type { Clock } from '../base/ports.ts';
import { Timer } from '../base/timer.ts';
import type { ConsoleStore } from './consoleStore.ts';

/** One page's mirror. There is at most one push on its way, until the page acknowledges it. */
export interface Subscription {
  /** Takes a page's acknowledgement or its request for a snapshot. */
  answer(message: LinkMessage): void;
  close(): void;
}

interface Subscriber {
  readonly send: (push: Push) => void;
  /** The revision that the page has applied; null when it needs a snapshot. */
  acknowledged: { readonly epoch: string; readonly revision: number } | null;
  inFlight: { readonly epoch: string; readonly revision: number } | null;
  /** The page got only part of the state (the console was locked) and must not build on it. */
  partial: boolean;
}

/** How long changes are gathered before a page gets them, milliseconds. */
const gatherMs = 30;
/** The same during the first reading, when every page of a list is a change. */
const gatherInFirstMs = 150;

/**
 * Sends changes to pages. At most one push is on its way to a page until the page acknowledges it. The next one is
 * computed when it is sent, from the page's present state. So a paused page costs nothing but its next delta, however
 * much happened meanwhile.
 *
 * From a locked console pages get only `slicesWhileLocked` and no incidents. After the unlock a page gets a snapshot.
 */
export class Publisher {
  readonly #store: ConsoleStore;
  readonly #deltaLimit: number;
  readonly #subscribers = new Set<Subscriber>();
  readonly #stopListening: () => void;
  readonly #flushing: Timer;

  /** A delta of up to `deltaLimit` bytes is never replaced by a snapshot. */
  constructor(store: ConsoleStore, clock: Clock, deltaLimit = 1_000_000) {
    this.#store = store;
    this.#flushing = new Timer(clock, () => this.#flush());
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

  /** Sends changes to pages in the next task, without gathering: for an operator who waits to see the result. */
  flushSoon(): void {
    if (![...this.#subscribers].some((subscriber) => this.#isBehind(subscriber))) return;
    this.#flushing.stop();
    this.#plan(0);
  }

  close(): void {
    this.#stopListening();
    this.#subscribers.clear();
    this.#flushing.stop();
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
    if (this.#subscribers.size === 0) return;
    const isFirst = this.#store.slice('sync').phase === 'first';
    this.#flushing.setOnce(wait ?? (isFirst ? gatherInFirstMs : gatherMs));
  }

  #flush(): void {
    // An incomplete change is announced when it is complete.
    if (this.#store.writing) return;
    for (const subscriber of this.#subscribers) {
      if (subscriber.inFlight || !this.#isBehind(subscriber)) continue;
      const push = this.#pushFor(subscriber);
      if (!push) continue;
      subscriber.inFlight = { epoch: push.epoch, revision: push.revision };
      subscriber.send(push);
    }
  }

  /** Null when there is nothing that this page may get. */
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
    const frame = this.#store.incidents.frameSince(null);
    const incidents = frame && encodeIncidentFrame(frame);
    return { epoch, revision, base: null, slices: this.#store.slicesSince(null), incidents };
  }

  /** Null when it would be large, and more than half of a snapshot. */
  #delta(base: number): Push | null {
    const { epoch, revision } = this.#store;
    const frame = this.#store.incidents.frameSince(base);
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
