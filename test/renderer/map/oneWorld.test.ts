import { LngLat } from 'maplibre-gl';
import { expect, test } from 'vitest';
import { latitudeOf } from '../../../src-renderer/map/clusters/points.ts';
import { centreLimits, fillingZoom, lookLimits } from '../../../src-renderer/map/oneWorld.ts';

const limitsOf = (clientWidth: number, clientHeight: number) =>
  lookLimits({
    getMinZoom: () => fillingZoom(clientWidth),
    getMaxZoom: () => 16,
    getContainer: () => ({ clientWidth, clientHeight }) as HTMLElement,
  });

test('a map that is higher than wide shows all longitudes, and all of the world in its height', () => {
  const limits = limitsOf(512, 800);
  expect(limits(new LngLat(170, 0), -1)).toEqual({ center: new LngLat(170, 0), zoom: 0 });
  const { center } = limits(new LngLat(170, -85), 0);
  expect(center.lng).toBe(170);
  expect(center.lat).toBeCloseTo(latitudeOf((400 + 96) / 512), 6);
});

test('a map may be moved a little beyond the poles, and no further', () => {
  const [first, last] = centreLimits(2_048, 800);
  expect([first, last]).toEqual([400 - 96, 2_048 - 400 + 96]);
  expect(limitsOf(1_024, 800)(new LngLat(0, 84), 2).center.lat).toBeCloseTo(latitudeOf(first / 2_048), 6);
  expect(limitsOf(1_024, 800)(new LngLat(5, 20), 20)).toEqual({ center: new LngLat(5, 20), zoom: 16 });
});
