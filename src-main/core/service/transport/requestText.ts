/**
 * A part of a path that is a word of the address and not an id. A part with a digit, as in ids, hashes and CIDs, or
 * longer than a word, counts as an id; a version (`v2`) does not.
 */
const word = /^(?:[a-z](?:[a-z._-]{0,30}[a-z])?|v\d{1,2})$/i;
const mostParts = 16;

/** One short word in the usual shapes of request ids, but not a sentence or a token. */
const requestIdRule = /^(?!eyJ)[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,99}$/;

/** A path for display: ids become `…`, and of the query only the names are shown. */
export function shownPath(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const [own = '', ...rest] = path.split('?');
  const parts = own.split('/').slice(0, mostParts);
  const shown = parts.map((part) => (part === '' || word.test(part) ? part : '…')).join('/');
  const asked = Object.keys(query).filter((name) => query[name] !== undefined);
  const names = [...(rest.length === 0 ? [] : ['…']), ...asked.map((name) => (word.test(name) ? name : '…'))];
  return (names.length === 0 ? shown : `${shown}?${names.join('&')}`).slice(0, 512);
}

/** The service's id of a request, for searching the service's log; null when it has an unusual shape. */
export const shownRequestId = (id: string | null): string | null =>
  id !== null && requestIdRule.test(id) ? id : null;
