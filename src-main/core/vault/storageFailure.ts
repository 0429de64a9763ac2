import { failed, type Failure, type Result } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import type { Logger } from '../ports.ts';
import { StorageError, type StorageReason } from './storage.ts';

const wordings: Readonly<Record<StorageReason, { readonly sentence: string; readonly remedy: string }>> = {
  full: {
    sentence: 'There is no space left for what is kept on this computer: what is new is in memory only.',
    remedy: 'Free some space on the disk. The console tries again by itself.',
  },
  'read-only': {
    sentence: 'What is kept on this computer cannot be changed, because the disk or its files are read-only.',
    remedy: 'Make the data folder writable, or choose another one.',
  },
  busy: {
    sentence: 'Another program is using what is kept on this computer.',
    remedy: 'Close the other program. The console tries again by itself.',
  },
  denied: {
    sentence: 'This user may not read or write what is kept on this computer.',
    remedy: 'Give this user the data folder, or choose another one.',
  },
  blocked: {
    sentence: 'Something lies in the data folder where a file of this account’s vault belongs.',
    remedy: 'Move away what does not belong into the data folder.',
  },
  unsupported: {
    sentence: 'This runtime lacks SQLite or zstd, without which nothing is kept on this computer.',
    remedy: 'Start the console with the runtime that it came with.',
  },
  interrupted: {
    sentence: 'The part of the console that reads and writes what is kept on this computer stopped working.',
    remedy: 'The console starts it again by itself. If this comes back, start the console anew.',
  },
  broken: {
    sentence: 'What is kept on this computer could not be read or written.',
    remedy: 'Check the disk. Report this with the log.',
  },
};

export const storageFailure = (reason: StorageReason, at: number): Failure =>
  makeFailure({ code: 'storage-failed', at, ...wordings[reason] });

/** Runs `work`; what goes wrong in it is logged with its technical detail and becomes a failure. */
export async function storing<T>(
  options: { readonly what: string; readonly logger: Logger; readonly now: () => number },
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof StorageError ? error.reason : 'broken';
    const detail = error instanceof Error ? error.message : String(error);
    options.logger.warn('vault.storage-failed', { what: options.what, reason, detail });
    return failed(storageFailure(reason, options.now()));
  }
}
