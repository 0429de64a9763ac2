import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { say, type Said } from '../../base/messages/message.ts';
import { MapRefusal } from './refusal.ts';

const anotherFile = say('map.anotherFile');

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Why an import came to nothing, for its line in the list. */
export function importFailure(error: unknown, at: number): Failure {
  if (error instanceof MapRefusal) {
    return makeFailure({ code: 'map-refused', at, sentence: error.said, remedy: anotherFile });
  }
  const stored = (sentence: Said, remedy: Said): Failure =>
    makeFailure({ code: 'storage-failed', at, sentence, remedy });
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return stored(say('map.diskFull'), say('map.makeRoom'));
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return stored(say('map.denied'), say('map.deniedRemedy'));
    case 'EFBIG':
      return stored(say('export.size.sentence'), say('map.sizeRemedy'));
    case 'MAP_DATABASE':
      return refusedImport(say('map.databaseDamaged'), anotherFile, at);
    default:
      return stored(say('map.notWritten'), say('map.again'));
  }
}

export function refusedImport(sentence: Said, remedy: Said | null, at: number): Failure {
  const code: FailureCode = 'map-refused';
  return makeFailure({ code, at, sentence, remedy });
}
