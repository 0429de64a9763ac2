import type { ContentsState, Failure } from '../../../../../src-preload/contract/index.ts';
import { doubled } from '../../../base/backoff.ts';
import { message } from '../../../base/messages/message.ts';
import type { Clock } from '../../../base/ports.ts';
import { sleep } from '../../../base/sleep.ts';
import { Timer } from '../../../base/timer.ts';
import type { GatewayAnswer, GatewayClient } from '../../../service/gateway/gatewayClient.ts';
import { isSavingData, isUsedUp } from '../../../state/dataUse.ts';
import { parseCid } from '../cid/parse.ts';
import type { ContentsAccount } from './contentStore.ts';
import { GatewayForms } from './gatewayForms.ts';
import type { KeptContents } from './keptContents.ts';
import { transfer, type TransferOptions } from './transfer.ts';

/** A wanted CID and the state of its fetch. */
interface Wanted {
  readonly cid: string;
  readonly content: string;
  /** An operator waits for it. */
  soon: boolean;
  state: 'queued' | 'loading' | 'failed';
  failure: Failure | null;
  /** `Clock.elapsed()` before which it is not tried again. */
  notBefore: number;
  tries: number;
  /** Null while it is not loading. */
  fetch: Fetch | null;
}

/** One running fetch. */
interface Fetch {
  readonly abort: AbortController;
  received: number;
  total: number | null;
  /** Nothing of it may stay. */
  isCancelled: boolean;
  /** Bytes that gateways sent since `countedFrom` (`Clock.elapsed()`), also those of blocks that are not whole yet. */
  counted: number;
  countedFrom: number;
  /** It was ended because it came too slowly. */
  isTooSlow: boolean;
}

export interface FetchQueueOptions extends Pick<TransferOptions, 'stored'> {
  readonly client: Pick<GatewayClient, 'ask'>;
  /** What the operator marked to stay on this computer. */
  readonly kept: KeptContents;
  /** Addresses under the gateways that items give for a content. */
  readonly addressesOf: (content: string) => readonly string[];
  readonly onChange: () => void;
  /** More bytes came. */
  readonly onProgress: () => void;
}

/** How many fetches run at once: for a waiting operator, and for later. */
const mostSoon = 2;
const mostLater = 1;
/** The rate limit for what is fetched for later, bytes a second. */
const laterRate = 2 * 1024 * 1024;
const firstRetryMs = 15_000;
const longestRetryMs = 5 * 60_000;
/** How often paused and running fetches are checked. */
const lookMs = 2_000;
/** A fetch that brings less than this many bytes in this many milliseconds holds no place that another one waits for. */
const floorBytes = 60 * 1_000;
const floorMs = 60_000;

/** Failures after which a later try may succeed. */
const passing = new Set<Failure['code']>([
  'unreachable',
  'timed-out',
  'service-error',
  'too-many-requests',
  'answered-by-something-else',
]);

/**
 * The wanted evidence, and what is fetched now. What an operator waits for comes first. What is fetched for later
 * follows one by one, at a limited rate, and can be paused. A gateway that only drips is given up: for later always, for
 * an operator when another file waits.
 */
export class FetchQueue {
  readonly #account: ContentsAccount;
  readonly #options: FetchQueueOptions;
  readonly #forms = new GatewayForms();
  readonly #pace: Pace;
  /** By content, in the order of the requests. */
  readonly #wanted = new Map<string, Wanted>();
  readonly #transfers = new Set<Promise<void>>();
  readonly #looking: Timer;

  constructor(account: ContentsAccount, options: FetchQueueOptions) {
    this.#account = account;
    this.#options = options;
    const { clock } = account;
    this.#pace = new Pace(clock);
    this.#looking = new Timer(clock, () => this.go());
  }

  find(content: string): Readonly<Pick<Wanted, 'state' | 'failure'>> | null {
    return this.#wanted.get(content) ?? null;
  }

  /** The running fetches. */
  moving(): ContentsState['moving'] {
    return [...this.#wanted.values()].flatMap(({ cid, fetch }) =>
      fetch === null ? [] : { cid, received: fetch.received, total: fetch.total },
    );
  }

  /** Adds a CID unless it is wanted already. `soon`: an operator waits for it. */
  want(content: string, cid: string, soon: boolean): void {
    const before = this.#wanted.get(content);
    if (before !== undefined && before.state !== 'failed') {
      // It runs for later: now it continues without the rate limit.
      before.soon ||= soon;
      return;
    }
    const fresh = { cid, content, soon, state: 'queued', failure: null } as const;
    this.#wanted.set(content, { ...fresh, notBefore: 0, tries: 0, fetch: null });
  }

  cancel(content: string): void {
    const one = this.#wanted.get(content);
    this.#wanted.delete(content);
    if (one?.fetch) {
      one.fetch.isCancelled = true;
      one.fetch.abort.abort();
      return;
    }
    const { partials } = this.#options.stored;
    const partial = partials.take(content);
    if (partial !== null) void partials.remove(partial);
  }

