import { expect, it } from 'vitest';
import {
  ageWords,
  countWords,
  emptyWords,
  plainFigure,
  rangeWords,
  rowWords,
} from '../../../../src-renderer/features/drones/droneText.ts';
import { ordinary } from '../../../support/messages.ts';
import type { Drone } from '../../../../src-renderer/table/droneTable.ts';

const drone: Drone = {
  id: 'drone-01',
  longitude: 16,
  latitude: 48,
  altitude: 120,
  heading: 5,
  speed: 12.34,
  at: 0,
  missionId: null,
  incidentId: null,
  trail: [],
};
const length = (metres: number): string => `${Math.round(metres)} m`;

it('an age is said in words that do not flicker while positions come', () => {
  expect([0, 9_999, 10_000, 59_000, 60_000, 200_000].map((now) => ordinary(ageWords(0, now)))).toEqual([
    'now',
    'now',
    '10 s ago',
    '59 s ago',
    '1 min ago',
    '3 min ago',
  ]);
  expect(ageWords(62_000, 63_000, 'utc'), 'on a screen that stands still').toBe('00:01:02 UTC');
  expect(ageWords(5_000, 0), 'ahead of the server’s time').toBe('now');
});

it('a row says that a drone is silent before anything else, and its speed where the order is by it', () => {
  const said = { silent: false, range: '6 km', sort: 'name' } as const;
  expect(rowWords(drone, said)).toEqual(['6 km', 'heading 005°']);
  expect(rowWords(drone, { ...said, silent: true })[0]).toBe('Silent');
  expect(rowWords(drone, { ...said, sort: 'speed' })).toEqual(['speed 12.3', '6 km', 'heading 005°']);
  expect(rowWords({ ...drone, speed: null, heading: null }, { ...said, range: null, sort: 'speed' })).toEqual(
    [],
  );
});

it('distance and bearing are from the station, where there is one', () => {
  expect(rangeWords(drone, null, length)).toBeNull();
  expect(rangeWords(drone, { longitude: 16, latitude: 47.99 }, length)).toBe('1112 m, bearing 000° true');
  expect(rangeWords(drone, { longitude: 16, latitude: 48 }, length)).toBe('At the station');
});

it('figures without a unit stay what they are', () => {
  expect([0, -3.25, 1_234].map(plainFigure)).toEqual(['0', '-3.3', '1,234']);
});

it('the count says how many are silent, where any is', () => {
  expect(countWords({ known: 1, silent: 0 })).toBe('1 drone');
  expect(countWords({ known: 1_000, silent: 2 })).toBe('1,000 drones, 2 silent');
});

it('each reason why there are no drones has a text of its kind', () => {
  const reasons = ['off', 'no-stream', 'stream-away', 'none-yet', 'none-left'] as const;
  const titles = reasons.map((reason) => emptyWords(reason).title);
  expect(new Set(titles).size).toBe(reasons.length);
});
