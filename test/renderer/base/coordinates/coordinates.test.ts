import fc from 'fast-check';
import { forward as otherMgrs } from 'mgrs';
import { describe, expect, it } from 'vitest';
import { coordinateFormats, type Position } from '../../../../src-preload/contract/index.ts';
import { fromGrid, toGrid, toZone, zoneOf } from '../../../../src-renderer/base/coordinates/grid.ts';
import {
  copiedPosition,
  formatPosition,
  parsePosition,
  readCoordinates,
} from '../../../../src-renderer/base/coordinates/index.ts';
import { formatMgrs, parseMgrs } from '../../../../src-renderer/base/coordinates/mgrs.ts';
import { inverse } from '../../../../src-renderer/base/geodesy.ts';

const at = (latitude: number, longitude: number): Position => ({ latitude, longitude });
const apart = (a: Position | null, b: Position): number => (a === null ? Infinity : inverse(a, b).metres);
const compact = (position: Position, digits = 5): string => formatMgrs(position, digits).replaceAll(' ', '');

/** The manual page GeoConvert(1) of GeographicLib: equal texts, and its examples. */
const geoConvert = {
  angles: ['33.3 44.4', 'E44.4 N33.3', "33d18'N 44d24'E", '44d24 33d18N', '33:18 +44:24'],
  utm: ['38n 444140.54 3684706.36', '444140.54 3684706.36 38n', '38 north 444140.54 3684706.36'],
  ups: ['s 2173854.98 2985980.58', '2173854.98 2985980.58 s', 'south 2173854.98 2985980.58'],
};

/** Test points of NGA's own MGRS libraries (github.com/ngageoint/mgrs-java, MGRSTest.testCoordinate, testParse). */
const nga: readonly (readonly [Position, string])[] = [
  [at(63.98863, 29.06757), '35VPL0115697387'],
  [at(12.4, 53.51), '39PYP7290672069'],
  [at(21.309444, -157.916861), '4QFJ1234056781'],
];

describe('points published by others', () => {
  it('GeoConvert(1): one place in every way that the manual types it', () => {
    for (const text of geoConvert.angles)
      expect(apart(parsePosition(text), at(33.3, 44.4)), text).toBeLessThan(1e-3);
    for (const text of geoConvert.utm)
      expect(apart(parsePosition(text), at(33.3, 44.4)), text).toBeLessThan(0.01);
    expect(formatPosition(at(33.3, 44.4), 'utm')).toBe('38S 444141 3684706');
    expect(compact(at(33.3, 44.4))).toBe('38SMB4414084706');
  });

  it('GeoConvert(1): an MGRS reference is the middle of its square', () => {
    const middle = parsePosition('38SMB4488');
    expect(middle?.latitude.toFixed(5)).toBe('33.33424');
    expect(middle?.longitude.toFixed(5)).toBe('44.40363');
    expect(formatPosition(middle!, 'dms')).toBe('33°20′03.2″ N, 44°24′13.1″ E');
    expect(toGrid(middle!)).toMatchObject({ zone: 38, north: true });
    expect(toGrid(middle!).easting).toBeCloseTo(444_500, 3);
    expect(toGrid(middle!).northing).toBeCloseTo(3_688_500, 3);
    expect(compact(parsePosition('E44d24 N33d20')!, 2)).toBe('38SMB4488');
  });

  it('GeoConvert(1): a UPS place south, 81° S 10° E', () => {
    for (const text of geoConvert.ups)
      expect(apart(parsePosition(text), at(-81, 10)), text).toBeLessThan(0.02);
    expect(formatPosition(at(-81, 10), 'utm')).toBe('B 2173855 2985981');
  });

  it('NGA’s MGRS libraries', () => {
    for (const [position, text] of nga) {
      expect(compact(position)).toBe(text);
      expect(apart(parsePosition(text), position)).toBeLessThan(0.8);
    }
    // MGRSTest.testParse: Svalbard, where zone 33X is twelve degrees wide.
    expect(apart(parsePosition('33XVG7459743593'), at(77.8654908, 13.9173973))).toBeLessThan(2);
    expect(toGrid(parsePosition('33XVG74594359')!)).toMatchObject({ zone: 33, north: true });
    expect(parsePosition('33 N 474590 8643590')).toEqual(
      fromGrid({ grid: 'utm', zone: 33, north: true, easting: 474_590, northing: 8_643_590 }),
    );
  });

  it('geographiclib-mgrs, checked there against GeoConvert online', () => {
    const greenland = toZone(parsePosition('24XWT783908')!, 24);
    expect(greenland.easting).toBeCloseTo(578_350, 3);
    expect(greenland.northing).toBeCloseTo(9_290_850, 3);
    const polar = toGrid(parsePosition('ZAG5206546829')!);
    expect(polar).toMatchObject({ grid: 'ups', north: true });
    expect(polar.easting).toBeCloseTo(2_052_065.5, 3);
    expect(polar.northing).toBeCloseTo(1_946_829.5, 3);
  });

  it('landmarks, as their own pages give them', () => {
    // en.wikipedia.org, Military Grid Reference System: the United States Naval Observatory area, 18SUJ.
    expect(formatPosition(at(38.8895, -77.0352), 'mgrs').startsWith('18S UJ ')).toBe(true);
    // en.wikipedia.org, UTM: the CN Tower is in zone 17N at 630084 m east, 4833438 m north.
    const tower = toGrid(at(43.642_56, -79.387_14));
    expect(Math.hypot(tower.easting - 630_084, tower.northing - 4_833_438)).toBeLessThan(5);
  });
});

