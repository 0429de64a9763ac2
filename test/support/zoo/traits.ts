import type { Seeded } from '../../../src-main/training/seeded.ts';

/** What a service does that the specification leaves open. All times are milliseconds, but where a name says more. */
export interface Traits {
  /** Of its incidents, its events and its answers. */
  readonly seed: number;
  readonly incidents: number;
  /** Over how many days before the start they were created. */
  readonly days: number;
  /** How many of them were created in one second. */
  readonly crowd: number;
  /** Which share is open. */
  readonly open: number;
  /** Creation times have milliseconds. */
  readonly fractions: boolean;
  readonly order: 'newest' | 'oldest' | 'random' | 'hash';
  /** The most rows of a page: a number, a number that falls after so many reads, any by load, or bytes. */
  readonly cap:
    | { readonly by: 'count'; readonly most: number }
    | { readonly by: 'fall'; readonly most: number; readonly then: number; readonly after: number }
    | { readonly by: 'load'; readonly least: number; readonly most: number }
    | { readonly by: 'bytes'; readonly most: number };
  /** What comes of the parameter `limit`. */
  readonly limit: 'honoured' | 'ignored' | 'over 100 refused' | 'unknown';
  /** Rows of a page without a `limit`. */
  readonly usual: number;
  readonly unit: 'seconds' | 'milliseconds';
  readonly bounds: 'inclusive' | 'exclusive' | 'end exclusive';
  /** The time that the bounds are compared with, and by how many hours it is off. */
  readonly filter: { readonly by: 'created_at' | 'updated_at' | 'nothing'; readonly hours: number };
  readonly range:
    | 'any'
    | 'day before end'
    | 'refused over 7 days'
    | 'last day without start'
    | 'end needs start';
  /** Which share of the incidents of which days the operator may not see, and whether a page is cut before they leave. */
  readonly hides: {
    readonly share: number;
    readonly days: readonly [number, number];
    readonly after: boolean;
  };
  /** Six hours of each day that no answer has, although the operator may see them. */
  readonly lostShard: boolean;
  readonly empty: '[]' | '204' | '404' | 'null';
  /** The members around the list, outermost first. */
  readonly shape: readonly string[];
  readonly cursor: 'none' | 'lasting' | 'shifting' | 'looping' | 'dying' | 'endless';
  readonly cursorIn: 'header' | 'body';
  readonly says: 'nothing' | 'total' | 'X-Total-Count' | 'has_more' | '206';
  /** Every so many answers have half of their rows and say `timed_out`; 0 for none. */
  readonly timesOut: number;
  /** What every other answer lacks: one in ten, or all that came in the last 20 s. */
  readonly replicas: 'one' | 'lacking' | 'lagging';
  readonly duplicates: boolean;
  /** Whether an answer has a validator, and comes as a 304 while it is the same. */
  readonly validators: boolean;
  /** How far the service's clock is ahead. */
  readonly clockHours: number;
  readonly events: {
    /** New incidents in a minute. */
    readonly arrivals: number;
    readonly edits: number;
    /** how many leave for good, three times for 8 s, and for a minute. */
    readonly removals: number;
    readonly flickers: number;
    readonly returns: number;
  };
  /** A field that one record in `every` has wrong; null for none. */
  readonly fault: { readonly field: FaultyField; readonly value: number; readonly every: number } | null;
}

/** What a field may be in place of its value; undefined for absent. */
export const faultyValues = {
  id: [null, undefined, {}],
  incident_type: [null, undefined, 7],
  severity: [null, undefined, 7],
  status: [null, undefined, {}],
  created_at: [null, undefined, 'yesterday', 1_763_640_000],
  updated_at: [null, 'never', 5],
  evidence_count: [null, undefined, '3', -1],
  blockchain_records: [null, undefined, [{}]],
  location: [
    {},
    { latitude: null, longitude: null },
    'here',
    { lat: 1, lng: 2 },
    { latitude: 91, longitude: 7 },
  ],
  title: [null, {}, ''],
} as const satisfies Record<string, readonly unknown[]>;
export type FaultyField = keyof typeof faultyValues;
export const faultyFields = Object.keys(faultyValues) as [FaultyField, ...FaultyField[]];

/** A service as ours: seconds, pages of 200, an array. */
export const plain: Traits = {
  seed: 1,
  incidents: 400,
  days: 10,
  crowd: 0,
  open: 0.25,
  fractions: false,
  order: 'newest',
  cap: { by: 'count', most: 200 },
  limit: 'honoured',
  usual: 50,
  unit: 'seconds',
  bounds: 'inclusive',
  filter: { by: 'created_at', hours: 0 },
  range: 'any',
  hides: { share: 0, days: [0, 0], after: false },
  lostShard: false,
  empty: '[]',
  shape: [],
  cursor: 'none',
  cursorIn: 'header',
  says: 'nothing',
  timesOut: 0,
  replicas: 'one',
  duplicates: false,
  validators: false,
  clockHours: 0,
  events: { arrivals: 2, edits: 10, removals: 0, flickers: 0, returns: 0 },
  fault: null,
};

