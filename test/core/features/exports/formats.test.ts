import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Towns } from '../../../../src-main/core/base/places/towns.ts';
import { csvFormat, textCell } from '../../../../src-main/core/features/exports/csv.ts';
import { decimalText } from '../../../../src-main/core/features/exports/fields.ts';
import { geojsonFormat } from '../../../../src-main/core/features/exports/geojson.ts';
import { gpxFormat } from '../../../../src-main/core/features/exports/gpx.ts';
import { drawnSeverities, kmlFormat } from '../../../../src-main/core/features/exports/kml.ts';
import { xmlComment } from '../../../../src-main/core/features/exports/xml.ts';
import { scaleOf, severitiesWorstFirst } from '../../../../src-preload/contract/index.ts';
import { severityGlyphs } from '../../../../src-renderer/design/glyphs.ts';
import { carelessCells, readCsv } from './csvReader.ts';
import { facts, hostileIncident, hostileText, madeAt, stored, written } from './exportFixtures.ts';

const csv = csvFormat({ byteOrderMark: false });

const illegalInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
/** What becomes of a text that XML or a strict reader cannot hold as it is. */
const legal = (text: string): string => text.toWellFormed().replace(new RegExp(illegalInXml, 'g'), '\uFFFD');

function xml(text: string): Document {
  expect(text).not.toMatch(illegalInXml);
  const complain = (words: unknown): never => {
    throw new Error(String(words));
  };
  return new DOMParser({
    errorHandler: { warning: complain, error: complain, fatalError: complain },
  }).parseFromString(text, 'application/xml');
}
const textsOf = (parent: Document | Element, name: string): string[] =>
  Array.from(parent.getElementsByTagName(name), (element) => element.textContent ?? '');
const dataOf = (placemark: Element): Map<string, string> =>
  new Map(
    Array.from(placemark.getElementsByTagName('Data'), (data) => [
      data.getAttribute('name') ?? '',
      textsOf(data, 'value')[0] ?? '',
    ]),
  );

interface Feature {
  id: string;
  geometry: { type: string; coordinates: number[] } | null;
  properties: Record<string, unknown>;
}
interface Collection {
  type: string;
  field_console: Record<string, unknown>;
  features: Feature[];
  field_console_end: Record<string, unknown>;
}
const json = (text: string): Collection => JSON.parse(text) as Collection;

describe('GeoJSON', () => {
  it('has longitude before latitude, the wire’s names, and null where there is no location', async () => {
    const { text } = await written(geojsonFormat, [
      stored({ location: { latitude: -33.5, longitude: 151.25, altitude: -12 } }),
      null,
      stored({ id: 'i-2', location: null }, { notReturnedSince: madeAt }),
    ]);
    const { type, features, field_console: about, field_console_end: end } = json(text);
    expect(type).toBe('FeatureCollection');
    expect(features[0]).toMatchObject({
      type: 'Feature',
      id: 'i-1',
      geometry: { type: 'Point', coordinates: [151.25, -33.5] },
      properties: {
        incident_type: 'fire',
        severity: 'high',
        altitude: -12,
        not_returned_since: null,
        place: '10 km SW of Central Coast, AU',
      },
    });
    expect(features[1]).toMatchObject({
      geometry: null,
      properties: { id: 'i-2', not_returned_since: '2026-11-22T14:02:31.000Z', place: null },
    });
    expect(about).toMatchObject({
      deployment: 'Harbour <station> & "co"',
      account: 'ada',
      data_as_of: '2026-11-22T13:44:31.000Z',
      complete: false,
      uncertain_windows: 3,
      filters: 'the last 6 hours, severity critical',
    });
    expect(about['age']).toBe('Data as of 2026-11-22 13:44:31 UTC, 18 minutes old when this was made.');
    expect(about).not.toHaveProperty('training');
    expect(end).toEqual({ written: 2, no_longer_known: 1 });
  });

  it('is whole with no incident, and says that training is training', async () => {
    const { text } = await written(geojsonFormat, [], { training: true });
    expect(json(text)).toMatchObject({
      features: [],
      field_console: { training: 'TRAINING, NOT REAL INCIDENTS' },
    });
  });

  it('is read back as it was, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileIncident, { maxLength: 4 }),
        hostileText,
        async (incidents, filters) => {
          const { text } = await written(geojsonFormat, incidents, { filters });
          const { features, field_console: about } = json(text);
          expect(text.isWellFormed()).toBe(true);
          expect(about['filters']).toBe(filters.toWellFormed());
          expect(features.map(({ id }) => id)).toEqual(
            incidents.map(({ record }) => record.id.toWellFormed()),
          );
          features.forEach(({ geometry, properties }, at) => {
            const { record } = incidents[at] as (typeof incidents)[number];
            expect(properties['status']).toBe(record.status.toWellFormed());
            expect(geometry?.coordinates.map(Number) ?? null).toEqual(
              record.location && [record.location.longitude + 0, record.location.latitude + 0],
            );
          });
        },
      ),
    );
  });
});

