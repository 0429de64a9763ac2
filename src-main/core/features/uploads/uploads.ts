import {
  failed,
  type Result,
  type Upload,
  type UploadState,
} from '../../../../src-preload/contract/index.ts';
import { SerialQueue } from '../../base/queues.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { VaultRecords } from '../../vault/records.ts';
import { AccountUploads } from './accountUploads.ts';
import { storeFailure, unavailable } from './messages.ts';
import type { UploadsOptions } from './uploadsOptions.ts';
import { outboxAtStart } from './uploadsState.ts';

/** How long an outbox that could not be read is left alone, milliseconds. */
const reloadMs = 30_000;

/**
 * Files on their way to the service (interface: POST /storage), each of which has its effect there once.
 * See machine.ts for the states of one, dispatch.ts for what is sent when. Owns the slice `outbox`.
 */
export class Uploads {
  readonly #options: UploadsOptions;
  #run: AccountUploads | null = null;
  /** Loads and stops, one after the other. */
  readonly #queue = new SerialQueue();
  #cancelReload: (() => void) | null = null;
  #isWanted = false;

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /** Takes up the uploads of the vault that was opened. `null`: nothing can be kept on this computer. */
  start(records: VaultRecords | null, username: string): Promise<void> {
    const { upload, store, uploadToken } = this.#options;
    store.set('outbox', {
      ...outboxAtStart,
      problem: records === null ? unavailable(this.#now()) : null,
      uploadToken: uploadToken(),
      incidentField: upload.incidentField !== null,
    });
    this.#isWanted = true;
    return this.#next(() => (records === null ? Promise.resolve() : this.#load(records, username)));
  }

  /** Answers when nothing of it uses the records any more. What was under way is kept, and goes on at the next start. */
  stop(): Promise<void> {
    this.#isWanted = false;
    this.#cancelReload?.();
    this.#cancelReload = null;
    return this.#next(async () => {
      const run = this.#run;
      this.#run = null;
      await run?.stop();
      this.#options.store.set('outbox', outboxAtStart);
    });
  }

  /** Announces a file; its bytes are then given to `receive`. */
  begin(fileName: string, bytes: number, incidentId: string | null): Promise<Result<{ uploadId: string }>> {
    return this.#with((run) => run.begin(fileName, bytes, incidentId));
  }

  /** Whether bytes of this file are expected. */
  knows(id: string): boolean {
    return this.#run?.knows(id) ?? false;
  }

  /** Takes the bytes of an announced file. Never rejects. */
  receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    return this.#run?.receive(id, body) ?? Promise.resolve('unknown');
  }

  /** A page of the list, in the order of sending. */
  read(from: number, count: number): { revision: number; total: number; items: Upload[] } {
    return this.#run?.read(from, count) ?? { revision: 0, total: 0, items: [] };
  }

  pause(id: string | null, paused: boolean): Promise<Result<null>> {
    return this.#with((run) => run.pause(id, paused));
  }

  move(id: string, to: number): Promise<Result<null>> {
    return this.#with((run) => run.move(id, to));
  }

  cancel(id: string): Promise<Result<null>> {
    return this.#with((run) => run.cancel(id));
  }

  retry(id: string): Promise<Result<null>> {
    return this.#with((run) => run.retry(id));
  }

  decide(id: string, decision: 'check' | 'send'): Promise<Result<null>> {
    return this.#with((run) => run.decide(id, decision));
  }

  discard(id: string, state: UploadState): Promise<Result<null>> {
    return this.#with((run) => run.discard(id, state));
  }

  discardSent(): Promise<Result<null>> {
    return this.#with((run) => run.discardSent());
  }

  /** Something outside changed that may let uploads go on: session, connection, upload token, wake. */
  review(): void {
    this.#run?.review();
  }

  async #load(records: VaultRecords, username: string): Promise<void> {
    const { store, clock, logger } = this.#options;
    if (!this.#isWanted) return;
    const run = new AccountUploads(this.#options, records, username);
    try {
      await run.load();
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      logger.warn('outbox.not-loaded', { detail });
      store.patch('outbox', { problem: storeFailure(error, this.#now()) });
      await run.stop();
      if (!this.#isWanted) return;
      this.#cancelReload = clock.schedule(reloadMs, () => {
        this.#cancelReload = null;
        void this.#next(() => this.#load(records, username));
      });
      return;
    }
    this.#run = run;
    store.patch('outbox', { available: true });
  }

  #next(work: () => Promise<void>): Promise<void> {
    return this.#queue.run(work);
  }

  #with<T>(work: (run: AccountUploads) => Promise<Result<T>>): Promise<Result<T>> {
    return this.#run === null ? Promise.resolve(failed(unavailable(this.#now()))) : work(this.#run);
  }

  #now(): number {
    return this.#options.serverTime.serverNow();
  }
}