const always: readonly [number, number] = [0, 1_000];
const fall: Traits['cap'] = { by: 'fall', most: 200, then: 60, after: 6 };
const load: Traits['cap'] = { by: 'load', least: 20, most: 200 };

/** The groups of which a service draws some, so that each pair of traits meets in some service. */
const groups: readonly ((draw: Seeded) => Partial<Traits>)[] = [
  (draw) => ({ incidents: draw.pick([0, 3, 60, 150, 900]), open: draw.pick([0.02, 0.6]) }),
  (draw) => ({ crowd: draw.pick([20, 80, 300]), fractions: draw.pick([true, false]) }),
  (draw) => ({ order: draw.pick(['oldest', 'random', 'hash']) }),
  (draw) => ({ cap: { by: 'count', most: draw.pick([37, 50, 73, 100]) } }),
  (draw) => ({ cap: draw.pick<Traits['cap']>([fall, load]) }),
  (draw) => ({ cap: { by: 'bytes', most: draw.pick([12_000, 24_000, 60_000]) } }),
  (draw) => ({ limit: draw.pick(['ignored', 'over 100 refused', 'unknown']), usual: draw.pick([50, 120]) }),
  (draw) => ({ unit: 'milliseconds', fractions: draw.pick([true, false]) }),
  (draw) => ({ bounds: draw.pick(['exclusive', 'end exclusive']) }),
  (draw) => ({ filter: { by: 'created_at', hours: draw.pick([2, -5]) } }),
  (draw) => ({ filter: { by: draw.pick(['updated_at', 'nothing']), hours: 0 } }),
  (draw) => ({
    range: draw.pick(['day before end', 'refused over 7 days', 'last day without start', 'end needs start']),
  }),
  (draw) => ({
    hides: {
      share: draw.pick([0.25, 0.5, 0.75]),
      days: draw.pick([always, [3, 6]]),
      after: draw.below(4) > 0,
    },
  }),
  (draw) => ({ lostShard: draw.below(3) === 0 }),
  (draw) => ({ empty: draw.pick(['204', '404', 'null']) }),
  (draw) => ({ shape: draw.pick([['items'], ['data'], ['data', 'items'], ['response', 'incidents']]) }),
  (draw) => ({ cursor: draw.pick(['lasting', 'shifting']), cursorIn: draw.pick(['header', 'body']) }),
  (draw) => ({ cursor: draw.pick(['looping', 'dying', 'endless']), cursorIn: draw.pick(['header', 'body']) }),
  (draw) => ({ says: draw.pick(['total', 'X-Total-Count', 'has_more', '206']) }),
  (draw) => ({ timesOut: draw.pick([2, 4]) }),
  (draw) => ({ replicas: draw.pick(['lacking', 'lagging']) }),
  () => ({ duplicates: true }),
  () => ({ validators: true }),
  (draw) => ({ clockHours: draw.pick([5, -7]) }),
  (draw) => ({
    events: { arrivals: draw.pick([0, 6, 30]), edits: 40, removals: 0, flickers: 0, returns: 0 },
  }),
  (draw) => ({
    events: {
      arrivals: 2,
      edits: 10,
      removals: 15,
      flickers: draw.pick([0, 10]),
      returns: draw.pick([0, 5]),
    },
  }),
  drawFault,
  drawFault,
];

function drawFault(draw: Seeded): Partial<Traits> {
  const field = draw.pick(faultyFields);
  return { fault: { field, value: draw.below(faultyValues[field].length), every: draw.pick([1, 7, 50]) } };
}

/** A service with up to five odd traits. */
export function drawTraits(draw: Seeded): Traits {
  const odd = Array.from({ length: draw.below(6) }, () => groups[draw.below(groups.length)]?.(draw));
  return Object.assign({}, plain, ...odd, { seed: draw.below(2 ** 31) }) as Traits;
}

/** A service of which only these traits are odd. */
export const withTraits = (odd: Partial<Traits>): Traits => ({ ...plain, ...odd });

/** What is odd about a service, as JSON that `withTraits` takes. */
export function oddTraits(traits: Traits): string {
  const names = Object.keys(plain) as (keyof Traits)[];
  const odd = names.filter((name) => JSON.stringify(traits[name]) !== JSON.stringify(plain[name]));
  return JSON.stringify(Object.fromEntries(odd.map((name) => [name, traits[name]])));
}
