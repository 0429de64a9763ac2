import { mix, seeded, type Seeded } from '../../../src-main/training/seeded.ts';
import { faultyValues, type Traits } from './traits.ts';

/** How long after the start the world changes, and when it has come to rest, milliseconds. */
export const changes = { from: 50_000, until: 120_000 } as const;
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** One incident and its whole life. Times are milliseconds after the start of the world, negative before. */
export interface Life {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When the service first has it. */
  readonly from: number;
  /** When it is away, half open; an end of Infinity is for good. */
  readonly away: readonly (readonly [number, number])[];
  readonly severity: string;
  /** When it is open, half open. */
  readonly open: readonly [number, number];
  /** When its evidence became one more. */
  readonly edits: readonly number[];
  /** The operator may not see it. */
  readonly hidden: boolean;
  /** The operator may see it, and no answer has it. */
  readonly lost: boolean;
  readonly faulty: boolean;
  /** Characters of its description. */
  readonly words: number;
}

export const exists = ({ from, away }: Life, at: number): boolean =>
  from <= at && !away.some(([leaves, returns]) => leaves <= at && at < returns);

/** Since when it exists without a break; Infinity while it does not. */
export function existsSince(life: Life, at: number): number {
  if (!exists(life, at)) return Infinity;
  return Math.max(life.from, ...life.away.map(([, returns]) => returns).filter((returns) => returns <= at));
}

/** All incidents of a service, the same for the same traits, whatever is asked of it. */
export function createLives(traits: Traits): readonly Life[] {
  const { seed, incidents, days, crowd, events } = traits;
  const draw = seeded(seed, 'zoo: lives');
  const span = days * dayMs;
  const crowdedAt = -Math.floor(span / 3 / 1_000) * 1_000;
  const lives = Array.from({ length: incidents }, (_, index) =>
    createLife(traits, draw, {
      index,
      createdAt: index < crowd ? crowdedAt + draw.below(1_000) : -60_000 - draw.below(span),
      from: -Infinity,
    }),
  );
  const arrivals = Math.round((events.arrivals * (changes.until - changes.from)) / 60_000);
  for (let index = incidents; index < incidents + arrivals; index += 1) {
    const from = changes.from + draw.below(changes.until - changes.from);
    lives.push(createLife(traits, draw, { index, createdAt: from - draw.below(1_500), from }));
  }
  return withAbsences(lives, traits, draw);
}

interface Birth {
  readonly index: number;
  readonly createdAt: number;
  readonly from: number;
}

function createLife(traits: Traits, draw: Seeded, { index, createdAt: exact, from }: Birth): Life {
  const { open, hides, lostShard, fractions, fault, cap } = traits;
  const createdAt = fractions ? exact : Math.floor(exact / 1_000) * 1_000;
  const age = -createdAt / dayMs;
  const isOpen = draw.next() < open;
  const changesAt = changes.from + draw.below(changes.until - changes.from);
  const changed = draw.below(20) === 0;
  return {
    id: `i-${mix(index, 'zoo').toString(36)}-${String(index)}`,
    createdAt,
    updatedAt: Math.min(createdAt + draw.below(3 * dayMs), Math.max(createdAt, 0)),
    from,
    away: [],
    severity: draw.pick(['low', 'medium', 'high', 'critical']),
    open: isOpen ? [-Infinity, changed ? changesAt : Infinity] : changed ? [changesAt, Infinity] : [0, 0],
    edits: [],
    hidden: draw.next() < hides.share && age >= hides.days[0] && age <= hides.days[1],
    lost: lostShard && Math.abs(createdAt) % dayMs < 6 * hourMs,
    faulty: fault !== null && draw.below(fault.every) === 0,
    words: cap.by === 'bytes' && draw.below(5) === 0 ? 7_000 : draw.below(100),
  };
}

/** Gives lives in an order of chance the edits and absences that the traits ask for. */
function withAbsences(lives: readonly Life[], { events }: Traits, draw: Seeded): readonly Life[] {
  const { edits, removals, flickers, returns } = events;
  const kinds: ((at: number) => Partial<Life>)[] = [
    ...Array<(at: number) => Partial<Life>>(removals).fill((at) => ({ away: [[at, Infinity]] })),
    ...Array<(at: number) => Partial<Life>>(flickers).fill((at) => ({ away: flickersFrom(at) })),
    ...Array<(at: number) => Partial<Life>>(returns).fill((at) => ({ away: [[at, at + 60_000]] })),
    ...Array<(at: number) => Partial<Life>>(edits).fill((at) => ({ edits: [at] })),
  ];
  const order = lives.map((_, index) => [draw.next(), index] as const).sort(([a], [b]) => a - b);
  const change = new Map(order.map(([, index], place) => [index, kinds[place]]));
  return lives.map((life, index) => {
    const at = changes.from + draw.below(changes.until - changes.from - 60_000);
    return { ...life, ...change.get(index)?.(Math.max(at, life.from)) };
  });
}

/** Away for 8 s, three times. */
const flickersFrom = (at: number): Life['away'] =>
  [0, 20_000, 40_000].map((later) => [at + later, at + later + 8_000]);

/** The record of an incident as the service sends it at a moment. `epoch` is the service's clock at the start. */
export function recordOf(life: Life, at: number, epoch: number, { fault, fractions }: Traits): object {
  const instant = (time: number): string => {
    const text = new Date(epoch + time).toISOString();
    return fractions ? text : text.replace('.000Z', 'Z');
  };
  const place = mix(life.words, life.id);
  const record = {
    id: life.id,
    incident_type: ['fire', 'flood', 'collapse'][place % 3],
    severity: life.severity,
    status: isOpenAt(life, at) ? 'open' : 'resolved',
    created_at: instant(life.createdAt),
    updated_at: instant(life.updatedAt),
    evidence_count: (place % 4) + life.edits.filter((edit) => edit <= at).length,
    blockchain_records: [],
    location: { latitude: (place % 160) - 80, longitude: (place % 350) - 175, altitude: null },
    title: `Incident ${life.id}`,
    description: 'x'.repeat(life.words),
  };
  if (fault === null || !life.faulty) return record;
  return { ...record, [fault.field]: faultyValues[fault.field][fault.value] };
}

export const isOpenAt = ({ open: [opens, closes] }: Life, at: number): boolean => opens <= at && at < closes;
