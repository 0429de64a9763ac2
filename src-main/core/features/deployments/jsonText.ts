/** Where a JSON text stops being JSON. Lines and columns count from 1. */
export interface JsonFault {
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
        return this.#members('}', depth, () => {
          this.#skip(space);
          return this.#skip(string) && this.#take(':') && this.#value(depth + 1);
        });
      case '[':
        return this.#members(']', depth, () => this.#value(depth + 1));
      case '"':
        return this.#skip(string);
      case undefined:
      default:
        return this.#skip(literal);
    }
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
 * @returns null when the text is JSON (nested at most 64 deep).
 */
export function findJsonFault(text: string): JsonFault | null {
  const scanner = new Scanner(text);
  if (scanner.document()) return null;
  const before = text.slice(0, scanner.at);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: before.length - lastBreak };
}
