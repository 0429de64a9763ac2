import { isObject, ownValue } from '../../base/json.ts';
import { Yielding } from '../../base/yielding.ts';
import { readIncidentRecord, type IncidentRecord, type UnreadableRecord } from '../../state/incident.ts';

/** The records of one answer before any schema has read them, and the cursor of the next page if there is one. */
export interface ListShape {
  readonly records: readonly unknown[];
  readonly nextCursor: string | null;
}

export interface IncidentReading {
  readonly rows: readonly IncidentRecord[];
  /** The first records that could not be read, at most `mostUnreadable`. */
  readonly unreadable: readonly UnreadableRecord[];
  /** How many records could not be read. */
  readonly unreadableCount: number;
  readonly nextCursor: string | null;
}

/** Members that may wrap the list; tried in this order, before the only array of an object. */
const listFields = ['items', 'incidents', 'data', 'results', 'records'];
const cursorLimit = 4096;

function cursorOf(body: Readonly<Record<string, unknown>>): string | null {
  const cursor = ownValue(body, 'next_cursor');
  if (typeof cursor === 'number' && Number.isFinite(cursor)) return String(cursor);
  return typeof cursor === 'string' && cursor !== '' && cursor.length <= cursorLimit ? cursor : null;
}

/**
 * Finds the list in a body: the bare array of the specification (interface: GET /incidents), or an
 * object that wraps one array, with `next_cursor` beside it (interface: Shared conventions,
 * pagination). `linkCursor` is a cursor that came in a header; one in the body comes before it.
 *
 * @returns null when there is no list in the body.
 */
export function findList(body: unknown, linkCursor: string | null = null): ListShape | null {
  if (Array.isArray(body)) return { records: body, nextCursor: linkCursor };
  if (!isObject(body)) return null;
  const nextCursor = cursorOf(body) ?? linkCursor;
  for (const field of listFields) {
    const value = ownValue(body, field);
    if (Array.isArray(value)) return { records: value, nextCursor };
  }
  const arrays = Object.keys(body)
    .map((field) => ownValue(body, field))
    .filter((value) => Array.isArray(value));
  const [only] = arrays;
  return only && arrays.length === 1 ? { records: only, nextCursor } : null;
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
  return { rows, unreadable, unreadableCount, nextCursor: list.nextCursor };
}
