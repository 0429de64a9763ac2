import type { CustomLayerInterface, CustomRenderMethodInput } from 'maplibre-gl';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { mercatorY } from '../../../src-renderer/map/clusters/points.ts';
import { DroneOverlay, type DronePart } from '../../../src-renderer/map/drones/droneOverlay.ts';
import {
  frameView,
  heightParts,
  screenPlace,
  turnParts,
  writePlace,
} from '../../../src-renderer/map/drones/fixedPlace.ts';
import { layOutNames, type NameBox } from '../../../src-renderer/map/drones/nameLayout.ts';
import { shortName } from '../../../src-renderer/map/drones/droneNames.ts';
import type { DroneSpot, ShownDrones } from '../../../src-renderer/map/drones/shownDrones.ts';
import {
  lowestSelectionLayer,
  mapLayers,
  marksLayerId,
  selectionLayerId,
} from '../../../src-renderer/map/style.ts';

const noTrail: DroneSpot['trail'] = [];
const spot = (id: string, change: Partial<DroneSpot> = {}): DroneSpot => ({
  id,
  longitude: 16,
  latitude: 48,
  heading: 90,
  silent: false,
  chosen: false,
  trail: noTrail,
  ...change,
});

const mapWidth = 1_000;
const mapHeight = 800;

/** From the world as a square of 1 by 1 to clip space, as MapLibre has it for a map with north up. */
function worldMatrix([longitude, latitude]: readonly [number, number], zoom: number): Float64Array {
  const turn = 512 * 2 ** zoom;
  const [wide, high] = [(2 * turn) / mapWidth, (-2 * turn) / mapHeight];
  const [x, y] = [longitude / 360 + 0.5, mercatorY(latitude)];
  return Float64Array.of(wide, 0, 0, 0, 0, high, 0, 0, 0, 0, 1, 0, -x * wide, -y * high, 0, 1);
}

/** A map that draws its layers when it was asked to, as MapLibre does, and what was drawn of the drones. */
function open() {
  const layers: { layer: CustomLayerInterface; before: string }[] = [];
  const drawn: { part: string; shown: ShownDrones }[] = [];
  const counts: number[] = [];
  const state = { drawable: true, now: 0, asked: 0, centre: [16, 48] as const, zoom: 10, unfinished: false };
  const gl = { drawingBufferWidth: mapWidth } as WebGL2RenderingContext;
  const part = (name: string): DronePart => ({
    get unfinished() {
      return name === 'names' && state.unfinished;
    },
    setTheme: () => undefined,
    begin: () => undefined,
    draw: (_, shown) => {
      drawn.push({ part: name, shown });
    },
  });
  let loaded = (): void => undefined;
  const overlay = new DroneOverlay({
    map: {
      once: (_: string, listener: () => void) => {
        loaded = listener;
      },
      getLayer: (id: string) => layers.find(({ layer }) => layer.id === id),
      addLayer: (layer: CustomLayerInterface, before: string) => {
        layers.push({ layer, before });
      },
      triggerRepaint: () => {
        state.asked += 1;
      },
      getCenter: () => ({ lng: state.centre[0], lat: state.centre[1] }),
      getZoom: () => state.zoom,
      getContainer: () => ({ clientWidth: mapWidth, clientHeight: mapHeight }),
      unproject: ([x, y]: readonly [number, number]) => {
        const turn = 512 * 2 ** state.zoom;
        const down = mercatorY(state.centre[1]) + (y - mapHeight / 2) / turn;
        return {
          lng: state.centre[0] + ((x - mapWidth / 2) / turn) * 360,
          lat: (Math.atan(Math.sinh(Math.PI * (1 - 2 * down))) * 180) / Math.PI,
        };
      },
    } as never,
    isDrawable: () => state.drawable,
    below: { trails: marksLayerId, marks: lowestSelectionLayer },
    theme: themes.night,
    textScale: 1,
    onDrawn: (count) => counts.push(count),
    now: () => state.now,
    parts: { trails: part('trails'), over: [part('marks'), part('names')] },
  });
  loaded();
  /** A frame of the map, if one was asked for or `always`; then what the map rests for is over. */
  const draw = ({ restMs = 0, always = false } = {}): void => {
    if (state.asked > 0 || always)
      for (const { layer } of layers)
        layer.render(gl, {
          defaultProjectionData: { mainMatrix: worldMatrix(state.centre, state.zoom) },
        } as unknown as CustomRenderMethodInput);
    state.asked = 0;
    vi.advanceTimersByTime(restMs);
  };
  const set = (spots: readonly DroneSpot[]): void => {
    overlay.set(spots);
    draw({ restMs: 200 });
  };
  const shown = () => drawn.at(-1)?.shown.spots ?? [];
  return { overlay, set, draw, state, layers, drawn, shown, counts };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the pace', () => {
  it('is that of the map: what comes while it draws is drawn once it has, the latest of it', () => {
    const { overlay, draw, state, shown } = open();
    overlay.set([spot('one')]);
    for (const longitude of [17, 18]) overlay.set([spot('one', { longitude })]);
    expect(state.asked).toBe(1);
    state.now = 300;
    draw();
    expect(shown(), 'the latest').toMatchObject([{ longitude: 18 }]);
    overlay.set([spot('one', { longitude: 19 })]);
    vi.advanceTimersByTime(599);
    expect(state.asked, 'it rests twice as long as it drew').toBe(0);
    vi.advanceTimersByTime(1);
    expect(state.asked).toBe(1);
    draw();
    expect(shown()).toMatchObject([{ longitude: 19 }]);
  });

  it('is five times a second at most, and nothing is drawn while nothing changes', () => {
    const { overlay, draw, state } = open();
    overlay.set([spot('one')]);
    draw();
    overlay.set([spot('one', { longitude: 17 })]);
    vi.advanceTimersByTime(199);
    expect(state.asked).toBe(0);
    vi.advanceTimersByTime(1);
    expect(state.asked).toBe(1);
    draw({ restMs: 10_000 });
    expect(state.asked).toBe(0);
    overlay.set([spot('one', { longitude: 17 })]);
    expect(state.asked, 'the same ones').toBe(0);
  });

  it('goes on while a part has not drawn everything', () => {
    const { overlay, draw, state } = open();
    state.unfinished = true;
    overlay.set([spot('one')]);
    draw({ restMs: 200 });
    expect(state.asked).toBe(1);
    state.unfinished = false;
    draw({ restMs: 10_000 });
    expect(state.asked).toBe(0);
  });

  it('begins again with the graphics, which do not have the layers any more', () => {
    const { overlay, draw, state, layers, shown, counts } = open();
    overlay.set([spot('one')]);
    state.drawable = false;
    layers.length = 0;
    overlay.set([spot('two')]);
    expect(
      overlay.at([
        [0, 0],
        [mapWidth, mapHeight],
      ] as const),
      'nothing can be drawn',
    ).toBeNull();
    state.drawable = true;
    state.asked = 0;
    overlay.apply();
    expect(layers).toHaveLength(2);
    draw();
    expect(shown()).toMatchObject([{ id: 'two' }]);
    expect(counts).toEqual([1]);
  });
});

