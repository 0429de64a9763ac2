import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventLimit } from '../../../../src-main/core/features/events/eventBlocks.ts';
import { EventReader, type StreamMessage } from '../../../../src-main/core/features/events/eventReader.ts';

interface Reading {
  readonly messages: readonly StreamMessage[];
  readonly ids: readonly string[];
  readonly retries: readonly number[];
  readonly dropped: number;
}

function readAll(pieces: readonly Uint8Array[]): Reading {
  const ids: string[] = [];
  const retries: number[] = [];
  const messages: StreamMessage[] = [];
  const reader = new EventReader(
    (id) => ids.push(id),
    (ms) => retries.push(ms),
  );
  for (const piece of pieces) for (const message of reader.read(piece)) if (message) messages.push(message);
  reader.end();
  return { messages, ids, retries, dropped: reader.dropped };
}

const readText = (text: string): Reading => readAll([Buffer.from(text)]);

/** What the parser makes of the whole text at once. */
function expected(text: string): Reading {
  const ids: string[] = [];
  const retries: number[] = [];
  const messages: StreamMessage[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => messages.push({ kind: event ?? '', data }),
    onId: (id) => ids.push(id),
    onRetry: (ms) => retries.push(ms),
  });
  parser.feed(text);
  return { messages, ids, retries, dropped: 0 };
}

function split(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
}

const fragment = fc.constantFrom(
  'data: a',
  'data:b',
  'data',
  'data: {"é":"€😀"}',
  'event: kind',
  'event:',
  'id: 7',
  'id',
  'id: a\u0000b',
  'retry: 3000',
  'retry: soon',
  ': a comment',
  ':',
  'unknown: x',
  'dat',
  ' data: x',
  '\uFEFFdata: x',
  '',
  '',
  '',
);
const lineEnd = fc.constantFrom('\n', '\r', '\r\n');
// It always ends with an ended line: what a cut leaves of a line is another matter.
const streamText = fc
  .array(fc.tuple(fragment, lineEnd), { maxLength: 40 })
  .map((lines) => lines.map(([line, end]) => line + end).join(''));

describe('reading a stream', () => {
  it('gives what the parser gives, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(streamText, fc.array(fc.nat(2000), { maxLength: 30 }), (text, cuts) => {
        // The parser keeps a carriage return at the very end for itself.
        const whole = `${text}\n\n`;
        expect(readAll(split(Buffer.from(whole), cuts))).toEqual(expected(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same byte by byte, also within characters', () => {
    const text = '\uFEFFid: né\r\nevent: k😀\r\ndata: {"a":"€"}\r\ndata: more\r\n\r\n: c\r\r\rdata: z\n\n';
    const bytes = Buffer.from(text);
    const single = [...bytes].map((byte) => Uint8Array.of(byte));
    expect(readAll(single)).toEqual(expected(text));
    expect(readAll(single).messages).toEqual([
      { kind: 'k😀', data: '{"a":"€"}\nmore' },
      { kind: '', data: 'z' },
    ]);
  });

  it('drops an event over the limit, whether in one line or in many, and reads on', () => {
    const fits = `data: ${'x'.repeat(eventLimit - 7)}\n`;
    expect(Buffer.byteLength(fits)).toBe(eventLimit);
    const one = `data: ${'x'.repeat(eventLimit)}\n\n`;
    const many = `${'data: y\n'.repeat(eventLimit / 8 + 1)}\n`;
    const { messages, dropped } = readText(`${one}data: a\n\n${many}data: b\n\n${fits}\n`);
    expect(dropped).toBe(2);
    expect(messages.map(({ data }) => data.slice(0, 3))).toEqual(['a', 'b', 'xxx']);
  });

  it('counts no comment towards the limit, however many follow without a blank line', () => {
    const { messages, dropped } = readText(`data: a\n${': beat\n'.repeat(100_000)}data: b\n\n`);
    expect({ messages, dropped }).toEqual({ messages: [{ kind: '', data: 'a\nb' }], dropped: 0 });
  });

  it('drops what is not UTF-8, and its id with it', () => {
    const bad = Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xc3, 0x28, 0x0a]);
    const bytes = Buffer.concat([Buffer.from('id: bad\n'), bad, Buffer.from('\nid: 2\ndata: ok\n\n')]);
    const { messages, ids, dropped } = readAll([bytes]);
    expect({ messages, ids, dropped }).toEqual({
      messages: [{ kind: '', data: 'ok' }],
      ids: ['2'],
      dropped: 1,
    });
  });

  it('takes a waiting time from an event that was not ended, but no half line and no event', () => {
    expect(readText('data: a\nretry: 2000\nretry: 90')).toEqual({
      messages: [],
      ids: [],
      retries: [2000],
      dropped: 0,
    });
  });
});
