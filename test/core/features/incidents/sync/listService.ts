import type { WireIncident } from '../../../../support/training/index.ts';
import { seeded, type Seeded } from '../../../../../src-main/training/seeded.ts';
import { wireIncident } from '../../../state/wireIncident.ts';

/** What an incident service leaves open, as a test wants it. */
export interface ListBehaviour {
  /** The most rows it returns, whatever is asked. */
  cap: number;
  /** The rows it returns without a `limit`. */
  byDefault: number;
  order: 'newest-first' | 'oldest-first' | 'random';
  unit: 'seconds' | 'milliseconds';
  /** How it compares creation times: with their fractions, or cut to its unit. */
  fractions: boolean;
  ignoresTimes: boolean;
  cursor: 'none' | 'object' | 'header';
}

export interface ListAnswer {
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

type Asked = Readonly<
  Partial<Record<'start_time' | 'end_time' | 'severity' | 'status' | 'limit' | 'cursor', string>>
>;

interface Held {
  readonly incident: WireIncident;
  /** Unix milliseconds. */
  readonly at: number;
}

/** An incident service over a plain array: every filter of the specification, and what it leaves open. */
export class ListService {
  readonly behaviour: ListBehaviour = {
    cap: 200,
    byDefault: 50,
    order: 'newest-first',
    unit: 'seconds',
    fractions: true,
    ignoresTimes: false,
    cursor: 'none',
  };
  incidents: WireIncident[];
  readonly #draw: Seeded;
  #held: { of: readonly WireIncident[]; count: number; order: string; rows: readonly Held[] } | null = null;

  constructor(incidents: readonly WireIncident[], behaviour: Partial<ListBehaviour> = {}, seed = 1) {
    this.incidents = [...incidents];
    Object.assign(this.behaviour, behaviour);
    this.#draw = seeded(seed, 'list service');
  }

  get ids(): string[] {
    return this.incidents.map(({ id }) => id).sort();
  }

  answer(asked: Asked): ListAnswer {
    const { cap, byDefault, cursor, order } = this.behaviour;
    const from = cursor === 'none' ? 0 : Number(asked.cursor ?? 0);
    const limit = Math.min(cap, asked.limit === undefined ? byDefault : Number(asked.limit));
    // One more than is returned says whether there are more; to mix them, all are needed.
    const most = order === 'random' && cursor === 'none' ? Infinity : from + limit + 1;
    const matching = this.#mixed(this.#found(asked, most));
    const rows = matching.slice(from, from + limit);
    const next = cursor !== 'none' && from + limit < matching.length ? String(from + limit) : null;
    return {
      body: cursor === 'object' ? { incidents: rows, next_cursor: next } : rows,
      headers: cursor === 'header' && next !== null ? { 'x-next-cursor': next } : {},
    };
  }

  /** The incidents in the service's order; sorted again only when they or the order are others. */
  #inOrder(): readonly Held[] {
    const { order, cursor } = this.behaviour;
    const key = order === 'random' && cursor === 'none' ? 'newest-first' : order;
    const { incidents } = this;
    if (this.#held?.of !== incidents || this.#held.count !== incidents.length || this.#held.order !== key) {
      const rows = incidents.map((incident) => ({ incident, at: Date.parse(incident.created_at) }));
      rows.sort((a, b) =>
        // With a cursor the order must hold from page to page.
        key === 'random'
          ? a.incident.id < b.incident.id
            ? -1
            : 1
          : key === 'newest-first'
            ? b.at - a.at
            : a.at - b.at,
      );
      this.#held = { of: incidents, count: incidents.length, order: key, rows };
    }
    return this.#held.rows;
  }

  /** The first `most` that are asked for, in order. */
  #found({ start_time, end_time, severity, status }: Asked, most: number): WireIncident[] {
    const { unit, fractions, ignoresTimes } = this.behaviour;
    const first = ignoresTimes || start_time === undefined ? -Infinity : Number(start_time);
    const last = ignoresTimes || end_time === undefined ? Infinity : Number(end_time);
    const found: WireIncident[] = [];
    for (const { incident, at: exact } of this.#inOrder()) {
      const ticks = exact / (unit === 'seconds' ? 1000 : 1);
      const at = fractions ? ticks : Math.floor(ticks);
      if (at < first || at > last) continue;
      if ((severity ?? incident.severity) !== incident.severity) continue;
      if ((status ?? incident.status) !== incident.status) continue;
      found.push(incident);
      if (found.length === most) break;
    }
    return found;
  }

  #mixed(rows: WireIncident[]): WireIncident[] {
    const { order, cursor } = this.behaviour;
    if (order !== 'random' || cursor !== 'none') return rows;
    for (let at = rows.length - 1; at > 0; at -= 1) {
      const other = this.#draw.below(at + 1);
      [rows[at], rows[other]] = [rows[other] as WireIncident, rows[at] as WireIncident];
    }
    return rows;
  }
}

const severities = ['low', 'medium', 'high', 'critical'] as const;

/** `count` incidents over a week before `now`, `together` of them in one second. */
export function weekOfIncidents(
  options: { count: number; together?: number; fractions?: boolean; now: number },
  seed = 1,
): WireIncident[] {
  const { count, together = 0, fractions = false, now } = options;
  const draw = seeded(seed, 'week of incidents');
  const crowded = Math.floor(now / 1000) * 1000 - 3 * 86_400_000;
  return Array.from({ length: count }, (_, index) => {
    const offset = draw.below(7 * 86_400_000);
    const at = index < together ? crowded : now - 60_000 - offset;
    const shown = fractions ? at + (index < together ? draw.below(1000) : 0) : Math.floor(at / 1000) * 1000;
    return {
      ...(wireIncident(
        `inc-${String(index).padStart(5, '0')}`,
        new Date(shown).toISOString(),
      ) as WireIncident),
      severity: draw.pick(severities),
      status: draw.below(3) === 0 ? 'open' : 'resolved',
    };
  });
}
