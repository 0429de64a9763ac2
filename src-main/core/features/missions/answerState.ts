import type { DecisionOutcome, Failure, MissionDecision } from '../../../../src-preload/contract/index.ts';
import { cappedText, type JsonObject } from '../../base/json.ts';
import {
  deniesSuccess,
  flagOf,
  laterWords,
  membersOf,
  objectsIn,
  plainName,
  plainWord,
  saysLater,
} from '../../service/api/answerBody.ts';
import { idOf, isStateField, stateWord } from './stateWords.ts';

/** How a mission stood when a decision on it was settled; `word` is the service's own, null where it used none. */
export interface FoundState {
  readonly state: MissionDecision | 'pending' | 'gone' | 'other';
  readonly word: string | null;
}

/** A state in which nothing is left to decide. */
export interface DecidedState extends FoundState {
  readonly state: MissionDecision | 'other';
}

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

/** The mission that an answer should be about. */
export interface About {
  readonly missionId: string;
  readonly idField: string;
}

const longestWord = 64;

/** The id of the mission in an object, by the names that mean one; null where it names none. */
function missionIdIn(object: JsonObject, idField: string): string | null {
  const members = membersOf(object);
  for (const wanted of [plainName(idField), 'missionid', 'id']) {
    for (const [name, value] of members) {
      const id = name === wanted ? idOf(value, []) : null;
      if (id !== null) return id;
    }
  }
  return null;
}

/** The texts in the fields that name a state. */
const wordsIn = (object: JsonObject): string[] =>
  membersOf(object).flatMap(([name, value]) =>
    isStateField(name) && typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [],
  );

/** The state that a refusal names of the mission; null where it names none that is known. */
export function stateInAnswer(body: unknown, { missionId, idField }: About): FoundState | null {
  for (const object of objectsIn(body)) {
    if ((missionIdIn(object, idField) ?? missionId) !== missionId) continue;
    const [word] = wordsIn(object);
    const state = word === undefined ? null : stateWord(word);
    if (word !== undefined && state !== null) return { state, word: cappedText(word, longestWord) };
  }
  return null;
}

/** How a 2xx answer leaves a decision. */
export type Taking =
  /** Nothing contradicts it; `found` is null where the answer names no state. */
  | { readonly kind: 'done'; readonly found: FoundState | null }
  /** The mission is in another state. */
  | { readonly kind: 'settled'; readonly found: DecidedState }
  /** `taken`: to be carried out later. `contradicted`: the body denies success, or names a state that is not known. */
  | { readonly kind: 'unclear'; readonly why: 'taken' | 'contradicted' | 'other-mission' };

/** Words that say that the request succeeded, and nothing of the mission. */
const doneWords: ReadonlySet<string> = new Set(
  'ok okay success successful succeeded done complete completed recorded applied updated saved processed created'.split(
    ' ',
  ),
);
/** States that only an approved mission has. */
const underWayWords: ReadonlySet<string> = new Set(
  'active activated assigned dispatched launched launching started starting running executing in-flight airborne'.split(
    ' ',
  ),
);

/**
 * Reads the body of a 2xx answer to a decision. The specification gives no shape, so the status alone proves that the
 * service took the decision, and the body can only lower that (design rule 8). A body without a field that is known
 * here lowers nothing.
 */
export function takingOf(
  { status, body }: { readonly status: number; readonly body: unknown },
  decision: MissionDecision,
  { missionId, idField }: About,
): Taking {
  const all = objectsIn(typeof body === 'object' ? body : { status: body });
  const ids = all.map((object) => missionIdIn(object, idField));
  if (ids.some((id) => id !== null) && !ids.includes(missionId)) return unclear('other-mission');
  // The outermost object may have the id of the request.
  const objects = all.filter((object, at) => object === body || ids[at] === null || ids[at] === missionId);
  const named = objects.flatMap((object) => [...wordsIn(object), ...flagsIn(object, decision)]);
  const states = named.map((word) => ({ word, state: meaningOf(word, decision) }));
  const settled = states.flatMap(({ word, state }) =>
    state === 'approve' || state === 'reject' || state === 'other' ? [{ state, word }] : [],
  );
  const isUnknown = states.some(({ state }) => state === null);
  const [first] = settled;
  const isMixed = settled.some(({ state }) => state !== first?.state);
  if (isUnknown || isMixed || objects.some(deniesSuccess)) return unclear('contradicted');
  if (first !== undefined && first.state !== decision) {
    return { kind: 'settled', found: { state: first.state, word: cappedText(first.word, longestWord) } };
  }
  if (status === 202 || states.some(({ state }) => state === 'taken') || objects.some(saysLater)) {
    return unclear('taken');
  }
  return {
    kind: 'done',
    found: first === undefined ? null : { state: first.state, word: cappedText(first.word, longestWord) },
  };
}

const unclear = (why: Extract<Taking, { kind: 'unclear' }>['why']): Taking => ({ kind: 'unclear', why });

/** What a word means in an answer: null for one that is not known here. */
function meaningOf(
  word: string,
  decision: MissionDecision,
): MissionDecision | 'other' | 'taken' | 'done' | null {
  const plain = plainWord(word);
  if (decision === 'approve' && underWayWords.has(plain)) return 'done';
  if (/^\d+$/.test(plain) || doneWords.has(plain) || flagOf(word) === true) return 'done';
  if (laterWords.has(plain)) return 'taken';
  const state = stateWord(word);
  return state === 'pending' ? 'taken' : state;
}

/**
 * The states that members such as `approved: true` name. One that is false for the state that was decided on names no
 * state that is known.
 */
const flagsIn = (object: JsonObject, decision: MissionDecision): string[] =>
  membersOf(object).flatMap(([name, value]) => {
    const state = stateWord(name);
    const flag = state === null ? null : flagOf(value);
    if (flag === true) return [name];
    return flag === false && state === decision ? [`not ${name}`] : [];
  });
