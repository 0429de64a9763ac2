import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTowns } from '../../../../build/towns.ts';
import { english } from '../../../../src-main/core/base/messages/message.ts';
import { messageOfPlace, messageOfPlaceInAll } from '../../../../src-main/core/base/places/placeMessages.ts';
import { Countries } from '../../../../src-main/core/base/places/countries.ts';
import { townLines, Towns } from '../../../../src-main/core/base/places/towns.ts';

const towns = new Towns();
const at = (latitude: number, longitude: number): string =>
  english(messageOfPlace(towns.nearest({ latitude, longitude })));

it('the list is what its sources make', async () => {
  expect(townLines()).toEqual(await buildTowns());
});

describe('a place', () => {
  it.each([
    [48.21, 16.37, 'Vienna, AT'],
    [50.474, 17.334, 'Nysa, PL'],
    [50.51, 16.6, '9 km NW of Kłodzko, PL'],
    // Over the date line, and where meridians meet.
    [-17, 179.99, '92 km SE of Labasa, FJ'],
    [0, -140, '2,206 km NE of Mahina, PF'],
    [90, 0, '836 km N of Alert, CA'],
    [-90, 0, 'Amundsen–Scott South Pole Station, AQ'],
  ])('at %d, %d is %s', (latitude, longitude, words) => {
    expect(at(latitude, longitude)).toBe(words);
  });

  it('has the names of its town in one language, or each of them that differs', () => {
    const vienna = towns.nearest({ latitude: 48.21, longitude: 16.37 });
    const french = { id: 'place.near', values: { town: 'Vienne, AT' } };
    expect(messageOfPlace(vienna, 'fr')).toEqual(french);
    const values = {
      ...{ town: 'Vienna, AT', 'town.es': 'Viena, AT' },
      ...{ 'town.fr': 'Vienne, AT', 'town.zh-Hans': '維也納, AT' },
    };
    expect(messageOfPlaceInAll(vienna)).toEqual({ id: 'place.near', values });
    expect(english(messageOfPlaceInAll(vienna))).toBe('Vienna, AT');
  });

  it('has the direction as seen from the town', () => {
    // In the outback no other town is near.
    const town = { latitude: -23.7, longitude: 133.881 };
    const around = [0, 45, 90, 135, 180, 225, 270, 315].map((degrees) => {
      const angle = (degrees * Math.PI) / 180;
      const latitude = town.latitude + 0.05 * Math.cos(angle);
      const longitude = town.longitude + (0.05 * Math.sin(angle)) / Math.cos((latitude * Math.PI) / 180);
      return towns.nearest({ latitude, longitude }).from;
    });
    expect(around).toEqual(['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw']);
  });

  it('is named after a town of its country, where one is within 100 km', () => {
    // Across the river from Eisenhüttenstadt, and across the mountains from Kudowa-Zdrój.
    expect(at(52.14, 14.7)).toBe('21 km N of Gubin, PL');
    expect(at(50.33, 16.35)).toBe('14 km E of Dobruška, CZ');
  });

  it('is named after the town where it is, to whichever country the list and the borders give that', () => {
    expect(at(45.352, 36.475)).toBe('Kerch, UA');
  });

  it('has the nearest town of all where its country has none near, and at sea', () => {
    const all = townLines().map((line) => line.split('|').slice(0, 2).map(Number) as [number, number]);
    const radians = Math.PI / 180;
    /** By the law of cosines, which the search does not use for its distances. */
    const km = (a: readonly [number, number], b: readonly [number, number]): number =>
      6_371 *
      Math.acos(
        Math.min(
          1,
          Math.sin(a[0] * radians) * Math.sin(b[0] * radians) +
            Math.cos(a[0] * radians) * Math.cos(b[0] * radians) * Math.cos((a[1] - b[1]) * radians),
        ),
      );
    const degrees = (most: number): fc.Arbitrary<number> => fc.double({ min: -most, max: most, noNaN: true });
    fc.assert(
      fc.property(degrees(90), degrees(180), (latitude, longitude) => {
        const nearest = Math.min(...all.map((town) => km(town, [latitude, longitude])));
        const found = towns.nearest({ latitude, longitude });
        const isOwn = new Countries().at(latitude, longitude) === found.town.country && found.km <= 100.2;
        if (!isOwn) expect(Math.abs(found.km - nearest)).toBeLessThan(0.2);
        expect(found.km).toBeGreaterThan(nearest - 0.2);
      }),
      { numRuns: 200 },
    );
  });
});