describe('zones', () => {
  it.each<readonly [number, number, string, string]>([
    // NGA.STND.0037, The Universal Grids: 32V reaches to 3° E; 31X, 33X, 35X and 37X share Svalbard.
    [60.39, 5.32, '32V', 'Bergen'],
    [60.39, 3, '32V', 'from 3° E on'],
    [60.39, 2.99, '31V', 'the sea west of it'],
    [64, 5.32, '31W', 'north of the exception'],
    [55.99, 5.32, '31U', 'south of it'],
    [78.22, 15.65, '33X', 'Longyearbyen'],
    [78, 8.99, '31X', 'west of 9° E'],
    [78, 9, '33X', 'from 9° E on'],
    [78, 20.99, '33X', 'up to 21° E'],
    [78, 21, '35X', 'from 21° E on'],
    [78, 32.99, '35X', 'up to 33° E'],
    [78, 33, '37X', 'from 33° E on'],
    [78, 41.99, '37X', 'up to 42° E'],
    [78, 42, '38X', 'from 42° E on as anywhere'],
    [71.99, 10, '32W', 'south of the exception'],
    [0, -180, '1N', 'the antimeridian, west'],
    [0, 180, '1N', 'the antimeridian, east'],
    [0, 179.999_999, '60N', 'just west of it'],
    [-80, 0, '31C', 'the southern end of UTM'],
    [83.999_99, 0, '31X', 'the northern end'],
    [-0.000_01, 6, '32M', 'just south of the equator'],
  ])('%d, %d lies in %s: %s', (latitude, longitude, zone) => {
    expect(formatPosition(at(latitude, longitude), 'mgrs').split(' ')[0]).toBe(zone);
    expect(formatPosition(at(latitude, longitude), 'utm').split(' ')[0]).toBe(zone);
  });

  it.each([
    [90, 0, 'Z AH 00000 00000'],
    [90, -180, 'Z AH 00000 00000'],
    [-90, 0, 'B AN 00000 00000'],
    [84, 0, 'Z AA 00000 33272'],
    [84, 180, 'Z AP 00000 66727'],
    [84, -180, 'Z AP 00000 66727'],
    [84, -90, 'Y RH 33272 00000'],
    [-80.000_01, -90, 'A JN '],
  ] as const)('the polar grid at %d, %d', (latitude, longitude, text) => {
    expect(formatPosition(at(latitude, longitude), 'mgrs').startsWith(text)).toBe(true);
  });

  it('has no zones 32X, 34X and 36X, no letters I and O, and no column of another zone', () => {
    for (const text of [
      '32XMG1234',
      '34XMG1234',
      '36XMG1234',
      '38SIB4488',
      '38SMO4488',
      '38SAB4488',
      '61SMB4488',
      '0SMB4488',
      'YAH',
      'ZZH',
      '38SMB448',
    ])
      expect(parseMgrs(text), text).toBeNull();
  });
});

