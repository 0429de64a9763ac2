import { isObject, ownValue } from '../../base/json.ts';
import { findList } from './incidentList.ts';
import { defaultPage } from './pageLimits.ts';

/** One answer of a list endpoint, before any schema has read its records. */
export interface ListPage {
  readonly records: readonly unknown[];
  readonly nextCursor: string | null;
  /** Whether the answer says if there is more: it names a cursor, or says that there is none. */
  readonly knowsCursors: boolean;
}

/**
 * Finds the list in an answer (interface: Shared conventions, pagination): a bare array, or an object
 * with one array in it. `name` is the member that is meant where there are several.
 *
 * @returns null when there is no list in the answer.
 */
export function readListPage(body: unknown, linkCursor: string | null, name: string): ListPage | null {
  const wrapped = isObject(body) ? body : null;
  const named = wrapped === null ? undefined : ownValue(wrapped, name);
  const next = wrapped === null ? undefined : ownValue(wrapped, 'next_cursor');
  const list = findList(Array.isArray(named) ? { items: named, next_cursor: next } : body, linkCursor);
  if (list === null) return null;
  return { ...list, knowsCursors: next !== undefined || linkCursor !== null };
}

/**
 * Whether a list that came without any cursor may have been cut: a service that has a largest page
 * and does not say so answers with exactly that many. A list as long as what was asked for, or a
 * multiple of a page that the specification names, proves nothing.
 */
export const mayBeCut = (length: number, limit: number | null): boolean =>
  length > 0 && (length % defaultPage === 0 || (limit !== null && length >= limit));
