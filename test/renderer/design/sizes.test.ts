import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textSizes } from '../../../src-preload/contract/index.ts';
import { bodyPx, sizesFor } from '../../../src-renderer/design/sizes.ts';
import { minuteOfText, textOfMinute } from '../../../src-renderer/base/minutes.ts';

describe('the sizes of the page', () => {
  it('are look.md’s at the usual text size', () => {
    expect(sizesFor('normal', false, 900)).toEqual({
      text: 1,
      row: 44,
      control: 32,
      controlSmall: 24,
      option: 28,
      target: 24,
      rail: 56,
      railLabelled: 88,
      status: 30,
    });
  });

  it.each(textSizes)('give fingers 44 px to press and rows of 56 px at least, with text %s', (size) => {
    const { row, control, controlSmall, option, target, status } = sizesFor(size, true, 900);
    expect(row).toBeGreaterThanOrEqual(56);
    for (const px of [control, controlSmall, option, target, status]) expect(px).toBeGreaterThanOrEqual(44);
  });

  it.each(textSizes)('hold the lines that stand in them, with text %s', (size) => {
    const { text, row, control, controlSmall, status, target } = sizesFor(size, false, 900);
    const line = (px: number): number => px * text;
    // A row: a line of 18 and one of 16 px, and 3 px above and below.
    expect(row).toBeGreaterThanOrEqual(line(34) + 6);
    // A control and the status bar: a line of the body's or of the smaller text, inside their borders.
    expect(control).toBeGreaterThanOrEqual(line(20) + 2);
    expect(controlSmall).toBeGreaterThanOrEqual(line(16) + 2);
    expect(status).toBeGreaterThanOrEqual(line(18) + 1);
    expect(target).toBeGreaterThanOrEqual(24);
  });

  it('grow with a window that is higher than 1,440 px', () => {
    expect(sizesFor('normal', false, 1_440)).toEqual(sizesFor('normal', false, 900));
    expect(sizesFor('normal', false, 2_160)).toMatchObject({ text: 1.5, row: 66, control: 39, status: 36 });
  });

  it('are these at the largest', () => {
    const largest = { row: 58, control: 34, controlSmall: 27, option: 34, target: 24, status: 31 };
    expect(sizesFor('largest', false, 900)).toMatchObject(largest);
  });

  it('grow with the text, and body text is 12, 13, 15 and 17 px', () => {
    expect(textSizes.map((size) => Math.round(sizesFor(size, false, 900).text * 13))).toEqual([
      12, 13, 15, 17,
    ]);
    expect(textSizes.map((size) => bodyPx[size])).toEqual([12, 13, 15, 17]);
    const rows = textSizes.map((size) => sizesFor(size, false, 900).row);
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
    expect(new Set(rows).size).toBe(4);
  });
});

describe('minutes of the day as a time field has them', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_439 }), (minute) => {
        expect(minuteOfText(textOfMinute(minute))).toBe(minute);
        expect(minuteOfText(`${textOfMinute(minute)}:59`)).toBe(minute);
      }),
    );
  });

  it.each(['', '7:30', '24:00', '12:60', '12', 'noon'])('are none in %j', (text) => {
    expect(minuteOfText(text)).toBeNull();
  });
});
