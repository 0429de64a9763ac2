import type { FailureParts } from '../../base/failure.ts';
import { say } from '../../base/messages/message.ts';

/** What refuses something about notes, pins and the log. */
type Refusal = Omit<FailureParts, 'at'>;

export const nothingKept: Refusal = {
  code: 'storage-failed',
  sentence: say('watch.nothingKept'),
  remedy: say('watch.nothingKeptRemedy'),
};

export const emptyNote: Refusal = {
  code: 'malformed-request',
  sentence: say('watch.emptyNote'),
  remedy: null,
};

export const noSuchNote: Refusal = {
  code: 'not-found',
  sentence: say('watch.noSuchNote'),
  remedy: null,
};

export const noShift: Refusal = {
  code: 'conflict',
  sentence: say('watch.noShift'),
  remedy: say('watch.noShiftRemedy'),
};

export const tooMany = (what: 'notes' | 'pins', n: number): Refusal => ({
  code: 'conflict',
  sentence: say(`watch.tooMany.${what}`, { n }),
  remedy: say(`watch.tooManyRemedy.${what}`),
});
