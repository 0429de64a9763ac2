import { expect, it } from 'vitest';
import { readImage } from '../../../../src-main/core/features/maps/image.ts';

/** A JPEG up to its frame header: 512 by 256 pixels, with fill bytes before the frame's marker. */
const jpeg = (fill: number): Uint8Array =>
  Uint8Array.of(
    0xff,
    0xd8,
    ...Array<number>(fill).fill(0xff),
    0xff,
    0xc0,
    0,
    11,
    8,
    1,
    0,
    2,
    0,
    1,
    1,
    0x11,
    0,
  );

it.each([0, 1, 3])('a JPEG tile has its size behind %i fill bytes', (fill) => {
  expect(readImage(jpeg(fill))).toEqual({ type: 'jpg', width: 512, height: 256, whole: true });
});
