import { failed, type Failure } from '../../../../src-preload/contract/index.ts';
import type { ActionAnswer, UploadCall } from '../../service/api/coordination.ts';
import type { Spool } from '../../vault/records.ts';
import { StorageError } from '../../vault/storage.ts';
import { storeFailure } from '../../vault/storageFailure.ts';
import type { UploadItem } from './item.ts';
import { damagedFile } from './messages.ts';
import { frame, ShortFile } from './multipart.ts';
import type { UploadsAccount } from './uploadRepository.ts';

/** Why the console ended a running attempt. */
export type StopReason = 'cancel' | 'pause' | 'leave';

/** One attempt to send one file, until its outcome is stored. */
export class Attempt {
  readonly #controller = new AbortController();
  #stopped: StopReason | null = null;
  #finished: Promise<void> = Promise.resolve();

  get stopped(): StopReason | null {
    return this.#stopped;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get finished(): Promise<void> {
    return this.#finished;
  }

  start(work: Promise<void>): void {
    this.#finished = work;
  }

  /** Only the first reason counts. Resolves when the outcome is stored. */
  stop(reason: StopReason): Promise<void> {
    this.#stopped ??= reason;
    this.#controller.abort();
    return this.#finished;
  }
}

export interface SendReport {
  readonly answer: ActionAnswer;
  /** Why the body is incomplete, if the spooled file is the cause. */
  readonly fileFailure: Failure | null;
}

/** Sends an item's bytes once, under its key. `onProgress`: bytes handed to the connection. Never rejects. */
export async function sendOnce(
  { coordination, fail, serverNow }: UploadsAccount,
  item: UploadItem,
  spool: Spool,
  { onProgress, ...call }: Pick<UploadCall, 'separateToken' | 'signal' | 'onProgress'>,
): Promise<SendReport> {
  const { key } = item;
  if (key === null) throw new Error('An upload without a key is not sent');
  const form = frame({ ...item, boundary: key.boundary, target: key.target });
  let fileFailure: Failure | null = null;
  async function* body(): AsyncGenerator<Uint8Array> {
    fileFailure = null;
    try {
      yield* form.around(spool.read(item.id));
    } catch (error) {
      fileFailure = readFailure(error, serverNow());
      throw error;
    }
  }
  try {
    const answer = await coordination.upload({
      path: key.target.path,
      key: key.value,
      contentType: form.contentType,
      contentLength: form.contentLength,
      body,
      ...call,
      onProgress: (bytes) => {
        onProgress(bytes - form.before);
      },
    });
    return { answer, fileFailure };
  } catch {
    // A bug of the console: the outcome is unknown.
    return { answer: { result: failed(fail({ code: 'internal' })), left: true }, fileFailure };
  }
}

/** Damage is permanent; a busy or unreadable disk is temporary. */
function readFailure(error: unknown, at: number): Failure {
  const passes = error instanceof StorageError && error.reason !== 'broken';
  return passes && !(error instanceof ShortFile) ? storeFailure(error, at) : damagedFile(at);
}
