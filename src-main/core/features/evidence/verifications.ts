import type { Failure, Verification } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { english, message, type Message } from '../../base/messages/message.ts';
import { nextPiece } from '../../base/nextPiece.ts';
import type { Logger } from '../../base/ports.ts';
import type { Scope } from '../../base/scope.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { CidHasher } from '../../vault/records.ts';
import { verdictOf } from './cid/verdict.ts';

/** As many as are listed. */
export const mostVerifications = 16;
/** A page that announced a file and does not send it, or stops in the middle, is given up. */
const silenceMs = 60_000;
/** Progress is told this often at most. */
const progressMs = 100;

interface Running {
  shown: Verification;
  state: 'announced' | 'receiving' | 'ended';
  readonly ended: AbortController;
  stopWaiting: (() => void) | null;
}

export interface VerificationsOptions {
  /** Its end ends and forgets all, and waits until no hasher is in use. */
  readonly scope: Scope;
  readonly logger: Logger;
  readonly hasher: () => CidHasher;
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  /** Called after each change of `list`. */
  readonly onChange: () => void;
}

/** Why the bytes did not all come. */
class CutShort extends Error {
  override readonly name = 'CutShort';
  readonly said: Message;

  constructor(said: Message, options?: ErrorOptions) {
    super(english(said), options);
    this.said = said;
  }
}

/**
 * Files that are held against a CID: announced, streamed through a hasher, and not kept.
 *
 *   announced --first byte--> receiving --last byte--> ended (verdict)
 *       |                         |
 *       +-- silence, cut, wrong --+--> ended (failure)       any --dismissed--> (gone)
 *           length, no hasher
 */
export class Verifications {
  readonly #options: VerificationsOptions;
  readonly #running = new Map<string, Running>();
  readonly #transfers = new Set<Promise<SpoolAnswer>>();

  constructor(options: VerificationsOptions) {
    this.#options = options;
    options.scope.onEnd(() => {
      for (const running of this.#running.values()) this.#end(running);
      this.#running.clear();
    });
    options.scope.defer(async () => {
      await Promise.allSettled(this.#transfers);
    });
  }

  get list(): Verification[] {
    return [...this.#running.values()].map(({ shown }) => shown);
  }

  knows(id: string): boolean {
    return this.#running.has(id);
  }

  /** False when as many as are listed are under way; one that has ended makes room. */
  begin(id: string, about: Pick<Verification, 'cid' | 'fileName' | 'bytes'>): boolean {
    if (this.#running.size >= mostVerifications) {
      const over = [...this.#running].find(([, { state }]) => state === 'ended');
      if (over === undefined) return false;
      this.#running.delete(over[0]);
    }
    const shown: Verification = { id, ...about, received: 0, verdict: null, profile: null, failure: null };
    const running: Running = { shown, state: 'announced', ended: new AbortController(), stopWaiting: null };
    running.stopWaiting = this.#options.scope.clock.schedule(silenceMs, () => {
      this.#fail(running, message('upload.notArrived'));
    });
    this.#running.set(id, running);
    this.#options.onChange();
    return true;
  }

  /** Takes the bytes of an announced file. Never rejects. */
  async receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    const running = this.#running.get(id);
    if (!running) return 'unknown';
    if (running.state !== 'announced') return 'busy';
    running.stopWaiting?.();
    running.state = 'receiving';
    const transfer = this.#take(running, body);
    this.#transfers.add(transfer);
    try {
      return await transfer;
    } finally {
      this.#transfers.delete(transfer);
    }
  }

  /** Takes one off the list, ending it if need be; false when there is none of that id. */
  dismiss(id: string): boolean {
    const running = this.#running.get(id);
    if (!running) return false;
    this.#end(running);
    this.#running.delete(id);
    this.#options.onChange();
    return true;
  }

  async #take(running: Running, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    let hasher: CidHasher;
    try {
      hasher = this.#options.hasher();
    } catch (error) {
      return this.#refuse(running, error);
    }
    try {
      await this.#write(running, body, hasher);
      const facts = await hasher.finish();
      if (running.ended.signal.aborted) return 'refused';
      running.state = 'ended';
      const { bytes: received } = running.shown;
      this.#show(running, { received, ...verdictOf({ ...facts, claimed: running.shown.cid }) });
      return 'kept';
    } catch (error) {
      await hasher.abandon();
      return this.#refuse(running, error);
    }
  }

  #refuse(running: Running, error: unknown): SpoolAnswer {
    if (running.ended.signal.aborted) return 'refused';
    if (!(error instanceof CutShort)) {
      const detail = error instanceof Error ? error.message : String(error);
      this.#options.logger.warn('verification-failed', { detail });
    }
    this.#fail(running, error instanceof CutShort ? error.said : message('evidence.notChecked'));
    return 'refused';
  }

  async #write(running: Running, body: AsyncIterable<Uint8Array>, hasher: CidHasher): Promise<void> {
    const { clock } = this.#options.scope;
    const { bytes } = running.shown;
    const iterator = body[Symbol.asyncIterator]();
    let received = 0;
    let toldAt = clock.elapsed();
    const tooFew = (): Message => message('arriving.cutShort', { receivedBytes: received, allBytes: bytes });
    try {
      for (;;) {
        const next = await this.#next(running, iterator, tooFew);
        if (next.done === true) break;
        received += next.value.byteLength;
        if (received > bytes) {
          throw new CutShort(message('arriving.larger', { allBytes: bytes }));
        }
        // The next piece is asked for when this one is hashed: that is all of the back pressure.
        await hasher.write(next.value);
        if (clock.elapsed() - toldAt < progressMs) continue;
        toldAt = clock.elapsed();
        this.#show(running, { received });
      }
      if (received < bytes) throw new CutShort(tooFew());
    } finally {
      // Not waited for: a body that stalls may never answer.
      void Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  }

  async #next(
    running: Running,
    iterator: AsyncIterator<Uint8Array>,
    tooFew: () => Message,
  ): Promise<IteratorResult<Uint8Array>> {
    const { clock } = this.#options.scope;
    const next = await nextPiece({ iterator, clock, silenceMs, signal: running.ended.signal }).catch(
      (error: unknown) => {
        throw new CutShort(tooFew(), { cause: error });
      },
    );
    if (next === 'ended') throw new CutShort(message('failure.cancelled.sentence'));
    if (next === 'silent') throw new CutShort(tooFew());
    return next;
  }

  #fail(running: Running, sentence: Message): void {
    const at = this.#options.now();
    const remedy = message('evidence.chooseAgain');
    const failure: Failure = makeFailure({ code: 'file-refused', at, sentence, remedy });
    running.state = 'ended';
    this.#show(running, { failure });
  }

  #end(running: Running): void {
    running.stopWaiting?.();
    running.state = 'ended';
    running.ended.abort();
  }

  #show(running: Running, change: Partial<Verification>): void {
    running.shown = { ...running.shown, ...change };
    if (this.#running.get(running.shown.id) === running) this.#options.onChange();
  }
}
