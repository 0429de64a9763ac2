/**
 * Where a JSON text stops being JSON, or repeats a key of an object: JSON.parse takes the last value, a person reads the
 * first. Lines and columns count from 1.
 */
export interface JsonFault {
  readonly kind: 'notJson' | 'repeated';
  readonly line: number;
  readonly column: number;
}

const depthLimit = 64;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const space = /[ \t\n\r]*/y;

/** Walks through JSON text to find the place where it breaks. */
class Scanner {
  at = 0;
  /** Where a key is that its object had before. */
  repeatedAt: number | null = null;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  document(): boolean {
    if (!this.#value(0)) return false;
    this.#skip(space);
    return this.at === this.#text.length;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.#text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  #take(character: string): boolean {
    this.#skip(space);
    if (this.#text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  #value(depth: number): boolean {
    this.#skip(space);
    if (depth > depthLimit) return false;
    switch (this.#text[this.at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#members(']', depth, () => this.#value(depth + 1));
      case '"':
        return this.#skip(string);
      case undefined:
      default:
        return this.#skip(literal);
    }
  }

  #object(depth: number): boolean {
    const keys = new Set<string>();
    return this.#members('}', depth, () => {
      this.#skip(space);
      const start = this.at;
      if (!this.#skip(string)) return false;
      const key = JSON.parse(this.#text.slice(start, this.at)) as string;
      if (keys.has(key)) this.repeatedAt ??= start;
      keys.add(key);
      return this.#take(':') && this.#value(depth + 1);
    });
  }

  #members(end: string, depth: number, member: () => boolean): boolean {
    this.at += 1;
    if (depth >= depthLimit) return false;
    if (this.#take(end)) return true;
    do {
      if (!member()) return false;
    } while (this.#take(','));
    return this.#take(end);
  }
}

/**
 * Finds where `text` stops being JSON. The message of the engine is not usable here: it repeats a piece of the text,
 * which may hold a secret, and often names no place.
 *
 * @returns null when the text is JSON (nested at most 64 deep) without a repeated key.
 */
export function findJsonFault(text: string): JsonFault | null {
  const scanner = new Scanner(text);
  const isJson = scanner.document();
  if (isJson && scanner.repeatedAt === null) return null;
  const before = text.slice(0, isJson ? (scanner.repeatedAt ?? 0) : scanner.at);
  const lastBreak = before.lastIndexOf('\n');
  const kind = isJson ? 'repeated' : 'notJson';
  return { kind, line: before.split('\n').length, column: before.length - lastBreak };
}
