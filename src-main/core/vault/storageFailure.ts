import { failed, type Failure, type Result } from '../../../src-preload/contract/index.ts';
import { makeFailure, type Moments } from '../base/failure.ts';
import { message } from '../base/messages/message.ts';
import type { Logger } from '../base/ports.ts';
import { StorageError, type StorageReason } from './storage.ts';

export const storageFailure = (reason: StorageReason, at: number): Failure =>
  makeFailure({
    code: 'storage-failed',
    at,
    sentence: message(`storage.${reason}.sentence`),
    remedy: message(`storage.${reason}.remedy`),
  });

/** The failure for a storage port's rejection. */
export const storeFailure = (error: unknown, at: number): Failure =>
  storageFailure(error instanceof StorageError ? error.reason : 'broken', at);

/** Runs `work`. An error in it is logged under `what`, with its technical detail, and becomes a failure. */
export async function storing<T>(
  { logger, serverNow }: Pick<Moments, 'serverNow'> & { readonly logger: Logger },
  what: string,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof StorageError ? error.reason : 'broken';
    const detail = error instanceof Error ? error.message : String(error);
    logger.warn('vault.storage-failed', { what, reason, detail });
    return failed(storageFailure(reason, serverNow()));
  }
}
