import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slots } from '../../../src-renderer/base/pagedRows.ts';

it('keeps the slot of a row that stays, and gives that of one that left to one that comes', () => {
  const slots = new Slots();
  expect(slots.assign(['a', 'b', 'c'])).toEqual([0, 1, 2]);
  expect(slots.assign(['b', 'c', 'd'])).toEqual([1, 2, 0]);
  expect(slots.assign(['d', 'b'])).toEqual([0, 1]);
  expect(slots.assign(['x', 'y', 'z'])).toEqual([0, 1, 2]);
});

it('never lends one slot twice, nor more than there are rows in view at once', () => {
  const views = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 12 }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(views, (steps) => {
      const slots = new Slots();
      let before = new Map<number, number>();
      let most = 0;
      for (const keys of steps) {
        const lent = slots.assign(keys);
        most = Math.max(most, keys.length);
        expect(new Set(lent).size).toBe(keys.length);
        expect(Math.max(-1, ...lent)).toBeLessThan(Math.max(1, most));
        for (const [at, key] of keys.entries()) {
          if (before.has(key)) expect(lent[at]).toBe(before.get(key));
        }
        before = new Map(keys.map((key, at) => [key, lent[at] ?? -1]));
      }
    }),
  );
});
