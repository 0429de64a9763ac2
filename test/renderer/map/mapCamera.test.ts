import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Camera } from '../../../src-preload/contract/index.ts';
import type { Box, Clearance } from '../../../src-renderer/map/clearance.ts';
import type { LevelMarks } from '../../../src-renderer/map/clusters/index.ts';
import { mercatorY, type Bounds } from '../../../src-renderer/map/clusters/points.ts';
import { MapCamera } from '../../../src-renderer/map/mapCamera.ts';

interface Goal {
  readonly center?: readonly [number, number];
  readonly zoom: number;
}

type Padding = number | Clearance;

/** As much of a keyboard's event as tells what it does to a map. */
class FakeKeyboardEvent extends Event {
  readonly key: string;
  constructor(key: string) {
    super('keydown');
    this.key = key;
  }
}

/** A flat map of 512 by 512 pixels, whose flights end when they are told to. */
function open({
  reducedMotion = true,
  scale = 1,
  covers = [] as Box[],
  marks = null as LevelMarks | null,
} = {}) {
  const heard = new Map<string, ((event: object) => void)[]>();
  const container = Object.assign(new EventTarget(), {
    dataset: {} as Record<string, string>,
    clientWidth: 512,
    clientHeight: 512,
    getBoundingClientRect: () => ({ left: 100, top: 50, right: 612, bottom: 562, width: 512, height: 512 }),
  });
  let at: { center: readonly [number, number]; zoom: number } = { center: [0, 0], zoom: 0 };
  let end: (() => void) | null = null;
  const flights: string[] = [];
  const paddings: Padding[] = [];
  const fire = (name: string, event: object = {}): void => {
    for (const listener of heard.get(name) ?? []) listener(event);
  };
  const move = (goal: Goal, event: object = {}): void => {
    at = { center: at.center, ...goal };
    fire('moveend', event);
  };
  const fly = (kind: string) => (goal: Goal, event?: object) => {
    flights.push(kind);
    end = () => {
      end = null;
      move(goal, event);
    };
  };
  const place = ([lng, lat]: readonly [number, number]) => ({ lng, lat, wrap: () => ({ lng, lat }) });
  const map = {
    on: (name: string, listener: (event: object) => void) => {
      heard.set(name, [...(heard.get(name) ?? []), listener]);
    },
    isMoving: () => end !== null,
    getContainer: () => container,
    project: ([lng, lat]: readonly [number, number]) => {
      const scaled = (512 / 360) * 2 ** at.zoom;
      return { x: 256 + (lng - at.center[0]) * scaled, y: 256 - (lat - at.center[1]) * scaled };
    },
    getCenter: () => place(at.center),
    getZoom: () => at.zoom,
    getMinZoom: () => 0,
    getBounds: () => {
      const half = 180 / 2 ** at.zoom;
      const [lng, lat] = at.center;
      return {
        getWest: () => lng - half,
        getSouth: () => lat - half,
        getEast: () => lng + half,
        getNorth: () => lat + half,
      };
    },
    cameraForBounds: (
      [west, south, east, north]: Bounds,
      { padding, maxZoom }: { padding: Padding; maxZoom: number },
    ) => {
      paddings.push(padding);
      const sides = typeof padding === 'number' ? 2 * padding : padding.left + padding.right;
      const pixels = Math.max(1, container.clientWidth - sides);
      const degrees = Math.max(east - west, north - south, 1e-9);
      const zoom = Math.log2((360 / degrees) * (pixels / 512));
      return { center: [(west + east) / 2, (south + north) / 2], zoom: Math.min(maxZoom, zoom) };
    },
    jumpTo: move,
    flyTo: fly('flies'),
    easeTo: fly('eases'),
    panBy: ([right, down]: readonly [number, number], _: object, event: object) => {
      const scaled = (512 / 360) * 2 ** at.zoom;
      move({ center: [at.center[0] + right / scaled, at.center[1] - down / scaled], zoom: at.zoom }, event);
    },
    zoomIn: () => move({ zoom: at.zoom + 1 }),
    zoomOut: () => move({ zoom: at.zoom - 1 }),
  };
  const told: Camera[] = [];
  const unfollowed: string[] = [];
  const camera = new MapCamera({
    map: map as never,
    container: container as never,
    scale,
    reducedMotion,
    covers: () => covers,
    marksAt: () => Promise.resolve(marks),
    onCamera: (one) => told.push(one),
    onUnfollowed: () => unfollowed.push('unfollowed'),
  });
  return {
    unfollowed,
    camera,
    container,
    told,
    flights,
    paddings,
    fire,
    move,
    land: () => end?.(),
    looksAt: () => at,
  };
}

