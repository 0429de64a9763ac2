import {
  failed,
  type OutboxState,
  type Result,
  type Upload,
  type UploadState,
} from '../../../../src-preload/contract/index.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { UploadItem } from './item.ts';
import { storeFailure, unavailable } from './messages.ts';
import { Outbox } from './outbox.ts';
import type { UploadsOptions } from './uploadsOptions.ts';

export const outboxAtStart: OutboxState = {
  available: false,
  problem: null,
  revision: 0,
  counts: {
    receiving: 0,
    queued: 0,
    sending: 0,
    waiting: 0,
    sent: 0,
    unproven: 0,
    'needs-decision': 0,
    failed: 0,
  },
  unsent: 0,
  paused: false,
  moving: [],
  uploadToken: 'not-used',
  incidentField: false,
};

/** The wait before an outbox that could not be read is tried again, milliseconds. */
const reloadMs = 30_000;

/**
 * Files to be uploaded to the service (interface: POST /storage), each exactly once. For the states of an upload see
 * machine.ts, for the order of sending dispatch.ts. Owns the slice `outbox`.
 */
export class Uploads {
  readonly #options: UploadsOptions;
  /** Null until the stored uploads are read. */
  #outbox: Outbox | null = null;

  constructor(options: UploadsOptions) {
    const { scope, records, upload, store, uploadToken } = options;
    this.#options = options;
    store.set('outbox', {
      ...outboxAtStart,
      problem: records === null ? unavailable(this.#now()) : null,
      uploadToken: uploadToken(),
      incidentField: upload.incidentField !== null,
    });
    // Last: until then the running uploads report their outcome.
    scope.defer(() => {
      store.set('outbox', outboxAtStart);
    });
  }

  /** Reads the stored uploads. Tries again later when they cannot be read. */
  async load(): Promise<void> {
    const { scope, records, store, logger } = this.#options;
    if (records === null) return;
    const life = scope.child();
    const outbox = new Outbox({ ...this.#options, scope: life, clock: life.clock, records });
    try {
      await outbox.load();
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      logger.warn('outbox.not-loaded', { detail });
      store.patch('outbox', { problem: storeFailure(error, this.#now()) });
      await life[Symbol.asyncDispose]();
      scope.clock.schedule(reloadMs, () => void this.load());
      return;
    }
    if (scope.isOver) return;
    this.#outbox = outbox;
    store.patch('outbox', { available: true });
  }

  /** Announces a file. Its bytes follow through `receive`. */
  begin(fileName: string, bytes: number, incidentId: string | null): Promise<Result<{ uploadId: string }>> {
    return this.#with((outbox) => outbox.begin(fileName, bytes, incidentId));
  }

  /** Whether bytes of this file are expected. */
  knows(id: string): boolean {
    return this.#outbox?.knows(id) ?? false;
  }

  /** Takes the bytes of an announced file. Never rejects. */
  receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    return this.#outbox?.receive(id, body) ?? Promise.resolve('unknown');
  }

  /** A page of the list, in the order of sending. */
  read(from: number, count: number): { revision: number; total: number; items: Upload[] } {
    return this.#outbox?.read(from, count) ?? { revision: 0, total: 0, items: [] };
  }

  pause(id: string | null, paused: UploadItem['paused']): Promise<Result<null>> {
    return this.#with((outbox) => outbox.pause(id, paused));
  }

  move(id: string, to: number): Promise<Result<null>> {
    return this.#with((outbox) => outbox.move(id, to));
  }

  cancel(id: string): Promise<Result<null>> {
    return this.#with((outbox) => outbox.cancel(id));
  }

  retry(id: string): Promise<Result<null>> {
    return this.#with((outbox) => outbox.retry(id));
  }

  decide(id: string, decision: 'check' | 'send' | 'erase'): Promise<Result<null>> {
    return this.#with((outbox) => outbox.decide(id, decision));
  }

  /** The list of evidence was read; `holds` says whether one of these CIDs stands in it. */
  async prove(holds: (cids: readonly string[]) => boolean): Promise<void> {
    await this.#outbox?.prove(holds);
  }

  discard(id: string, state: UploadState): Promise<Result<null>> {
    return this.#with((outbox) => outbox.discard(id, state));
  }

  discardSent(): Promise<Result<null>> {
    return this.#with((outbox) => outbox.discardSent());
  }

  /** Session, connection or upload token changed, or the computer woke up: uploads may continue. */
  review(): void {
    this.#outbox?.review();
  }

  #with<T>(work: (outbox: Outbox) => Promise<Result<T>>): Promise<Result<T>> {
    return this.#outbox === null ? Promise.resolve(failed(unavailable(this.#now()))) : work(this.#outbox);
  }

  #now(): number {
    return this.#options.serverTime.serverNow();
  }
}
