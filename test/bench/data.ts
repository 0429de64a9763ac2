import type { IncidentFrame } from '../../src-preload/contract/index.ts';

export const severities = ['low', 'medium', 'high', 'critical'] as const;
/** None is over: a console begins with what is open, and all that is there is to be drawn. */
const statuses = ['open', 'under review'];
const types = ['fire', 'flood', 'earthquake', 'storm'];

/** When the bench's incidents were created, Unix ms. */
export const benchTimes = { from: 1_700_000_000_000, to: 1_700_604_800_000 };

/** mulberry32: the same numbers in Node and in the page. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** `count` incidents with the keys from `firstKey` on, in clumps as disasters lie, with ids of 20 characters. */
export function benchFrame(count: number, firstKey: number, complete: boolean): IncidentFrame {
  const random = seeded(firstKey + 1);
  const centre = seeded(7);
  const clumps = Array.from({ length: 400 }, () => [centre() * 360 - 180, centre() * 130 - 60] as const);
  const columns = {
    length: count,
    key: new Uint32Array(count),
    createdAt: new Float64Array(count),
    latitude: new Float64Array(count),
    longitude: new Float64Array(count),
    arrivedAt: new Float64Array(count),
    evidenceCount: new Uint32Array(count),
    anchorCount: new Uint32Array(count),
    severity: new Uint16Array(count),
    status: new Uint16Array(count),
    type: new Uint16Array(count),
    notReturned: new Uint8Array(count),
    idOffsets: new Uint32Array(count + 1),
    idBytes: new Uint8Array(count * 20),
  };
  for (let row = 0; row < count; row += 1) {
    const [lng, lat] = clumps[Math.floor(random() * clumps.length)] ?? [0, 0];
    columns.key[row] = firstKey + row;
    columns.createdAt[row] = benchTimes.from + Math.floor(random() * (benchTimes.to - benchTimes.from));
    columns.longitude[row] = Math.max(-180, Math.min(180, lng + (random() - 0.5) * 24 * random()));
    columns.latitude[row] = Math.max(-80, Math.min(80, lat + (random() - 0.5) * 16 * random()));
    columns.evidenceCount[row] = Math.floor(random() * 20);
    columns.anchorCount[row] = Math.floor(random() * 3);
    columns.severity[row] = Math.floor(random() ** 3 * severities.length);
    columns.status[row] = Math.floor(random() * statuses.length);
    columns.type[row] = Math.floor(random() * types.length);
    columns.idOffsets[row + 1] = (row + 1) * 20;
    const id = `incident-${String(firstKey + row).padStart(11, '0')}`;
    for (let at = 0; at < 20; at += 1) columns.idBytes[row * 20 + at] = id.charCodeAt(at);
  }
  return {
    complete,
    removed: new Uint32Array(0),
    dictionaries: { severity: severities, status: statuses, type: types },
    columns,
  };
}

/** The same incidents as GeoJSON features, for the bare page. */
export function benchFeatures({ columns }: IncidentFrame): GeoJSON.Feature<GeoJSON.Point>[] {
  return Array.from({ length: columns.length }, (_, row) => ({
    type: 'Feature',
    id: columns.key[row] ?? 0,
    properties: { rank: (columns.severity[row] ?? 0) + 1 },
    geometry: { type: 'Point', coordinates: [columns.longitude[row] ?? 0, columns.latitude[row] ?? 0] },
  }));
}
