import type { MissionDecision } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';

const longestId = 256;

/** What services call a mission's states; none of these words is specified. */
const words: Readonly<Record<MissionDecision | 'pending' | 'other', string>> = {
  approve: 'approve approved',
  reject: 'reject rejected denied declined',
  pending: 'pending waiting requested',
  other:
    'expired cancelled canceled withdrawn aborted revoked superseded void voided deleted removed archived closed',
};
const states = Object.entries(words) as [keyof typeof words, string][];
const names = new Map(
  states.flatMap(([state, list]) => list.split(' ').map((word) => [word, state] as const)),
);

export const stateFields = ['state', 'status', 'decision', 'outcome'];

/** The state that a word means; null for any other word. `other` is one in which nothing can be decided. */
export const stateWord = (word: string): MissionDecision | 'pending' | 'other' | null =>
  names.get(word.trim().toLowerCase()) ?? null;

/**
 * A mission's state in fields, whose shape is not specified; null where they name no known state. `valueOf` gives a
 * field's text by its name.
 */
export function namedState(valueOf: (name: string) => unknown): MissionDecision | 'pending' | null {
  for (const field of stateFields) {
    const value = valueOf(field);
    const state = typeof value === 'string' ? stateWord(value) : null;
    if (state !== null && state !== 'other') return state;
  }
  return null;
}

/**
 * A mission's id in the first of the members `fieldNames` that has one; a value that is no object is the id.
 *
 * @returns null where none is a text of at most 256 printable characters, or a whole number.
 */
export function idOf(raw: unknown, fieldNames: readonly string[]): string | null {
  const candidates = isObject(raw) ? fieldNames.map((name) => ownValue(raw, name)) : [raw];
  for (const value of candidates) {
    const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof id === 'string' && id !== '' && id.length <= longestId && !/\p{Cc}/u.test(id)) return id;
  }
  return null;
}
