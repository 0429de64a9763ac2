import type { Failure } from '../../../../src-preload/contract/index.ts';
import { makeFailure, reworded } from '../../base/failure.ts';
import { english, message, type Message } from '../../base/messages/message.ts';
import { silenceMs, takeBody } from '../../base/nextPiece.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { IncomingFile, Spool, SpooledFacts } from '../../vault/records.ts';
import { StorageError } from '../../vault/storage.ts';
import { storeFailure } from '../../vault/storageFailure.ts';
import type { LocalAccount } from '../context.ts';
import { copyCutOff, refusedFile } from './messages.ts';
import type { Progress } from './progress.ts';

/** A page may repeat a broken request within this time: browsers do that. */
const againWithinMs = 10_000;

/** The common part of a file's announcement and its transfer. */
interface Arrival {
  readonly id: string;
  readonly bytes: number;
  readonly ended: Promise<Failure>;
  /** Aborted when `ended` resolves. */
  readonly signal: AbortSignal;
  /** Ends it from outside, with a reason. */
  readonly end: (failure: Failure) => void;
  /** Resolves when it has ended and that is stored. */
  readonly finished: Promise<void>;
  readonly finish: () => void;
  received: number;
  transferring: boolean;
  over: boolean;
  stopWaiting: () => void;
}

/** The connection broke; the page may repeat the request. */
class BrokenBody extends Error {
  override readonly name = 'BrokenBody';
}

/** Why the file is refused. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(english(failure.sentence));
    this.failure = failure;
  }
}

export type Arrived =
  | { readonly kind: 'received'; readonly facts: SpooledFacts }
  | { readonly kind: 'not-received'; readonly failure: Failure };

/**
 * Transfers of files from a page into the spool, side by side.
 *
 *   announced --first byte--> transferring --last byte--> (received)
 *      |  ^                        |
 *      |  +--connection broken-----+
 *      +--silence, cancelled       +--more or fewer bytes, disk full, cancelled--> (not received)
 */
export class Receiver {
  readonly #account: LocalAccount;
  readonly #spool: Spool;
  readonly #progress: Progress;
  readonly #onEnd: (id: string, arrived: Arrived) => Promise<void>;
  readonly #arrivals = new Map<string, Arrival>();
  readonly #ending = new Set<Promise<unknown>>();

  /** `onEnd`: the file is in the spool, or nothing of it is. Resolves when that is stored. */
  constructor(
    account: LocalAccount,
    spool: Spool,
    progress: Progress,
    onEnd: (id: string, arrived: Arrived) => Promise<void>,
  ) {
    this.#account = account;
    this.#spool = spool;
    this.#progress = progress;
    this.#onEnd = onEnd;
  }

  /** Bytes that were announced and have not arrived. */
  get outstanding(): number {
    let bytes = 0;
    for (const arrival of this.#arrivals.values()) bytes += arrival.bytes - arrival.received;
    return bytes;
  }

  has(id: string): boolean {
    return this.#arrivals.has(id);
  }

  announce(id: string, bytes: number): void {
    const controller = new AbortController();
    let end = (_: Failure): void => undefined;
    const ended = new Promise<Failure>((resolve) => {
      end = (failure) => {
        resolve(failure);
        controller.abort();
      };
    });
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const arrival: Arrival = {
      id,
      bytes,
      ended,
      signal: controller.signal,
      end,
      finished,
      finish,
      received: 0,
      transferring: false,
      over: false,
      stopWaiting: () => undefined,
    };
    this.#arrivals.set(id, arrival);
    this.#wait(arrival, silenceMs, message('upload.notArrived'));
  }

  /** Resolves when it has ended; false when no such file is arriving. */
  async end(id: string, failure: Failure): Promise<boolean> {
    const arrival = this.#arrivals.get(id);
    if (!arrival || arrival.over) return false;
    arrival.end(failure);
    if (!arrival.transferring) await this.#over(arrival, { kind: 'not-received', failure });
    await arrival.finished;
    return true;
  }

  /** Takes the bytes of an announced file, one piece at a time. Never rejects. */
  async receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    const arrival = this.#arrivals.get(id);
    if (!arrival) return 'unknown';
    if (arrival.transferring || arrival.over) return 'busy';
    arrival.transferring = true;
    arrival.stopWaiting();
    const transfer = this.#transfer(arrival, body);
    this.#ending.add(transfer);
    try {
      return await transfer;
    } finally {
      this.#ending.delete(transfer);
    }
  }

