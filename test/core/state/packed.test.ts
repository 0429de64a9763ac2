import fc from 'fast-check';
import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { IdNumbers } from '../../../src-main/core/state/idNumbers.ts';
import { IdTable } from '../../../src-main/core/state/idTable.ts';
import { PackedBytes } from '../../../src-main/core/state/packedBytes.ts';
import { TimeTexts } from '../../../src-main/core/state/timeTexts.ts';

const bytesOf = (packed: PackedBytes, slot: number): string => {
  const run = packed.runOf(slot);
  return run === null ? '' : run.bytes.toString('utf8', run.start, run.end);
};

it('gives room back when runs go or are written over, whatever stays between them', () => {
  const packed = new PackedBytes(4_096);
  const run = (slot: number, round: number): Buffer =>
    Buffer.from(`${String(slot)} in round ${String(round)}`);
  for (let round = 0; round < 100; round += 1) {
    for (let slot = 0; slot < 1_000; slot += 1) {
      // Every tenth stays as it was written first.
      if (round > 0 && slot % 10 === 0) continue;
      const bytes = run(slot, round);
      packed.set(slot, bytes, bytes.length);
    }
  }
  const live = Array.from({ length: 1_000 }, (_, slot) => packed.lengthOf(slot)).reduce((a, b) => a + b, 0);
  expect(packed.room).toBeLessThan(live * 3);
  for (let slot = 0; slot < 1_000; slot += 1)
    expect(bytesOf(packed, slot)).toBe(run(slot, slot % 10 === 0 ? 0 : 99).toString());
  for (let slot = 0; slot < 1_000; slot += 1) packed.clear(slot);
  expect(packed.room).toBeLessThanOrEqual(4_096);
});

it('takes runs larger than a chunk, and copies those of any slots in their order', () => {
  const packed = new PackedBytes(1_024);
  const texts = ['short', 'x'.repeat(5_000), '', 'again', 'y'.repeat(100)];
  texts.forEach((text, slot) => {
    packed.set(slot, Buffer.from(text), text.length);
  });
  const { bytes, offsets } = packed.gather(Uint32Array.from([4, 0, 1, 2, 3]));
  expect(Buffer.from(bytes).toString()).toBe([4, 0, 1, 2, 3].map((slot) => texts[slot]).join(''));
  expect([...offsets]).toEqual([0, 100, 105, 5_105, 5_105, 5_110]);
});

// Of 200,000 hashes of 32 bits five pairs are equal; that none is happens once in a hundred runs.
it('tells ids apart whose hashes are equal, and finds each after half have gone', () => {
  const table = new IdTable();
  const count = 200_000;
  const ids = Array.from({ length: count }, (_, at) => hash('sha1', String(at), 'base64'));
  expect(ids.findIndex((id, at) => table.add(id) !== at)).toBe(-1);
  expect(ids.findIndex((id, at) => at % 2 === 0 && table.remove(id) !== at)).toBe(-1);
  expect(table.size).toBe(count / 2);
  expect(ids.findIndex((id, at) => table.slotOf(id) !== (at % 2 === 0 ? -1 : at))).toBe(-1);
  expect(ids.findIndex((id, at) => table.idAt(at) !== (at % 2 === 0 ? '' : id))).toBe(-1);
  expect(table.add('new')).toBe(count - 2);
});

it('takes ids of which one is the beginning of another, and none, for different ones', () => {
  const table = new IdTable();
  const ids = ['', 'a', 'aa', 'a\u0000', 'é', 'e\u0301', '火', '\ufffd', 'b'.repeat(1_024)];
  expect(ids.map((id) => table.add(id))).toEqual(ids.map((_, slot) => slot));
  expect(ids.map((id) => table.slotOf(id))).toEqual(ids.map((_, slot) => slot));
  expect([...table.ids()]).toEqual(ids);
  expect(table.has('b')).toBe(false);
  // As UTF-8 has no other way to write it.
  expect(table.slotOf('\ud800')).toBe(table.slotOf('\ufffd'));
});

it('has a number for each id, however large one of them is', () => {
  const numbers = new IdNumbers();
  const model = new Map<string, number>();
  const sizes = [0, 7, 0xff_ff, 0x1_00_00, 0xff_ff_ff_ff, 2 ** 32, Number.MAX_SAFE_INTEGER, 5];
  for (const [round, most] of sizes.entries())
    for (let at = 0; at < 700; at += 1) {
      const id = `i-${String((at * 31 + round * 400) % 2_000)}`;
      numbers.set(id, Math.max(0, most - at));
      model.set(id, Math.max(0, most - at));
      if (at % 5 !== 0) continue;
      numbers.delete(`i-${String(at)}`);
      model.delete(`i-${String(at)}`);
    }
  expect(numbers.size).toBe(model.size);
  for (let at = 0; at < 2_000; at += 1)
    expect(numbers.get(`i-${String(at)}`)).toBe(model.get(`i-${String(at)}`));
});

it('writes times as JavaScript does', () => {
  const times = new TimeTexts();
  fc.assert(
    fc.property(fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }), (at) => {
      const text = new Date(at).toISOString();
      expect(times.textOf(at, 'fraction')).toBe(text);
      expect(times.textOf(at, 'whole')).toBe(text.replace(/\.\d{3}/, ''));
      expect(times.formOf(text, at + 1)).toBeNull();
      // Six digits of a year are a length that no form has.
      const isShort = text.length === 24;
      expect(times.formOf(text, at)).toBe(isShort ? 'fraction' : null);
      const whole = text.replace(/\.\d{3}/, '');
      expect(times.formOf(whole, at)).toBe(isShort ? 'whole' : null);
    }),
    { numRuns: 2_000 },
  );
  expect(times.textOf(Number.NaN, 'whole')).toBe('');
  expect(times.formOf('2026-11-20T12:00:00Z', Number.NaN)).toBeNull();
});

it('takes no other way to write a time for its own', () => {
  const times = new TimeTexts();
  const at = Date.UTC(2026, 10, 20, 12, 1, 0, 5);
  expect(times.formOf('2026-11-20T12:01:00.005Z', at)).toBe('fraction');
  for (const text of [
    '2026-11-20t12:01:00.005Z',
    '2026-11-20T12:01:00.005z',
    '2026-11-20T12:00:60.005Z',
    '2026-11-20T11:61:00.005Z',
    '2026-11-20T12:01:00,005Z',
    '2026-11-20T12:01:00.0050',
    '2026-11-20 12:01:00.005Z',
    '2026-11-20T12-01:00.005Z',
    '2026-11-20T12:01-00.005Z',
    '2026-11-20T12:01: 0.005Z',
  ])
    expect(times.formOf(text, at)).toBeNull();
  expect(times.formOf('2026-11-20T12:01:00+', at)).toBeNull();
});
