import fc from 'fast-check';
import process from 'node:process';
import { Readable } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { excessiveEntry } from '../../../../src-main/core/base/json.ts';
import {
  deepestNesting,
  listAnswer,
  longestNumber,
  smallAnswer,
  type AnswerBounds,
} from '../../../../src-main/core/service/transport/answerBounds.ts';
import { decodeJson, parseSmall } from '../../../../src-main/core/service/transport/decodeJson.ts';
import {
  JsonScan,
  type Piece,
  type PieceSize,
} from '../../../../src-main/core/service/transport/jsonScan.ts';
import { BodyError, readBody } from '../../../../src-main/core/service/transport/readBody.ts';
import { casesOf } from '../../../support/campaign.ts';

/** What became of a body: its value, the bound that it exceeds, or that it is no JSON. */
async function reading(
  chunks: readonly Uint8Array[],
  bounds: AnswerBounds = listAnswer,
  piece?: PieceSize,
): Promise<{ readonly value: unknown } | string> {
  try {
    const body = await readBody(Readable.from(chunks, { objectMode: true }), {
      encoding: undefined,
      bounds,
      piece,
    });
    return { value: await decodeJson(body) };
  } catch (error) {
    if (error instanceof BodyError) return error.excess ?? error.problem;
    expect(error).toBeInstanceOf(SyntaxError);
    return 'no JSON';
  }
}

const read = (text: string, bounds?: AnswerBounds, piece?: PieceSize): ReturnType<typeof reading> =>
  reading([Buffer.from(text)], bounds, piece);

function parsed(bytes: Uint8Array): { readonly value: unknown } | 'no JSON' {
  try {
    return { value: JSON.parse(new TextDecoder().decode(bytes)) };
  } catch {
    return 'no JSON';
  }
}

