import { excessiveEntry, isObject, ownValue } from '../../base/json.ts';
import { Yielding } from '../../base/yielding.ts';
import type { AnswerBounds } from './answerBounds.ts';
import { JsonScan } from './jsonScan.ts';
import type { Body } from './readBody.ts';

/**
 * `JSON.parse` of UTF-8 bytes, without a byte order mark. Lists of a large body are parsed in pieces that yield to the
 * event loop: 100,000 incidents at once would block it for 130 ms and more, and to receive the parsed incidents from a
 * worker thread would block it even longer. An entry beyond its limits is not parsed; `excessiveEntry` replaces it.
 *
 * The body is empty afterwards.
 *
 * @throws SyntaxError when the bytes are not JSON.
 */
export async function decodeJson(body: Body): Promise<unknown> {
  try {
    return body.isOnePiece ? parse(body.bytes(), false) : await decodePieces(body);
  } finally {
    body.end();
  }
}

async function decodePieces(body: Body): Promise<unknown> {
  const yielding = new Yielding();
  const entries: unknown[][] = [];
  // The text without the pieces, and a number in the place of each. The whole text is JSON exactly if this rest is JSON
  // and each piece is the inside of an array.
  const rest: Uint8Array[] = [];
  let end = 0;
  const enclosed = new Enclosed();
  for (const piece of body.pieces) {
    if (yielding.over) await yielding.next();
    rest.push(body.bytes(end, piece.start), Buffer.from(String(entries.length)));
    end = piece.end;
    entries.push(
      piece.excessive
        ? [excessiveEntry]
        : (parse(enclosed.around(body, piece.start, end), true) as unknown[]),
    );
    body.release(end);
  }
  rest.push(body.bytes(end));
  return filled(parse(Buffer.concat(rest), false), entries, yielding);
}

/**
 * The JSON value of a small text from the service, such as an event's.
 *
 * @returns undefined when it is not JSON, or exceeds `bounds`.
 */
export function parseSmall(text: string, bounds: AnswerBounds): unknown {
  const scan = new JsonScan(bounds, bounds);
  if ((scan.take(Buffer.from(text)) ?? scan.end()) !== null || !scan.isOnePiece) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Puts brackets around pieces, one after another in the same memory. */
class Enclosed {
  #memory = new Uint8Array();

  /** The bytes of `body` from `start` to before `end`, as an array. Valid until the next call. */
  around(body: Body, start: number, end: number): Uint8Array {
    const length = end - start + 2;
    if (this.#memory.byteLength < length) this.#memory = new Uint8Array(2 * length);
    const bytes = this.#memory.subarray(0, length);
    bytes[0] = 0x5b;
    body.copy(bytes.subarray(1, length - 1), start);
    bytes[length - 1] = 0x5d;
    return bytes;
  }
}

/** `isInner`: the text's start is elsewhere, so a byte order mark is an error here. */
const parse = (bytes: Uint8Array, isInner: boolean): unknown =>
  JSON.parse(new TextDecoder('utf-8', { ignoreBOM: isInner }).decode(bytes)) as unknown;

/** Replaces the numbers with their entries: in the outermost array, or in those directly in an object. */
async function filled(rest: unknown, entries: readonly unknown[][], yielding: Yielding): Promise<unknown> {
  if (Array.isArray(rest)) return await joined(rest, entries, yielding);
  if (!isObject(rest)) return rest;
  for (const name of Object.keys(rest)) {
    const value = ownValue(rest, name);
    if (!Array.isArray(value)) continue;
    const list = await joined(value, entries, yielding);
    Object.defineProperty(rest, name, { value: list, enumerable: true, configurable: true, writable: true });
  }
  return rest;
}

async function joined(
  numbers: readonly unknown[],
  entries: readonly unknown[][],
  yielding: Yielding,
): Promise<unknown[]> {
  const list: unknown[] = [];
  for (const number of numbers) {
    if (yielding.over) await yielding.next();
    for (const entry of entries[number as number] ?? []) list.push(entry);
  }
  return list;
}
