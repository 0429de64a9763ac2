import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anchorLimit, searchAnchors, WantedText } from '../../../src-main/core/state/anchorSearch.ts';
import { IncidentTable } from '../../../src-main/core/state/incidentTable.ts';
import { createTestStore, record } from './storeFixtures.ts';

const sighting = { seenAt: 1, arrivedAt: 0 };
const never = { over: false, next: () => Promise.reject(new Error('waited')) };

function tableOf(anchors: readonly (readonly string[])[]): IncidentTable {
  const table = new IncidentTable();
  anchors.forEach((blockchainRecords, at) => {
    table.upsert({ ...record(`i-${at}`), blockchainRecords }, sighting, 1);
  });
  return table;
}

it('finds incidents by a part of any of their records, whatever its case, and none that went', async () => {
  const table = tableOf([['0xABcd', '0x11'], [], ['0xabCE'], ['0x22'], ['0xabc0']]);
  table.remove('i-4', 2);
  expect(await searchAnchors(table, 'ABC', never)).toEqual({ keys: [1, 3], more: false });
  expect(await searchAnchors(table, '0x22', never)).toEqual({ keys: [4], more: false });
  expect(await searchAnchors(table, '0x33', never)).toEqual({ keys: [], more: false });
});

it('names as many as a reply takes, and says that there are more', async () => {
  const all = await searchAnchors(tableOf(Array.from({ length: anchorLimit }, () => ['0xa'])), '0xa', never);
  expect([all.keys.length, all.more]).toEqual([anchorLimit, false]);
  const cut = await searchAnchors(
    tableOf(Array.from({ length: anchorLimit + 1 }, () => ['0xa'])),
    '0xa',
    never,
  );
  expect([cut.keys.length, cut.more]).toEqual([anchorLimit, true]);
});

it('lets others have their turn, and reads what came meanwhile', async () => {
  const table = tableOf(Array.from({ length: 1_000 }, () => ['0xa']));
  let yielding = 0;
  const found = await searchAnchors(table, '0xa', {
    over: true,
    next: async () => {
      yielding += 1;
      if (yielding === 2) table.upsert({ ...record('late'), blockchainRecords: ['0xA'] }, sighting, 2);
    },
  });
  expect(yielding).toBe(4);
  expect(found.keys).toHaveLength(1_001);
});

it('answers nothing of an epoch that ended while it looked', async () => {
  const store = createTestStore();
  const upserts = Array.from({ length: 200_000 }, (_, at) => ({
    record: { ...record(`i-${at}`), blockchainRecords: ['0xa'] },
    sighting,
  }));
  await store.applyRows({ upserts, removals: [] });
  expect((await store.findAnchors('0xA')).keys).toHaveLength(anchorLimit);
  const asked = store.findAnchors('0xa');
  store.beginEpoch();
  expect(await asked).toEqual({ keys: [], more: false });
  expect(await store.findAnchors('0xa')).toEqual({ keys: [], more: false });
});

it('finds in records of any kind what a plain look at their texts finds', async () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 8, maxLength: 40 });
  const text = fc.oneof(
    digits,
    digits.map((one) => `0x${one}`),
    digits.map((one) => `0X${one.toUpperCase()}`),
    fc.string({ unit: fc.constantFrom(...'0x1aA火\ud800'), maxLength: 24 }),
  );
  const wanted = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0xX1aAfF'), minLength: 1, maxLength: 3 }),
    fc.constantFrom('0', 'x', '0x', '0X', 'x0', '0x1', '火', 'g'),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 12 }),
      wanted,
      async (anchors, part) => {
        const { keys } = await searchAnchors(tableOf(anchors), part, never);
        const plain = anchors.flatMap((records, at) =>
          records.some((one) => one.toLowerCase().includes(part.toLowerCase())) ? [at + 1] : [],
        );
        expect(keys).toEqual(plain);
      },
    ),
    { numRuns: 500 },
  );
});

it('does not read on into the digits of the next record', () => {
  const bytes = Uint8Array.from([0xab, 0xcd, 0xef]);
  expect(new WantedText('bcd').isInDigits(bytes, 0, 2, false)).toBe(true);
  expect(new WantedText('cde').isInDigits(bytes, 0, 2, false)).toBe(false);
  expect(new WantedText('0xabcde').isInDigits(bytes, 0, 2, true)).toBe(false);
});
