import type { GeoJSONSource } from 'maplibre-gl';
import { describe, expect, it, vi } from 'vitest';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { droneGroups, nearZoom, type DroneSpot } from '../../../src-renderer/map/droneGroups.ts';
import { droneIcon, readDroneIcon } from '../../../src-renderer/map/droneImage.ts';
import {
  droneLayerIds,
  droneLayers,
  dronesSource,
  shortName,
} from '../../../src-renderer/map/droneLayers.ts';
import { DroneOverlay } from '../../../src-renderer/map/droneOverlay.ts';
import { mapLayers, marksLayerId } from '../../../src-renderer/map/style.ts';

const spot = (id: string, change: Partial<DroneSpot> = {}): DroneSpot => ({
  id,
  longitude: 16,
  latitude: 48,
  heading: 90,
  silent: false,
  chosen: false,
  trail: [],
  ...change,
});

interface Written {
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A map that keeps what is written into its sources; the fonts come at once. */
async function open() {
  vi.stubGlobal('document', { fonts: { load: () => Promise.resolve([]) } });
  const state = { drawable: true, zoom: 12 };
  const sources = new Map<string, readonly Written[]>();
  const counts: number[] = [];
  let writes = 0;
  let zoomed = (): void => undefined;
  const overlay = new DroneOverlay({
    map: {
      getZoom: () => state.zoom,
      getSource: (name: string) =>
        ({
          setData: ({ features }: { features: readonly Written[] }) => {
            writes += 1;
            sources.set(name, features);
          },
        }) as unknown as GeoJSONSource,
      on: (_: string, listener: () => void) => {
        zoomed = listener;
      },
    } as never,
    isDrawable: () => state.drawable,
    countText: (count) => `${String(count)} drones`,
    onDrawn: (count) => counts.push(count),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const set = async (spots: readonly DroneSpot[]): Promise<void> => {
    overlay.set(spots);
    await settle();
  };
  await settle();
  return {
    overlay,
    set,
    settle,
    state,
    counts,
    zoom: (to: number) => {
      state.zoom = to;
      zoomed();
    },
    all: () => sources.get('drones') ?? [],
    chosen: () => sources.get('chosen-drone') ?? [],
    writes: () => writes,
  };
}

describe('drones on the map', () => {
  it('are marks of their own from near, with heading, silence and name', async () => {
    const { set, all, chosen, counts } = await open();
    await set([spot('a'), spot('b', { heading: null, silent: true })]);
    expect(all().map(({ properties }) => properties)).toEqual([
      { id: 'a', name: 'a', icon: droneIcon({ pointed: true, silent: false }), heading: 90, silent: false },
      { id: 'b', name: 'b', icon: droneIcon({ pointed: false, silent: true }), heading: 0, silent: true },
    ]);
    expect(chosen()).toEqual([]);
    expect(counts.at(-1)).toBe(2);
    await set([]);
    expect(counts.at(-1)).toBe(0);
  });

  it('have marks and names up to 200; of more only the chosen one, the others are dots', async () => {
    const { set, all, chosen } = await open();
    const many = Array.from({ length: 201 }, (_, at) => spot(`d${String(at)}`));
    await set(many.slice(0, 200));
    expect(all().every(({ properties }) => properties['name'] !== '')).toBe(true);
    await set([...many, spot('chosen', { chosen: true })]);
    expect(all()).toHaveLength(201);
    expect(all().map(({ properties }) => Object.keys(properties))).toEqual(many.map(() => ['id', 'silent']));
    expect(chosen()[0]?.properties).toMatchObject({ name: 'chosen', heading: 90 });
  });

  it('have a trail only where one is chosen, the shorter way across 180 degrees', async () => {
    const { set, all, chosen } = await open();
    const trail = [[179.9, 0]] as const;
    await set([spot('a', { longitude: -179.9, latitude: 0, trail, chosen: true }), spot('b', { trail })]);
    expect(all().map(({ properties }) => properties['id'])).toEqual(['b']);
    expect(chosen().map(({ geometry }) => geometry.type)).toEqual(['LineString', 'Point']);
    expect(chosen()[0]?.geometry.coordinates).toEqual([
      [179.9, 0],
      [180.1, 0],
    ]);
  });

  it('are one badge a place from afar, the chosen one apart; and alone again from near', async () => {
    const { set, all, chosen, zoom, overlay, settle } = await open();
    const six = Array.from({ length: 6 }, (_, at) => spot(`d${String(at)}`, { longitude: 16 + at * 0.01 }));
    await set([...six, spot('far', { longitude: -70 }), spot('chosen', { chosen: true })]);
    expect(all()).toHaveLength(7);
    zoom(6);
    expect(all().map(({ properties }) => properties['label'] ?? properties['id'])).toEqual([
      '6 drones',
      'far',
    ]);
    expect(chosen()).toHaveLength(1);
    overlay.setCountText((count) => `${String(count)} Drohnen`);
    await settle();
    expect(all()[0]?.properties['label']).toBe('6 Drohnen');
    zoom(nearZoom);
    expect(all()).toHaveLength(7);
  });

  it('are written once for what is the same, and again after the graphics were lost', async () => {
    const { set, overlay, state, writes, all } = await open();
    await set([spot('a')]);
    const before = writes();
    await set([spot('a')]);
    expect(writes()).toBe(before);
    state.drawable = false;
    await set([spot('b')]);
    expect(writes()).toBe(before);
    state.drawable = true;
    overlay.apply();
    expect(all().map(({ properties }) => properties['id'])).toEqual(['b']);
  });

  it('of one place are those within some pixels of the first, also across 180 degrees', () => {
    const beside = [spot('a', { longitude: 179.99 }), spot('b', { longitude: -179.99 })];
    expect(droneGroups(beside, 5)).toEqual([beside]);
    expect(droneGroups([spot('a'), spot('b', { longitude: 17 })], 4)).toHaveLength(1);
    expect(droneGroups([spot('a'), spot('b', { longitude: 17 })], 7)).toHaveLength(2);
  });

  it('have of a long name its two ends', () => {
    expect(shortName('x'.repeat(24))).toBe('x'.repeat(24));
    expect(shortName(`${'😀'.repeat(30)}-0001234`)).toBe(`${'😀'.repeat(15)}…-0001234`);
  });

  it('have an image by shape and silence, which nothing else is named like', () => {
    for (const look of [
      { pointed: true, silent: false },
      { pointed: false, silent: true },
    ])
      expect(readDroneIcon(droneIcon(look))).toEqual(look);
    expect(readDroneIcon('pin')).toBeNull();
  });

  it('can be pressed as badge, dot and mark', () => {
    const ids = droneLayers(themes.night, 1)
      .filter((layer) => 'source' in layer && layer.source === dronesSource)
      .map(({ id }) => id);
    expect(ids.filter((id) => id !== 'drone-names')).toEqual(droneLayerIds.slice(0, -1));
  });

  it('lie under the incidents in every theme', () => {
    for (const theme of Object.values(themes)) {
      const ids = mapLayers(theme, 1).map(({ id }) => id);
      for (const { id } of droneLayers(theme, 1))
        expect(ids.indexOf(id)).toBeLessThan(ids.indexOf(marksLayerId));
      expect(ids).toEqual(expect.arrayContaining([...droneLayerIds]));
    }
  });
});
