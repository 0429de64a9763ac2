import { expect, test } from 'vitest';
import { mapEnds } from '../../../../src-renderer/features/map/mapEnds.ts';

const vienna = { longitude: 16.37, latitude: 48.21, zoom: 12 };
const austria = { bounds: [9.5, 46.3, 17.2, 49.1] as [number, number, number, number], visible: true };

test('a package would help where the map is near and none that is shown lies there', () => {
  expect(mapEnds(vienna, [])).toBe(true);
  expect(mapEnds({ ...vienna, zoom: 8.9 }, []), 'the bundled map has more').toBe(false);
  expect(mapEnds(vienna, [austria])).toBe(false);
  expect(mapEnds(vienna, [{ ...austria, visible: false }])).toBe(true);
  expect(mapEnds({ ...vienna, longitude: -118 }, [austria])).toBe(true);
});
