import type { Failure, FailureCode } from '../../../src-preload/contract/index.ts';
import catalogue from '../../../src-preload/contract/messages/en/core.json' with { type: 'json' };
import { message, phraseOf, textOf, type Message, type PhraseId } from './messages/message.ts';

/** The operator's sentence and remedy of every code, in one place so that they speak with one voice. */
const worded: Readonly<Record<FailureCode, { readonly sentence: string; readonly remedy?: string }>> =
  catalogue.failure;

/** The code's own remedy; null where there is nothing to do. */
const remedyOf = (code: FailureCode): Message | null =>
  worded[code].remedy === undefined ? null : message(`failure.${code}.remedy` as PhraseId);

export interface FailureParts {
  readonly code: FailureCode;
  /** Server time in Unix milliseconds. */
  readonly at: number;
  /** Replaces the code's own sentence or remedy where more is known. */
  readonly sentence?: string | Message | undefined;
  readonly remedy?: string | Message | null | undefined;
  /** The HTTP status, where an answer came. */
  readonly status?: number | null | undefined;
  /** `X-Request-Id` of the answer. */
  readonly requestId?: string | null | undefined;
  /** The service's own words, already cleaned by `cleanWords`. */
  readonly words?: string | null | undefined;
  /** Server time in Unix milliseconds before which trying again is useless. */
  readonly retryAt?: number | null | undefined;
}

/** Makes a failure with the operator's sentence of its code. */
export function makeFailure(parts: FailureParts): Failure {
  const sentence = parts.sentence ?? message(`failure.${parts.code}.sentence`);
  const remedy = parts.remedy === undefined ? remedyOf(parts.code) : parts.remedy;
  return {
    code: parts.code,
    ...wordsOf(sentence, remedy),
    status: parts.status ?? null,
    requestId: parts.requestId ?? null,
    words: parts.words ?? null,
    at: parts.at,
    retryAt: parts.retryAt ?? null,
  };
}

/** The same failure in other words; without `remedy` it keeps its own. */
export function reworded(
  failure: Failure,
  words: { readonly sentence: string | Message; readonly remedy?: string | Message | null | undefined },
): Failure {
  const { sentence, remedy } = words;
  if (remedy !== undefined) return { ...failure, ...wordsOf(sentence, remedy) };
  const phrases = { sentence: phraseOf(sentence), remedy: failure.phrases.remedy };
  return { ...failure, sentence: textOf(sentence), phrases };
}

const wordsOf = (
  sentence: string | Message,
  remedy: string | Message | null,
): Pick<Failure, 'sentence' | 'remedy' | 'phrases'> => ({
  sentence: textOf(sentence),
  remedy: remedy === null ? null : textOf(remedy),
  phrases: { sentence: phraseOf(sentence), remedy: phraseOf(remedy) },
});
