import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import { defaultPreferences } from '../../../../src-main/core/features/preferences/preferences.ts';
import { layoutAtStart } from '../../../../src-main/core/features/views/viewsDocument.ts';
import {
  encodeIncidentFrame,
  type ConsoleState,
  type Position,
} from '../../../../src-preload/contract/index.ts';
import { inverse } from '../../../../src-renderer/base/geodesy.ts';
import { useCoordinates } from '../../../../src-renderer/base/stores/coordinates.ts';
import { useStation } from '../../../../src-renderer/base/stores/station.ts';
import { useUi } from '../../../../src-renderer/base/stores/ui.ts';
import { useMapTools } from '../../../../src-renderer/features/map/mapToolsStore.ts';
import { createPage } from '../../pageRig.ts';
import { FrameMaker, type ModelRow } from '../../table/frames.ts';

const baghdad: Position = { latitude: 33.3, longitude: 44.4 };
const row = (key: number, latitude: number, longitude: number): ModelRow => ({
  key,
  id: `id-${key}`,
  severity: 'low',
  status: 'open',
  type: 'fire',
  createdAt: key,
  latitude,
  longitude,
  arrivedAt: 0,
  evidenceCount: 0,
  anchorCount: 0,
  notReturned: 0,
});

function open() {
  const placed: (Position | null)[] = [];
  const verbs = {
    setStation: ({ position }: { position: Position | null }) => {
      placed.push(position);
      return Promise.resolve({ ok: true, value: null } as const);
    },
  };
  const page = createPage(verbs);
  const stores = page.run(() => ({
    station: useStation(),
    coordinates: useCoordinates(),
    tools: useMapTools(),
    ui: useUi(),
  }));
  const frames = new FrameMaker();
  let revision = 0;
  const shows = async (
    slices: Partial<ConsoleState>,
    rows: readonly ModelRow[] | null = null,
  ): Promise<void> => {
    const base = revision === 0 ? null : revision;
    revision += 1;
    const incidents = rows === null ? null : encodeIncidentFrame(frames.frame(rows, base === null));
    page.push({ epoch: 'a', revision, base, incidents, slices });
    await nextTick();
  };
  const workspace = (station: Position | null): Partial<ConsoleState> => ({
    workspace: { restored: 1, layout: layoutAtStart, views: [], station, linked: null },
  });
  return { ...stores, shows, workspace, placed };
}

it('knows how far everything is, as soon as a station stands somewhere', async () => {
  const { station, shows, workspace } = open();
  await shows(workspace(null), [row(1, 33.3, 44.4), row(2, NaN, NaN), row(3, -33.857, 151.215)]);
  expect(station.distances).toBeNull();
  await shows(workspace(baghdad));
  const [here, nowhere, sydney] = station.distances!;
  expect(here).toBe(0);
  expect(nowhere).toBe(Infinity);
  const exact = inverse(baghdad, { latitude: -33.857, longitude: 151.215 }).metres;
  expect(Math.abs(sydney! - exact)).toBeLessThan(100);
});

it('counts anew for another table or another station, and not for another camera', async () => {
  const { station, shows, workspace } = open();
  await shows(workspace(baghdad), [row(1, 30, 40)]);
  const first = station.distances;
  await shows(workspace({ ...baghdad }));
  expect(station.distances).toBe(first);
  await shows({}, [row(2, 31, 41)]);
  expect(station.distances).toHaveLength(2);
  const second = station.distances;
  await shows(workspace({ latitude: 0, longitude: 0 }));
  expect(station.distances![0]).not.toBe(second![0]);
  await shows(workspace(null));
  expect(station.distances).toBeNull();
});

it('asks the console to keep the station’s place', async () => {
  const { station, placed } = open();
  await station.place(baghdad);
  await station.place(null);
  expect(placed).toEqual([baghdad, null]);
  expect(station.failure).toBeNull();
});

it('writes places and lengths as the preferences say', async () => {
  const { coordinates, shows } = open();
  expect(coordinates.brief(33.3, 44.4)).toBe('33.300, 44.400');
  expect(coordinates.length(1_852)).toBe('1.85 km');
  await shows({ preferences: { ...defaultPreferences, coordinates: 'mgrs', units: 'nautical' } });
  expect(coordinates.brief(33.3, 44.4)).toBe('38S MB 441 847');
  expect(coordinates.full(baghdad)).toBe('38S MB 44140 84706');
  expect(coordinates.length(1_852)).toBe('1 NM');
});

it('measures a line: a bearing while it has one piece, then its length', () => {
  const { tools } = open();
  tools.measure('line');
  expect(tools.result).toBe('');
  tools.add([0, 0]);
  tools.add([1, 0]);
  expect(tools.result).toBe('Length 111 km, bearing 090° true');
  tools.add([1, 1]);
  expect(tools.result).toBe('Length 222 km');
  expect(tools.label).toBe('222 km');
  tools.drop();
  tools.finish();
  expect(tools.running).toBe(false);
  tools.add([5, 5]);
  expect(tools.corners).toHaveLength(2);
  tools.end();
  expect(tools.kind).toBeNull();
});

it('measures an area, across 180 degrees too; what is too short to measure is not kept', () => {
  const { tools } = open();
  tools.measure('area');
  for (const corner of [
    [179.5, 0],
    [-179.5, 0],
    [-179.5, 1],
    [179.5, 1],
  ] as const)
    tools.add(corner);
  expect(tools.result).toBe('Area 12,309 km², outline 444 km');
  tools.measure('line');
  tools.add([0, 0]);
  tools.finish();
  expect(tools.kind).toBeNull();
});

it('goes to a place, also to one that the map’s projection does not reach', () => {
  const { tools, ui } = open();
  tools.goTo({ latitude: 90, longitude: 10, name: 'the pole' }, 8);
  expect(ui.cameraWish).toEqual({ camera: { latitude: 85, longitude: 10, zoom: 8 }, fly: true });
  expect(tools.goal).toMatchObject({ latitude: 90, name: 'the pole' });
  tools.forgetGoal();
  expect(tools.goal).toBeNull();
});
