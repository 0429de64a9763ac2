/** What a service gave to ask whether its answer is still the same (RFC 9110, 8.8). At least one is not null. */
export interface Validator {
  readonly etag: string | null;
  readonly modified: string | null;
}

const etagShape = /^(?:W\/)?"[!#-~]{1,200}"$/;
/** One that was modified so shortly before its answer may change within the same second, milliseconds. */
const settledMs = 2_000;

/** The validator in an answer's headers; null without a usable one. */
export function readValidator(headers: Readonly<Record<string, string>>): Validator | null {
  const { etag: tag = '', 'last-modified': text = '', date = '' } = headers;
  const etag = etagShape.test(tag) ? tag : null;
  const modified = Date.parse(date) - Date.parse(text) >= settledMs && text.length < 40 ? text : null;
  return etag === null && modified === null ? null : { etag, modified };
}

/** The headers of a request that is answered by 304 while the answer is the same. */
export const conditionOf = ({ etag, modified }: Validator): Record<string, string> => ({
  ...(etag === null ? {} : { 'if-none-match': etag }),
  ...(modified === null ? {} : { 'if-modified-since': modified }),
});

/** Whether a request asks so: only then is a 304 an answer. */
export const isConditional = (headers: Readonly<Record<string, string>>): boolean =>
  'if-none-match' in headers || 'if-modified-since' in headers;
