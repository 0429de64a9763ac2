import { mix, seeded, type Seeded } from '../../../src-main/training/seeded.ts';
import type { Traits } from './traits.ts';
import { createLives, exists, isOpenAt, recordOf, type Life } from './world.ts';

export type ListQuery = Readonly<
  Partial<Record<'start_time' | 'end_time' | 'severity' | 'status' | 'limit' | 'cursor', string>>
>;

export interface ListAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or nothing. */
  readonly body: string;
  /** Whose records are in it. */
  readonly lives: readonly Life[];
  readonly cursor: string | null;
  /** It is a page of a list that has more. */
  readonly cut: boolean;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** How far a lagging replica is behind. */
const lagMs = 20_000;

/** Whether the replica that is `lacking` never has it. */
export const isLackedByOne = ({ id }: Pick<Life, 'id'>): boolean => mix(1, id) % 10 === 0;

export const refused = (status: number, error: string): ListAnswer => ({
  status,
  headers: {},
  body: JSON.stringify({ error }),
  lives: [],
  cursor: null,
  cut: false,
});

/**
 * `GET /incidents` of a service with these traits. It holds the truth for the oracle: `lives` is all that ever exists.
 * An answer depends on the time, the query, and how many answers there were.
 */
export class ZooService {
  readonly traits: Traits;
  readonly lives: readonly Life[];
  /** The service's clock at the start, Unix milliseconds. */
  readonly epoch: number;
  readonly #draw: Seeded;
  readonly #sequences: (readonly Life[])[] = [];
  #reads = 0;

  /** `start`: the true time at the start, Unix milliseconds. */
  constructor(traits: Traits, start: number) {
    this.traits = traits;
    this.lives = createLives(traits);
    this.epoch = start + traits.clockHours * hourMs;
    this.#draw = seeded(traits.seed, 'zoo: answers');
  }

