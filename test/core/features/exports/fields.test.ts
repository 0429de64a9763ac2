import { expect, it } from 'vitest';
import { csvFormat } from '../../../../src-main/core/features/exports/csv.ts';
import { exportFields, type ExportField } from '../../../../src-main/core/features/exports/fields.ts';
import { geojsonFormat } from '../../../../src-main/core/features/exports/geojson.ts';
import { gpxFormat } from '../../../../src-main/core/features/exports/gpx.ts';
import { kmlFormat } from '../../../../src-main/core/features/exports/kml.ts';
import { readCsv } from './csvReader.ts';
import { madeAt, stored, written } from './exportFixtures.ts';

const fields: readonly ExportField[] = Object.values(exportFields).flat();
const one = stored(
  {
    location: { latitude: 1, longitude: 2, altitude: 3 },
    blockchainRecords: ['0xa'],
    unreadable: [{ name: 'evidence_count', json: 'null' }],
  },
  { notReturnedSince: madeAt },
);
/** Those formats say where an incident is in an element for that. */
const elsewhere = ['latitude', 'longitude'];
const ofPlace = [...elsewhere, 'altitude'];

it('a field that is declared is in every format of text, each time once', async () => {
  const csv = readCsv((await written(csvFormat({ byteOrderMark: false }), [one])).text)[0] ?? [];
  const geojson = JSON.parse((await written(geojsonFormat, [one])).text) as {
    features: { properties: object }[];
  };
  const kml = (await written(kmlFormat, [one])).text;
  const gpx = (await written(gpxFormat, [one])).text;
  for (const { name, inGpx } of fields) {
    expect(csv.filter((column) => column === name)).toHaveLength(1);
    if (elsewhere.includes(name)) continue;
    expect(geojson.features[0]?.properties).toHaveProperty(name);
    expect(kml.split(`<Data name="${name}">`)).toHaveLength(2);
    if (!ofPlace.includes(name)) expect(gpx.includes(`<fc:${name}>`)).toBe(inGpx);
  }
});

it('an incident of which only the id is known is in every format of text', async () => {
  const bare = stored({
    incidentType: '',
    severity: '',
    status: '',
    createdAt: Number.NaN,
    createdAtText: '',
    evidenceCount: null,
    location: { latitude: 1, longitude: 2, altitude: null },
    unreadable: [
      { name: 'severity', json: 'null' },
      { name: 'created_at', json: '"yesterday"' },
    ],
  });
  const [header = [], row = []] = readCsv((await written(csvFormat({ byteOrderMark: false }), [bare])).text);
  const cell = (name: string): string | undefined => row[header.indexOf(name)];
  expect(cell('unreadable_fields')).toBe('severity created_at');
  for (const name of ['severity', 'created_at', 'evidence_count']) expect(cell(name), name).toBe('');
  const named = '<name>unknown type (Unknown severity)</name>';
  const kml = (await written(kmlFormat, [bare])).text;
  expect(kml).toContain(named);
  expect(kml).not.toContain('<TimeStamp>');
  const gpx = (await written(gpxFormat, [bare])).text;
  expect(gpx).toContain(named);
  expect(gpx.match(/<wpt.*/)?.[0]).not.toContain('<time>');
});
