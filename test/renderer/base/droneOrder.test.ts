import { expect, it } from 'vitest';
import { droneOrder, droneSorts } from '../../../src-renderer/base/droneOrder.ts';
import type { Drone } from '../../../src-renderer/table/droneTable.ts';

const drone = (id: string, change: Partial<Drone> = {}): Drone => ({
  id,
  longitude: 16,
  latitude: 48,
  altitude: null,
  heading: null,
  speed: null,
  at: 0,
  missionId: null,
  incidentId: null,
  trail: [],
  ...change,
});
const station = { longitude: 16, latitude: 48 };

it('is by name as people count', () => {
  const drones = ['drone-10', 'drone-9', 'Drone-2', 'a'].map((id) => drone(id));
  expect(droneOrder(drones, 'name', null)).toEqual(['a', 'Drone-2', 'drone-9', 'drone-10']);
});

it('has first what an operator looks for, and last what says nothing of it', () => {
  const drones = [
    drone('a', { at: 30, speed: null, longitude: 18 }),
    drone('b', { at: 10, speed: 4, longitude: 17 }),
    drone('c', { at: 20, speed: 9, longitude: 16.5 }),
    drone('d', { at: 20, speed: 9, longitude: 16.5 }),
  ];
  expect(droneOrder(drones, 'seen', null)).toEqual(['b', 'c', 'd', 'a']);
  expect(droneOrder(drones, 'speed', null)).toEqual(['c', 'd', 'b', 'a']);
  const backwards = drone('z', { speed: -2 });
  expect(droneOrder([drone('a'), backwards], 'speed', null), 'a speed is one').toEqual(['z', 'a']);
  expect(droneOrder(drones, 'distance', station)).toEqual(['c', 'd', 'b', 'a']);
  expect(droneOrder(drones, 'distance', null), 'from nowhere').toEqual(['a', 'b', 'c', 'd']);
});

it.each(droneSorts)('by %s has every drone once', (sort) => {
  const ids = Array.from({ length: 50 }, (_, at) => `drone-${at}`);
  const drones = ids.map((id, at) => drone(id, { at: at % 7, speed: at % 3 === 0 ? null : at }));
  expect(droneOrder(drones, sort, station).toSorted()).toEqual(ids.toSorted());
});