  /** Ends every transfer. Resolves when their bytes are removed and that is stored. */
  async stop(): Promise<void> {
    const failure = copyCutOff(this.#account.serverNow());
    await Promise.all([...this.#arrivals.keys()].map((id) => this.end(id, failure)));
    await Promise.allSettled(this.#ending);
  }

  async #transfer(arrival: Arrival, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    this.#progress.begin(arrival.id, 'receiving', arrival.bytes);
    let incoming: IncomingFile | null = null;
    try {
      incoming = await this.#spool.receive(arrival.id);
      await this.#write(arrival, body, incoming);
      const facts = await incoming.finish();
      await this.#over(arrival, { kind: 'received', facts });
      return 'kept';
    } catch (error) {
      await incoming?.discard();
      if (error instanceof BrokenBody) this.#tryAgain(arrival, message('upload.unreadableFile'));
      else await this.#over(arrival, { kind: 'not-received', failure: this.#failureOf(error) });
      return 'refused';
    }
  }

  async #write(arrival: Arrival, body: AsyncIterable<Uint8Array>, incoming: IncomingFile): Promise<void> {
    const { clock, serverNow } = this.#account;
    const { id, bytes, signal } = arrival;
    arrival.received = 0;
    const { kind, received } = await takeBody({
      body,
      bytes,
      clock,
      signal,
      take: async (piece, soFar) => {
        arrival.received = soFar;
        await incoming.write(piece);
        this.#progress.note(id, soFar);
      },
    });
    switch (kind) {
      case 'whole':
        return;
      case 'broken':
        throw new BrokenBody('body');
      case 'ended':
        throw new Refused(await arrival.ended);
      case 'silent':
        throw new Refused(refusedFile(message('upload.stoppedArriving'), serverNow()));
      case 'short':
      case 'larger': {
        const changed = message('upload.changed', { cameBytes: received, announcedBytes: bytes });
        throw new Refused(refusedFile(changed, serverNow()));
      }
    }
  }

  #tryAgain(arrival: Arrival, otherwise: Message): void {
    arrival.transferring = false;
    arrival.received = 0;
    // It may have ended meanwhile.
    void arrival.ended.then((failure) => this.#over(arrival, { kind: 'not-received', failure }));
    this.#wait(arrival, againWithinMs, otherwise);
  }

  #wait(arrival: Arrival, ms: number, otherwise: Message): void {
    arrival.stopWaiting = this.#account.clock.schedule(ms, () => {
      // A page sends a few files at a time: while others arrive, this one may have to wait.
      const othersCome = [...this.#arrivals.values()].some(({ transferring }) => transferring);
      if (othersCome && ms === silenceMs) this.#wait(arrival, ms, otherwise);
      else void this.end(arrival.id, refusedFile(otherwise, this.#account.serverNow()));
    });
  }

  async #over(arrival: Arrival, arrived: Arrived): Promise<void> {
    if (arrival.over) return;
    arrival.over = true;
    arrival.stopWaiting();
    const stored = this.#onEnd(arrival.id, arrived);
    this.#ending.add(stored);
    try {
      await stored;
    } finally {
      this.#ending.delete(stored);
      this.#arrivals.delete(arrival.id);
      arrival.finish();
    }
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof Refused) return error.failure;
    const at = this.#account.serverNow();
    if (error instanceof StorageError && error.reason === 'full') {
      return makeFailure({
        code: 'storage-failed',
        at,
        sentence: message('upload.diskFull'),
        remedy: message('upload.diskFullRemedy'),
      });
    }
    if (error instanceof StorageError && error.reason === 'interrupted') {
      return makeFailure({
        code: 'storage-failed',
        at,
        sentence: message('upload.copierStopped'),
        remedy: message('upload.addAgain'),
      });
    }
    return reworded(storeFailure(error, at), {
      sentence: message('upload.notCopiable'),
    });
  }
}
