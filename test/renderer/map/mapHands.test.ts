import { expect, test } from 'vitest';
import type { MarkMembers } from '../../../src-renderer/map/clusters/index.ts';
import type { FlightGoal } from '../../../src-renderer/map/flight.ts';
import { nearZoom } from '../../../src-renderer/map/droneGroups.ts';
import { droneLayerIds } from '../../../src-renderer/map/droneLayers.ts';
import { MapHands } from '../../../src-renderer/map/mapHands.ts';
import { marksLayerId, selectionLayerId } from '../../../src-renderer/map/style.ts';

type Listener = (event?: object) => void;

/** A map with one mark, or none, and what the hands on it did. */
function open() {
  /** By name, and by layer where it is of one. */
  const heard = new Map<string, Listener>();
  const done: unknown[] = [];
  const style = { cursor: '' };
  const state = {
    mark: null as Record<string, number> | null,
    /** The mark of the selected incident, which lies over the other. */
    over: null as Record<string, number> | null,
    members: null as MarkMembers | null,
    camera: undefined as FlightGoal | undefined,
    zoom: 3,
    drawable: true,
    drawing: false,
    selected: null as number | null,
    drone: null as Record<string, string> | null,
  };
  const map = {
    on: (name: string, ...rest: unknown[]) =>
      heard.set([name, ...rest.slice(0, -1)].join(' '), rest.at(-1) as Listener),
    getCanvas: () => ({ style }),
    getZoom: () => state.zoom,
    cameraForBounds: () => state.camera,
    queryRenderedFeatures: (box: unknown, { layers }: { layers: string[] }) => {
      expect(box).toEqual([
        [95, 45],
        [105, 55],
      ]);
      if (layers.includes('drone-marks'))
        return state.drone === null
          ? []
          : [{ geometry: { type: 'Point', coordinates: [12, 45] }, properties: state.drone }];
      expect(layers).toEqual([marksLayerId, selectionLayerId]);
      return [state.over, state.mark]
        .filter((mark) => mark !== null)
        .map((properties) => ({ geometry: { type: 'Point', coordinates: [11, 44] }, properties }));
    },
  };
  new MapHands({
    map: map as never,
    isDrawable: () => state.drawable,
    isDrawing: () => state.drawing,
    draw: () => state.drawing,
    membersOf: (...asked) => {
      done.push(asked);
      return Promise.resolve(state.members);
    },
    selected: () => state.selected,
    onDrone: (id) => done.push({ drone: id }),
    onSelect: (key) => done.push({ key }),
    onOpen: (goal) => done.push(goal),
  });
  const click = async (): Promise<unknown> => {
    heard.get('click')?.({ point: { x: 100, y: 50 } });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return done.splice(0);
  };
  const point = (name: 'mousemove' | 'mouseleave'): string => {
    heard.get(`${name} ${[marksLayerId, ...droneLayerIds].join(',')}`)?.();
    return style.cursor;
  };
  return { state, click, point };
}

const cluster = { count: 3, key: 0, zoom: 3 };
const three: MarkMembers = { keys: [4, 5, 6], count: 3, open: [], bounds: [10, 40, 12, 45] };

test('a click selects the incident that is there, or none', async () => {
  const { state, click } = open();
  expect(await click()).toEqual([{ key: null }]);
  state.mark = { count: 1, key: 7, zoom: 3 };
  expect(await click()).toEqual([{ key: 7 }]);
});

test('on a cluster it goes where its incidents fill the map, at least one zoom further', async () => {
  const { state, click } = open();
  state.mark = cluster;
  state.members = three;
  state.camera = { center: [11, 42], zoom: 6 };
  expect(await click()).toEqual([[3, 11, 44], state.camera]);
  state.camera = { center: [11, 42], zoom: 3.5 };
  expect(await click()).toEqual([[3, 11, 44], { center: [11, 44], zoom: 4 }]);
  state.camera = undefined;
  expect(await click()).toEqual([[3, 11, 44], { center: [11, 44], zoom: 4 }]);
});

test.each([
  ['lie in one place', [10, 40, 10.000_01, 40], 3],
  ['stay together at the deepest zoom', [10, 40, 10.001, 40], 16],
] as const)('those that %s are selected one after the other', async (_, bounds, zoom) => {
  const { state, click } = open();
  state.mark = cluster;
  state.members = { ...three, bounds };
  state.zoom = zoom;
  const next = async () => ((await click()) as unknown[])[1];
  expect(await next()).toEqual({ key: 4 });
  state.selected = 4;
  expect(await next()).toEqual({ key: 5 });
  state.selected = 6;
  expect(await next()).toEqual({ key: 4 });
});

test('on the selected mark it goes on to the next of its place, and stays where it is not of the mark below', async () => {
  const { state, click } = open();
  state.over = { count: 1, key: 5 };
  state.mark = cluster;
  state.selected = 5;
  state.members = { ...three, bounds: [10, 40, 10.000_01, 40] };
  expect(await click()).toEqual([[3, 11, 44], { key: 6 }]);
  state.members = { ...three, keys: [8, 9] };
  expect(await click()).toEqual([[3, 11, 44], { key: 5 }]);
  state.mark = null;
  expect(await click()).toEqual([{ key: 5 }]);
});

test('a click is that of drawing first, and nothing where nothing is drawn', async () => {
  const { state, click, point } = open();
  expect(point('mousemove')).toBe('pointer');
  expect(point('mouseleave')).toBe('');
  state.drawing = true;
  expect(await click()).toEqual([]);
  expect(point('mousemove'), 'the cross of drawing stays').toBe('');
  state.drawing = false;
  state.mark = cluster;
  // Gone before the worker answered.
  expect(await click()).toEqual([[3, 11, 44]]);
  state.drawable = false;
  expect(await click()).toEqual([]);
});

test('a click on an incident is about it, whatever drone is there; one on a drone alone is about that', async () => {
  const { state, click } = open();
  state.mark = { count: 1, key: 7, zoom: 3 };
  state.drone = { id: 'drone-04' };
  expect(await click()).toEqual([{ key: 7 }]);
  state.mark = null;
  expect(await click()).toEqual([{ drone: 'drone-04' }]);
});

test('a click on a badge of drones goes where they are told apart', async () => {
  const { state, click } = open();
  state.drone = { label: '6 drones' };
  expect(await click()).toEqual([{ center: [12, 45], zoom: nearZoom }]);
});
