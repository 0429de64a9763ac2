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
  /** Runs until its next push is due. */
  readonly due: Timer;
  /** The revision that the page has applied; null when it needs a snapshot. */
  acknowledged: { readonly epoch: string; readonly revision: number } | null;
  inFlight: { readonly epoch: string; readonly revision: number; readonly sentAt: number } | null;
  /** Until when the page is left alone after a push that took it long, on `clock.elapsed()`'s scale. */
  restsUntil: number;
  /** An operator waits to see the next push. */
  isAwaited: boolean;
  /** The page got only part of the state (the console was locked) and must not build on it. */
  partial: boolean;
}

/** How long changes are gathered before a page gets them, milliseconds. */
const gatherMs = 30;
/** The same during the first reading, when every page of a list is a change. */
const gatherInFirstMs = 150;
/** The longest rest of a page, milliseconds: a page that was paused for a minute is not left alone for another. */
const longestRestMs = 1_000;

export interface PublisherOptions {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  /** A delta up to this size is never replaced by a snapshot, bytes. */
  readonly deltaLimit?: number;
}

/**
 * Sends changes to pages. At most one push is on its way to a page until the page acknowledges it. The next one is
 * computed when it is sent, from the page's present state. So a paused page costs nothing but its next delta, however
 * much happened meanwhile.
 *
 * A page acknowledges a push when it has drawn it. As long as that took, it is then left alone: a page of a million
 * incidents that are being loaded spends half of its time on them, and has the other half for the operator.
 *
 * From a locked console pages get only `slicesWhileLocked` and no incidents. After the unlock a page gets a snapshot.
 */
export class Publisher {
  readonly #store: ConsoleStore;
  readonly #deltaLimit: number;
  readonly #subscribers = new Set<Subscriber>();
  readonly #stopListening: () => void;
  readonly #clock: Clock;

  constructor(options: PublisherOptions) {
    const { store, clock, deltaLimit = 1_000_000 } = options;
    this.#store = store;
    this.#clock = clock;
    this.#deltaLimit = deltaLimit;
    this.#stopListening = store.onChange(() => {
      for (const subscriber of this.#subscribers) this.#plan(subscriber);
    });
  }

  subscribe(send: (push: Push) => void): Subscription {
    const subscriber: Subscriber = {
      send,
      due: new Timer(this.#clock, () => this.#flush(subscriber)),
      acknowledged: null,
      inFlight: null,
      restsUntil: 0,
      isAwaited: false,
      partial: false,
    };
    this.#subscribers.add(subscriber);
    subscriber.due.set(0);
    return {
      answer: (message) => {
        this.#answer(subscriber, message);
      },
      close: () => {
        this.#leave(subscriber);
      },
    };
  }

  /**
   * Sends changes to pages in the next task, without gathering or rest: for an operator who waits to see the result.
   * A page that has not acknowledged its last push gets them when it has.
   */
  flushSoon(): void {
    for (const subscriber of this.#subscribers) {
      if (!this.#isBehind(subscriber)) continue;
      subscriber.isAwaited = true;
      subscriber.due.set(0);
    }
  }

  close(): void {
    this.#stopListening();
    for (const subscriber of this.#subscribers) this.#leave(subscriber);
  }

  #leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
    subscriber.due.stop();
  }

  #answer(subscriber: Subscriber, message: LinkMessage): void {
    if (!this.#subscribers.has(subscriber)) return;
    switch (message.kind) {
      case 'acknowledge': {
        const { inFlight } = subscriber;
        if (inFlight?.epoch !== message.epoch || inFlight.revision !== message.revision) return;
        subscriber.acknowledged = inFlight;
        subscriber.inFlight = null;
        const now = this.#clock.elapsed();
        subscriber.restsUntil = now + Math.min(now - inFlight.sentAt, longestRestMs);
        break;
      }
      case 'resync':
        subscriber.acknowledged = null;
        subscriber.inFlight = null;
        break;
    }
    if (this.#isBehind(subscriber)) this.#plan(subscriber);
  }

  #isBehind({ acknowledged, partial }: Subscriber): boolean {
    const { epoch, revision } = this.#store;
    if (partial && !this.#store.slice('lock').locked) return true;
    return acknowledged?.epoch !== epoch || acknowledged.revision !== revision;
  }

  #plan(subscriber: Subscriber): void {
    const isFirst = this.#store.slice('sync').phase === 'first';
    const rest = subscriber.restsUntil - this.#clock.elapsed();
    const wait = Math.max(isFirst ? gatherInFirstMs : gatherMs, rest);
    subscriber.due.setOnce(subscriber.isAwaited ? 0 : wait);
  }

  #flush(subscriber: Subscriber): void {
    // An incomplete change is announced when it is complete.
    if (this.#store.writing || subscriber.inFlight || !this.#isBehind(subscriber)) return;
    const push = this.#pushFor(subscriber);
    if (!push) return;
    subscriber.isAwaited = false;
    subscriber.inFlight = { epoch: push.epoch, revision: push.revision, sentAt: this.#clock.elapsed() };
    subscriber.send(push);
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
    const frame = this.#store.frameSince(null);
    const incidents = frame && encodeIncidentFrame(frame);
    return { epoch, revision, base: null, slices: this.#store.slicesSince(null), incidents };
  }

  /** Null when it would be large, and more than half of a snapshot. */
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
