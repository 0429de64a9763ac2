import type { ListClaims } from './incidentList.ts';

const cursorLimit = 4_096;

/**
 * A `next_cursor` that came in a header. The specification says that the response "carries" one, but not where: this
 * reads the plain header names, and the `cursor` of a `Link` with rel="next".
 */
export function readHeaderCursor(headers: Readonly<Record<string, string>>): string | null {
  const plain = headers['next-cursor'] ?? headers['x-next-cursor'] ?? headers['next_cursor'];
  const cursor = plain ?? linkCursor(headers['link'] ?? '');
  return cursor === null || cursor === '' || cursor.length > cursorLimit ? null : cursor;
}

function linkCursor(link: string): string | null {
  if (link.length > 4 * cursorLimit) return null;
  for (const [, target, parameters] of link.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (target === undefined || !/;\s*rel\s*=\s*"?(?:[^"]*\s)?next[\s"]?/i.test(parameters ?? '')) continue;
    const query = target.indexOf('?');
    // Only the cursor is used: a token must not be sent to an address that a header names.
    if (query >= 0) return new URLSearchParams(target.slice(query + 1)).get('cursor');
  }
  return null;
}

/** What status and headers say of a list; undefined where they say nothing. */
export function readHeaderClaims(
  status: number,
  headers: Readonly<Record<string, string>>,
): ListClaims | undefined {
  const count =
    headers['x-total-count'] ?? headers['x-total'] ?? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1];
  const total = count !== undefined && /^\d{1,15}$/.test(count) ? Number(count) : null;
  return status === 206 || total !== null ? { more: status === 206, total } : undefined;
}
