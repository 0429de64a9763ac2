import type { Refusal } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';

/** An operator's text as stored: uniform line ends, no control characters, trimmed. */
export const cleanNote = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim();

/** Why a change of notes, pins or the log is refused. */
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
