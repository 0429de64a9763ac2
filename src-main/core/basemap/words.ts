import type { Failure, FailureCode } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import { MapRefusal } from './refusal.ts';

const anotherFile = 'Nothing of it was kept. Choose another file.';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Why an import came to nothing, for its line in the list. */
export function importFailure(error: unknown, at: number): Failure {
  if (error instanceof MapRefusal) {
    return makeFailure({ code: 'map-refused', at, sentence: error.message, remedy: anotherFile });
  }
  const stored = (sentence: string, remedy: string): Failure =>
    makeFailure({ code: 'storage-failed', at, sentence, remedy });
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return stored('The disk is full, so the map could not be kept.', 'Make room and import it again.');
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return stored(
        'The data folder can’t be written, so the map could not be kept.',
        'Check its permissions and import the map again.',
      );
    case 'EFBIG':
      return stored(
        'The disk can’t hold a file of this size.',
        'Use a data folder on another disk, or a smaller map.',
      );
    case 'MAP_DATABASE':
      return refusedImport(
        'The MBTiles file is damaged, or made in a way that the console can’t read.',
        anotherFile,
        at,
      );
    default:
      return stored('The map could not be written to the data folder.', 'Import it again.');
  }
}

export function refusedImport(sentence: string, remedy: string | null, at: number): Failure {
  const code: FailureCode = 'map-refused';
  return makeFailure({ code, at, sentence, remedy });
}
