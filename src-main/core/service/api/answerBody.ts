import { isObject, ownValue, type JsonObject } from '../../base/json.ts';
import { mostFields } from '../../base/shownFields.ts';

/** Members in which services wrap a resource, or what they did with it. */
const wrappers: ReadonlySet<string> = new Set(
  (
    'mission missions data result results response body payload item items decision approval rejection outcome ' +
    'status state meta attributes file files upload object value'
  ).split(' '),
);
const deepest = 4;
const mostObjects = 256;

/** An answer's body and the objects that services wrap in it, the outermost first. */
export function objectsIn(body: unknown): JsonObject[] {
  const found: JsonObject[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > deepest || found.length >= mostObjects) return;
    if (Array.isArray(value)) {
      for (const entry of value.slice(0, mostObjects)) visit(entry, depth + 1);
    } else if (isObject(value)) {
      found.push(value);
      for (const [name, member] of membersOf(value)) if (wrappers.has(name)) visit(member, depth + 1);
    }
  };
  visit(body, 0);
  return found;
}

/** A member's name in one spelling: `is_approved`, `isApproved` and `Approved` are `approved`. */
export const plainName = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== 'is' && word !== 'was' && word !== 'has')
    .join('');

/** The first 64 members of an object, by their plain names. */
export const membersOf = (object: JsonObject): [name: string, value: unknown][] =>
  Object.keys(object)
    .slice(0, mostFields)
    .map((name) => [plainName(name), ownValue(object, name)]);

/** What a value that stands for yes or no says; null for any other value. */
export function flagOf(value: unknown): boolean | null {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === true || text === 'true' || text === 'yes') return true;
  return text === false || text === 0 || text === 'false' || text === 'no' || text === '0' ? false : null;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const successes = setOf('success successful succeeded ok okay accepted valid');
const errors = setOf(
  'error errors err errormessage errormsg errorcode errorreason errordetail errordetails exception fault failure ' +
    'failures failed',
);
const codes = setOf('status code statuscode httpstatus httpcode httpstatuscode');
const failing = setOf(
  'err error errors fail failed failing failure invalid unauthorized unauthorised forbidden exceeded infected ' +
    'quarantined timeout',
);
const worded = setOf('code status state result outcome');

/** Whether the value of an error's member says nothing. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*(?:none|null|ok|false|no|0)?\s*$/i.test(value);
  if (value === null || value === undefined || value === false || value === 0) return true;
  return isBlank(value);
}

/** Whether there is no text and no number in a value, however deep. */
const isBlank = (value: unknown): boolean => {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.every(isBlank);
  return isObject(value) && Object.values(value).every(isBlank);
};

/** The status or code that a number or digits name; null for any other value. */
function codeOf(value: unknown): number | null {
  const code = typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
  return typeof code === 'number' ? code : null;
}

/**
 * Whether an object of a 2xx answer says that the request failed: `success: false`, a non-empty `error`, a status or
 * code of 400 or more, or a word such as "failed" as its state. A body may lower what a status proves, and never raises
 * it (design rule 2).
 */
export const deniesSuccess = (object: JsonObject): boolean =>
  membersOf(object).some(([name, value]) => {
    if (errors.has(name)) return !isEmpty(value);
    if (successes.has(name)) return flagOf(value) === false;
    const code = codeOf(value);
    if (code !== null) return codes.has(name) && (code >= 400 || code < 0);
    if (!worded.has(name)) return false;
    return (
      flagOf(value) === false ||
      (typeof value === 'string' &&
        value
          .toLowerCase()
          .split(/[^a-z]+/)
          .some((word) => failing.has(word)))
    );
  });

/** A word in one spelling: "In progress" and `in_progress` are `in-progress`. */
export const plainWord = (word: string): string =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-');

/** The texts of the members that say how a request stands. */
export const stateTexts = (object: JsonObject): string[] =>
  membersOf(object).flatMap(([name, value]) =>
    worded.has(name) && typeof value === 'string' ? [value] : [],
  );

/** Words that say that a request was accepted, and not carried out yet. */
export const laterWords = setOf(
  'accepted queued enqueued pending waiting processing received submitted scheduled deferred delayed in-progress ' +
    'in-queue pinning uploading',
);

/** Whether an object says by a status, code or word that the request is carried out later. */
export const saysLater = (object: JsonObject): boolean =>
  stateTexts(object).some((text) => laterWords.has(plainWord(text))) ||
  membersOf(object).some(([name, value]) => codes.has(name) && codeOf(value) === 202);
