import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  brushOf,
  keyed,
  shifted,
  spanned,
  wholeBrush,
  windowOf,
  type BrushPart,
} from '../../../../src-renderer/features/timeline/brush.ts';

const bins = 20;
const parts: readonly BrushPart[] = ['first', 'end', 'all'];
const keys = [
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Escape',
];
const brushes = fc
  .tuple(fc.nat(bins - 1), fc.nat(bins - 1))
  .map(([a, b]) => ({ first: Math.min(a, b), end: Math.max(a, b) + 1 }));

describe('the brush by keys', () => {
  const from = { first: 5, end: 8 };
  it.each([
    ['end', 'ArrowRight', false, { first: 5, end: 9 }],
    ['end', 'ArrowLeft', false, { first: 5, end: 7 }],
    ['end', 'ArrowLeft', true, { first: 4, end: 8 }],
    ['first', 'ArrowLeft', false, { first: 4, end: 8 }],
    ['first', 'ArrowRight', true, { first: 5, end: 9 }],
    ['all', 'ArrowRight', false, { first: 6, end: 9 }],
    ['all', 'ArrowRight', true, { first: 5, end: 9 }],
    ['all', 'ArrowDown', false, { first: 4, end: 7 }],
    ['all', 'PageUp', false, { first: 15, end: 18 }],
    ['all', 'End', false, { first: 17, end: 20 }],
    ['all', 'Home', false, { first: 0, end: 3 }],
    ['first', 'Home', false, { first: 0, end: 8 }],
    ['first', 'End', false, { first: 7, end: 8 }],
    ['end', 'End', false, { first: 5, end: 20 }],
    ['end', 'Home', false, { first: 5, end: 6 }],
    ['end', 'PageDown', false, { first: 5, end: 6 }],
    ['first', 'Escape', false, { first: 0, end: 20 }],
  ] as const)('%s with %s, shift %s', (part, key, shift, expected) => {
    expect(keyed(from, part, key, shift, bins)).toEqual(expected);
  });

  it('leaves every other key alone', () => {
    for (const key of ['Enter', 'a', 'Tab', ' ']) expect(keyed(from, 'end', key, false, bins)).toBeNull();
  });

  it('always holds at least one bin, and none outside', () => {
    fc.assert(
      fc.property(
        brushes,
        fc.array(fc.tuple(fc.constantFrom(...parts), fc.constantFrom(...keys), fc.boolean()), {
          maxLength: 40,
        }),
        (begin, presses) => {
          let brush = begin;
          for (const [part, key, shift] of presses) {
            const next = keyed(brush, part, key, shift, bins);
            expect(next).not.toBeNull();
            brush = next ?? brush;
            expect(brush.first).toBeGreaterThanOrEqual(0);
            expect(brush.end).toBeLessThanOrEqual(bins);
            expect(brush.end).toBeGreaterThan(brush.first);
          }
        },
      ),
    );
  });
});

describe('the brush by pointer', () => {
  it('spans both bins, whichever way it was drawn', () => {
    expect(spanned(3, 7, bins)).toEqual({ first: 3, end: 8 });
    expect(spanned(7, 3, bins)).toEqual({ first: 3, end: 8 });
    expect(spanned(4, 4, bins)).toEqual({ first: 4, end: 5 });
    expect(spanned(-9, 99, bins)).toEqual(wholeBrush(bins));
  });
  it('keeps its length while it is moved, also against the ends', () => {
    fc.assert(
      fc.property(brushes, fc.integer({ min: -50, max: 50 }), (brush, by) => {
        const moved = shifted(brush, 'all', by, bins);
        expect(moved.end - moved.first).toBe(brush.end - brush.first);
        expect(moved.first).toBeGreaterThanOrEqual(0);
        expect(moved.end).toBeLessThanOrEqual(bins);
      }),
    );
  });
});

describe('the window of a brush', () => {
  const edges = Float64Array.from({ length: bins + 1 }, (_, index) => 1_000 + index * 60_000);
  it('holds its bins and nothing of the next, and is none when all are chosen', () => {
    expect(windowOf({ first: 1, end: 3 }, edges)).toEqual({ from: 61_000, to: 180_999 });
    expect(windowOf(wholeBrush(bins), edges)).toBeNull();
  });
  it('and back', () => {
    fc.assert(
      fc.property(brushes, (brush) => {
        expect(brushOf(windowOf(brush, edges), edges)).toEqual(brush);
      }),
    );
  });
  it('shows a window outside at the nearest end', () => {
    expect(brushOf({ from: -99, to: -9 }, edges)).toEqual({ first: 0, end: 1 });
    expect(brushOf({ from: 9e12, to: 9e13 }, edges)).toEqual({ first: bins - 1, end: bins });
  });
});