describe('the marks of drones', () => {
  it('are counted once they were drawn, down to none', () => {
    const { overlay, set, draw, counts } = open();
    draw({ always: true });
    expect(counts).toEqual([]);
    overlay.set([spot('one'), spot('two')]);
    expect(counts, 'not drawn yet').toEqual([]);
    draw({ restMs: 200 });
    set([spot('one'), spot('two')]);
    set([]);
    expect(counts).toEqual([2, 0]);
  });

  it.each(['longitude', 'latitude', 'heading', 'silent', 'chosen', 'trail'] as const)(
    'follow a change of %s',
    (name) => {
      const { overlay, set, state } = open();
      set([spot('one')]);
      const other = {
        longitude: 1,
        latitude: 2,
        heading: null,
        silent: true,
        chosen: true,
        trail: [[15, 48]],
      } as const;
      overlay.set([spot('one', { [name]: other[name] })]);
      expect(state.asked).toBe(1);
    },
  );

  it('lie over each other in their order: the silent ones lowest, the chosen one uppermost', () => {
    const { set, shown } = open();
    set([spot('c', { chosen: true }), spot('a'), spot('s', { silent: true }), spot('b')]);
    expect(shown().map(({ id }) => id)).toEqual(['s', 'a', 'b', 'c']);
  });

  it('are found where a hand presses, the uppermost first', () => {
    const { overlay, set } = open();
    const press = (x: number, y: number, reach = 5) =>
      overlay.at([
        [x - reach, y - reach],
        [x + reach, y + reach],
      ]);
    expect(press(500, 400), 'nothing is drawn').toBeNull();
    set([spot('over', { chosen: true }), spot('under')]);
    expect(press(500, 400)).toBe('over');
    set([spot('first'), spot('second')]);
    expect(press(500, 400)).toBe('second');
    expect(press(517, 383), 'beside it, within reach').toBe('second');
    expect(press(517, 383, 0)).toBeNull();
    expect(press(519, 400)).toBeNull();
    expect(press(500, 419)).toBeNull();
  });

  it('are found across 180 degrees', () => {
    const { overlay, set, state } = open();
    Object.assign(state, { centre: [179.9999, 0], zoom: 12 });
    set([spot('east', { longitude: -179.9999, latitude: 0 })]);
    const middle = [mapWidth / 2, mapHeight / 2] as const;
    expect(overlay.at([middle, middle]), 'from west of it').toBe('east');
    const beyond = [mapWidth / 2 + 3, mapHeight / 2] as const;
    expect(overlay.at([beyond, beyond])).toBe('east');
  });
});

