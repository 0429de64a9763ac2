import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { glossary } from '../../../../src-renderer/features/help/glossary.ts';
import { cardPlace, tourSteps } from '../../../../src-renderer/features/help/tour.ts';

const size = (most: number) => fc.integer({ min: 1, max: most });

describe('the tour', () => {
  it('has six steps', () => {
    expect(new Set(tourSteps.map(({ id }) => id)).size).toBe(6);
  });

  it('keeps its card inside the window, wherever its part lies', () => {
    const part = fc.record({
      left: fc.integer({ min: -200, max: 2_000 }),
      top: fc.integer({ min: -200, max: 1_200 }),
      width: size(2_000),
      height: size(1_200),
    });
    fc.assert(
      fc.property(fc.option(part), (box) => {
        const card = { width: 380, height: 240 };
        const window = { width: 1_024, height: 768 };
        const { left, top } = cardPlace(box, card, window);
        expect(left).toBeGreaterThanOrEqual(0);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(left + card.width).toBeLessThanOrEqual(window.width);
        expect(top + card.height).toBeLessThanOrEqual(window.height);
      }),
    );
  });

  it('does not cover the part that it speaks of while there is room beside it', () => {
    const window = { width: 1_440, height: 900 };
    const card = { width: 380, height: 240 };
    const rail = { left: 0, top: 0, width: 56, height: 870 };
    expect(cardPlace(rail, card, window).left).toBeGreaterThan(56);
    const status = { left: 0, top: 870, width: 1_440, height: 30 };
    expect(cardPlace(status, card, window).top + card.height).toBeLessThan(870);
  });
});

it('no word is explained twice, and each group has some', () => {
  const words = glossary.flatMap((group) => group.words);
  expect(new Set(words).size).toBe(words.length);
  expect(glossary.filter((group) => group.words.length < 2)).toEqual([]);
});
