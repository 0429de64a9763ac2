import type { FailureParts } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';

/** What refuses something about notes, pins and the log. */
type Refusal = Omit<FailureParts, 'at'>;

export const nothingKept: Refusal = {
  code: 'storage-failed',
  sentence: message('watch.nothingKept'),
  remedy: message('watch.nothingKeptRemedy'),
};

export const emptyNote: Refusal = {
  code: 'malformed-request',
  sentence: message('watch.emptyNote'),
  remedy: null,
};

export const noSuchNote: Refusal = {
  code: 'not-found',
  sentence: message('watch.noSuchNote'),
  remedy: null,
};

export const noShift: Refusal = {
  code: 'conflict',
  sentence: message('watch.noShift'),
  remedy: message('watch.noShiftRemedy'),
};

export const tooMany = (what: 'notes' | 'pins', n: number): Refusal => ({
  code: 'conflict',
  sentence: message(`watch.tooMany.${what}`, { n }),
  remedy: message(`watch.tooManyRemedy.${what}`),
});