describe('CSV', () => {
  it('has a header, CRLF, numbers as numbers, and says in each row how old and how complete it is', async () => {
    const { text } = await written(csv, [
      stored({ location: { latitude: -33.5, longitude: -151.25, altitude: -1e-7 }, evidenceCount: 4 }),
      stored({ id: 'i-2', location: null }),
    ]);
    const [header = [], first = [], second = []] = readCsv(text);
    const value = (row: string[], name: string): string | undefined => row[header.indexOf(name)];
    expect(header.slice(0, 8)).toEqual([
      ...['id', 'incident_type', 'severity', 'status', 'created_at', 'latitude', 'longitude', 'altitude'],
    ]);
    expect(text).toContain(',-33.5,-151.25,-0.0000001,4,');
    expect(value(first, 'data_as_of')).toBe('2026-11-22T13:44:31.000Z');
    expect(value(first, 'completeness')).toBe(
      'Not complete: at least 1,707 incidents exist. 3 windows of time may be incomplete.',
    );
    expect([value(first, 'place'), value(second, 'place')]).toEqual(['1,604 km SE of Avarua, CK', '']);
    expect(value(second, 'latitude')).toBe('');
    expect(value(second, 'deployment')).toBe('Harbour <station> & "co"');
  });

  it('begins with a byte-order mark where that is wanted', async () => {
    const { bytes } = await written(csvFormat({ byteOrderMark: true }), []);
    expect([...bytes.subarray(0, 5)]).toEqual([0xef, 0xbb, 0xbf, 0x69, 0x64]);
    expect((await written(csv, [])).bytes[0]).toBe(0x69);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\rx', "'\rx"],
    ['\nx', "'\nx"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＝1', "'＝1"],
    ['＠x', "'＠x"],
    [' =1', "' =1"],
    ['a;=1', "a;'=1"],
    ['a\n=1', "a\n'=1"],
    ['a "quoted" one', 'a "quoted" one'],
    ['a-b+c=d@e', 'a-b+c=d@e'],
  ])('makes %j harmless', async (typed, shown) => {
    const { text } = await written(csv, [stored({ status: typed })]);
    expect(readCsv(text)[1]?.[3]).toBe(shown);
  });

  it('holds no formula either once its characters are normalized, whichever sign or separator it begins with', () => {
    const all = Array.from({ length: 0x3_0000 }, (_, at) => at + 0x20)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code));
    const signs = all.filter((character) => /^[\s"']*[=+\-@]/.test(character.normalize('NFKC')));
    const separators = all.filter((character) => /^[;|]/.test(character.normalize('NFKC')));
    expect(signs).toEqual(expect.arrayContaining(['=', '＝', '﹢', '⩵']));
    expect(separators).toEqual(expect.arrayContaining([';', '；', '︔']));
    const formula = /(?:^|[;|])\s*[=+\-@]/;
    for (const sign of signs) expect(textCell(`${sign}1`).slice(1).normalize('NFKC')).not.toMatch(formula);
    for (const separator of separators)
      expect(textCell(`a${separator}=1`).slice(1).normalize('NFKC')).not.toMatch(formula);
  });

  it('holds nothing that any spreadsheet takes for a formula but numbers, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileIncident, { maxLength: 4 }), hostileText, async (incidents, name) => {
        const { text } = await written(csv, incidents, { deployment: name });
        const [header = [], ...rows] = readCsv(text);
        expect(rows).toHaveLength(incidents.length);
        for (const cell of rows.flat()) {
          if (/^-?\d+(\.\d+)?$/.test(cell)) continue;
          expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
        }
        for (const separator of [';', '\\t', '|']) {
          for (const cell of carelessCells(text, separator)) expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/);
        }
        rows.forEach((row, at) => {
          const { record } = incidents[at] as (typeof incidents)[number];
          expect(row).toHaveLength(header.length);
          const latitude = row[header.indexOf('latitude')];
          if (record.location === null) expect(latitude).toBe('');
          else expect(Number(latitude)).toBeCloseTo(record.location.latitude, 11);
          // Nothing is lost but the apostrophes that were put in and what is no text.
          const plain = (value: string): string => value.replaceAll("'", '').replaceAll('\uFFFD', '');

          const kept = record.status
            .toWellFormed()
            .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '');
          expect(plain(row[header.indexOf('status')] ?? '')).toBe(plain(kept));
        });
      }),
    );
  });
});

