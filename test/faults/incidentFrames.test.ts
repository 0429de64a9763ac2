import { expect, it } from 'vitest';
import type { Seeded } from '../../src-main/training/seeded.ts';
import {
  decodeIncidentFrame,
  encodeIncidentFrame,
  incidentId,
  type IncidentFrame,
} from '../../src-preload/contract/index.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { damage, drawBytes, drawJunk, jsonText, setOwn } from './support/mutations.ts';

function drawFrame(draw: Seeded): IncidentFrame {
  const length = draw.below(20);
  const whole = (below: number) => (): number => draw.below(below);
  const numbers = (make: () => number): number[] => Array.from({ length }, make);
  const ids = numbers(whole(1e9)).map((id) => Buffer.from(`é-${String(id)}`));
  const idOffsets = new Uint32Array(length + 1);
  for (const [index, id] of ids.entries()) idOffsets[index + 1] = (idOffsets[index] ?? 0) + id.byteLength;
  return {
    complete: draw.below(2) === 0,
    removed: Uint32Array.from({ length: draw.below(5) }, whole(100)),
    dictionaries: { severity: ['low', 'high'], status: ['open'], type: ['fire', 'flood', ''] },
    columns: {
      length,
      key: Uint32Array.from(numbers(whole(1e9))),
      createdAt: Float64Array.from(numbers(whole(2e12))),
      latitude: Float64Array.from(numbers(whole(90))),
      longitude: Float64Array.from(numbers(whole(180))),
      arrivedAt: new Float64Array(length),
      evidenceCount: Uint32Array.from(numbers(whole(9))),
      anchorCount: Uint32Array.from(numbers(whole(9))),
      severity: Uint16Array.from(numbers(whole(2))),
      status: new Uint16Array(length),
      type: Uint16Array.from(numbers(whole(3))),
      notReturned: Uint8Array.from(numbers(whole(2))),
      idOffsets,
      idBytes: Uint8Array.from(Buffer.concat(ids)),
    },
  };
}

const counts: readonly [unknown, ...unknown[]] = [
  -1,
  -0.5,
  0.5,
  1.5,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53,
  1e300,
  '3',
  null,
  [],
  [2],
  {},
  true,
];

/** The same columns under a header that lies. */
function relabelled(bytes: Uint8Array, draw: Seeded): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(4, true);
  const header = JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString()) as Record<string, unknown>;
  const name = draw.pick(['rows', 'removed', 'idBytes', 'dictionaries', 'complete']);
  const kind = draw.below(6);
  if (kind === 0) Reflect.deleteProperty(header, name);
  else if (kind < 4) setOwn(header, name, draw.pick(counts));
  else setOwn(header, name, drawJunk(draw));
  const dictionaries = [{ severity: [1], status: [], type: [] }, { severity: ['a'] }, [[], [], []], 'x'];
  if (kind === 5) setOwn(header, 'dictionaries', dictionaries[draw.below(dictionaries.length)]);
  const text = Buffer.from(
    jsonText(draw.below(12) === 0 ? draw.pick([null, [], 7, 'x', drawJunk(draw)]) : header),
  );
  const padding = (8 - (text.byteLength % 8)) % 8;
  const head = Buffer.from(bytes.subarray(0, 8));
  head.writeUInt32LE(text.byteLength, 4);
  const bodyAt = Math.ceil((8 + length) / 8) * 8;
  return Uint8Array.from(Buffer.concat([head, text, Buffer.alloc(padding), bytes.subarray(bodyAt)]));
}

/** Where a frame may lie: alone in its buffer, or within another one at any offset. */
function placed(bytes: Uint8Array, draw: Seeded): Uint8Array {
  const before = draw.below(9);
  if (before === 0) return bytes;
  const around = draw.below(2) === 0 ? Buffer.alloc(before + bytes.byteLength + 64) : null;
  const room = around ?? new Uint8Array(before + bytes.byteLength);
  room.set(bytes, before);
  return room.subarray(before, before + bytes.byteLength);
}

function expectWellFormed(frame: IncidentFrame, block: Uint8Array): void {
  const { columns, removed, dictionaries, complete } = frame;
  const { length, idOffsets, idBytes, ...rest } = columns;
  expect(typeof complete).toBe('boolean');
  expect(Number.isSafeInteger(length) && length >= 0).toBe(true);
  for (const [name, column] of Object.entries(rest)) expect(column.length === length, name).toBe(true);
  expect(idOffsets.length).toBe(length + 1);
  // Views on the block, or on one copy of it: nothing is made as large as a header claims.
  const { buffer } = columns.key;
  if (buffer !== block.buffer) expect(buffer.byteLength).toBe(block.byteLength);
  for (const view of [...Object.values(rest), idOffsets, idBytes, removed]) expect(view.buffer).toBe(buffer);
  const at = buffer === block.buffer ? block.byteOffset : 0;
  expect(idBytes.byteOffset + idBytes.byteLength).toBeLessThanOrEqual(at + block.byteLength);
  for (const texts of [dictionaries.severity, dictionaries.status, dictionaries.type]) {
    expect(Array.isArray(texts) && texts.every((text) => typeof text === 'string')).toBe(true);
  }
  for (let index = 0; index < length; index += 1) expect(typeof incidentId(columns, index)).toBe('string');
}

it(
  'decodes any block of bytes to a frame or to a RangeError',
  async () => {
    const options = { name: 'incident-frames', whole: 10_000, part: 500 };
    const outcomes = await runCampaign(options, (draw, index) => {
      const frame = drawFrame(draw);
      const encoded = encodeIncidentFrame(frame);
      if (index % 10 === 0) {
        expect(decodeIncidentFrame(placed(encoded, draw))).toEqual(frame);
        return 'as encoded';
      }
      const kind = draw.below(10);
      let bytes = encoded as Uint8Array;
      if (kind === 0) bytes = drawBytes(draw, 300);
      else if (kind === 1) bytes = encoded.slice(0, draw.below(encoded.byteLength));
      else if (kind < 6) bytes = damage(encoded, draw);
      else bytes = relabelled(encoded, draw);
      const block = placed(bytes, draw);
      let decoded: IncidentFrame;
      try {
        decoded = decodeIncidentFrame(block);
      } catch (error) {
        expect(error, String(error)).toBeInstanceOf(RangeError);
        return 'refused';
      }
      expectWellFormed(decoded, block);
      return 'well-formed';
    });
    for (const outcome of ['as encoded', 'refused', 'well-formed']) {
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
    }
  },
  campaignTimeoutMs,
);
