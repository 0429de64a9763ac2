import { refusal, type TrainingAnswer, type TrainingRequest } from './answer.ts';
import type { IncidentQuery, IncidentStore, Order, Position } from './incidentStore.ts';

const names = ['start_time', 'end_time', 'severity', 'status', 'limit', 'cursor'] as const;
type Parameter = (typeof names)[number];

const int64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const int32 = { least: 0n, most: 2n ** 31n - 1n };

/**
 * `GET /incidents` (interface: list_incidents) with every filter it names, and what it leaves open as
 * switches: the unit of the bounds, the order, the page limit and whether it is enforced, and a
 * wrapping object with `next_cursor`.
 *
 * Without an enforced page limit and without wrapping, a request without `limit` gets all.
 */
export function listIncidents(incidents: IncidentStore, request: TrainingRequest): TrainingAnswer {
  const { query, switches } = request;
  const repeated = names.find((name) => query.getAll(name).length > 1);
  if (repeated) return refusal(400, `${repeated} is given more than once`);

  const bounds = integers(query, ['start_time', 'end_time'], int64);
  if (typeof bounds === 'string') return refusal(400, bounds);
  const limits = integers(query, ['limit'], int32);
  if (typeof limits === 'string') return refusal(400, limits);
  const after = switches.wrapWithCursor ? readCursor(query.get('cursor'), switches.order) : null;
  if (after === 'malformed') return refusal(400, 'cursor is not one of this list');

  const unit = switches.timestampUnit === 'seconds' ? 1000 : 1;
  const bound = (name: Parameter): number | null => {
    const value = bounds.get(name);
    return value === undefined ? null : value * unit;
  };
  const asked = limits.get('limit') ?? null;
  const byDefault = switches.pageLimitEnforced || switches.wrapWithCursor ? switches.pageLimit : Infinity;
  const limit = switches.pageLimitEnforced ? Math.min(asked ?? byDefault, byDefault) : (asked ?? byDefault);
  const wanted: IncidentQuery = {
    from: bound('start_time'),
    to: bound('end_time'),
    severity: query.get('severity'),
    status: query.get('status'),
    order: switches.order,
    limit,
    after,
  };
  const page = incidents.page(wanted, switches.clockOffsetMs);
  const rows = `[${page.rows.join(',')}]`;
  if (!switches.wrapWithCursor) return { status: 200, body: rows };
  const cursor = page.next ? `,"next_cursor":${JSON.stringify(writeCursor(page.next, switches.order))}` : '';
  return { status: 200, body: `{"incidents":${rows}${cursor}}` };
}

/** Reads whole numbers within bounds, or says which one is none. */
function integers(
  query: URLSearchParams,
  wanted: readonly Parameter[],
  bounds: { readonly least: bigint; readonly most: bigint },
): Map<Parameter, number> | string {
  const found = new Map<Parameter, number>();
  for (const name of wanted) {
    const text = query.get(name);
    if (text === null) continue;
    if (!/^-?\d{1,19}$/.test(text)) return `${name} is not an integer`;
    const value = BigInt(text);
    if (value < bounds.least || value > bounds.most) return `${name} is out of range`;
    found.set(name, Number(value));
  }
  return found;
}

/** Opaque to clients. It names a place and the order it is in, since a place means nothing in another. */
function writeCursor(position: Position, order: Order): string {
  return Buffer.from(JSON.stringify([order, position.key, position.id])).toString('base64url');
}

function readCursor(text: string | null, order: Order): Position | null | 'malformed' {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(value) || value.length !== 3) return 'malformed';
    const [named, key, id] = value as unknown[];
    if (named !== order || typeof key !== 'number' || typeof id !== 'string') return 'malformed';
    return { key, id };
  } catch {
    return 'malformed';
  }
}
