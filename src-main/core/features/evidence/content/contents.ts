import {
  failed,
  ok,
  type Content,
  type ContentsState,
  type EvidencePreview,
  type Failure,
  type Result,
} from '../../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../base/failure.ts';
import { message, type Message } from '../../../base/messages/message.ts';
import type { Logger, Random } from '../../../base/ports.ts';
import type { GatewayClient } from '../../../service/gateway/gatewayClient.ts';
import type { ConsoleStore } from '../../../state/consoleStore.ts';
import type { Account } from '../../../vault/account.ts';
import { parseCid } from '../cid/parse.ts';
import type { GatewayForms } from './contentFetch.ts';
import { ContentStore, type StoredContent } from './contentStore.ts';
import { KeptContents } from './keptContents.ts';
import { Pace } from './pace.ts';
import { Tickets } from './tickets.ts';
import { transfer } from './transfer.ts';

/** How evidence is fetched and stored in a deployment. */
export interface ContentsPlan {
  readonly preview: EvidencePreview;
  /** Addresses that end with a slash. */
  readonly gateways: readonly string[];
  /** The most bytes that are stored. */
  readonly cacheBytes: number;
}

export interface ContentsOptions extends Pick<Account, 'scope' | 'records'>, ContentsPlan {
  /** Null where nothing may be fetched. */
  readonly client: Pick<GatewayClient, 'ask'> | null;
  readonly store: ConsoleStore;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverNow: () => number;
}

/** One CID that is wanted, and what became of it. */
interface Wanted {
  readonly cid: string;
  readonly content: string;
  /** An operator waits for it. */
  soon: boolean;
  state: 'queued' | 'loading' | 'failed';
  failure: Failure | null;
  /** The clock's time before which it is not tried again. */
  notBefore: number;
  tries: number;
  received: number;
  total: number | null;
  abort: AbortController | null;
}

