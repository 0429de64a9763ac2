/** Page sizes of list endpoints (interface: Limits). */
const defaultLimit = 50;
const largestLimit = 200;

export interface Page<T> {
  readonly rows: readonly T[];
  /** Where the next page starts, null when this was the last. */
  readonly nextCursor: string | null;
}

/**
 * One page of `rows`, which are in the order of their numbers, by `limit` and `cursor` (interface:
 * Pagination). A cursor names the number it comes after and not a count of rows, so what comes and goes
 * meanwhile moves no other row to another page. What it says of a malformed request is a sentence.
 */
export function pageOf<T extends { readonly number: number }>(
  list: string,
  rows: readonly T[],
  query: URLSearchParams,
): Page<T> | string {
  const repeated = ['limit', 'cursor'].find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return `${repeated} is given more than once`;
  const asked = query.get('limit') ?? String(defaultLimit);
  if (!/^\d{1,10}$/.test(asked) || Number(asked) < 1) return 'limit is no number from 1 upwards';
  const limit = Math.min(Number(asked), largestLimit);
  const cursor = query.get('cursor');
  const after = cursor === null ? -1 : readCursor(list, cursor);
  if (after === null) return 'cursor is not one of this list';
  const left = rows.filter((row) => row.number > after);
  const page = left.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: last && left.length > limit ? writeCursor(list, last.number) : null };
}

const writeCursor = (list: string, number: number): string =>
  Buffer.from(JSON.stringify([list, number])).toString('base64url');

function readCursor(list: string, text: string): number | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(value) || value.length !== 2) return null;
    const [named, number] = value as unknown[];
    return named === list && typeof number === 'number' ? number : null;
  } catch {
    return null;
  }
}
