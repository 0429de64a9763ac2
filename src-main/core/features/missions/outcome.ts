import type {
  Failure,
  LiveEvent,
  MissionDecision,
  ShownField,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure, reworded } from '../../base/failure.ts';
import { cappedJson, isObject, parsedJson } from '../../base/json.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { shownFields } from '../../base/shownFields.ts';
import type { ActionAnswer, ActionTaken } from '../../service/api/coordination.ts';
import { readWords } from '../../service/transport/messages.ts';
import { stateInAnswer, takingOf, type About, type Attempted } from './answerState.ts';
import { decidedOtherwise } from './messages.ts';
import { requestedAtOf } from './missionTime.ts';
import { namedState, stateWord } from './stateWords.ts';

const longestAnswer = 4_096;
/** Statuses after which the service may have acted or may still act, or which a proxy sends for it. */
const uncertainStatuses: ReadonlySet<number> = new Set([407, 408, 425]);

export interface AttemptContext {
  readonly decision: MissionDecision;
  readonly about: About;
  /**
   * It was sent before, with an unknown outcome. A refusal of the repetition says nothing about the first attempt, so
   * only an answer that says what was done settles the outcome.
   */
  readonly repeated: boolean;
  /** Server time, Unix milliseconds. */
  readonly at: number;
}

/** The outcome of a decision after the answer to one attempt. The status decides, and the body of a 2xx can lower it. */
export function attemptedBy({ result, left, refusal }: ActionAnswer, context: AttemptContext): Attempted {
  if (result.ok) return takenBy(result.value, context);
  const { about, repeated } = context;
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

function takenBy(taken: ActionTaken, { decision, about, at }: AttemptContext): Attempted {
  const { body, status, requestId } = taken;
  const answer = body === undefined || body === null ? null : cappedJson(body, longestAnswer);
  const taking = takingOf(taken, decision, about);
  const plain = { requestId, answer, notGranted: false };
  const said = { at, status, requestId, words: readWords(body) };
  switch (taking.kind) {
    case 'done':
      return { ...plain, outcome: 'done', failure: null, found: taking.found };
    case 'settled': {
      const failure = makeFailure({ ...decidedOtherwise(taking.found), ...said });
      return { ...plain, outcome: 'conflict', failure, found: taking.found };
    }
    case 'unclear': {
      const failure = makeFailure({
        ...said,
        code: 'outcome-unknown',
        sentence: whyUnclear[taking.why][decision],
      });
      return { ...plain, outcome: 'unknown', failure, found: null };
    }
  }
}

const otherMission = message('mission.otherMission');
const whyUnclear: Readonly<
  Record<'taken' | 'contradicted' | 'other-mission', Readonly<Record<MissionDecision, Message>>>
> = {
  taken: { approve: message('mission.taken.approve'), reject: message('mission.taken.reject') },
  contradicted: {
    approve: message('mission.contradicted.approve'),
    reject: message('mission.contradicted.reject'),
  },
  'other-mission': { approve: otherMission, reject: otherMission },
};

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
export function stateOfKind(kind: string): MissionDecision | 'pending' | 'other' | null {
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
  return only !== undefined && done.size === 1 ? only : null;
}

export interface MissionEvent {
  /** The state that the event names; `other` is one in which nothing can be decided, null is none or pending. */
  readonly decided: MissionDecision | 'other' | null;
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
  const states = [stateOfKind(kind), namedState(members)].filter((state) => state !== null);
  // "Closed" may be another thing's state, unless the event is a mission's.
  const ended = states.includes('other') && /mission/i.test(kind) ? 'other' : null;
  const state = states.find((one) => one !== 'other') ?? ended;
  return {
    decided: state === 'pending' ? null : state,
    requestedAt: members === null ? null : requestedAtOf(members, 'event', at),
    fields: members
      ? shownFields(members)
      : [{ name: kind === '' ? 'event' : kind, json: JSON.stringify(text) }],
  };
}