/** A file that a page reads. */
export interface OpenedContent {
  readonly bytes: number;
  readonly mediaType: string;
  /** Whether it is a picture or a video, which a page shows; anything else is only saved. */
  readonly isShown: boolean;
  /** Aborted when it is closed. */
  readonly signal: AbortSignal;
  /** Opened piece by piece, from `start` to before `end`. */
  pieces(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** Side by side: those that an operator waits for, and those for later. */
const mostSoon = 2;
const mostLater = 1;
/** What is fetched for later takes no more of a link than this, bytes a second. */
const laterRate = 2 * 1024 * 1024;
/** Left to everything else on the disk. */
const roomToLeave = 256 * 1024 * 1024;
const progressMs = 200;
const firstRetryMs = 15_000;
const longestRetryMs = 5 * 60_000;
/** What is fetched for later is looked at so often while something holds it back. */
const lookMs = 2_000;

/** Of these another try later may help. */
const passing = new Set<Failure['code']>([
  'unreachable',
  'timed-out',
  'service-error',
  'too-many-requests',
  'answered-by-something-else',
]);

/**
 * The bytes of evidence: what is wanted, what is fetched now, and what is stored. What an operator waits for comes first;
 * what is to stay for later comes one by one behind it and behind uploads, at a bounded rate, and can be held back.
 */
export class Contents {
  readonly #options: ContentsOptions;
  readonly #stored: ContentStore | null;
  readonly #kept: KeptContents;
  readonly #tickets: Tickets;
  readonly #forms: GatewayForms = new Map();
  readonly #pace: Pace;
  /** By content, in the order of asking. */
  readonly #wanted = new Map<string, Wanted>();
  readonly #transfers = new Set<Promise<void>>();
  #revision = 0;
  #isReady = false;
  #toldAt = Number.NEGATIVE_INFINITY;
  #looking: (() => void) | null = null;

  constructor(options: ContentsOptions) {
    const { scope, records, random, logger, store } = options;
    this.#options = options;
    this.#stored = records && new ContentStore({ spool: records.contents, random, logger });
    this.#kept = new KeptContents({ scope, records, logger });
    this.#tickets = new Tickets({ random });
    this.#pace = new Pace({ clock: scope.clock, rate: laterRate });
    scope.onEnd(store.watch('lock', ({ locked }) => locked && this.#tickets.clear()));
    scope.onEnd(() => {
      for (const { abort } of this.#wanted.values()) abort?.abort();
      this.#wanted.clear();
      this.#tickets.clear();
      store.set('contents', contentsAtStart);
    });
    scope.defer(async () => {
      await Promise.allSettled(this.#transfers);
      await this.#stored?.settled();
    });
  }

  /** Takes up what is stored and what is still to be fetched. Never rejects. */
  async load(): Promise<void> {
    await Promise.all([this.#stored?.load(), this.#kept.load()]);
    if (this.#options.scope.isOver) return;
    this.#isReady = true;
    for (const [content, cid] of this.#kept.entries()) this.#want(content, cid, false);
    this.#changed();
  }

  /** What is known of the bytes of a CID; null where none may be fetched and none are here. */
  contentOf(content: string): Content | null {
    const kept = this.#kept.has(content);
    const stored = this.#stored?.find(content) ?? null;
    if (stored !== null) {
      const { kind, mediaType, width, height } = stored.facts;
      return {
        state: stored.isVerified ? 'verified' : 'unverified',
        file: { kind, mediaType, bytes: stored.bytes, width, height },
        kept,
        failure: null,
      };
    }
    const wanted = this.#wanted.get(content);
    if (wanted === undefined) {
      return this.#options.client === null ? null : { state: 'absent', file: null, kept, failure: null };
    }
    const { failure } = wanted;
    const state =
      failure?.code === 'content-mismatch' && wanted.state === 'failed' ? 'mismatch' : wanted.state;
    return { state, file: null, kept, failure };
  }

  /** An operator asks for the bytes of a CID, or a list that shows them does. */
  want(cid: string, soon: boolean): Result<null> {
    const refused = this.#refusal();
    if (refused !== null) return refused;
    const parsed = parseCid(cid);
    if (parsed === null) return this.#fail('bad-request', message('evidence.notCid'));
    // A list asks again at every scroll: what failed waits for an operator.
    if (!soon && this.#wanted.has(parsed.content)) return ok(null);
    this.#want(parsed.content, cid, soon);
    this.#changed();
    return ok(null);
  }

  cancel(cid: string): Result<null> {
    const content = parseCid(cid)?.content ?? '';
    this.#wanted.get(content)?.abort?.abort();
    this.#wanted.delete(content);
    if (this.#kept.has(content)) this.#kept.set([{ content, cid }], false);
    this.#changed();
    return ok(null);
  }

  /** Lets the bytes of these CIDs stay on this computer and fetches those that are not here; or lets them go. */
  keep(cids: readonly string[], kept: boolean): Result<{ count: number }> {
    const refused = kept ? this.#refusal() : null;
    if (refused !== null) return refused;
    const contents = cids.flatMap((cid) => {
      const content = parseCid(cid)?.content;
      return content === undefined ? [] : [{ cid, content }];
    });
    const count = this.#kept.set(contents, kept);
    for (const { content, cid } of contents) {
      // Beyond the most that can be kept, none is fetched either.
      if (this.#kept.has(content)) this.#want(content, cid, false);
      else if (this.#wanted.get(content)?.soon === false) {
        this.#wanted.get(content)?.abort?.abort();
        this.#wanted.delete(content);
      }
    }
    this.#changed();
    return ok({ count });
  }

  /** Holds back what is fetched for later. What is under way of it is given up, and begun again afterwards. */
  pause(paused: boolean): Result<null> {
    this.#kept.pause(paused);
    if (paused) for (const one of this.#wanted.values()) if (!one.soon) one.abort?.abort();
    this.#changed();
    return ok(null);
  }

  /** Opens stored bytes for a page; those that cannot be verified only for an operator who was told so. */
  open(cid: string, unverified: boolean): Result<{ ticket: string }> {
    const stored = this.#stored?.find(parseCid(cid)?.content ?? '') ?? null;
    if (stored === null) return this.#fail('not-found', message('content.notHere'));
    if (!stored.isVerified && !unverified) return this.#fail('policy-forbids', message('content.askFirst'));
    this.#stored?.use(stored.content, this.#options.serverNow());
    return ok({ ticket: this.#tickets.issue(stored.content) });
  }

  close(ticket: string): Result<null> {
    this.#tickets.close(ticket);
    return ok(null);
  }

  /** What a ticket opens; null for one that is not open, and while the console is locked. */
  opened(ticket: string): OpenedContent | null {
    const store = this.#stored;
    const open = this.#tickets.find(ticket);
    const stored = open === null ? null : (store?.find(open.content) ?? null);
    if (store === null || open === null || stored === null) return null;
    const { bytes, facts } = stored;
    return {
      bytes,
      mediaType: facts.mediaType,
      isShown: facts.kind === 'picture' || facts.kind === 'video',
      signal: open.signal,
      pieces: (start, end) => store.read(stored, start, end),
    };
  }

  /** Opens stored bytes to be saved; what they are is said by the name's ending. */
  save(cid: string): Result<{ ticket: string; fileName: string }> {
    const opened = this.open(cid, true);
    if (!opened.ok) return opened;
    const stored = this.#stored?.find(parseCid(cid)?.content ?? '');
    const fileName = `evidence-${cid.slice(-12).replaceAll(/[^\w-]/g, '_')}.${stored?.facts.ending ?? 'bin'}`;
    return ok({ ticket: opened.value.ticket, fileName });
  }

  #want(content: string, cid: string, soon: boolean): void {
    if (this.#stored?.find(content) || this.#options.client === null) return;
    const before = this.#wanted.get(content);
    if (before !== undefined && before.state !== 'failed') {
      if (!soon || before.soon) return;
      before.soon = true;
      // Under way for later: it goes on, and no longer waits for the rate.
      return;
    }
    const fresh = { cid, content, soon, state: 'queued', failure: null } as const;
    this.#wanted.set(content, { ...fresh, notBefore: 0, tries: 0, received: 0, total: null, abort: null });
  }

  #refusal(): Result<never> | null {
    const { client, gateways, preview } = this.#options;
    if (this.#stored === null) return this.#fail('storage-failed');
    if (gateways.length === 0) return this.#fail('gateway-refused', message('content.noGateway'));
    if (client === null || preview === 'off') return this.#fail('policy-forbids', message('content.off'));
    return null;
  }

  /** Begins what may begin now. */
  #go(): void {
    if (!this.#isReady || this.#options.scope.isOver) return;
    const { clock } = this.#options.scope;
    const now = clock.elapsed();
    const all = [...this.#wanted.values()];
    const loading = all.filter(({ state }) => state === 'loading');
    let soonRunning = loading.filter(({ soon }) => soon).length;
    let laterRunning = loading.length - soonRunning;
    const waiting = all.filter(({ state, notBefore }) => state === 'queued' && notBefore <= now);
    for (const one of waiting.filter(({ soon }) => soon)) {
      if (soonRunning >= mostSoon) break;
      soonRunning += 1;
      this.#begin(one);
    }
    const isHeld = this.#kept.paused || soonRunning > 0 || this.#isSending();
    for (const one of isHeld ? [] : waiting.filter(({ soon }) => !soon)) {
      if (laterRunning >= mostLater) break;
      laterRunning += 1;
      this.#begin(one);
    }
    const isOpen = [...this.#wanted.values()].some(({ state }) => state === 'queued');
    if (!isOpen || this.#looking !== null) return;
    this.#looking = clock.schedule(lookMs, () => {
      this.#looking = null;
      this.#go();
    });
  }

  #isSending(): boolean {
    const { counts, paused } = this.#options.store.slice('outbox');
    return counts.sending > 0 || (counts.queued > 0 && !paused);
  }

  #begin(one: Wanted): void {
    const done = this.#transfer(one).finally(() => this.#transfers.delete(done));
    this.#transfers.add(done);
  }

  async #transfer(one: Wanted): Promise<void> {
    const { client, gateways, scope, random, serverNow, cacheBytes } = this.#options;
    const store = this.#stored;
    if (client === null || store === null) return;
    const abort = new AbortController();
    Object.assign(one, {
      state: 'loading',
      failure: null,
      received: 0,
      total: null,
      abort,
      tries: one.tries + 1,
    });
    this.#changed();
    const failure = await transfer({
      cid: parseCid(one.cid)?.canonical ?? one.cid,
      content: one.content,
      gateways,
      forms: this.#forms,
      ask: (request) => client.ask(request),
      store,
      clock: scope.clock,
      random,
      serverNow,
      signal: abort.signal,
      mostBytes: cacheBytes,
      makeRoom: (bytes) => this.#makeRoom(bytes),
      pace: (bytes) => (one.soon ? Promise.resolve() : this.#pace.wait(bytes, abort.signal)),
      onProgress: (received, total) => {
        Object.assign(one, { received, total });
        this.#tellProgress();
      },
    });
    one.abort = null;
    this.#ended(one, failure, abort.signal.aborted);
    this.#changed();
  }

  #ended(one: Wanted, failure: Failure | null, isAborted: boolean): void {
    // It was cancelled, or asked for again meanwhile.
    if (this.#wanted.get(one.content) !== one) return;
    if (failure === null) {
      this.#wanted.delete(one.content);
      return;
    }
    const { clock } = this.#options.scope;
    if (isAborted) {
      Object.assign(one, { state: 'queued', failure: null });
      return;
    }
    if (one.soon || !this.#kept.has(one.content) || !passing.has(failure.code)) {
      Object.assign(one, { state: 'failed', failure });
      return;
    }
    const asked = failure.retryAt === null ? 0 : failure.retryAt - this.#options.serverNow();
    const wait = Math.max(asked, Math.min(firstRetryMs * 2 ** Math.min(one.tries - 1, 8), longestRetryMs));
    Object.assign(one, { state: 'queued', failure, notBefore: clock.elapsed() + wait });
  }

  /** Removes what was shown longest ago, and neither stays nor is shown now. */
  async #makeRoom(bytes: number): Promise<Failure | null> {
    const { cacheBytes, serverNow } = this.#options;
    const store = this.#stored;
    if (store === null) return makeFailure({ code: 'storage-failed', at: serverNow() });
    const free = await store.free();
    const needed = (): number =>
      Math.max(
        store.bytes + bytes - cacheBytes,
        free === null ? 0 : bytes + roomToLeave - free - (before - store.bytes),
      );
    const before = store.bytes;
    const leastUsed = [...store.all()]
      .filter(({ content }) => !this.#kept.has(content) && !this.#tickets.holds(content))
      .sort((one, other) => one.usedAt - other.usedAt);
    const goes: StoredContent[] = [];
    let missing = needed();
    for (const stored of leastUsed) {
      if (missing <= 0) break;
      missing -= stored.bytes;
      goes.push(stored);
    }
    if (missing > 0) {
      return makeFailure({
        code: 'storage-failed',
        at: serverNow(),
        sentence: message('content.noRoom', { neededBytes: bytes, leftBytes: Math.max(0, bytes - missing) }),
        remedy: message('content.noRoomRemedy'),
      });
    }
    for (const stored of goes) await store.remove(stored);
    return null;
  }

  #changed(): void {
    if (this.#options.scope.isOver) return;
    this.#revision += 1;
    this.#tell();
    this.#go();
  }

  #tellProgress(): void {
    const { clock } = this.#options.scope;
    if (clock.elapsed() - this.#toldAt >= progressMs) this.#tell();
  }

  #tell(): void {
    const { scope, store, client, preview, cacheBytes } = this.#options;
    if (scope.isOver) return;
    this.#toldAt = scope.clock.elapsed();
    let [keptBytes, waiting] = [0, 0];
    for (const [content] of this.#kept.entries()) {
      const stored = this.#stored?.find(content);
      if (stored) keptBytes += stored.bytes;
      else waiting += 1;
    }
    const state: ContentsState = {
      preview: client === null ? 'off' : preview,
      revision: this.#revision,
      bytes: this.#stored?.bytes ?? 0,
      keptBytes,
      limitBytes: cacheBytes,
      kept: this.#kept.size,
      waiting,
      paused: this.#kept.paused,
      moving: [...this.#wanted.values()]
        .filter((one) => one.state === 'loading')
        .map(({ cid, received, total }) => ({ cid, received, total })),
    };
    store.set('contents', state);
  }

  #fail(code: Failure['code'], sentence?: Message): Result<never> {
    return failed(
      makeFailure({ code, at: this.#options.serverNow(), ...(sentence && { sentence, remedy: null }) }),
    );
  }
}

export const contentsAtStart: ContentsState = {
  preview: 'off',
  revision: 0,
  bytes: 0,
  keptBytes: 0,
  limitBytes: 0,
  kept: 0,
  waiting: 0,
  paused: false,
  moving: [],
};
