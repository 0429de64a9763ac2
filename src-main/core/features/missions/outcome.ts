import type { DecisionOutcome, Failure, MissionDecision } from '../../../../src-preload/contract/index.ts';
import { reworded } from '../../base/failure.ts';
import { cappedJson } from '../../base/json.ts';
import { message } from '../../base/messages/message.ts';
import type { ActionAnswer } from '../../service/api/coordination.ts';

/** What an attempt has brought. */
export interface Attempted {
  readonly outcome: Exclude<DecisionOutcome, 'sending' | 'no-longer-listed'>;
  readonly requestId: string | null;
  readonly failure: Failure | null;
  /** The service's answer as capped JSON text. */
  readonly answer: string | null;
  /** The account lacks the scope for this mission (interface: 403). */
  readonly notGranted: boolean;
}

const longestAnswer = 4_096;
/**
 * Answers after which the service may have acted, or may still do so (design rule 9), and a proxy's own: it
 * does not speak for the service.
 */
const uncertainStatuses: ReadonlySet<number> = new Set([407, 408, 425]);

/**
 * What became of a decision by the answer to one attempt. Only the status decides.
 *
 * `repeated`: it was sent before, with an unknown outcome. What refuses the repetition says nothing
 * about the first attempt, so that only an answer that tells what was done ends the uncertainty.
 */
export function attemptedBy({ result, left }: ActionAnswer, repeated: boolean): Attempted {
  if (result.ok) {
    const { requestId, body } = result.value;
    const answer = body === undefined || body === null ? null : cappedJson(body, longestAnswer);
    return { outcome: 'done', requestId, failure: null, answer, notGranted: false };
  }
  const { failure } = result;
  const { status, requestId } = failure;
  const notGranted = status === 403;
  const ended = (outcome: Attempted['outcome'], said: Failure = failure): Attempted => ({
    outcome: repeated ? 'unknown' : outcome,
    requestId,
    failure: said,
    answer: null,
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

/** Keeps the cause's code and request id, and says what it means for a decision. */
const unknownOutcome = (failure: Failure): Failure =>
  reworded(failure, {
    sentence: message('mission.mayHaveActed', { reason: failure.sentence }),
    remedy: message('failure.outcome-unknown.remedy'),
  });

export const notGrantedFailure = (failure: Failure): Failure =>
  reworded(failure, { sentence: message('mission.notGranted'), remedy: message('mission.notGrantedRemedy') });

const names: ReadonlyMap<string, MissionDecision | 'pending'> = new Map([
  ['approve', 'approve'],
  ['approved', 'approve'],
  ['reject', 'reject'],
  ['rejected', 'reject'],
  ['denied', 'reject'],
  ['declined', 'reject'],
  ['pending', 'pending'],
  ['waiting', 'pending'],
  ['requested', 'pending'],
]);
const stateFields = ['state', 'status', 'decision', 'outcome'];

/**
 * What fields, whose shape is not specified, say of a mission's state; null where they name none that
 * is known. `valueOf` gives a field's text by its name.
 */
export function namedState(valueOf: (name: string) => unknown): MissionDecision | 'pending' | null {
  for (const field of stateFields) {
    const value = valueOf(field);
    const state = typeof value === 'string' ? names.get(value.toLowerCase()) : undefined;
    if (state !== undefined) return state;
  }
  return null;
}

const negations: ReadonlySet<string> = new Set(['not', 'non', 'un', 'no', 'never', 'awaiting']);

/** What an event's kind names, such as `mission.approved`; null where it names nothing, or both. */
export function stateOfKind(kind: string): MissionDecision | 'pending' | null {
  const words = kind
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  if (words.some((word) => negations.has(word))) return null;
  // The mere verb may be a request: only what was done counts.
  const done = new Set(
    words
      .filter((word) => word.endsWith('ed') || word === 'pending')
      .flatMap((word) => names.get(word) ?? []),
  );
  const [only] = done;
  return only !== undefined && done.size === 1 ? only : null;
}
