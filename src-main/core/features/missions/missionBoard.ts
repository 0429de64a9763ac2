import type { Decided, Failure, Mission, ShownField } from '../../../../src-preload/contract/index.ts';
import { parsedJson } from '../../base/json.ts';
import type { DecisionRecord } from './decisionRecord.ts';
import type { ListedState } from './findings.ts';
import { mostMissions, type PendingReading } from './pendingList.ts';
import { isStateField, stateWord } from './stateWords.ts';

/** The most missions from events or typed by an operator: events may come without end. */
const mostLoose = 200;

/** A known mission, without the decisions on it. */
export type KnownMission = Pick<Mission, 'id' | 'source' | 'seenAt' | 'requestedAt' | 'fields'>;

/** One from an event, or typed by an operator. */
export interface LooseMission extends KnownMission {
  readonly source: 'event' | 'typed';
}

/** The known missions: from the list, from events, and typed. */
export class MissionBoard {
  readonly #known = new Map<string, KnownMission>();
  #reading: PendingReading | null = null;

  get known(): ReadonlyMap<string, KnownMission> {
    return this.#known;
  }

  /** Records of the last reading without a usable id, which may be pending missions. */
  get withoutId(): number {
    return this.#reading?.withoutId ?? 0;
  }

  /** A mission's state in the last reading of the list; `unknown` where that proves nothing. */
  listed(id: string): ListedState {
    if (this.#reading === null) return 'unknown';
    return this.#reading.states.get(id) ?? (this.#reading.complete ? 'gone' : 'unknown');
  }

  /** Whether a reading of the list had it, in whatever state. */
  wasListed(id: string): boolean {
    return this.#known.get(id)?.source === 'list' || this.#reading?.states.has(id) === true;
  }

  /**
   * Takes the list, whose reading began at `beganAt`. Missions for which `keeps` is true stay because of a decision.
   */
  takeList(reading: PendingReading, beganAt: number, keeps: (id: string) => boolean): void {
    this.#reading = reading;
    const listed = new Set(reading.missions.map(({ id }) => id));
    for (const [id, { source, seenAt }] of this.#known) {
      if (listed.has(id) || keeps(id)) continue;
      // A mission from an event after the reading began may be too new for it.
      const overtaken = source === 'event' && reading.complete && seenAt < beganAt;
      if (source === 'list' || overtaken) this.#known.delete(id);
    }
    for (const { id, requestedAt, fields } of reading.missions) {
      const before = this.#known.get(id);
      this.#known.set(id, {
        id,
        source: 'list',
        seenAt: before?.seenAt ?? beganAt,
        requestedAt: requestedAt ?? before?.requestedAt ?? null,
        fields: [...fields],
      });
    }
  }

  /** Adds a mission from an event, or a typed one. The list's data take precedence. */
  add(mission: LooseMission, keeps: (id: string) => boolean): void {
    const before = this.#known.get(mission.id);
    if (before !== undefined && (before.source === 'list' || mission.fields.length === 0)) return;
    const { source, seenAt, requestedAt } = before ?? mission;
    this.#known.set(mission.id, {
      ...mission,
      source,
      seenAt,
      requestedAt: mission.requestedAt ?? requestedAt,
    });
    const loose = [...this.#known.values()].filter(({ source }) => source !== 'list');
    for (const { id } of loose.slice(0, Math.max(0, loose.length - mostLoose))) {
      if (!keeps(id)) this.#known.delete(id);
    }
  }

  remove(id: string): void {
    this.#known.delete(id);
  }
}

/** In the order on the page: unknown outcomes, pending missions, then the others with the latest decision first. */
export function ordered(missions: readonly Mission[]): Mission[] {
  const rank = ({ decided, state }: Mission): number => {
    if (decided?.outcome === 'unknown' || decided?.outcome === 'sending') return 0;
    return state === 'pending' ? 1 : 2;
  };
  const decidedAt = ({ decided }: Mission): number =>
    decided?.outcome === 'done' ? (decided.answeredAt ?? decided.at) : 0;
  return missions.toSorted((a, b) => rank(a) - rank(b) || decidedAt(b) - decidedAt(a)).slice(0, mostMissions);
}

/**
 * How a mission stands that the list shows as `listed`: a decision is settled by what the service said of it, and only
 * then.
 */
export function stateOf(record: DecisionRecord | undefined, listed: ListedState): Mission['state'] {
  switch (record?.outcome) {
    case 'done':
      return record.decision;
    case 'no-longer-listed':
      return 'gone';
    case 'conflict': {
      const state = record.found?.state ?? 'pending';
      return state === 'gone' && listed === 'pending' ? 'pending' : state;
    }
    case 'sending':
    case 'unknown':
    case 'not-sent':
    case 'refused':
    case undefined:
      return 'pending';
  }
}

/** A mission in the form for pages. */
export function missionView(
  known: KnownMission,
  {
    record,
    state,
    ...rest
  }: {
    readonly record: DecisionRecord | undefined;
    readonly state: Mission['state'];
    readonly notGranted: Failure | null;
    readonly decided: Decided | null;
  },
): Mission {
  return {
    ...known,
    fields: settledFields(known.fields, state, record?.found?.word ?? null),
    state,
    ...rest,
  };
}

const settledWords = { approve: 'approved', reject: 'rejected' } as const;

/** The listed fields of a mission that stands as `state`: one that names another state is out of date. */
function settledFields(
  fields: readonly ShownField[],
  state: Mission['state'],
  word: string | null,
): ShownField[] {
  if (state === 'pending') return [...fields];
  const now = word ?? (state === 'approve' || state === 'reject' ? settledWords[state] : null);
  return fields.flatMap((field) => {
    const value = parsedJson(field.json);
    const named = isStateField(field.name) && typeof value === 'string' ? stateWord(value) : null;
    if (named === null || named === state) return [field];
    return now === null ? [] : [{ ...field, json: JSON.stringify(now) }];
  });
}
