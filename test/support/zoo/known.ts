import type { Traits } from './traits.ts';

const many = { incidents: 1_500 } as const;
const halfHidden = { share: 0.5, days: [0, 1_000], after: true } as const;
const fewEvents = { arrivals: 2, edits: 10, removals: 0 } as const;

/** Ordinary services, of which all is to be known and said to be complete. */
export const ordinary = {
  'plain seconds, pages of 200': {},
  ETags: { validators: true, events: { ...fewEvents, removals: 40, flickers: 0, returns: 0 } },
  'no incidents': {
    incidents: 0,
    events: { arrivals: 0, edits: 0, removals: 0, flickers: 0, returns: 0 },
  },
  'oldest first': { order: 'oldest' },
  milliseconds: { unit: 'milliseconds', fractions: true },
  'order random each time': { order: 'random' },
  'order by hash': { order: 'hash' },
  'pages of 50': { cap: { by: 'count', most: 50 } },
  'pages of 37': { cap: { by: 'count', most: 37 } },
  'no limit, gives all': { limit: 'ignored', usual: 2_000, cap: { by: 'count', most: 2_000 } },
  'end exclusive': { bounds: 'end exclusive' },
  'cursor in header': { cursor: 'lasting' },
  'ignores windows, cursor in body': {
    filter: { by: 'nothing', hours: 0 },
    cursor: 'lasting',
    cursorIn: 'body',
  },
  'duplicates: every row twice on a page': { duplicates: true },
  'clock +5 h': { clockHours: 5 },
  'clock -7 h': { clockHours: -7 },
  'vanish for good': { events: { ...fewEvents, removals: 40, flickers: 0, returns: 0 } },
} as const satisfies Record<string, Partial<Traits>>;

/** Services that a review of 2026-11-27 found the console wrong about, by its names. The first ones cost least. */
export const unkind = {
  'limit before filter: half of rows hidden': { hides: halfHidden },
  'no start_time means last 24 h, few incidents': { range: 'last day without start', incidents: 150 },
  'limit over 100: 422': { limit: 'over 100 refused' },
  'empty window is 204': { empty: '204' },
  'cursor expires: page 2 is 410': { cursor: 'dying', cursorIn: 'body' },
  'cap by bytes': { cap: { by: 'bytes', most: 24_000 } },
  'limit before filter: 3 of 4 rows of day 3-6 hidden': {
    incidents: 1_500,
    hides: { share: 0.75, days: [3, 6], after: true },
  },
  'cap random 20..200 each time': { ...many, cap: { by: 'load', least: 20, most: 200 } },
  'range clamped to 24 h before the end': { range: 'day before end', incidents: 1_500 },
  'range over 7 days: 400': { range: 'refused over 7 days', incidents: 3_000, days: 30 },
  'end_time without start_time: 400': { range: 'end needs start' },
  'unknown parameter limit: 400': { limit: 'unknown' },
  'both bounds exclusive, whole seconds': { ...many, bounds: 'exclusive' },
  'empty window is 404': { empty: '404' },
  'empty window is null': { empty: 'null' },
  'list nested in data.items': { shape: ['data', 'items'] },
  'next_cursor changes for ever, same page': { cursor: 'endless', cursorIn: 'body' },
  'next_cursor loops': { cursor: 'looping', cursorIn: 'body', ...many },
  'vanish for 8 s, come back': { ...many, events: { ...fewEvents, flickers: 400, returns: 0 } },
  'replicas: every other answer lacks one in ten': { replicas: 'lacking' },
  'filter in local time, +2 h off': { ...many, filter: { by: 'created_at', hours: 2 } },
  'filter by updated_at': { ...many, filter: { by: 'updated_at', hours: 0 } },
  'evidence_count: null': { fault: { field: 'evidence_count', value: 0, every: 7 } },
  'timed_out: true, half of the hits': { ...many, timesOut: 2 },
  // Found by the campaign.
  'cut by bytes, and says a total': { cap: { by: 'bytes', most: 24_000 }, says: 'total' },
  'cut by bytes, filter 5 h off': {
    cap: { by: 'bytes', most: 12_000 },
    filter: { by: 'created_at', hours: -5 },
  },
  'cut by bytes, half of rows hidden, every other answer lags': {
    seed: 1771312921,
    cap: { by: 'bytes', most: 12_000 },
    hides: halfHidden,
    replicas: 'lagging',
  },
  'cut by bytes, half of rows hidden, filter by updated_at': {
    seed: 1618937529,
    cap: { by: 'bytes', most: 12_000 },
    filter: { by: 'updated_at', hours: 0 },
    hides: halfHidden,
  },
  'range clamped, filter by updated_at, some leave': {
    seed: 725737572,
    filter: { by: 'updated_at', hours: 0 },
    range: 'day before end',
    events: { arrivals: 2, edits: 10, removals: 15, flickers: 0, returns: 5 },
  },
  'pages that fall, and a cursor that expires': {
    cap: { by: 'fall', most: 200, then: 60, after: 6 },
    cursor: 'dying',
  },
  'pages that fall, both bounds exclusive': {
    cap: { by: 'fall', most: 200, then: 60, after: 6 },
    bounds: 'exclusive',
  },
  'range clamped, every other answer lacks one in ten': { range: 'day before end', replicas: 'lacking' },
  'a cursor that loops, half of the answers partial': {
    cap: { by: 'count', most: 50 },
    cursor: 'looping',
    timesOut: 2,
  },
  'cut by bytes, 30 in one second, clock and filter hours off': {
    seed: 266248467,
    crowd: 30,
    cap: { by: 'bytes', most: 24_000 },
    filter: { by: 'created_at', hours: -5 },
    clockHours: -7,
  },
  'order by hash, cut by bytes, every fourth answer partial': {
    seed: 2047353655,
    order: 'hash',
    cap: { by: 'bytes', most: 12_000 },
    timesOut: 4,
  },
  'cut by bytes, half of rows hidden, filter 2 h off': {
    seed: 1618937529,
    cap: { by: 'bytes', most: 12_000 },
    filter: { by: 'created_at', hours: 2 },
    hides: halfHidden,
  },
  'a replica that lags, 80 in one second': {
    seed: 823476210,
    crowd: 80,
    fractions: true,
    replicas: 'lagging',
  },
  'a cursor that loops, incidents that come and go': {
    seed: 1996803528,
    cursor: 'looping',
    events: { arrivals: 2, edits: 10, removals: 15, flickers: 10, returns: 5 },
  },
  'no record has an id': { fault: { field: 'id', value: 0, every: 1 } },
} as const satisfies Record<string, Partial<Traits>>;
