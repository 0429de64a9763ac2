import { describe, expect, it } from 'vitest';
import { severitiesWorstFirst } from '../../../src-preload/contract/index.ts';
import { severityGlyphs } from '../../../src-renderer/design/glyphs.ts';
import { coverage, difference } from '../raster.ts';

/** As small as glyphs are drawn: the legend’s, the rows’ and the map’s. */
const sizes = [12, 16, 24] as const;
const pairs = severitiesWorstFirst.flatMap((a, at) =>
  severitiesWorstFirst.slice(at + 1).map((b) => [a, b] as const),
);

describe.each(['path', 'byShape'] as const)('severity without colour (%s)', (kind) => {
  it.each(pairs)('%s and %s differ in a sixth of what is inked, in every size', (a, b) => {
    for (const size of sizes) {
      const [one, other] = [severityGlyphs[a][kind], severityGlyphs[b][kind]].map((path) =>
        coverage(path, size),
      );
      expect(difference(one ?? [], other ?? []), `${size} px`).toBeGreaterThan(1 / 6);
    }
  });
});

it('what may be urgent is full and the others hollow where there is one hue', () => {
  const full = severitiesWorstFirst.filter((name) => {
    const { path, byShape } = severityGlyphs[name];
    return difference(coverage(path, 24), coverage(byShape, 24)) < 0.01;
  });
  expect(full).toEqual(['critical', 'unknown', 'high']);
});

it('a raster of a path is what was drawn', () => {
  const square = coverage('M0 0h12v24H0Z', 24);
  const inked = square.reduce((sum, pixel) => sum + pixel, 0);
  expect(inked).toBeCloseTo(12 * 24, 0);
  const ring = coverage('M0 0h24v24H0ZM6 6v12h12V6Z', 24);
  expect(ring.reduce((sum, pixel) => sum + pixel, 0)).toBeCloseTo(24 * 24 - 12 * 12, 0);
  expect(difference(square, square)).toBe(0);
});
