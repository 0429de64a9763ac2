import type { Failure } from '../../src-preload/contract/index.ts';
import type { MessageKey } from '../i18n/index.ts';
import { messageInEnglish, messageText } from './messages.ts';

/** What happened, in the page's language. */
export const sentenceOf = (failure: Failure): string => messageText(failure.sentence);

/** What to do, in the page's language; null where there is nothing. */
export const remedyOf = (failure: Failure): string | null =>
  failure.remedy === null ? null : messageText(failure.remedy);

/**
 * A failure that the page found, in its own words. `at` is 0: without the console there is no
 * server time to give it.
 */
export const pageFailure = (
  code: Failure['code'],
  sentence: MessageKey,
  remedy: MessageKey | null,
): Failure => ({
  code,
  sentence: { id: sentence, values: {} },
  remedy: remedy === null ? null : { id: remedy, values: {} },
  status: null,
  requestId: null,
  words: null,
  at: 0,
  retryAt: null,
});

/** A refusal for want of permission, which says what was refused; any other failure as it is. */
export const named = (failure: Failure, sentence: MessageKey, remedy?: MessageKey): Failure =>
  failure.code === 'not-granted'
    ? {
        ...failure,
        sentence: { id: sentence, values: {} },
        remedy: remedy === undefined ? failure.remedy : { id: remedy, values: {} },
      }
    : failure;

/** A failure of what the console asks for again automatically: under a rate limit there is nothing for the operator to do. */
export const retried = (failure: Failure): Failure =>
  failure.code === 'too-many-requests'
    ? { ...failure, remedy: { id: 'session.triedAgain', values: {} } }
    : failure;

/** Its code, and how the service's answer is found again. */
export function failureParts(failure: Failure): readonly string[] {
  const parts: string[] = [failure.code];
  // eslint-disable-next-line words/literal-text -- the same in every language.
  if (failure.status !== null) parts.push(`HTTP ${failure.status}`);
  if (failure.requestId !== null) parts.push(`request ${failure.requestId}`);
  return parts;
}

/** The quiet line under a failure: what an operator reads out or pastes into a report. */
export const failureReference = (failure: Failure): string => failureParts(failure).join(' · ');

/**
 * A failure as one paste-able text, with its sentence and the service's own words. In English whatever the
 * page's language: a helper reads it beside the log.
 */
export function failureReport(failure: Failure): string {
  const lines = [messageInEnglish(failure.sentence)];
  if (failure.words !== null) lines.push(`Service: ${failure.words}`);
  lines.push(failureReference(failure));
  if (failure.at > 0) lines.push(new Date(failure.at).toISOString());
  return lines.join('\n');
}
