import type { Failure, FailureCode } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { MapRefusal } from './refusal.ts';

const anotherFile = message('map.anotherFile');

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Why an import came to nothing, for its line in the list. */
export function importFailure(error: unknown, at: number): Failure {
  if (error instanceof MapRefusal) {
    return makeFailure({ code: 'map-refused', at, sentence: error.said, remedy: anotherFile });
  }
  const stored = (sentence: Message, remedy: Message): Failure =>
    makeFailure({ code: 'storage-failed', at, sentence, remedy });
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return stored(message('map.diskFull'), message('map.makeRoom'));
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return stored(message('map.denied'), message('map.deniedRemedy'));
    case 'EFBIG':
      return stored(message('export.size.sentence'), message('map.sizeRemedy'));
    case 'MAP_DATABASE':
      return refusedImport(message('map.databaseDamaged'), anotherFile, at);
    default:
      return stored(message('map.notWritten'), message('map.again'));
  }
}

export function refusedImport(sentence: Message, remedy: Message | null, at: number): Failure {
  const code: FailureCode = 'map-refused';
  return makeFailure({ code, at, sentence, remedy });
}
