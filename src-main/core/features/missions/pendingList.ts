import type { MissionDecision, ShownField } from '../../../../src-preload/contract/index.ts';
import { isObject, ownValue } from '../../base/json.ts';
import { shownFields } from '../../base/shownFields.ts';
import { mayBeCut, readListPage } from '../../service/api/listPage.ts';
import { namedState } from './outcome.ts';

/** The most missions on the page. */
export const mostMissions = 500;
const mostIds = 100_000;
const longestId = 256;

export interface PendingMission {
  readonly id: string;
  readonly fields: readonly ShownField[];
}

/** The list of pending missions after reading. */
export interface PendingReading {
  /** At most 500, in the service's order. */
  readonly missions: readonly PendingMission[];
  /** The state of each mission in the list, also of those beyond the 500. */
  readonly states: ReadonlyMap<string, MissionDecision | 'pending'>;
  /** Proven: a mission that is missing from it is not pending. */
  readonly complete: boolean;
}

/**
 * Reads the list of pending missions, whose shape is not specified: a bare array, or one in an object, of objects with
 * an id or of ids. The id is in `idField`, else in `id` or `mission_id`, and opaque. An entry that names another state
 * than pending is in the list, but not pending.
 *
 * @returns null when there is no list in the answer; never throws.
 */
export function readPendingMissions(
  body: unknown,
  linkCursor: string | null,
  idField: string,
): PendingReading | null {
  const page = readListPage(body, linkCursor, 'missions');
  if (page === null) return null;
  const missions: PendingMission[] = [];
  const states = new Map<string, MissionDecision | 'pending'>();
  let unreadable = 0;
  for (const raw of page.records.slice(0, mostIds)) {
    const id = idOf(raw, [idField, 'id', 'mission_id']);
    if (id === null) {
      unreadable += 1;
      continue;
    }
    if (states.has(id)) continue;
    const state = isObject(raw) ? namedState((name) => ownValue(raw, name)) : null;
    states.set(id, state ?? 'pending');
    if (missions.length >= mostMissions || (state ?? 'pending') !== 'pending') continue;
    missions.push({ id, fields: isObject(raw) ? shownFields(raw) : [] });
  }
  const { length } = page.records;
  const whole = page.nextCursor === null && (page.knowsCursors || !mayBeCut(length, null));
  return { missions, states, complete: whole && unreadable === 0 && length <= mostIds };
}

function idOf(raw: unknown, names: readonly string[]): string | null {
  const candidates = isObject(raw) ? names.map((name) => ownValue(raw, name)) : [raw];
  for (const value of candidates) {
    const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    if (typeof id === 'string' && id !== '' && id.length <= longestId && !/\p{Cc}/u.test(id)) return id;
  }
  return null;
}
