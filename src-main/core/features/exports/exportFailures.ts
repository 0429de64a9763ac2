import type { Failure } from '../../../../src-preload/contract/index.ts';
import { PaperNotPrinted } from '../../base/control.ts';
import { codeOf } from '../../base/errors.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';

/** Why the rows that a page announced did not come, or the file was not fetched. */
export type SpoolFault = 'too-large' | 'too-short' | 'silent' | 'broken' | 'not-fetched';

export const spoolFailure = (fault: SpoolFault, at: number): Failure =>
  makeFailure({
    code: 'cancelled',
    at,
    sentence: message(`export.${fault}`),
    remedy: message('export.again'),
  });

function reasonOf(code: string): 'full' | 'size' | 'denied' | 'gone' | 'notWritten' {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'full';
    case 'EFBIG':
      return 'size';
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'denied';
    case 'ENOENT':
    case 'ENODEV':
    case 'ENXIO':
    case 'EIO':
      return 'gone';
    default:
      return 'notWritten';
  }
}

/** Why a file could not be written, for its line in the list. The incomplete file is removed. */
export function writingFailure(error: unknown, at: number): Failure {
  if (error instanceof PaperNotPrinted) {
    return makeFailure({
      code: 'internal',
      at,
      sentence: message('export.notDrawn.sentence'),
      remedy: message('export.notDrawn.remedy'),
    });
  }
  const reason = reasonOf(codeOf(error));
  return makeFailure({
    code: 'storage-failed',
    at,
    sentence: message(`export.${reason}.sentence`),
    remedy: message(`export.${reason}.remedy`),
  });
}