  /** The answer at a time, milliseconds after the start. */
  list(query: ListQuery, at: number): ListAnswer {
    const { cursor, limit } = this.traits;
    this.#reads += 1;
    if (limit === 'unknown' && query.limit !== undefined) return refused(400, 'unknown parameter limit');
    if (limit === 'over 100 refused' && Number(query.limit ?? 0) > 100)
      return refused(422, 'limit must be at most 100');
    const span = this.#span(query, at);
    if (span === null) return refused(400, 'this range is not possible');
    if (query.cursor !== undefined && cursor === 'dying') return refused(410, 'the cursor has expired');
    const [sequence, from] = this.#sequence(query, span, at);
    const { rows, next } = this.#page(sequence, from, this.#most(query));
    const whole = this.traits.timesOut > 0 && this.#reads % this.traits.timesOut === 0;
    const shown = whole ? rows.slice(0, Math.ceil(rows.length / 2)) : rows;
    return this.#answer(shown, {
      at,
      total: sequence.filter((life) => !this.#drops(life)).length,
      timedOut: whole && shown.length < rows.length,
      more: from + rows.length < sequence.length,
      cursor: this.#cursor(sequence, next, query),
    });
  }

  /** The bounds in milliseconds after the start; null where the service refuses them. */
  #span({ start_time, end_time }: ListQuery, at: number): readonly [number, number] | null {
    const { unit, range, bounds } = this.traits;
    const tick = unit === 'seconds' ? 1_000 : 1;
    const read = (text: string | undefined): number | null =>
      text === undefined ? null : Number(text) * tick - this.epoch;
    const [start, end] = [read(start_time), read(end_time)];
    let from = start ?? -Infinity;
    const to = end ?? Infinity;
    const bounded = start !== null || end !== null;
    const last = Math.min(to, end === null ? at : to);
    switch (range) {
      case 'any':
        break;
      case 'day before end':
        if (bounded) from = Math.max(from, last - dayMs);
        break;
      case 'refused over 7 days':
        if (bounded && last - from > 7 * dayMs) return null;
        break;
      case 'last day without start':
        if (start === null) from = at - dayMs;
        break;
      case 'end needs start':
        if (end !== null && start === null) return null;
        break;
    }
    // The smallest step makes a bound exclusive: created times have whole milliseconds.
    return [from + (bounds === 'exclusive' ? 1 : 0), to - (bounds === 'inclusive' ? 0 : 1)];
  }

  /** What matches, in the service's order, and from where a page of it begins. */
  #sequence(query: ListQuery, [from, to]: readonly [number, number], at: number): [readonly Life[], number] {
    const { cursor, filter } = this.traits;
    if (cursor === 'lasting' && query.cursor !== undefined) {
      const [number, offset] = query.cursor.split('.').map(Number);
      return [this.#sequences[number ?? -1] ?? [], offset ?? 0];
    }
    const seen = this.#replica(at);
    const key = (life: Life): number =>
      (filter.by === 'updated_at' ? life.updatedAt : life.createdAt) + filter.hours * hourMs;
    const matching = this.lives.filter(
      (life) =>
        seen(life) &&
        !life.lost &&
        (filter.by === 'nothing' || (from <= key(life) && key(life) <= to)) &&
        (query.severity ?? life.severity) === life.severity &&
        (query.status ?? statusOf(life, at)) === statusOf(life, at) &&
        !(life.hidden && !this.traits.hides.after),
    );
    const offset = cursor === 'looping' ? (query.cursor === undefined ? 0 : 200) : Number(query.cursor ?? 0);
    return [this.#ordered(matching), cursor === 'shifting' || cursor === 'looping' ? offset : 0];
  }

  /** What this answer's replica has. */
  #replica(at: number): (life: Life) => boolean {
    const { replicas } = this.traits;
    const odd = this.#reads % 2 === 1;
    if (replicas === 'lagging' && odd) return (life) => exists(life, at - lagMs);
    if (replicas === 'lacking' && odd) return (life) => exists(life, at) && !isLackedByOne(life);
    return (life) => exists(life, at);
  }

  #ordered(lives: Life[]): readonly Life[] {
    switch (this.traits.order) {
      case 'newest':
        return lives.sort((a, b) => b.createdAt - a.createdAt);
      case 'oldest':
        return lives.sort((a, b) => a.createdAt - b.createdAt);
      case 'hash':
        return lives.sort((a, b) => mix(2, a.id) - mix(2, b.id));
      case 'random': {
        const salt = this.#draw.below(2 ** 31);
        return lives.sort((a, b) => mix(salt, a.id) - mix(salt, b.id));
      }
    }
  }

  /** How many rows, and how many bytes, a page has at most. */
  #most(query: ListQuery): { readonly rows: number; readonly bytes: number } {
    const { cap, limit, usual } = this.traits;
    const asked = limit === 'ignored' ? Infinity : query.limit === undefined ? usual : Number(query.limit);
    switch (cap.by) {
      case 'count':
        return { rows: Math.min(asked, cap.most), bytes: Infinity };
      case 'fall':
        return { rows: Math.min(asked, this.#reads > cap.after ? cap.then : cap.most), bytes: Infinity };
      case 'load':
        return {
          rows: Math.min(asked, cap.least + this.#draw.below(cap.most - cap.least + 1)),
          bytes: Infinity,
        };
      case 'bytes':
        return { rows: asked, bytes: cap.most };
    }
  }

  #page(sequence: readonly Life[], from: number, most: { readonly rows: number; readonly bytes: number }) {
    const count = this.traits.duplicates ? Math.ceil(most.rows / 2) : most.rows;
    const rows: Life[] = [];
    let bytes = 0;
    for (const life of sequence.slice(from, from + Math.min(count, sequence.length))) {
      // A record has about 400 characters beside its description.
      bytes += life.words + 400;
      if (rows.length > 0 && bytes > most.bytes) break;
      rows.push(life);
    }
    return { rows, next: from + rows.length };
  }

  #cursor(sequence: readonly Life[], next: number, query: ListQuery): string | null {
    const { cursor } = this.traits;
    switch (cursor) {
      case 'none':
        return null;
      case 'endless':
        return `n${String(this.#reads)}`;
      case 'looping':
        return sequence.length > 0 ? 'again' : null;
      case 'dying':
      case 'shifting':
        return next < sequence.length ? String(next) : null;
      case 'lasting': {
        if (next >= sequence.length) return null;
        if (query.cursor !== undefined) return `${query.cursor.split('.')[0] ?? ''}.${String(next)}`;
        return `${String(this.#sequences.push(sequence) - 1)}.${String(next)}`;
      }
    }
  }

  #drops = (life: Life): boolean => life.hidden && this.traits.hides.after;

  #answer(rows: readonly Life[], facts: AnswerFacts): ListAnswer {
    const { shape, empty, cursorIn, says, duplicates } = this.traits;
    const lives = rows.filter((life) => !this.#drops(life));
    const { cursor, total, more, timedOut } = facts;
    if (lives.length === 0 && cursor === null && empty !== '[]')
      return { ...emptyAnswers[empty], lives, cursor, cut: more };
    const records = lives.map((life) => recordOf(life, facts.at, this.epoch, this.traits));
    const list = duplicates ? records.flatMap((record) => [record, record]) : records;
    const beside = {
      ...(cursor !== null && cursorIn === 'body' ? { next_cursor: cursor } : {}),
      ...(says === 'total' ? { total } : {}),
      ...(says === 'has_more' ? { has_more: more } : {}),
      ...(timedOut ? { timed_out: true } : {}),
    };
    const needsObject = Object.keys(beside).length > 0 && shape.length === 0;
    const names = needsObject ? ['items'] : shape;
    const [outer, ...inner] = names;
    const wrapped = inner.reduceRight<unknown>((value, name) => ({ [name]: value }), list);
    return {
      status: says === '206' && more ? 206 : 200,
      headers: {
        ...(cursor !== null && cursorIn === 'header' ? { 'x-next-cursor': cursor } : {}),
        ...(says === 'X-Total-Count' ? { 'x-total-count': String(total) } : {}),
      },
      body: JSON.stringify(outer === undefined ? list : { [outer]: wrapped, ...beside }),
      lives,
      cursor,
      cut: more,
    };
  }
}

interface AnswerFacts {
  readonly at: number;
  readonly total: number;
  readonly more: boolean;
  readonly timedOut: boolean;
  readonly cursor: string | null;
}

const emptyAnswers = {
  204: { status: 204, headers: {}, body: '' },
  404: { status: 404, headers: {}, body: '{"error":"no incidents"}' },
  null: { status: 200, headers: {}, body: 'null' },
} as const;

const statusOf = (life: Life, at: number): string => (isOpenAt(life, at) ? 'open' : 'resolved');