describe('KML', () => {
  it('has a style for each severity, a time, and what is known', async () => {
    const { text } = await written(kmlFormat, [
      stored({ severity: 'HIGH', location: { latitude: -1.5, longitude: 180, altitude: 3 } }),
      stored({ severity: 'catastrophic', location: null }),
      null,
    ]);
    const document = xml(text);
    expect(document.documentElement.namespaceURI).toBe('http://www.opengis.net/kml/2.2');
    const [first, second] = Array.from(document.getElementsByTagName('Placemark'));
    if (!first || !second) throw new Error('Two placemarks were written');
    expect(textsOf(first, 'coordinates')).toEqual(['180,-1.5']);
    expect(textsOf(first, 'when')).toEqual(['2026-11-20T12:00:00.000Z']);
    expect(textsOf(first, 'styleUrl')).toEqual(['#high']);
    expect(textsOf(second, 'styleUrl')).toEqual(['#unknown']);
    expect(dataOf(second).get('severity')).toBe('catastrophic');
    // The service's own spelling, and what it counts as.
    expect([dataOf(first).get('severity'), dataOf(first).get('severity_class')]).toEqual(['HIGH', 'high']);
    expect(textsOf(second, 'Point')).toEqual([]);
    const styles = Array.from(document.getElementsByTagName('Style'), (style) => style.getAttribute('id'));
    expect(styles).toEqual([...severitiesWorstFirst]);
    // Opacity, blue, green, red.
    expect(textsOf(document, 'color')[0]).toBe('ff240696');
    expect(textsOf(document, 'description')[0]).toContain('18 minutes old');
    expect(text).toContain('<!-- 2 written, 1 no longer known -->');
  });

  it('shows text in balloons, which a globe reads as HTML, and its markup nowhere', async () => {
    const markup = '<img src="https://elsewhere.test/?x">&lt;b&gt;';
    const { text } = await written(kmlFormat, [stored({ id: markup, incidentType: markup })], {
      filters: markup,
    });
    const document = xml(text);
    expect(new Set(textsOf(document, 'text'))).toEqual(new Set(['$[description]']));
    expect(textsOf(document, 'text')).toHaveLength(severitiesWorstFirst.length);
    const shown = textsOf(document, 'description').map((html) => html.split('<br>'));
    for (const line of shown.flat()) expect(line).not.toMatch(/[<>]/);
    const read = shown.map((lines) => lines.map((line) => xml(`<p>${line}</p>`).documentElement.textContent));
    expect(read[0]).toContain(`Filters: ${markup}`);
    expect(read[1]).toEqual(expect.arrayContaining([`id: ${markup}`, `incident_type: ${markup}`]));
  });

  it('is read back as it was, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileIncident, { maxLength: 4 }),
        hostileText,
        async (incidents, filters) => {
          const { text } = await written(kmlFormat, incidents, { filters });
          const placemarks = Array.from(xml(text).getElementsByTagName('Placemark'));
          expect(placemarks.map((one) => dataOf(one).get('id'))).toEqual(
            incidents.map(({ record }) => legal(record.id)),
          );
        },
      ),
    );
  });
});