  /** The operator no longer wants it to stay. An operator may still wait for it. */
  unkeep(content: string): void {
    if (this.#wanted.get(content)?.soon === false) this.cancel(content);
  }

  /** Ends the running fetches, all or those for later. They stay wanted, and continue from there. */
  pauseBackground(which: 'all' | 'later'): void {
    for (const one of this.#wanted.values()) if (which === 'all' || !one.soon) one.fetch?.abort.abort();
  }

  end(): void {
    for (const { fetch } of this.#wanted.values()) fetch?.abort.abort();
    this.#wanted.clear();
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#transfers);
  }

  /** Starts the fetches that may start now. */
  go(): void {
    const { scope, clock } = this.#account;
    if (scope.isOver) return;
    const now = clock.elapsed();
    const all = [...this.#wanted.values()];
    this.#endDrips(all, now);
    const loading = all.filter(({ state }) => state === 'loading');
    let soonRunning = loading.filter(({ soon }) => soon).length;
    let laterRunning = loading.length - soonRunning;
    const waiting = all.filter(({ state, notBefore }) => state === 'queued' && notBefore <= now);
    const paused = this.#pausedPart();
    for (const one of paused === 'all' ? [] : waiting.filter(({ soon }) => soon)) {
      if (soonRunning >= mostSoon) break;
      soonRunning += 1;
      this.#begin(one);
    }
    const isPaused = soonRunning > 0 || paused !== null;
    for (const one of isPaused ? [] : waiting.filter(({ soon }) => !soon)) {
      if (laterRunning >= mostLater) break;
      laterRunning += 1;
      this.#begin(one);
    }
    const isOpen = [...this.#wanted.values()].some(({ state }) => state !== 'failed');
    if (isOpen) this.#looking.setOnce(lookMs);
  }

  /** Whether all that is fetched waits, or what no operator waits for. */
  #pausedPart(): 'all' | 'later' | null {
    const { store } = this.#account;
    const { counts, paused } = store.slice('outbox');
    const isSending = counts.sending > 0 || (counts.queued > 0 && !paused);
    return isUsedUp(store) ? 'all' : isSavingData(store) || isSending ? 'later' : null;
  }

  #endDrips(all: readonly Wanted[], now: number): void {
    const othersWait = all.some(({ state, notBefore }) => state === 'queued' && notBefore <= now);
    for (const { fetch, soon } of all) {
      if (fetch === null || now - fetch.countedFrom < floorMs) continue;
      if (fetch.counted < floorBytes && (!soon || othersWait)) {
        fetch.isTooSlow = true;
        fetch.abort.abort();
      } else Object.assign(fetch, { counted: 0, countedFrom: now });
    }
  }

  #begin(one: Wanted): void {
    const done = this.#transfer(one).finally(() => this.#transfers.delete(done));
    this.#transfers.add(done);
  }

  async #transfer(one: Wanted): Promise<void> {
    const { clock, fail } = this.#account;
    const { client, addressesOf } = this.#options;
    const abort = new AbortController();
    const fetch: Fetch = {
      abort,
      received: 0,
      total: null,
      isCancelled: false,
      counted: 0,
      countedFrom: clock.elapsed(),
      isTooSlow: false,
    };
    Object.assign(one, { state: 'loading', failure: null, tries: one.tries + 1, fetch });
    this.#options.onChange();
    const failure = await transfer(this.#account, {
      ...this.#options,
      cid: parseCid(one.cid)?.canonical ?? one.cid,
      content: one.content,
      addresses: addressesOf(one.content),
      forms: this.#forms,
      ask: async (request) =>
        counted(await client.ask(request), (bytes) => {
          fetch.counted += bytes;
        }),
      signal: abort.signal,
      mayStay: () => !fetch.isCancelled,
      pace: (bytes) => (one.soon ? Promise.resolve() : this.#pace.wait(bytes, abort.signal)),
      onProgress: (received, total) => {
        Object.assign(fetch, { received, total });
        this.#options.onProgress();
      },
    });
    one.fetch = null;
    const isTooSlow = failure !== null && fetch.isTooSlow && !fetch.isCancelled;
    const ended = isTooSlow ? fail(tooSlow) : failure;
    this.#ended(one, ended, abort.signal.aborted && !isTooSlow);
    this.#options.onChange();
  }

  #ended(one: Wanted, failure: Failure | null, isAborted: boolean): void {
    // It was cancelled, or requested again meanwhile.
    if (this.#wanted.get(one.content) !== one) return;
    if (failure === null) {
      this.#wanted.delete(one.content);
      return;
    }
    if (isAborted) {
      Object.assign(one, { state: 'queued', failure: null });
      return;
    }
    if (one.soon || !this.#options.kept.has(one.content) || !passing.has(failure.code)) {
      Object.assign(one, { state: 'failed', failure });
      return;
    }
    const asked = failure.retryAt === null ? 0 : failure.retryAt - this.#account.serverNow();
    const wait = Math.max(asked, doubled(firstRetryMs, one.tries - 1, longestRetryMs));
    const notBefore = this.#account.clock.elapsed() + wait;
    Object.assign(one, { state: 'queued', failure, notBefore });
  }
}

const tooSlow = {
  code: 'timed-out',
  sentence: message('gateway.tooSlow'),
  remedy: message('gateway.again'),
} as const;

/** The same answer; `note` learns how many bytes each piece has. */
const counted = (answer: GatewayAnswer, note: (bytes: number) => void): GatewayAnswer => ({
  ...answer,
  pieces: (async function* pieces() {
    for await (const piece of answer.pieces) {
      note(piece.byteLength);
      yield piece;
    }
  })(),
});

/** How much may come at once after a pause: this many milliseconds at the rate. */
const burstMs = 500;

/**
 * Limits the rate of bytes that no operator waits for: a field station shares its link with uploads and with what
 * operators open.
 */
class Pace {
  readonly #clock: Clock;
  /** The time when the bytes so far are within the rate. */
  #paidAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until `bytes` more are within the rate. */
  async wait(bytes: number, signal: AbortSignal): Promise<void> {
    const now = this.#clock.elapsed();
    this.#paidAt = Math.max(this.#paidAt, now - burstMs) + (bytes * 1_000) / laterRate;
    const ms = this.#paidAt - now;
    if (ms > 0) await sleep(this.#clock, ms, signal);
  }
}