describe('a place', () => {
  const view = (centre: readonly [number, number], zoom: number) =>
    frameView(
      {
        getCenter: () => ({ lng: centre[0], lat: centre[1] }),
        getZoom: () => zoom,
        getContainer: () => ({ clientWidth: mapWidth, clientHeight: mapHeight }),
      } as never,
      worldMatrix(centre, zoom),
      2 * mapWidth,
    );
  /** Where the place would be with numbers that lose nothing. */
  const exact = (centre: readonly [number, number], zoom: number, longitude: number, latitude: number) => {
    const turn = 512 * 2 ** zoom;
    return [
      mapWidth / 2 + ((longitude - centre[0]) / 360) * turn,
      mapHeight / 2 + (mercatorY(latitude) - mercatorY(centre[1])) * turn,
    ] as const;
  };
  const at = (longitude: number, latitude: number): [number, number] => {
    const place = new Uint32Array(2);
    writePlace(place, 0, longitude, latitude);
    return [place[0] ?? 0, place[1] ?? 0];
  };

  it.each([0, 8, 16, 20])('lies within a quarter of a pixel of where it is, at zoom %i', (zoom) => {
    const degrees = 200 / 512 / 2 ** zoom;
    for (const centre of [
      [16.37, 48.2],
      [-70.123_456_7, -33.4],
      [0, 0],
    ] as const) {
      const [longitude, latitude] = [centre[0] + degrees * 90, centre[1] - degrees * 30];
      const [x, y] = screenPlace(view(centre, zoom), ...at(longitude, latitude));
      const [wantedX, wantedY] = exact(centre, zoom, longitude, latitude);
      expect(Math.abs(x - wantedX)).toBeLessThan(0.25);
      expect(Math.abs(y - wantedY)).toBeLessThan(0.25);
    }
  });

  it('goes the shorter way across 180 degrees', () => {
    const [x] = screenPlace(view([179.9, 0], 8), ...at(-179.9, 0));
    expect(x).toBeCloseTo(mapWidth / 2 + (0.2 / 360) * 512 * 2 ** 8, 1);
    const [west] = screenPlace(view([-179.9, 0], 8), ...at(179.9, 0));
    expect(west).toBeCloseTo(mapWidth / 2 - (0.2 / 360) * 512 * 2 ** 8, 1);
  });

  it('at a pole or at 180 degrees is on the map', () => {
    for (const [longitude, latitude] of [
      [180, 90],
      [-180, -90],
      [179.999_999_999_9, 89],
    ] as const) {
      const [x, y] = at(longitude, latitude);
      expect(x).toBeLessThan(turnParts);
      expect(y).toBeLessThan(heightParts);
    }
  });
});

describe('the names of drones', () => {
  const box = (left: number, change: Partial<NameBox> = {}): NameBox => ({
    left,
    top: 0,
    width: 50,
    height: 20,
    stood: false,
    ...change,
  });
  const always = () => true;

  it('stand where there is room, the first before the others', () => {
    expect(layOutNames([box(0), box(30), box(60), box(0, { top: 30 })], always)).toEqual([0, 2, 3]);
    expect(layOutNames([box(-1_000), box(-980), box(5_000)], always)).toEqual([0, 2]);
  });

  it('need more room to come than to stay', () => {
    expect(layOutNames([box(0), box(52)], always)).toEqual([0]);
    expect(layOutNames([box(0), box(52, { stood: true })], always)).toEqual([0, 1]);
    expect(layOutNames([box(0), box(49, { stood: true })], always)).toEqual([0]);
  });

  it('leave their room to others where they cannot be drawn yet', () => {
    expect(layOutNames([box(0), box(30)], (index) => index !== 0)).toEqual([1]);
  });

  it('have of a long one its two ends', () => {
    expect(shortName('x'.repeat(24))).toBe('x'.repeat(24));
    expect(shortName(`${'😀'.repeat(30)}-0001234`)).toBe(`${'😀'.repeat(15)}…-0001234`);
  });
});

it('drones lie over the incidents and under the selected one, their trails under both, in every theme', () => {
  const { layers } = open();
  const below = new Map(layers.map(({ layer, before }) => [layer.id, before]));
  expect([...below]).toEqual([
    ['drone-trails', marksLayerId],
    ['drone-marks', lowestSelectionLayer],
  ]);
  for (const theme of Object.values(themes)) {
    const ids = mapLayers(theme, 1).map(({ id }) => id);
    expect(ids.indexOf(lowestSelectionLayer)).toBe(ids.indexOf(marksLayerId) + 1);
    expect(ids.indexOf(lowestSelectionLayer)).toBeLessThan(ids.indexOf(selectionLayerId));
  }
});