describe('GPX', () => {
  it('has a waypoint for each incident with a location, and counts the others', async () => {
    const { text, tally } = await written(
      gpxFormat,
      [
        stored({ location: { latitude: 0.000_000_01, longitude: 180, altitude: 1e21 } }),
        stored({ location: null }),
      ],
      { incidents: 2, withoutLocation: 1 },
    );
    const document = xml(text);
    const [point, ...more] = Array.from(document.getElementsByTagName('wpt'));
    expect(more).toEqual([]);
    expect(point?.getAttribute('lat')).toBe('0.00000001');
    // The schema's longitude is less than 180.
    expect(point?.getAttribute('lon')).toBe('-180');
    expect(point && textsOf(point, 'ele')).toEqual(['1000000000000000000000']);
    expect(point && Array.from(point.childNodes, ({ nodeName }) => nodeName)).toEqual([
      ...['ele', 'time', 'name', 'desc', 'type', 'extensions'],
    ]);
    expect(tally).toEqual({ written: 1, leftOut: 1, gone: 0 });
    expect(textsOf(document, 'desc')[0]).toContain('Those without location are not in this file.');
    expect(text).toContain('1 left out for want of a location');
  });

  it('is read back as it was, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileIncident, { maxLength: 4 }), hostileText, async (incidents, name) => {
        const { text } = await written(gpxFormat, incidents, { deployment: name, version: name });
        const document = xml(text);
        const points = Array.from(document.getElementsByTagName('wpt'));
        const placed = incidents.filter(({ record }) => record.location !== null);
        expect(points.flatMap((point) => textsOf(point, 'fc:id'))).toEqual(
          placed.map(({ record }) => legal(record.id)),
        );
        for (const point of points) {
          expect(point.getAttribute('lat')).toMatch(/^-?\d+(\.\d+)?$/);
          expect(Number(point.getAttribute('lon'))).toBeLessThan(180);
        }
        expect(textsOf(document, 'fc:deployment')).toEqual([legal(name)]);
      }),
    );
  });
});

/** The order of an element's children where a schema asks for one. */
const kmlOrder: Readonly<Record<string, readonly string[]>> = {
  kml: ['Document'],
  // OGC 07-147r2, 9.1 and 9.7: AbstractFeatureType, then what extends it.
  Document: ['name', 'description', 'Style', 'ExtendedData', 'Placemark'],
  Placemark: ['name', 'description', 'TimeStamp', 'styleUrl', 'ExtendedData', 'Point'],
};
const gpxOrder: Readonly<Record<string, readonly string[]>> = {
  // http://www.topografix.com/GPX/1/1/gpx.xsd: gpxType, metadataType, wptType.
  gpx: ['metadata', 'wpt'],
  metadata: ['name', 'desc', 'time', 'extensions'],
  wpt: ['ele', 'time', 'name', 'desc', 'type', 'extensions'],
};