function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const edges = [0, ...cuts.map((at) => at % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

/** Bytes that matter to a scanner, so that what they are put into breaks in every way. */
const marks = ['[', ']', '{', '}', ',', ':', '"', '\\', ' ', '\n', '1', 'true', '"a":', '\uFEFF', '\\u00'];

const texts = fc
  .tuple(
    fc.oneof(
      fc.json({ depthSize: 'medium' }),
      fc.array(fc.jsonValue()).map((list) => JSON.stringify(list, null, 1)),
      fc.record({ items: fc.array(fc.jsonValue()), rest: fc.jsonValue() }).map((of) => JSON.stringify(of)),
      fc
        .array(fc.tuple(fc.constantFrom('"a"', '"__proto__"', '"\\u0061"'), fc.json()))
        .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`),
      fc.array(fc.constantFrom(...marks)).map((of) => of.join('')),
    ),
    fc.array(fc.tuple(fc.nat(), fc.nat(4), fc.constantFrom('', ...marks)), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([text, damages, isWhole]) => {
    if (isWhole) return text;
    return damages.reduce((of, [at, length, mark]) => {
      const from = at % (of.length + 1);
      return of.slice(0, from) + mark + of.slice(from + length);
    }, text);
  });

const bytesOf = fc.oneof(
  texts.map((text) => Buffer.from(text)),
  fc.tuple(texts, fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
    const bytes = Buffer.from(text);
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  }),
);

describe('an answer that is parsed a piece at a time', () => {
  it('is what JSON.parse makes of it, or no JSON where that throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytesOf,
        fc.array(fc.nat(), { maxLength: 6 }),
        fc.record({ bytes: fc.constantFrom(1, 8, 64), values: fc.constantFrom(1, 3, 100) }),
        async (bytes, cuts, piece) => {
          const expected = parsed(bytes);
          const found = await reading(cut(bytes, cuts), listAnswer, piece);
          expect(found).toEqual(expected);
          // Also where the order of names tells, and what `toEqual` takes for the same.
          expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
        },
      ),
      { numRuns: casesOf({ part: 400, whole: 3_000 }) },
    );
  });

  it('never has more to parse in one go than a piece and one entry', () => {
    const entry = (index: number): string => `{"id":"${String(index)}","list":[${'1,'.repeat(index % 50)}1]}`;
    const text = `{"items":[${Array.from({ length: 20_000 }, (_, index) => entry(index)).join(',\n')}]}`;
    const scan = new JsonScan(listAnswer);
    expect(scan.take(Buffer.from(text)) ?? scan.end()).toBeNull();
    expect(scan.isOnePiece).toBe(false);
    expect(scan.pieces.reduce((sum, { records }) => sum + records, 0)).toBe(20_000);
    const most = (of: (piece: Piece) => number): number => Math.max(...scan.pieces.map(of));
    expect(most(({ values }) => values)).toBeLessThanOrEqual(20_000 + 60);
    expect(most(({ start, end }) => end - start)).toBeLessThanOrEqual(256 * 1024 + 200);
  });
});

describe('the bounds of an answer', () => {
  const filled = (entry: string, count: number): string => `[${`${entry},`.repeat(count - 1)}${entry}]`;
  const tight: AnswerBounds = {
    ...listAnswer,
    bytes: 1_000_000,
    values: 5_000,
    containers: 1_000,
    records: 900,
  };

  it.each([
    ['values', filled('{"a":1,"b":2,"c":3,"d":4,"e":5}', 600)],
    ['values', filled('[[]]', 501)],
    ['records', filled('0', 901)],
    ['records', `{"a":${filled('0', 451)},"b":${filled('0', 450)}}`],
    ['bytes', `[${' '.repeat(1_000_000)}]`],
  ])('end a body with too many %s', async (bound, text) => {
    expect(await read(text, tight)).toBe(bound);
  });

  it('let pass what is at the bounds', async () => {
    expect(await read(filled('0', 900), tight)).toEqual({ value: Array(900).fill(0) });
    const list = filled('[]', 120_000);
    expect(((await read(list)) as { value: unknown[] }).value).toHaveLength(120_000);
    expect(await read(filled('[]', 120_001))).toBe('records');
  });

  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  it.each([
    ['is too large', JSON.stringify({ text: 'x'.repeat(256 * 1024) })],
    ['has too many values', filled('1', 20_001)],
    ['is nested too deep', nested(deepestNesting + 1)],
    ['is nested deeper than any stack', nested(100_000)],
    ['has a number without end', '1'.repeat(longestNumber + 1)],
    ['has a number without end in it', `{"a":[${'1'.repeat(longestNumber + 1)}]}`],
  ])('set aside one entry that %s, and take no other with it', async (_, entry) => {
    const value = [{ a: 1 }, excessiveEntry, [2]];
    expect(await read(`[{"a":1},${entry},[2]]`)).toEqual({ value });
    expect(await read(`{"items":[{"a":1} , ${entry} ,[2]],"next_cursor":"c"}`)).toEqual({
      value: { items: value, next_cursor: 'c' },
    });
  });

  it.each([
    ['depth', `{"a":${nested(100_000).replace('[', '{"b":[').replace(/\]$/, ']}')}}`],
    ['beside', `{"items":[],"more":"${'x'.repeat(1024 * 1024)}"}`],
    ['beside', `{"more":${`{"b":${filled('1', 20_001)}}`},"items":[]}`],
    ['beside', `{"total":${'1'.repeat(longestNumber + 1)},"items":[]}`],
    ['beside', `[1,${' '.repeat(600_000)}2,${' '.repeat(600_000)}3]`],
    ['beside', `"${'x'.repeat(1024 * 1024)}"`],
  ])('count what is beside lists (%s)', async (bound, text) => {
    expect(await read(text)).toBe(bound);
  });

  it('keep an entry whose nesting, size and numbers are at the bounds', async () => {
    for (const entry of [
      nested(deepestNesting),
      JSON.stringify('x'.repeat(256 * 1024 - 2)),
      filled('1', 19_999),
      '1'.repeat(longestNumber),
    ]) {
      expect(await read(`[${entry}]`)).toEqual({ value: [JSON.parse(entry)] });
    }
  });

  it('are the same however the bytes come', async () => {
    const bytes = Buffer.from(`{"a":"\\"[","items":[${nested(201)},"é\\\\",-1.5e3],"b":tru}`);
    for (let size = 1; size < 8; size += 1) {
      const scan = new JsonScan(smallAnswer);
      for (let at = 0; at < bytes.length; at += size)
        expect(scan.take(bytes.subarray(at, at + size))).toBeNull();
      expect(scan.end()).toBeNull();
      const whole = new JsonScan(smallAnswer);
      expect(whole.take(bytes) ?? whole.end()).toBeNull();
      expect(scan.pieces).toEqual(whole.pieces);
      expect(scan.pieces.map(({ excessive }) => excessive)).toEqual([true, false]);
    }
  });
});

describe('a compressed answer', () => {
  // Of single entries, of thousands, and one that is set aside with all the memory that it fills.
  const ordinary = Array.from({ length: 40_000 }, (_, id) => ({
    id,
    text: `${'é'.repeat(150)}${String(id)}`,
  }));
  const excessive = `{"more":[${'"x",'.repeat(1_500_000)}1]}`;
  const half = ordinary.map((entry) => JSON.stringify(entry)).join(',');
  const answer = Buffer.from(`{"items":[${half},${excessive},${half}],"next_cursor":"c"}`);

  it.each([
    ['gzip', gzipSync(answer)],
    ['br', brotliCompressSync(answer, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ])(
    'in %s is read as it was sent, and leaves none of its memory to the garbage collector',
    async (encoding, bytes) => {
      const before = process.memoryUsage().arrayBuffers;
      const chunks = Readable.from(cut(bytes, [1, 70_000, 90_000]));
      const body = await readBody(chunks, { encoding, bounds: listAnswer });
      // What is set aside was never held.
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(
        answer.length - excessive.length + 4 * 1024 * 1024,
      );
      expect(await decodeJson(body)).toEqual({
        items: [...ordinary, excessiveEntry, ...ordinary],
        next_cursor: 'c',
      });
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
    },
  );

  it('that exceeds a bound leaves none either', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const bounds = { ...listAnswer, bytes: answer.length - 1 };
    const body = readBody(Readable.from([gzipSync(answer)]), { encoding: 'gzip', bounds });
    await expect(body).rejects.toThrow('too-large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
  });
});

describe('a small text', () => {
  it('is parsed within its bounds, and nothing beyond them', () => {
    expect(parseSmall('{"a":[1]}', smallAnswer)).toEqual({ a: [1] });
    expect(parseSmall('{"a":[1}', smallAnswer)).toBeUndefined();
    expect(parseSmall(filledArrays(20_001), smallAnswer)).toBeUndefined();
    expect(parseSmall('['.repeat(50_000) + ']'.repeat(50_000), smallAnswer)).toBeUndefined();
  });
  const filledArrays = (count: number): string => `[${'[],'.repeat(count)}[]]`;
});
