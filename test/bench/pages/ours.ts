import { paced } from '../../../src-renderer/base/pace.ts';
import { drawDronesEvery } from '../../../src-renderer/features/drones/drawDrones.ts';
import '@fontsource-variable/inter';
import { decodeIncidentFrame } from '../../../src-preload/contract/index.ts';
import { severityGlyphs } from '../../../src-renderer/design/glyphs.ts';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { createIncidentMap } from '../../../src-renderer/map/index.ts';
import { filterRows } from '../../../src-renderer/table/filter.ts';
import { sortRows } from '../../../src-renderer/table/sort.ts';
import { IncidentTable } from '../../../src-renderer/table/table.ts';
import { benchFrame } from '../data.ts';
import { DroneTable } from '../../../src-renderer/table/droneTable.ts';
import { nextFrame, watchStalls } from './api.ts';
import { flightCamera, flightRead, fly } from './flight.ts';

const began = performance.now();
const size = Number(new URL(location.href).searchParams.get('size'));
const container = document.querySelector<HTMLElement>('#map') as HTMLElement;
const list = document.querySelector<HTMLElement>('#list') as HTMLElement;
const table = new IncidentTable();

/** Until the map says that it drew `count` incidents. */
async function drawn(count: number): Promise<void> {
  while (container.dataset['drawnIncidents'] !== String(count)) await nextFrame();
}

/** Filters, sorts, writes the visible rows of a list and hands the rows to the map. */
async function show(severity: string | null): Promise<void> {
  const { rows } = filterRows(table, {
    severities: severity === null ? [] : [severity],
    statuses: [],
    types: [],
    openOnly: false,
    from: null,
    to: null,
    location: 'any',
  });
  map.setRows(table, rows);
  const ordered = sortRows(table, rows, 'created', 'descending');
  list.replaceChildren(
    ...[...ordered.subarray(0, 24)].map((row) => {
      const item = document.createElement('li');
      item.textContent = `${table.idAt(row)} ${String(table.columns.createdAt[row])}`;
      return item;
    }),
  );
  await drawn(rows.length);
}

const bytes = fetch(`frame-${String(size)}.bin`).then((answer) => answer.arrayBuffer());
const made = await createIncidentMap({
  covers: () => [],
  readTowns: () => Promise.resolve([]),
  container,
  theme: themes.night,
  glyphs: severityGlyphs,
  reducedMotion: true,
  words: {
    language: 'en',
    title: 'Map',
    nameCountry: String,
    length: String,
    drones: String,
    cluster: String,
  },
  textScale: 1,
  tileHeaders: () => ({}),
  serverNow: () => 1_800_000_000_000,
  onSelect: () => undefined,
  onDrone: () => undefined,
  onUnfollowed: () => undefined,
  onState: () => undefined,
  onCamera: () => undefined,
});
if (made === null) throw new Error('A browser without WebGL draws no map');
const map = made;
table.apply(decodeIncidentFrame(new Uint8Array(await bytes)));
let arrivals = 0;

window.bench = {
  opened: show(null).then(() => performance.now()),
  began,
  async filter(severity) {
    const from = performance.now();
    await show(severity);
    return performance.now() - from;
  },
  async live() {
    const delta = benchFrame(100, size + arrivals, false);
    arrivals += 100;
    const stalls = watchStalls();
    const from = performance.now();
    table.apply(delta);
    await show(null);
    return { drawnMs: performance.now() - from, stallMs: stalls() };
  },
  async idle(ms) {
    const stalls = watchStalls();
    await new Promise((resolve) => setTimeout(resolve, ms));
    return stalls();
  },
  fly(count, ms) {
    map.camera.look(flightCamera, { fly: false });
    const drones = new DroneTable();
    if (count === 0) return fly(ms, null);
    const draws = paced({ leastMs: () => drawDronesEvery(count), restMs: () => 0 }, () => {
      map.drones.set(
        [...drones.all()].map((drone) => ({ ...drone, silent: false, chosen: drone.id === 'drone-1' })),
      );
    });
    return fly(ms, (report) => {
      drones.apply(flightRead(count, report));
      draws.ask();
    });
  },
};
