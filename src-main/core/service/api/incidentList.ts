import { isObject, ownValue } from '../../base/json.ts';
import { Yielding } from '../../base/yielding.ts';
import { readIncidentRecord, type IncidentRecord, type UnreadableRecord } from '../../state/incident.ts';

/** What a service says of an answer beside its records. */
export interface ListClaims {
  /** There is more: `has_more`, `timed_out`, status 206. */
  readonly more: boolean;
  /** How many there are in all; null where it says nothing. */
  readonly total: number | null;
}

/** The records of one answer before any schema has read them, and the cursor of the next page if there is one. */
export interface ListShape extends ListClaims {
  readonly records: readonly unknown[];
  readonly nextCursor: string | null;
}

export interface IncidentReading extends ListClaims {
  readonly rows: readonly IncidentRecord[];
  /** The first records that could not be read, at most `mostUnreadable`. */
  readonly unreadable: readonly UnreadableRecord[];
  /** How many records could not be read. */
  readonly unreadableCount: number;
  readonly nextCursor: string | null;
}

/** Members that may wrap the list; tried in this order, before the only array of an object. */
const listFields = ['items', 'incidents', 'data', 'results', 'records'];
/** Members that may hold an object with the list. */
const wrappers = [...listFields, 'result', 'response', 'payload', '_embedded'];
/** Members that may hold an object with what is said of the list. */
const claimFields = ['meta', 'metadata', 'page', 'paging', 'pagination'];
const cursorLimit = 4096;

function cursorOf(body: Readonly<Record<string, unknown>>): string | null {
  const cursor = ownValue(body, 'next_cursor');
  if (typeof cursor === 'number' && Number.isFinite(cursor)) return String(cursor);
  return typeof cursor === 'string' && cursor !== '' && cursor.length <= cursorLimit ? cursor : null;
}

const moreFields = [
  'has_more',
  'hasMore',
  'has_next',
  'more',
  'truncated',
  'partial',
  'timed_out',
  'timedOut',
];
/** `count` is not among them: of some services it is the rows of the page. */
const totalFields = ['total', 'total_count', 'totalCount'];

/** What an object says of a list in it or beside it. */
function claimsOf(body: Readonly<Record<string, unknown>>): ListClaims {
  const totals = totalFields.map((field) => ownValue(body, field));
  return {
    more: moreFields.some((field) => ownValue(body, field) === true),
    total: totals.find((total): total is number => typeof total === 'number' && total >= 0) ?? null,
  };
}

/**
 * Finds the list in a body: the bare array of the specification (interface: GET /incidents), or an object that wraps one
 * array, or an object with such an object, with `next_cursor` in either (interface: Shared conventions, pagination).
 * `linkCursor` is a cursor that came in a header; one in the body comes before it.
 *
 * @returns null when there is no list in the body.
 */
export function findList(body: unknown, linkCursor: string | null = null): ListShape | null {
  if (Array.isArray(body)) return { records: body, nextCursor: linkCursor, more: false, total: null };
  if (!isObject(body)) return null;
  const within = (object: typeof body, fields: readonly string[]) =>
    fields.map((field) => ownValue(object, field)).filter(isObject);
  for (const object of [body, ...within(body, wrappers)]) {
    const records = wrappedList(object);
    if (records === null) continue;
    const around = object === body ? [body] : [object, body];
    const speaking = around.flatMap((one) => [one, ...within(one, claimFields)]);
    const cursors = speaking.map(cursorOf);
    const claims = speaking.map(claimsOf);
    return {
      records,
      nextCursor: cursors.find((cursor) => cursor !== null) ?? linkCursor,
      more: claims.some(({ more }) => more),
      total: claims.find(({ total }) => total !== null)?.total ?? null,
    };
  }
  return null;
}

/** The array that an object wraps: one of a usual name, else its only one. */
function wrappedList(object: Readonly<Record<string, unknown>>): readonly unknown[] | null {
  const lists = (fields: readonly string[]): unknown[][] =>
    fields
      .map((field) => ownValue(object, field))
      .filter((value): value is unknown[] => Array.isArray(value));
  const [usual] = lists(listFields);
  if (usual !== undefined) return usual;
  const [only, another] = lists(Object.keys(object));
  return another === undefined ? (only ?? null) : null;
}

/** The most unreadable records that are stored of one answer, and of one window (interface: Limits). */
export const mostUnreadable = 200;

/**
 * Reads the records of a list one by one. A record that fails its schema is set aside with its id and the reason, and
 * costs no other record. Yields to the event loop in between, so that 100,000 records do not delay a tile or a
 * sign-out.
 *
 * @returns null when the body holds no list (the caller's failure is `unreadable-answer`).
 */
export async function readIncidentList(
  body: unknown,
  linkCursor: string | null = null,
): Promise<IncidentReading | null> {
  const list = findList(body, linkCursor);
  if (!list) return null;
  const rows: IncidentRecord[] = [];
  const unreadable: UnreadableRecord[] = [];
  const equal = new Map<string, number>();
  const yielding = new Yielding();
  for (const raw of list.records) {
    if (yielding.over) await yielding.next();
    const reading = readIncidentRecord(raw);
    if (reading.readable) rows.push(reading.record);
    else if (unreadable.length < mostUnreadable) {
      const { json } = reading.unreadable;
      const before = equal.get(json) ?? 0;
      equal.set(json, before + 1);
      unreadable.push({ ...reading.unreadable, key: `${before} ${json}` });
    }
  }
  const unreadableCount = list.records.length - rows.length;
  const { nextCursor, more, total } = list;
  return { rows, unreadable, unreadableCount, nextCursor, more, total };
}
