import type { MissionDecision } from '../../../../src-preload/contract/index.ts';
import { cappedText, isObject, ownValue, type JsonObject } from '../../base/json.ts';
import { mostFields } from '../../base/shownFields.ts';
import { idOf, stateFields, stateWord } from './stateWords.ts';

/** How a mission stood when a decision on it was settled; `word` is the service's own, null where it used none. */
export interface FoundState {
  readonly state: MissionDecision | 'pending' | 'gone' | 'other';
  readonly word: string | null;
}

/** The mission that an answer should be about. */
export interface About {
  readonly missionId: string;
  readonly idField: string;
}

/** Members in which services wrap the mission, or what they did with it. */
const wrappers: ReadonlySet<string> = new Set(
  'mission missions data result results response body payload item items decision approval rejection outcome'.split(
    ' ',
  ),
);
const deepest = 4;
const mostObjects = 256;
const longestWord = 64;

/** An answer's body and the objects in it that say something of the mission, the outermost first. */
export function objectsIn(body: unknown): JsonObject[] {
  const found: JsonObject[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > deepest || found.length >= mostObjects) return;
    if (Array.isArray(value)) {
      for (const entry of value.slice(0, mostObjects)) visit(entry, depth + 1);
    } else if (isObject(value)) {
      found.push(value);
      for (const name of Object.keys(value).slice(0, mostFields)) {
        if (wrappers.has(name.toLowerCase())) visit(ownValue(value, name), depth + 1);
      }
    }
  };
  visit(body, 0);
  return found;
}

/** The id of the mission in an object, by the names that mean one; null where it names none. */
export const missionIdIn = (object: JsonObject, idField: string): string | null =>
  idOf(object, [idField, 'mission_id', 'missionId', 'id']);

/** The objects of an answer that are not about another mission. */
export const aboutMission = (body: unknown, { missionId, idField }: About): JsonObject[] =>
  objectsIn(body).filter((object) => (missionIdIn(object, idField) ?? missionId) === missionId);

/** The first text in a field that names a state. */
function wordIn(object: JsonObject): string | null {
  for (const field of stateFields) {
    const value = ownValue(object, field);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

/** The state that an answer names of the mission; null where it names none that is known. */
export function stateInAnswer(body: unknown, about: About): FoundState | null {
  for (const object of aboutMission(body, about)) {
    const word = wordIn(object);
    const state = word === null ? null : stateWord(word);
    if (word !== null && state !== null) return { state, word: cappedText(word, longestWord) };
  }
  return null;
}
