import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * Makes the week that the training deployment plays (build/assets/training/incidents-week.json, its README tells
 * what is in it). The result is committed.
 *
 *   node build/training-week.ts FILE
 *
 * FILE is `data/earthquakes.json` of the npm package vega-datasets 3.2.1: the feed `all_week` of the US Geological
 * Survey, generated 2018-02-07, public domain.
 */
export const weekFile = fileURLToPath(new URL('assets/training/incidents-week.json', import.meta.url));

const severities = ['low', 'medium', 'high', 'critical'];
const statuses = ['open', 'resolved'];
/** The least magnitudes of the severities but the first. */
const magnitudes = [2.5, 4.5, 6];

/** An event of the feed. */
interface Quake {
  readonly id: string;
  readonly properties: {
    /** Unix ms. */
    readonly time: number;
    readonly type: string;
    readonly mag: number;
    readonly status: string;
    readonly nst: number | null;
    readonly ids: string;
  };
  readonly geometry: {
    readonly coordinates: readonly [longitude: number, latitude: number, kilometresDeep: number];
  };
}

/** The columns of the week, in the order of creation, of the feed's features. */
export function buildWeek(features: readonly Quake[]) {
  const sorted = [...features].sort((a, b) => a.properties.time - b.properties.time);
  const types = [...new Set(sorted.map(({ properties: { type } }) => type))].sort();
  const column = <T>(of: (quake: Quake) => T) => sorted.map(of);
  return {
    types,
    severities,
    statuses,
    id: column(({ id }) => id),
    createdAt: column(({ properties: { time } }) => time),
    type: column(({ properties: { type } }) => types.indexOf(type)),
    severity: column(({ properties: { mag } }) => magnitudes.filter((least) => mag >= least).length),
    status: column(({ properties: { status } }) => (status === 'reviewed' ? 1 : 0)),
    evidenceCount: column(({ properties: { nst } }) => nst ?? 0),
    latitude: column(({ geometry: { coordinates } }) => coordinates[1]),
    longitude: column(({ geometry: { coordinates } }) => coordinates[0]),
    // From a depth in kilometres to an altitude in metres.
    altitude: column(({ geometry: { coordinates } }) => -coordinates[2] * 1_000),
    // An event that was reviewed is anchored, once for each of its sources.
    blockchainRecords: column(({ properties: { ids, status } }) =>
      status === 'reviewed'
        ? ids
            .split(',')
            .filter((one) => one !== '')
            .map((one) => createHash('sha256').update(one).digest('hex'))
        : [],
    ),
  };
}

/** A column a line. */
export const weekText = (week: ReturnType<typeof buildWeek>): string =>
  `{\n${Object.entries(week)
    .map(([name, column]) => `${JSON.stringify(name)}: ${JSON.stringify(column)}`)
    .join(',\n')}\n}\n`;

if (import.meta.filename === process.argv[1]) {
  const [, , feed] = process.argv;
  if (feed === undefined) throw new Error('Give the file of the feed');
  const { features }: { readonly features: readonly Quake[] } = JSON.parse(await readFile(feed, 'utf8'));
  await writeFile(weekFile, weekText(buildWeek(features)));
}