const europe: Bounds = [0, 40, 20, 50];
const withAsia: Bounds = [0, 0, 120, 50];

const nothing = { count: 0, bounds: null, worst: null };
let known = 0;
/** One more than before, within these bounds. */
const more = (bounds: Bounds, worst: Bounds | null = null) => ({ count: (known += 1), bounds, worst });

beforeEach(() => {
  known = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('the first incidents are brought into view, and those of the next pages, of which nobody is told', () => {
  const { camera, looksAt, told } = open();
  camera.setExtent(nothing);
  expect(looksAt().center).toEqual([0, 0]);
  camera.setExtent(more(europe));
  expect(looksAt().center).toEqual([10, 45]);
  vi.advanceTimersByTime(9_000);
  camera.setExtent(more(withAsia));
  expect(looksAt().center).toEqual([60, 25]);
  vi.advanceTimersByTime(10_001);
  camera.setExtent(more([-180, -80, 180, 80]));
  expect(looksAt().center, 'the map is being read by now').toEqual([60, 25]);
  expect(told).toEqual([]);
});

test.each([
  ['as its incidents come', false],
  ['asked for by a layout without a camera', true],
])('the first look, %s, is fitted again to another size of the map, until a hand moves it', (_, asked) => {
  const { camera, container, fire, looksAt } = open();
  camera.setExtent(more(europe));
  if (asked) {
    camera.hold();
    camera.look(null, { fly: false });
  }
  const { zoom } = looksAt();
  container.clientWidth = 300;
  fire('resize');
  expect(looksAt().zoom).toBeLessThan(zoom);
  container.clientWidth = 512;
  fire('resize');
  expect(looksAt().zoom).toBe(zoom);
  container.dispatchEvent(new Event('wheel'));
  container.clientWidth = 300;
  fire('resize');
  expect(looksAt().zoom).toBe(zoom);
});

test('the first look comes out from under controls that grow, until a hand moves it', () => {
  const usual: Box = { left: 590, top: 300, right: 600, bottom: 400 };
  const covers = [usual];
  const { camera, container, paddings, looksAt } = open({ covers });
  camera.setExtent(more(europe));
  expect(paddings, 'nothing lies over a mark at its edge').toEqual([56]);
  const { zoom } = looksAt();
  // The box ends at 556: a mark there reaches under it.
  covers[0] = { ...usual, left: 580 };
  camera.refit();
  expect(paddings.at(-1)).toEqual({ left: 32, top: 32, right: 64, bottom: 32 });
  covers[0] = { ...usual, left: 520 };
  camera.refit();
  expect(paddings.at(-1)).toEqual({ left: 32, top: 32, right: 124, bottom: 32 });
  covers[0] = usual;
  camera.refit();
  expect(looksAt().zoom).toBe(zoom);
  container.dispatchEvent(new Event('wheel'));
  covers[0] = { ...usual, left: 520 };
  camera.refit();
  expect(paddings.at(-1)).toBe(56);
});

test('the first look is at the worst that is open, and "all" at all of them', () => {
  const { camera, looksAt } = open({ reducedMotion: true });
  camera.setExtent(more(withAsia, [10, 40, 12, 42]));
  expect(looksAt().center).toEqual([11, 41]);
  camera.look(null, { fly: true });
  expect(looksAt().center).toEqual([60, 25]);
  camera.look(null, { fly: false });
  expect(looksAt().center).toEqual([11, 41]);
});

test('a selected place moves out from under what covers it, as little as that takes, until a hand moves the map', () => {
  const cover = { left: 512, top: 50, right: 612, bottom: 562 };
  const covers: Box[] = [];
  const { camera, looksAt, fire, container, told } = open({ covers });
  camera.keepClear([120, 0]);
  expect(looksAt().center, 'it is free').toEqual([0, 0]);
  covers.push(cover);
  fire('resize');
  const scaled = 512 / 360;
  // 100 px of a cover, and the room of a mark beside it.
  expect(256 + (120 - looksAt().center[0]) * scaled).toBeCloseTo(512 - 100 - 32);
  expect(told).toEqual([]);
  container.dispatchEvent(new Event('pointerdown'));
  const before = looksAt().center;
  covers[0] = { left: 100, top: 50, right: 612, bottom: 400 };
  fire('resize');
  expect(looksAt().center).toEqual(before);
});

test('what comes within the view, or is filtered away, moves nothing', () => {
  const { camera, looksAt } = open();
  camera.setExtent(more(withAsia));
  const before = looksAt();
  camera.setExtent(more([30, 10, 40, 20]));
  camera.setExtent(nothing);
  camera.setExtent(more([-5, -5, 125, 55]));
  expect(looksAt()).toBe(before);
});

test.each<[string, (opened: ReturnType<typeof open>) => void]>([
  ['a pointer', ({ container }) => container.dispatchEvent(new Event('pointerdown'))],
  ['a wheel', ({ container }) => container.dispatchEvent(new Event('wheel'))],
  ['a key', ({ container }) => container.dispatchEvent(new Event('keydown'))],
  ['a button', ({ camera }) => camera.zoomIn()],
  ['the other button', ({ camera }) => camera.zoomOut()],
  ['a selection', ({ camera }) => camera.hold()],
  ['a selection from the list', ({ camera }) => camera.showPlace([11, 44])],
  ['a cluster', ({ camera }) => camera.openMark({ center: [11, 44], zoom: 6 })],
  ['a package', ({ camera }) => camera.showExtent([1, 41, 2, 42])],
  ['a kept camera', ({ camera }) => camera.look({ longitude: 5, latitude: 5, zoom: 3 }, { fly: false })],
  ['a wish for all', ({ camera }) => camera.look(null, { fly: true })],
])('after %s the map goes nowhere by itself', (_, act) => {
  const opened = open();
  opened.camera.setExtent(more(europe));
  act(opened);
  const before = opened.looksAt();
  opened.camera.setExtent(more(withAsia));
  expect(opened.looksAt()).toBe(before);
});

test('a kept camera is not left for the first incidents either', () => {
  const { camera, looksAt } = open();
  camera.look({ longitude: 5, latitude: 5, zoom: 3 }, { fly: false });
  camera.setExtent(more(europe));
  expect(looksAt().center).toEqual([5, 5]);
});

test('a session that kept no camera looks at all incidents, known or to come, for as long as one that begins', () => {
  const { camera, looksAt } = open();
  camera.look({ longitude: 5, latitude: 5, zoom: 3 }, { fly: false });
  camera.setExtent(more(europe));
  camera.look(null, { fly: false });
  expect(looksAt().center).toEqual([10, 45]);
  vi.advanceTimersByTime(9_000);
  camera.setExtent(more(withAsia));
  expect(looksAt().center).toEqual([60, 25]);
  vi.advanceTimersByTime(10_001);
  camera.setExtent(more([-180, -80, 180, 80]));
  expect(looksAt().center).toEqual([60, 25]);
  camera.setExtent(nothing);
  camera.look(null, { fly: false });
  expect(looksAt().center, 'the world').toEqual([0, 8]);
  camera.setExtent(more(europe));
  expect(looksAt().center).toEqual([10, 45]);
});

test('a camera is told as it is without the enlargement, of an operator’s movements only', () => {
  const { camera, told, move, fire, looksAt, container } = open({ scale: 2 });
  camera.look({ longitude: 5, latitude: 6, zoom: 3 }, { fly: false });
  expect(looksAt().zoom).toBe(2);
  expect(camera.camera()).toEqual({ longitude: 5, latitude: 6, zoom: 3 });
  // A map that is only resized comes to rest where it was.
  fire('moveend');
  expect(told).toEqual([]);
  move({ center: [7, 8], zoom: 4 });
  expect(told).toEqual([{ longitude: 7, latitude: 8, zoom: 5 }]);
  expect(container.dataset['camera']).toBe('7.000 8.000 4.0000');
  expect(camera.centre()).toEqual([7, 8]);
});

test('with motion it flies, and a box that it flies to fills the map that there is in the end', () => {
  const { camera, container, fire, flights, land, looksAt } = open({ reducedMotion: false });
  camera.setExtent(more(withAsia));
  expect(flights, 'the first look is no flight').toEqual([]);
  const zoom = looksAt().zoom;
  camera.showExtent(europe);
  land();
  camera.look(null, { fly: true });
  Object.assign(container, { clientWidth: 256, clientHeight: 256 });
  fire('resize');
  land();
  expect(flights).toEqual(['flies', 'flies']);
  expect(looksAt().center).toEqual([60, 25]);
  expect(looksAt().zoom).toBeLessThan(zoom);
  camera.setReducedMotion(true);
  camera.showPlace([1, 2]);
  expect(looksAt()).toEqual({ center: [1, 2], zoom: 5 });
});

/** A place that went through Web Mercator. */
const near = (...place: readonly number[]) => place.map((one): unknown => expect.closeTo(one, 6));

test('some of the incidents come clear of it too, and what is read meanwhile does not move the map', () => {
  const covers: Box[] = [{ left: 112, top: 530, right: 400, bottom: 554 }];
  const { camera, paddings, looksAt, told } = open({ covers });
  camera.showPlaces([
    [1, 41],
    [2, 42],
  ]);
  expect(paddings.at(-1)).toEqual({ left: 32, top: 32, right: 32, bottom: 64 });
  expect(looksAt()).toEqual({ center: near(1.5, 41.5), zoom: expect.closeTo(8.3, 0) as number });
  camera.setExtent(more(withAsia));
  expect(looksAt().center).toEqual(near(1.5, 41.5));
  // Nobody brought the map there by hand.
  expect(told).toEqual([]);
  // One alone is shown with the land around it.
  camera.showPlaces([[1, 41]]);
  expect(looksAt()).toEqual({ center: near(1, 41), zoom: 9 });
  camera.showPlaces([]);
  expect(looksAt()).toEqual({ center: near(1, 41), zoom: 9 });
});

test('all incidents, asked for, come clear of what lies over the map', () => {
  const covers: Box[] = [
    { left: 570, top: 400, right: 602, bottom: 496 },
    { left: 112, top: 530, right: 400, bottom: 554 },
    { left: 112, top: 60, right: 250, bottom: 84 },
    { left: 0, top: 0, right: 0, bottom: 0 },
  ];
  const { camera, paddings } = open({ covers });
  const clear = { left: 32, top: 66, right: 74, bottom: 64 };
  camera.setExtent(more(europe));
  expect(paddings.at(-1), 'the first look').toEqual(clear);
  camera.look(null, { fly: true });
  expect(paddings.at(-1)).toEqual(clear);
});

/** Marks of one incident each, by Web Mercator's x and y. */
const marksOf = (...places: readonly (readonly [x: number, y: number])[]): LevelMarks => ({
  zoom: 0,
  x: Float64Array.from(places, ([x]) => x),
  y: Float64Array.from(places, ([, y]) => y),
  count: new Uint32Array(places.length).fill(1),
  over: new Uint8Array(places.length),
});
const wide: Box = { left: 112, top: 60, right: 600, bottom: 300 };

test('on a map too small to clear what lies over it, all marks are shown around it', async () => {
  const marks = marksOf([0.5, 0.3], [0.6, 0.4]);
  const { camera, looksAt } = open({ covers: [wide], marks });
  camera.setExtent(more(europe));
  camera.look(null, { fly: true });
  await vi.advanceTimersByTimeAsync(0);
  const { center, zoom } = looksAt();
  const turn = 512 * 2 ** zoom;
  for (const y of marks.y)
    expect(256 + (y - mercatorY(center[1])) * turn, 'below the cover').toBeGreaterThan(250 + 10);
});

test('all incidents are fitted as at first where their marks are lost', async () => {
  const { camera, paddings } = open({ covers: [wide] });
  camera.setExtent(more(europe));
  camera.look(null, { fly: true });
  await vi.advanceTimersByTimeAsync(0);
  expect([paddings[0], paddings.at(-1)]).toEqual([56, 56]);
});

test('incidents all around the world are shown near the least zoom, none of them cut or under a cover at the side', async () => {
  const cover: Box = { left: 570, top: 300, right: 612, bottom: 496 };
  const marks = marksOf([0.06, 0.5], [0.5, 0.3], [0.98, 0.6]);
  const { camera, looksAt } = open({ covers: [cover], marks });
  camera.setExtent(more([-158, -60, 173, 70]));
  camera.look(null, { fly: true });
  await vi.advanceTimersByTimeAsync(0);
  const { center, zoom } = looksAt();
  expect(zoom).toBeLessThan(0.25);
  const turn = 512 * 2 ** zoom;
  const middle = center[0] / 360 + 0.5;
  const across = (place: number): number => 256 + (place - middle - Math.round(place - middle)) * turn;
  const x = across(0.98);
  const y = 256 + (0.6 - mercatorY(center[1])) * turn;
  const isFree = x + 10 <= cover.left - 100 || y - 10 >= cover.bottom - 50 || y + 10 <= cover.top - 50;
  expect(isFree).toBe(true);
  for (const place of marks.x) {
    expect(across(place) - 10).toBeGreaterThanOrEqual(0);
    expect(across(place) + 10).toBeLessThanOrEqual(512);
  }
});

test('a hand on the map meanwhile is not overruled by a look that was still to be found', async () => {
  const { camera, container, looksAt } = open({ covers: [wide], marks: marksOf([0.5, 0.3]) });
  camera.setExtent(more(europe));
  const before = looksAt();
  camera.look(null, { fly: true });
  container.dispatchEvent(new Event('pointerdown'));
  await vi.advanceTimersByTimeAsync(0);
  expect(looksAt()).toBe(before);
});

describe('following', () => {
  beforeEach(() => {
    vi.stubGlobal('KeyboardEvent', FakeKeyboardEvent);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('goes where the place is, and after it once that leaves the middle of the map', () => {
    const { camera, looksAt, told } = open();
    camera.follow([20, 10]);
    expect(looksAt()).toEqual({ center: [20, 10], zoom: 13 });
    // Half of the map is 0.022 degrees wide.
    camera.follow([20.01, 10]);
    expect(looksAt().center, 'the map stands').toEqual([20, 10]);
    camera.follow([20.012, 10]);
    expect(looksAt()).toEqual({ center: [20.012, 10], zoom: 13 });
    expect(told, 'this is not where the operator brought the map').toEqual([]);
  });

  test('lets a flight come to its end', () => {
    const { camera, looksAt, flights, land } = open({ reducedMotion: false });
    camera.follow([20, 10]);
    camera.follow([170, 10]);
    expect(flights).toEqual(['flies']);
    land();
    camera.follow([40, 10]);
    land();
    expect(flights).toEqual(['flies', 'eases']);
    expect(looksAt().center).toEqual([40, 10]);
  });

  test.each([
    ['a drag', new Event('mousemove')],
    ['a key', new FakeKeyboardEvent('ArrowUp')],
  ])('ends with %s', (_, originalEvent) => {
    const { camera, fire, unfollowed } = open();
    camera.follow([20, 10]);
    fire('movestart', { originalEvent });
    fire('movestart', { originalEvent });
    expect(unfollowed).toHaveLength(1);
  });

  test.each([
    ['the wheel', new Event('wheel')],
    ['a key that zooms', new FakeKeyboardEvent('+')],
    ['a separate movement', undefined],
  ])('goes on under %s', (_, originalEvent) => {
    const { camera, fire, unfollowed } = open();
    camera.follow([20, 10]);
    fire('movestart', { originalEvent });
    expect(unfollowed).toEqual([]);
  });

  test('ends where the map is sent elsewhere, and is not said to end where it was asked to', () => {
    const { camera, unfollowed, looksAt } = open();
    const elsewhere = [
      () => camera.look({ longitude: 1, latitude: 2, zoom: 3 }, { fly: false }),
      () => camera.showPlace([3, 4]),
      () => camera.showExtent(europe),
      () => camera.openMark({ center: [5, 6], zoom: 7 }),
    ];
    for (const [at, send] of elsewhere.entries()) {
      camera.follow([20, 10]);
      send();
      expect(unfollowed).toHaveLength(at + 1);
    }
    camera.follow([20, 10]);
    camera.follow(null);
    const { center } = looksAt();
    expect(unfollowed).toHaveLength(elsewhere.length);
    expect(center).toEqual([20, 10]);
  });
});
