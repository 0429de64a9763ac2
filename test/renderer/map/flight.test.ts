import { expect, test } from 'vitest';
import { Flight, type FlightGoal } from '../../../src-renderer/map/flight.ts';

/** A map that notes where it is sent, and moves until it is told that it came to rest. */
function open() {
  const heard = new Map<string, (() => void)[]>();
  const jumps: unknown[] = [];
  let moving = false;
  const fire = (name: string): void => {
    for (const listener of heard.get(name) ?? []) listener();
  };
  const rest = (): void => {
    if (!moving) return;
    moving = false;
    fire('moveend');
  };
  const map = {
    on: (name: string, listener: () => void) => {
      heard.set(name, [...(heard.get(name) ?? []), listener]);
      return { unsubscribe: () => undefined };
    },
    isMoving: () => moving,
    flyTo: () => {
      rest();
      moving = true;
    },
    easeTo: () => {
      rest();
      moving = true;
    },
    jumpTo: (goal: unknown) => {
      jumps.push(goal);
      fire('moveend');
    },
  };
  const flight = new Flight(map as unknown as ConstructorParameters<typeof Flight>[0]);
  return { flight, fire, rest, jumps };
}
const goal: FlightGoal = { center: [11, 0], zoom: 11 };

test('a flight ends by itself where it was sent', () => {
  const { flight, fire, rest, jumps } = open();
  fire('resize');
  flight.begin(() => goal, 'place');
  rest();
  fire('resize');
  fire('moveend');
  expect(jumps).toEqual([]);
});

test('a map that changed its size in flight comes to the goal all the same, once', () => {
  const { flight, fire, rest, jumps } = open();
  flight.begin(() => goal, 'place');
  fire('resize');
  rest();
  expect(jumps).toEqual([goal]);
  fire('moveend');
  expect(jumps).toEqual([goal]);
});

test('a flight that another one ends is not finished', () => {
  const { flight, fire, rest, jumps } = open();
  flight.begin(() => goal, 'place');
  fire('resize');
  flight.begin(() => ({ center: [5, 5], zoom: 3 }), 'place');
  rest();
  expect(jumps).toEqual([]);
});

test.each(['box', 'mark'] as const)('whatever it flew to: %s', (kind) => {
  const { flight, fire, rest, jumps } = open();
  flight.begin(() => goal, kind);
  fire('resize');
  rest();
  expect(jumps).toEqual([goal]);
});

test('what fills the map is found anew for the size that it has then', () => {
  const { flight, fire, rest, jumps } = open();
  let zoom = 4;
  flight.begin(() => ({ center: [5, 5], zoom }), 'box');
  zoom = 3;
  fire('resize');
  rest();
  expect(jumps).toEqual([{ center: [5, 5], zoom: 3 }]);
});
