import { isLackedByOne, ZooService, type ListQuery } from './service.ts';
import type { Traits } from './traits.ts';
import { changes, exists, isOpenAt, type Life } from './world.ts';

/** Why an incident cannot be known from outside, whatever is asked. */
export type Exclusion =
  | 'no id'
  | 'lost shard'
  | 'lacking or partial by turns'
  | 'behind hidden rows'
  | 'crowded second'
  | 'behind one page';

const mostPages = 60;
/** An answer that depends on load or on a replica is asked for again. */
const tries = 4;

/**
 * What is true of a service at any time, milliseconds after the start, and what a patient client could find out. It
 * asks a second service with the same life, so that it changes no answer of the first.
 */
export class Oracle {
  readonly #service: ZooService;
  readonly #ids: ReadonlyMap<string, Life>;
  readonly #found: ReadonlySet<Life>;

  constructor(traits: Traits, start: number) {
    this.#service = new ZooService(traits, start);
    this.#ids = new Map(this.#service.lives.map((life) => [life.id, life]));
    this.#found = this.#askPatiently(changes.until);
  }

  life(id: string): Life | null {
    return this.#ids.get(id) ?? null;
  }

  /** Those that the operator may see. */
  visible(at: number): readonly Life[] {
    return this.#service.lives.filter((life) => !life.hidden && exists(life, at));
  }

  /** Those that left for good before `at`. */
  removed(at: number): readonly Life[] {
    return this.#service.lives.filter(
      ({ hidden, away }) => !hidden && away.some(([leaves, returns]) => leaves <= at && returns === Infinity),
    );
  }

  /** An open critical incident, as its record reads: what cannot be read counts as the worst. */
  isUrgent(life: Life, at: number): boolean {
    const field = life.faulty ? this.#service.traits.fault?.field : null;
    const critical = life.severity === 'critical' || field === 'severity';
    return critical && (isOpenAt(life, at) || field === 'status');
  }

  /** Null for one that a patient client can know. */
  excluded(life: Life): Exclusion | null {
    const { fault, hides } = this.#service.traits;
    if (life.faulty && fault?.field === 'id') return 'no id';
    if (life.lost) return 'lost shard';
    if (this.#isByTurns && isLackedByOne(life)) return 'lacking or partial by turns';
    // What comes later is as easy to find as what was there.
    if (this.#found.has(life) || life.from > 0) return null;
    if (this.#hasNoWindows) return 'behind one page';
    return hides.after ? 'behind hidden rows' : 'crowded second';
  }

  /** Whether an answer that lacks this incident looks as if it had all: then even "complete" cannot be blamed. */
  isUnseeable(life: Life): boolean {
    return ['no id', 'lost shard', 'behind hidden rows'].includes(this.excluded(life) ?? '');
  }

  /** Windows are ignored; or no record has a time, so that no answer shows how they are followed. */
  get #hasNoWindows(): boolean {
    const { filter, fault } = this.#service.traits;
    return filter.by === 'nothing' || (fault?.field === 'created_at' && fault.every === 1);
  }

  /**
   * Each answer that is not of the lacking replica has only half of its rows: nothing shows that an incident is there,
   * unless a window happens to begin just before it.
   */
  get #isByTurns(): boolean {
    const { timesOut, replicas } = this.#service.traits;
    return timesOut === 2 && replicas === 'lacking';
  }

  #askPatiently(at: number): ReadonlySet<Life> {
    const { traits, epoch, lives } = this.#service;
    const found = new Set<Life>();
    // Severity and status are asked for where too many rows share a second, which hidden rows do not show.
    const narrow = traits.hides.after ? (query: ListQuery) => [query] : narrowed;
    for (const query of narrow({})) this.#walk(query, at, found);
    if (this.#hasNoWindows) return found;
    const tick = traits.unit === 'seconds' ? 1_000 : 1;
    const there = lives.filter((life) => !life.hidden && !life.lost && exists(life, at));
    const tickOf = ({ updatedAt, createdAt }: Life): number => {
      const key = traits.filter.by === 'updated_at' ? updatedAt : createdAt;
      return Math.floor((epoch + key + traits.filter.hours * 3_600_000) / tick);
    };
    // A client that knows no times has to ask for spans of a length: a quarter of the usual time between two that it
    // sees, since it would else ask more often than a service bears. What is closer to a page of hidden rows is found by
    // chance, as the spans happen to end: here it counts as found where no such span hides it.
    const usual = traits.hides.after ? (traits.days * 86_400_000) / Math.max(1, there.length) : 0;
    const length = Math.floor(usual / 4 / tick);
    for (const [slot, own] of Map.groupBy(there, tickOf)) {
      for (const from of traits.hides.after ? [slot - length] : [slot - 1, slot]) {
        const asked = { start_time: String(from), end_time: String(slot + length + 1) };
        for (const query of narrow(asked)) {
          for (let again = 0; again < tries && !own.every((life) => found.has(life)); again += 1) {
            const shown = new Set<Life>();
            this.#walk(query, at, shown);
            for (const life of own) if (shown.has(life)) found.add(life);
          }
        }
      }
    }
    return found;
  }

  /** Asks with each usual limit, and follows cursors. */
  #walk(query: ListQuery, at: number, found: Set<Life>): void {
    for (const limit of ['200', '100', undefined]) {
      const limited = limit === undefined ? query : { ...query, limit };
      let cursor: string | null = null;
      for (let page = 0; page < mostPages; page += 1) {
        const answer = this.#service.list(cursor === null ? limited : { ...limited, cursor }, at);
        const before = found.size;
        for (const life of answer.lives) found.add(life);
        cursor = answer.cursor;
        if (cursor === null || found.size === before) break;
      }
    }
  }
}

const severities = ['low', 'medium', 'high', 'critical'];
const narrowed = (query: ListQuery): ListQuery[] => [
  query,
  ...severities.flatMap((severity) => ['open', 'resolved'].map((status) => ({ ...query, severity, status }))),
];
