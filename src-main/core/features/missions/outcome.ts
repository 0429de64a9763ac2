import type {
  DecisionOutcome,
  Failure,
  LiveEvent,
  MissionDecision,
  ShownField,
} from '../../../../src-preload/contract/index.ts';
import { reworded } from '../../base/failure.ts';
import { cappedJson, isObject, ownValue, parsedJson } from '../../base/json.ts';
import { message } from '../../base/messages/message.ts';
import { shownFields } from '../../base/shownFields.ts';
import type { ActionAnswer } from '../../service/api/coordination.ts';
import { stateInAnswer, type About, type FoundState } from './answerState.ts';
import { requestedAtOf } from './missionTime.ts';
import { namedState, stateWord } from './stateWords.ts';

/** The result of an attempt. */
export interface Attempted {
  readonly outcome: Exclude<DecisionOutcome, 'sending' | 'no-longer-listed'>;
  readonly requestId: string | null;
  readonly failure: Failure | null;
  /** The service's answer as shortened JSON text. */
  readonly answer: string | null;
  /** The mission's state that the answer names. */
  readonly found: FoundState | null;
  /** The account lacks the scope for this mission (interface: 403). */
  readonly notGranted: boolean;
}

const longestAnswer = 4_096;
/** Statuses after which the service may have acted or may still act, or which a proxy sends for it. */
const uncertainStatuses: ReadonlySet<number> = new Set([407, 408, 425]);

/**
 * The outcome of a decision after the answer to one attempt. Only the status decides.
 *
 * `repeated`: it was sent before, with an unknown outcome. A refusal of the repetition says nothing about the first
 * attempt, so only an answer that says what was done settles the outcome.
 */
export function attemptedBy(
  { result, left, refusal }: ActionAnswer,
  { about, repeated }: { readonly about: About; readonly repeated: boolean },
): Attempted {
  if (result.ok) {
    const { requestId, body } = result.value;
    const answer = body === undefined || body === null ? null : cappedJson(body, longestAnswer);
    const found = stateInAnswer(body, about);
    return { outcome: 'done', requestId, failure: null, answer, found, notGranted: false };
  }
  const { failure } = result;
  const { status, requestId } = failure;
  const notGranted = status === 403;
  const ended = (outcome: Attempted['outcome'], said: Failure = failure): Attempted => ({
    outcome: repeated ? 'unknown' : outcome,
    requestId,
    failure: said,
    answer: null,
    found: status === 409 ? stateInAnswer(refusal, about) : null,
    notGranted,
  });
  if (notGranted) return ended('refused', notGrantedFailure(failure));
  if (!left) return ended('not-sent', nothingSent(failure));
  if (status === 409) return ended('conflict');
  const isRefusal = status !== null && status >= 400 && status < 500 && !uncertainStatuses.has(status);
  return isRefusal ? ended('refused') : ended('unknown', unknownOutcome(failure));
}

const nothingSent = (failure: Failure): Failure =>
  reworded(failure, { sentence: message('mission.nothingSent', { reason: failure.sentence }) });

/** The cause's code and request id, with the sentence of an unknown outcome. */
const unknownOutcome = (failure: Failure): Failure =>
  reworded(failure, {
    sentence: message('mission.mayHaveActed', { reason: failure.sentence }),
    remedy: message('failure.outcome-unknown.remedy'),
  });

export const notGrantedFailure = (failure: Failure): Failure =>
  reworded(failure, { sentence: message('mission.notGranted'), remedy: message('mission.notGrantedRemedy') });

const negations: ReadonlySet<string> = new Set(['not', 'non', 'un', 'no', 'never', 'awaiting']);

/** The state in an event's kind, such as `mission.approved`; null where it names none, or both. */
export function stateOfKind(kind: string): MissionDecision | 'pending' | null {
  const words = kind
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  if (words.some((word) => negations.has(word))) return null;
  // A plain verb may be a request: only the past tense counts.
  const done = new Set(
    words
      .filter((word) => word.endsWith('ed') || word === 'pending')
      .flatMap((word) => stateWord(word) ?? []),
  );
  const [only] = done;
  return only !== undefined && only !== 'other' && done.size === 1 ? only : null;
}

export interface MissionEvent {
  /** The decision that the event names; null for none. */
  readonly decided: MissionDecision | null;
  /** When the mission was requested, in the service's own time; null where the event does not say. */
  readonly requestedAt: number | null;
  readonly fields: ShownField[];
}

/**
 * Reads an event that names a mission. The specification gives neither its kind nor its payload (interface: Events).
 */
export function readMissionEvent({ kind, text, at }: Pick<LiveEvent, 'kind' | 'text' | 'at'>): MissionEvent {
  // The text of an event is shortened for display, and may then be invalid JSON.
  const body = parsedJson(text);
  const members = isObject(body) ? body : null;
  const state =
    stateOfKind(kind) ?? (members === null ? null : namedState((name) => ownValue(members, name)));
  return {
    decided: state === 'pending' ? null : state,
    requestedAt: members === null ? null : requestedAtOf(members, 'event', at),
    fields: members
      ? shownFields(members)
      : [{ name: kind === '' ? 'event' : kind, json: JSON.stringify(text) }],
  };
}
