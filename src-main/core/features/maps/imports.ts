import type { MapImport } from '../../../../src-preload/contract/index.ts';
import { english, message, type Message } from '../../base/messages/message.ts';
import { silenceMs, takeBody } from '../../base/nextPiece.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { AppContext } from '../context.ts';
import type { MapFacts } from './facts.ts';
import { importFailure, MapRefusal, refusedImport } from './refusal.ts';
import { inspect } from './tiles.ts';

/** The most imports in the list. Refused ones stay until they are dismissed. */
export const mostImports = 32;

/** A page may repeat a broken request within this time: browsers do that. */
const againWithinMs = 10_000;
/** The shortest time between two progress reports. */
const progressMs = 100;

/** The connection broke; the page may repeat the request. */
class BrokenBody extends Error {
  override readonly name = 'BrokenBody';
  readonly said: Message;

  constructor(said: Message) {
    super(english(said));
    this.said = said;
  }
}

type Outcome =
  | { readonly kind: 'kept' | 'cancelled' }
  | { readonly kind: 'broken'; readonly error: BrokenBody }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Running {
  shown: MapImport;
  readonly cancelling: AbortController;
  stopWaiting: (() => void) | null;
}

/**
 * Adds a package whose file is complete and checked. `keep` makes the file a complete one. A rejection refuses the
 * import.
 */
type Adopt = (id: string, bytes: number, facts: MapFacts, keep: () => Promise<void>) => Promise<void>;

/**
 * Imports of map packages.
 *
 *   waiting <--connection broken, for 10 s-- receiving
 *   waiting --first byte--> receiving --last byte--> checking --+--> (a package)
 *      |                        |                        |      |
 *      +---- silence, cut, too large, disk full, broken -+------+--> refused --dismissed--> (gone)
 *   any but refused --cancelled--> (gone)
 *
 * Whenever an import does not become a package, its file is removed before the list shows that.
 */
export class MapImports {
  readonly #app: AppContext;
  readonly #onChange: () => void;
  readonly #adopt: Adopt;
  readonly #running = new Map<string, Running>();
  readonly #transfers = new Set<Promise<SpoolAnswer>>();

  /** `onChange` is called after each change of `list`. */
  constructor(app: AppContext, onChange: () => void, adopt: Adopt) {
    this.#app = app;
    this.#onChange = onChange;
    this.#adopt = adopt;
  }

  get list(): MapImport[] {
    return [...this.#running.values()].map(({ shown }) => shown);
  }

  /** Announces a file. `id` names it, and the package that it may become. */
  begin(id: string, fileName: string, bytes: number): void {
    const running: Running = {
      shown: { id, fileName, bytes, received: 0, state: 'waiting', failure: null },
      cancelling: new AbortController(),
      stopWaiting: null,
    };
    this.#running.set(id, running);
    this.#wait(running, silenceMs, message('upload.notArrived'));
    this.#onChange();
  }

  /** False when no such import is running. */
  cancel(id: string): boolean {
    const running = this.#running.get(id);
    if (!running || running.shown.state === 'refused') return false;
    running.cancelling.abort();
    if (running.shown.state === 'waiting') this.#forget(running);
    return true;
  }

  dismiss(id: string): boolean {
    const running = this.#running.get(id);
    if (running?.shown.state !== 'refused') return false;
    this.#forget(running);
    return true;
  }

  /** Takes the bytes of an announced file, one piece at a time. Never rejects. */
  async receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    const running = this.#running.get(id);
    if (!running) return 'unknown';
    if (running.shown.state !== 'waiting') return 'busy';
    const transfer = this.#transfer(running, body);
    this.#transfers.add(transfer);
    try {
      return await transfer;
    } finally {
      this.#transfers.delete(transfer);
    }
  }

  async #transfer(running: Running, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    running.stopWaiting?.();
    this.#show(running, { state: 'receiving' });
    const outcome = await this.#take(running, body);
    switch (outcome.kind) {
      case 'kept':
      case 'cancelled':
        this.#forget(running);
        return outcome.kind === 'kept' ? 'kept' : 'refused';
      case 'broken':
        this.#show(running, { state: 'waiting', received: 0 });
        this.#wait(running, againWithinMs, outcome.error.said);
        return 'refused';
      case 'failed': {
        const failure = importFailure(outcome.error, this.#app.serverNow());
        this.#app.logger.warn('map-refused', { code: failure.code });
        this.#show(running, { state: 'refused', failure });
        return 'refused';
      }
    }
  }

  /** Ends every transfer. Resolves when their files are removed. */
  async close(): Promise<void> {
    for (const running of this.#running.values()) {
      running.stopWaiting?.();
      running.cancelling.abort();
    }
    await Promise.allSettled(this.#transfers);
  }

  async #take(running: Running, body: AsyncIterable<Uint8Array>): Promise<Outcome> {
    const files = this.#app.ports.maps;
    const { id, bytes, fileName } = running.shown;
    const { signal } = running.cancelling;
    let incoming;
    try {
      incoming = await files.receive(id);
    } catch (error) {
      return { kind: 'failed', error };
    }
    try {
      await this.#write(running, body, (piece) => incoming.write(piece));
      signal.throwIfAborted();
      await incoming.finish();
      this.#show(running, { state: 'checking', received: bytes });
      const facts = await inspect(files, id, fileName, signal);
      signal.throwIfAborted();
      await this.#adopt(id, bytes, facts, () => incoming.keep());
      return { kind: 'kept' };
    } catch (error) {
      await incoming.discard();
      if (signal.aborted) return { kind: 'cancelled' };
      return error instanceof BrokenBody ? { kind: 'broken', error } : { kind: 'failed', error };
    }
  }

  async #write(
    running: Running,
    body: AsyncIterable<Uint8Array>,
    write: (piece: Uint8Array) => Promise<void>,
  ): Promise<void> {
    const { clock } = this.#app;
    const { bytes } = running.shown;
    let toldAt = clock.elapsed();
    const { kind, received } = await takeBody({
      body,
      bytes,
      clock,
      signal: running.cancelling.signal,
      take: async (piece, soFar) => {
        await write(piece);
        if (clock.elapsed() - toldAt < progressMs) return;
        toldAt = clock.elapsed();
        this.#show(running, { received: soFar });
      },
    });
    const cutShort = message('arriving.cutShort', { receivedBytes: received, allBytes: bytes });
    switch (kind) {
      case 'whole':
      case 'ended':
        return;
      case 'broken':
        throw new BrokenBody(cutShort);
      case 'larger':
        throw new MapRefusal(message('arriving.larger', { allBytes: bytes }));
      case 'short':
      case 'silent':
        throw new MapRefusal(cutShort);
    }
  }

  #wait(running: Running, ms: number, otherwise: Message): void {
    running.stopWaiting = this.#app.clock.schedule(ms, () => {
      this.#refuse(running, otherwise, message('map.again'));
    });
  }

  #refuse(running: Running, sentence: Message, remedy: Message): void {
    const failure = refusedImport(sentence, remedy, this.#app.serverNow());
    running.stopWaiting?.();
    this.#show(running, { state: 'refused', failure });
  }

  #show(running: Running, change: Partial<MapImport>): void {
    running.shown = { ...running.shown, ...change };
    this.#onChange();
  }

  #forget(running: Running): void {
    running.stopWaiting?.();
    this.#running.delete(running.shown.id);
    this.#onChange();
  }
}