describe.each([
  ['KML', kmlFormat, kmlOrder],
  ['GPX', gpxFormat, gpxOrder],
] as const)('the elements of %s', (_name, format, order) => {
  it('stand in the order of its schema, with times that it can read, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileIncident, { maxLength: 4 }),
        fc.boolean(),
        async (incidents, training) => {
          const document = xml((await written(format, incidents, { training })).text);
          for (const [parent, children] of Object.entries(order)) {
            for (const element of Array.from(document.getElementsByTagName(parent))) {
              const names = Array.from(element.childNodes, ({ nodeName }) => nodeName).filter(
                (name) => !name.startsWith('#'),
              );
              const places = names.map((name) => children.indexOf(name));
              expect(places).not.toContain(-1);
              expect(places).toEqual(places.toSorted((a, b) => a - b));
            }
          }
          for (const time of [...textsOf(document, 'when'), ...textsOf(document, 'time')]) {
            expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
          }
        },
      ),
    );
  });
});

it.each([
  ['GeoJSON', geojsonFormat],
  ['CSV', csv],
  ['KML', kmlFormat],
  ['GPX', gpxFormat],
] as const)('%s says how old and how complete the data was, and of which practice', async (_name, format) => {
  const { text } = await written(format, [stored()], { training: true });
  expect(text).toContain('2026-11-22T13:44:31.000Z');
  expect(text).toContain('Not complete: at least 1,707 incidents exist.');
  expect(text).toContain('TRAINING, NOT REAL INCIDENTS');
});

it('places of GeoJSON are longitudes and latitudes of the world', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileIncident, { minLength: 1, maxLength: 4 }), async (incidents) => {
      const { features } = json((await written(geojsonFormat, incidents)).text);
      for (const { geometry } of features) {
        if (geometry === null) continue;
        // RFC 7946, 3.1.1 and 4: two numbers, east before north, no wrapped longitude.
        expect(geometry.coordinates).toHaveLength(2);
        const [longitude = NaN, latitude = NaN] = geometry.coordinates;
        expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
        expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      }
    }),
  );
});

describe('every format', () => {
  const formats = [geojsonFormat, csv, kmlFormat, gpxFormat];

  it('is written in pieces, and the same in pieces as at once', async () => {
    const incidents = Array.from({ length: 2_000 }, (_, at) => stored({ id: `i-${at}` }));
    const context = { scale: scaleOf(null), towns: new Towns() };
    for (const format of formats) {
      const { text, pieces, tally } = await written(format, incidents, { incidents: incidents.length });
      expect(pieces).toBeGreaterThan(3);
      expect(tally.written).toBe(2_000);
      const rows = incidents.map((incident, at) => format.row(incident, at, context)).join('');
      const whole = format.head(facts({ incidents: 2_000 })) + rows + format.foot(tally);
      expect(text).toBe(whole);
    }
  });

  it('lets everything else have its turn between two pieces', async () => {
    let yielding = 0;
    let going = true;
    const turn = (): void => {
      yielding += 1;
      if (going) setImmediate(turn);
    };
    setImmediate(turn);
    const incident = stored({ location: null });
    // Nothing is written of these, so that only the time ends a piece.
    await written(
      gpxFormat,
      Array.from({ length: 300_000 }, () => incident),
    );
    going = false;
    expect(yielding).toBeGreaterThan(0);
  });
});

it('writes decimals without exponents', () => {
  expect([1e-7, -1e-13, 5e21, -0, 12.5, -180].map(decimalText)).toEqual([
    ...['0.0000001', '0', '5000000000000000000000', '0', '12.5', '-180'],
  ]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(decimalText(value)).toMatch(/^-?\d+(\.\d+)?$/);
      expect(Math.abs(Number(decimalText(value)) - value)).toBeLessThanOrEqual(
        Math.abs(value) * 1e-15 + 1e-12,
      );
    }),
  );
});

it('writes comments that nothing ends early', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const { childNodes } = xml(`<a>${xmlComment(text)}</a>`).documentElement;
      expect(Array.from(childNodes, ({ nodeName }) => nodeName)).toEqual(['#comment']);
      expect(xmlComment(text).slice(4, -3)).not.toContain('--');
    }),
  );
});

it('draws severities as the page does', () => {
  for (const name of severitiesWorstFirst) expect(drawnSeverities[name].path).toBe(severityGlyphs[name].path);
});
