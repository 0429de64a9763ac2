/** Helpers for values that came from the service or from the disk: `unknown` until a schema has read them. */

/**
 * Stands in a list in the place of an entry that is larger, or nested deeper, than the parser accepts
 * (service/transport/answerBounds.ts).
 */
export const excessiveEntry: unique symbol = Symbol('excessive entry');

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined when it is not JSON, and for no text. */
export function parsedJson(text: string | null | undefined): unknown {
  try {
    return text === null || text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * An object's own member, or undefined. Reads the descriptor, so that a member named `__proto__` or `constructor` is
 * never mistaken for the prototype's.
 */
export const ownValue = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? Object.getOwnPropertyDescriptor(object, name)?.value : undefined;

/** Shortens `text` to `limit` UTF-16 units without cutting a surrogate pair in two. */
export function cappedText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const unit = text.charCodeAt(limit - 1);
  const cut = unit >= 0xd800 && unit <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, cut)}…`;
}

/** A value as JSON text of at most `limit` characters; a value nested too deep to print says so. */
export function cappedJson(value: unknown, limit: number): string {
  if (typeof value === 'string') return cappedText(JSON.stringify(cappedText(value, limit)), limit);
  const print = new CappedPrint(limit);
  return print.value(value, 0) ? cappedText(print.text, limit) : '"(nested too deep to show)"';
}

/** The deepest nesting that is printed. */
const deepestPrint = 500;

/**
 * Prints JSON until it has more than `limit` characters. To print a megabyte whole and show only its beginning would
 * cost as much as to parse it.
 */
class CappedPrint {
  readonly #limit: number;
  /** Joined at the end: a text that grows by appending holds an object in memory for each part. */
  readonly #parts: string[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get text(): string {
    return this.#parts.join('');
  }

  /** False when the value is nested too deep. */
  value(value: unknown, depth: number): boolean {
    if (depth > deepestPrint) return false;
    if (Array.isArray(value)) return this.#list('[', ']', value, (entry) => this.value(entry, depth + 1));
    if (isObject(value)) {
      return this.#list('{', '}', Object.keys(value), (name) => {
        this.#string(name);
        this.#add(':');
        return this.value(ownValue(value, name), depth + 1);
      });
    }
    if (typeof value === 'string') this.#string(value);
    else this.#add(typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null'));
    return true;
  }

  #list<T>(first: string, last: string, entries: readonly T[], print: (entry: T) => boolean): boolean {
    this.#add(first);
    for (const [index, entry] of entries.entries()) {
      if (this.#length > this.#limit) return true;
      if (index > 0) this.#add(',');
      if (!print(entry)) return false;
    }
    this.#add(last);
    return true;
  }

  /** The text may be cut between two surrogates: that cut, and what replaces the half, lies beyond the limit. */
  #string(value: string): void {
    this.#add(JSON.stringify(value.slice(0, this.#limit + 2)));
  }

  #add(part: string): void {
    this.#parts.push(part);
    this.#length += part.length;
  }
}

/** Whether two values made of plain objects, arrays and primitives hold the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((entry, index) => sameValue(entry, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && sameValue(ownValue(a, name), ownValue(b, name)));
}

/** The part of an object's schema that reading it member by member needs. */
interface MembersSchema<T> {
  readonly shape: {
    readonly [K in keyof T]-?: { safeParse(value: unknown): { success: boolean; data?: unknown } };
  };
}

/** Reads each member separately. An invalid member takes its value from `usual`. */
export function readMembers<T extends object>(schema: MembersSchema<T>, value: unknown, usual: T): T {
  if (!isObject(value)) return usual;
  const kept: [string, unknown][] = [];
  for (const name of Object.keys(usual)) {
    const reading = schema.shape[name as keyof T].safeParse(ownValue(value, name));
    if (reading.success) kept.push([name, reading.data]);
  }
  return { ...usual, ...(Object.fromEntries(kept) as Partial<T>) };
}

/** The members that are set. A change with an undefined one must not erase what is set. */
export const given = <T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
