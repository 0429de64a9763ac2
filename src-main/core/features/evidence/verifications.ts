import type { Verification } from '../../../../src-preload/contract/index.ts';
import { english, message, type Message } from '../../base/messages/message.ts';
import { silenceMs, takeBody } from '../../base/nextPiece.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { CidHasher } from '../../vault/records.ts';
import type { LocalAccount } from '../context.ts';
import { verdictOf } from './cid/verdict.ts';

/** The most verifications in the list. */
export const mostVerifications = 16;
/** The shortest time between two progress reports. */
const progressMs = 100;

interface Running {
  shown: Verification;
  state: 'announced' | 'receiving' | 'ended';
  readonly ended: AbortController;
  stopWaiting: (() => void) | null;
}

/** Why bytes are missing. */
class CutShort extends Error {
  override readonly name = 'CutShort';
  readonly said: Message;

  constructor(said: Message) {
    super(english(said));
    this.said = said;
  }
}

/**
 * Files that are compared with a CID: announced, streamed through a hasher, and not stored.
 *
 *   announced --first byte--> receiving --last byte--> ended (verdict)
 *       |                         |
 *       +-- silence, cut, wrong --+--> ended (failure)       any --dismissed--> (gone)
 *           length, no hasher
 *
 * When the account ends, all of them end and are forgotten, and it waits until no hasher is in use.
 */
export class Verifications {
  readonly #account: LocalAccount;
  readonly #onChange: () => void;
  readonly #running = new Map<string, Running>();
  readonly #transfers = new Set<Promise<SpoolAnswer>>();

  /** `onChange` is called after each change of `list`. */
  constructor(account: LocalAccount, onChange: () => void) {
    this.#account = account;
    this.#onChange = onChange;
    account.scope.onEnd(() => {
      for (const running of this.#running.values()) this.#end(running);
      this.#running.clear();
    });
    account.scope.defer(async () => {
      await Promise.allSettled(this.#transfers);
    });
  }

  get list(): Verification[] {
    return [...this.#running.values()].map(({ shown }) => shown);
  }

  knows(id: string): boolean {
    return this.#running.has(id);
  }

  /** False when the list is full of running verifications. An ended one makes room. */
  begin(id: string, about: Pick<Verification, 'cid' | 'fileName' | 'bytes'>): boolean {
    if (this.#running.size >= mostVerifications) {
      const over = [...this.#running].find(([, { state }]) => state === 'ended');
      if (over === undefined) return false;
      this.#running.delete(over[0]);
    }
    const shown: Verification = { id, ...about, received: 0, verdict: null, profile: null, failure: null };
    const running: Running = { shown, state: 'announced', ended: new AbortController(), stopWaiting: null };
    running.stopWaiting = this.#account.clock.schedule(silenceMs, () => {
      this.#fail(running, message('upload.notArrived'));
    });
    this.#running.set(id, running);
    this.#onChange();
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

  /** Removes one from the list, and ends it if it runs. False when there is none with that id. */
  dismiss(id: string): boolean {
    const running = this.#running.get(id);
    if (!running) return false;
    this.#end(running);
    this.#running.delete(id);
    this.#onChange();
    return true;
  }

  async #take(running: Running, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    let hasher: CidHasher;
    try {
      hasher = this.#account.ports.records.hasher();
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
      this.#account.logger.warn('verification-failed', { detail });
    }
    this.#fail(running, error instanceof CutShort ? error.said : message('evidence.notChecked'));
    return 'refused';
  }

  async #write(running: Running, body: AsyncIterable<Uint8Array>, hasher: CidHasher): Promise<void> {
    const { clock } = this.#account;
    const { bytes } = running.shown;
    let toldAt = clock.elapsed();
    const { kind, received } = await takeBody({
      body,
      bytes,
      clock,
      signal: running.ended.signal,
      take: async (piece, soFar) => {
        await hasher.write(piece);
        if (clock.elapsed() - toldAt < progressMs) return;
        toldAt = clock.elapsed();
        this.#show(running, { received: soFar });
      },
    });
    switch (kind) {
      case 'whole':
        return;
      case 'ended':
        throw new CutShort(message('failure.cancelled.sentence'));
      case 'larger':
        throw new CutShort(message('arriving.larger', { allBytes: bytes }));
      case 'short':
      case 'silent':
      case 'broken':
        throw new CutShort(message('arriving.cutShort', { receivedBytes: received, allBytes: bytes }));
    }
  }

  #fail(running: Running, sentence: Message): void {
    const remedy = message('evidence.chooseAgain');
    const failure = this.#account.fail({ code: 'file-refused', sentence, remedy });
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
    if (this.#running.get(running.shown.id) === running) this.#onChange();
  }
}