const anywhere = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('round trips', () => {
  const errors = { dd: 0.9, dm: 1.4, dms: 2.3, utm: 0.8, mgrs: 0.8 };
  it.each(coordinateFormats)('a place written as %s is read back within its precision', (format) => {
    fc.assert(
      fc.property(anywhere, (position) => {
        expect(apart(parsePosition(formatPosition(position, format)), position)).toBeLessThan(errors[format]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('what is copied is read back, decimal degrees to the last digit', () => {
    fc.assert(
      fc.property(
        fc.record({
          latitude: fc.integer({ min: -9e7, max: 9e7 }),
          longitude: fc.integer({ min: -18e7, max: 18e7 }),
        }),
        (micro) => {
          const position = at(micro.latitude / 1e6, micro.longitude / 1e6);
          expect(parsePosition(copiedPosition(position, 'dd'))).toEqual({
            latitude: position.latitude + 0,
            longitude: position.longitude + 0,
          });
        },
      ),
    );
  });

  it('the grid is its own inverse, also beyond a zone’s edge', () => {
    fc.assert(
      fc.property(anywhere, fc.constantFrom(-1, 0, 1), (position, beside) => {
        expect(apart(fromGrid(toGrid(position)), position)).toBeLessThan(1e-3);
        if (Math.abs(position.latitude) > 80) return;
        const zone = ((zoneOf(position) - 1 + beside + 60) % 60) + 1;
        const there = toZone(position, zone);
        expect(
          apart(fromGrid({ grid: 'utm', zone, north: position.latitude >= 0, ...there }), position),
        ).toBeLessThan(1e-3);
      }),
    );
  });

  it('agrees with the package mgrs, which works by another method, wherever that goes', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -79.9, max: 83.9, noNaN: true }),
        fc.double({ min: -180, max: 179.99, noNaN: true }),
        (latitude, longitude) => {
          // Its series is good to a few millimetres; squares of 10 m leave few points on an edge.
          const ours = parseMgrs(compact(at(latitude, longitude), 4));
          const theirs = parseMgrs(otherMgrs([longitude, latitude], 4));
          expect(apart(ours, theirs!)).toBeLessThan(15);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('minutes and seconds carry over and are never 60', () => {
    fc.assert(
      fc.property(
        anywhere,
        fc.constantFrom('dm', 'dms'),
        fc.constantFrom('full', 'short'),
        (position, format, fineness) => {
          expect(formatPosition(position, format, fineness)).not.toMatch(/\b60(\.0+)?[′″]/);
        },
      ),
    );
    expect(formatPosition(at(9.999_999_9, -9.999_999_9), 'dms')).toBe('10°00′00.0″ N, 10°00′00.0″ W');
    expect(formatPosition(at(0.999_999_99, 0), 'dm')).toBe('1°00.000′ N, 0°00.000′ E');
  });
});

describe('what people type', () => {
  it.each([
    ['33.3, 44.4', 33.3, 44.4],
    ['33.3,44.4', 33.3, 44.4],
    ['33,3 44,4', 33.3, 44.4],
    ['33,3; 44,4', 33.3, 44.4],
    ['33,3, 44,4', 33.3, 44.4],
    ['33,44', 33, 44],
    ['(33.3, 44.4)', 33.3, 44.4],
    ['lat: 33.3 lon: 44.4', 33.3, 44.4],
    ['-33.3 -44.4', -33.3, -44.4],
    ['−33.3, −44.4', -33.3, -44.4],
    ['33.3S 44.4W', -33.3, -44.4],
    ['s33.3 w44.4', -33.3, -44.4],
    ['33.3° South, 44.4° West', -33.3, -44.4],
    ['44.4E 33.3N', 33.3, 44.4],
    ['120.5 33.3', 33.3, 120.5],
    ['33.3 270', 33.3, -90],
    ['33 18 44 24', 33.3, 44.4],
    ['33 18 0 44 24 0', 33.3, 44.4],
    ['33°18′N 44°24′E', 33.3, 44.4],
    ['33°18\'00"N, 44°24\'00"E', 33.3, 44.4],
    ["33º18'00''N 44º24'00''E", 33.3, 44.4],
    ['33 deg 18 min N 44 deg 24 min E', 33.3, 44.4],
    ['33d18m0s N 44d24m0s E', 33.3, 44.4],
    ['33°18’00”S 44°24’00”W', -33.3, -44.4],
    ['N 33 18.000 E 044 24.000', 33.3, 44.4],
    ['33°18,000′ N, 44°24,000′ E', 33.3, 44.4],
    ['33-18-00N 044-24-00E', 33.3, 44.4],
    ['3318N04424E', 33.3, 44.4],
    ['331800N0442400E', 33.3, 44.4],
    ['331800.0S 0442400.0W', -33.3, -44.4],
    ['90 0', 90, 0],
    ['0, -180', 0, -180],
    ['90S 180W', -90, -180],
  ])('%s', (text, latitude, longitude) => {
    const read = parsePosition(text);
    expect(read, text).not.toBeNull();
    expect(read!.latitude).toBeCloseTo(latitude, 9);
    expect(read!.longitude).toBeCloseTo(longitude, 9);
  });

  it.each([
    '38s mb 44140 84706',
    'MGRS: 38SMB4414084706',
    '38S-MB-44140-84706',
    '38SMB 44140 84706',
    'utm 38n 444140.54 3684706.36',
    '38S 444140mE 3684706mN',
    '38 S 444,140.54 m E 3,684,706.36 m N',
    'Zone 38N E 444140.54 N 3684706.36',
    '38N 444140.54E 3684706.36N',
    '38N 444140.54, 3684706.36',
  ])('%s is 33.3° N 44.4° E', (text) => {
    expect(apart(parsePosition(text), at(33.3, 44.4)), text).toBeLessThan(2);
  });

  it('the letter S of a zone is the band where the northing fits it, and then the south as a second reading', () => {
    const [band, south] = readCoordinates('38S 444140 3684706');
    expect(band?.position.latitude).toBeCloseTo(33.3, 4);
    expect(south?.position.latitude).toBeLessThan(-50);
    // Sydney Opera House in zone 56, southern hemisphere: no place of band S.
    const sydney = readCoordinates('56S 334873 6252266');
    expect(sydney).toHaveLength(1);
    expect(apart(sydney[0]!.position, at(-33.857, 151.215))).toBeLessThan(100);
  });

  it.each([
    '',
    '   ',
    'Kabul',
    'New York',
    '33.3',
    '91 91',
    '91N 0E',
    '0N 181E',
    '33N 44N',
    '-33.3N 44.4E',
    '33 60 44 0',
    '33 18.5 30 44 24 0',
    '33.3 44.4 55.5',
    '38SMB123',
    '38S MB 1234 567',
    '61N 444140 3684706',
    '38Q 444140 3684706',
    'Z 1900000 2000000',
    'n 2000000 9000000',
    '33.3 44.4 x',
    'N E',
    '1e5 2e5',
  ])('%j is no place', (text) => {
    expect(parsePosition(text)).toBeNull();
  });

  it.each([
    ['3-344', 3, 16],
    ['45, -200', 45, 160],
    ['45, 200', 45, -160],
    ['45, -180', 45, -180],
    ['45, 180', 45, 180],
    ['45, -360', 45, 0],
  ])('a longitude of a whole turn is one of the globe: %s', (text, latitude, longitude) => {
    expect(parsePosition(text)).toEqual({ latitude, longitude });
  });

  it('never throws and never leaves the globe, whatever is typed', () => {
    const bits = fc.constantFrom(
      '3',
      '44',
      '.',
      ',',
      ' ',
      'N',
      's',
      'E',
      '°',
      '′',
      '"',
      "'",
      '-',
      '+',
      ':',
      'Z',
      'AH',
      '38S',
      '444140',
      '3684706',
      'd',
      'm',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(bits, { maxLength: 14 }).map((parts) => parts.join('')),
        ),
        (text) => {
          for (const { position } of readCoordinates(text)) {
            expect(Math.abs(position.latitude)).toBeLessThanOrEqual(90);
            expect(Math.abs(position.longitude)).toBeLessThanOrEqual(180);
          }
        },
      ),
      { numRuns: 5_000 },
    );
  });
});
