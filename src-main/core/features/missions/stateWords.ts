import type { MissionDecision } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';
import { plainName, plainWord } from '../../service/api/answerBody.ts';

const longestId = 256;

/** What services call a mission's states; none of these words is specified. */
const words: Readonly<Record<MissionDecision | 'pending' | 'other', string>> = {
  approve: 'approve approved authorized authorised granted',
  reject: 'reject rejected deny denied decline declined refused vetoed disapproved',
  pending:
    'pending waiting requested pending-approval awaiting-approval approval-pending pending-review in-review ' +
    'under-review awaiting-decision',
  other:
    'expired cancelled canceled withdrawn aborted revoked superseded void voided deleted removed archived closed',
};
const states = Object.entries(words) as [keyof typeof words, string][];
const names = new Map(
  states.flatMap(([state, list]) => list.split(' ').map((word) => [word, state] as const)),
);

const stateFields: ReadonlySet<string> = new Set(
  'state status decision outcome result missionstate missionstatus approvalstate approvalstatus'.split(' '),
);

/** Whether a field of this name holds a mission's state. */
export const isStateField = (name: string): boolean => stateFields.has(plainName(name));

/** The state that a word means; null for any other word. `other` is one in which nothing can be decided. */
export const stateWord = (word: string): MissionDecision | 'pending' | 'other' | null =>
  names.get(plainWord(word)) ?? null;

/** A mission's state in an object, whose shape is not specified; null where it names no known state. */
export function namedState(raw: unknown): MissionDecision | 'pending' | 'other' | null {
  if (!isObject(raw)) return null;
  const found = Object.keys(raw).flatMap((name) => {
    const value = isStateField(name) ? ownValue(raw, name) : null;
    return typeof value === 'string' ? (stateWord(value) ?? []) : [];
  });
  // A closed mission may still name its decision.
  return found.find((state) => state !== 'other') ?? found[0] ?? null;
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
