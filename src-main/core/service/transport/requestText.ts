/**
 * A part of a path that is an address and not somebody's id. What has a digit, as ids, hashes and CIDs
 * have, or is longer than a word, is taken for an id; a version (`v2`) is not.
 */
const word = /^(?:[a-z](?:[a-z._-]{0,30}[a-z])?|v\d{1,2})$/i;
const mostParts = 16;

/** One short word of the shapes that services use, and neither a sentence nor a token. */
const requestIdRule = /^(?!eyJ)[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,99}$/;

/** A path for people: ids are `…`, and of the query only the names are said. */
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

/** The service's id of a request, which finds it in the service's own log; null when it has no such shape. */
export const shownRequestId = (id: string | null): string | null =>
  id !== null && requestIdRule.test(id) ? id : null;
