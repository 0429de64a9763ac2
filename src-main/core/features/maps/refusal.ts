import type { Failure } from '../../../../src-preload/contract/index.ts';
import { codeOf } from '../../base/errors.ts';
import { makeFailure } from '../../base/failure.ts';
import { english, message, type Message } from '../../base/messages/message.ts';

/**
 * Why a file is not a usable map package, as one sentence for the operator. Thrown while a file is inspected and caught
 * at the end of the inspection (inspect.ts); it crosses no other boundary.
 */
export class MapRefusal extends Error {
  override readonly name = 'MapRefusal';
  readonly said: Message;

  constructor(said: Message, options?: ErrorOptions) {
    super(english(said), options);
    this.said = said;
  }
}

const anotherFile = message('map.anotherFile');

/** Why an import failed, for its line in the list. */
export function importFailure(error: unknown, at: number): Failure {
  if (error instanceof MapRefusal) return refusedImport(error.said, anotherFile, at);
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
    case 'MAP_ENDLESS':
      return refusedImport(message('map.databaseDamaged'), anotherFile, at);
    default:
      return stored(message('map.notWritten'), message('map.again'));
  }
}

export const refusedImport = (sentence: Message, remedy: Message, at: number): Failure =>
  makeFailure({ code: 'map-refused', at, sentence, remedy });
