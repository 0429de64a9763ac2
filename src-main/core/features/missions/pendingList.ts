import type { MissionDecision, ShownField } from '../../../../src-preload/contract/index.ts';
import { isObject } from '../../base/json.ts';
import { shownFields } from '../../base/shownFields.ts';
import { mayBeCut, readListPage } from '../../service/api/listPage.ts';
import { requestedAtOf } from './missionTime.ts';
import { idOf, namedState } from './stateWords.ts';

/** The most missions on the page. */
export const mostMissions = 500;
const mostIds = 100_000;

export interface PendingMission {
  readonly id: string;
  /** In the service's own time; null where it names none. */
  readonly requestedAt: number | null;
  readonly fields: readonly ShownField[];
}

/** The list of pending missions after reading. */
export interface PendingReading {
  /** At most 500, in the service's order. */
  readonly missions: readonly PendingMission[];
  /** The state of each mission in the list, also of those beyond the 500; `gone` is one that ended otherwise. */
  readonly states: ReadonlyMap<string, MissionDecision | 'pending' | 'gone'>;
  /** Records without a usable id that name no state but pending. */
  readonly withoutId: number;
  /** Proven: a mission that is missing from it is not pending. */
  readonly complete: boolean;
}

/**
 * Reads the list of pending missions, whose shape is not specified: a bare array, or one in an object, of objects with
 * an id or of ids. The id is in `idField`, else in `id` or `mission_id`, and opaque. An entry that names another state
 * than pending is in the list, but not pending.
 *
 * `now` is the server time.
 *
 * @returns null when there is no list in the answer; never throws.
 */
export function readPendingMissions(
  body: unknown,
  linkCursor: string | null,
  { idField, now }: { readonly idField: string; readonly now: number },
): PendingReading | null {
  const page = readListPage(body, linkCursor, 'missions');
  if (page === null) return null;
  const missions: PendingMission[] = [];
  const states = new Map<string, MissionDecision | 'pending' | 'gone'>();
  let [unreadable, withoutId] = [0, 0];
  for (const raw of page.records.slice(0, mostIds)) {
    const id = idOf(raw, [idField, 'id', 'mission_id']);
    const state = namedState(raw) ?? 'pending';
    if (id === null) {
      unreadable += 1;
      if (state === 'pending') withoutId += 1;
      continue;
    }
    if (states.has(id)) continue;
    states.set(id, state === 'other' ? 'gone' : state);
    if (missions.length >= mostMissions || state !== 'pending') continue;
    missions.push(
      isObject(raw)
        ? { id, requestedAt: requestedAtOf(raw, 'list', now), fields: shownFields(raw) }
        : { id, requestedAt: null, fields: [] },
    );
  }
  const { length } = page.records;
  const whole = page.nextCursor === null && (page.knowsCursors || !mayBeCut(length, null));
  return { missions, states, withoutId, complete: whole && unreadable === 0 && length <= mostIds };
}
