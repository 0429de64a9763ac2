import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildGazetteer, gazetteerFile } from '../../../../build/gazetteer.ts';
import file from '../../../../build/assets/gazetteer/countries.json' with { type: 'json' };
import { townLines } from '../../../../src-main/core/base/places/towns.ts';
import { foldName, Gazetteer } from '../../../../src-renderer/base/gazetteer/index.ts';
import { i18n } from '../../../../src-renderer/i18n/index.ts';

let gazetteer: Gazetteer;
beforeAll(() => {
  gazetteer = new Gazetteer({ countries: file.countries, towns: townLines() });
});
afterEach(() => {
  i18n.global.locale.value = 'en';
});

const named = (text: string, limit = 3): string[] =>
  gazetteer.search(text, limit).map(({ name, country }) => `${name} ${country}`);

describe('the bundled gazetteer', () => {
  it('is what its build makes of its sources', async () => {
    expect(await readFile(gazetteerFile, 'utf8')).toBe(await buildGazetteer());
  });

  it('finds a place with or without its accents, in any case', () => {
    expect(named('ZURICH', 1)).toEqual(['Zürich CH']);
    expect(named('Zürich', 1)).toEqual(['Zürich CH']);
    expect(named('reykjavik', 1)).toEqual(['Reykjavík IS']);
    expect(named('lodz', 1)).toEqual(['Łódź PL']);
    expect(foldName("  N'Djamena – Aéroport ")).toBe('ndjamena aeroport');
  });

  it('ranks a whole name before a beginning, a country before a city, the larger before the smaller', () => {
    expect(named('paris', 1)).toEqual(['Paris FR']);
    expect(named('georgia', 1)).toEqual(['Georgia GE']);
    expect(named('ind', 2)).toEqual(['India IN', 'Indonesia ID']);
    expect(named('york', 1)).toEqual(['York GB']);
    expect(named('nysa', 1)).toEqual(['Nysa PL']);
  });

  it('keeps to a country that is named after the place', () => {
    expect(named('tripoli', 1)).toEqual(['Tripoli LY']);
    expect(named('Tripoli, Lebanon', 1)).toEqual(['Tripoli LB']);
    expect(named('birmingham us', 1)).toEqual(['Birmingham US']);
  });

  it('finds a town by each of its names, and shows the one of the page’s language', () => {
    for (const name of ['geneva', 'genève', 'ginebra']) expect(named(name, 1)).toEqual(['Geneva CH']);
    expect(named('köln', 1)).toEqual(['Cologne DE']);
    i18n.global.locale.value = 'fr';
    expect(named('geneva', 1)).toEqual(['Genève CH']);
  });

  it('finds a name that is spelled with a letter or two too few, too many or wrong, where no other is found', () => {
    expect(named('klodsko', 1)).toEqual(['Kłodzko PL']);
    expect(named('reykjavig', 1)).toEqual(['Reykjavík IS']);
    expect(named('nairobbi, kenya', 1)).toEqual(['Nairobi KE']);
    expect(named('nyss, PL', 1)).toEqual(['Nysa PL']);
    expect(named('xqz')).toEqual([]);
  });

  it('knows countries in the page’s language and in English', () => {
    expect(named('germany', 1)).toEqual(['Germany DE']);
    i18n.global.locale.value = 'fr';
    expect(named('allemagne', 1)).toEqual(['Allemagne DE']);
    expect(named('germany', 1)).toEqual(['Allemagne DE']);
  });

  it('finds a country as it is typed in the script of the page, and shows it so', () => {
    i18n.global.locale.value = 'ar';
    expect(named('العراق', 1)).toEqual(['العراق IQ']);
    // Without its hamza, and with the letter that is typed for ة.
    expect(named('المملكه العربيه السعوديه', 1)).toEqual(['المملكة العربية السعودية SA']);
    expect(named('انغولا', 1)).toEqual(['أنغولا AO']);
    i18n.global.locale.value = 'hi';
    expect(named('माली', 1)).toEqual(['माली ML']);
    expect(named('मलावी', 1)).toEqual(['मलावी MW']);
    expect(named('कजाखस्तान', 1)).toEqual(['कज़ाखस्तान KZ']);
    i18n.global.locale.value = 'zh-Hans';
    expect(named('中国', 1)).toEqual(['中国 CN']);
    expect(named('刚果', 2).toSorted()).toEqual(['刚果（布） CG', '刚果（金） CD']);
    expect(foldName('माली')).not.toBe(foldName('मला'));
  });

  it('answers nothing for nothing, and never more than asked for', () => {
    expect(gazetteer.search(' ', 5)).toEqual([]);
    expect(gazetteer.search('qxqxqx', 5)).toEqual([]);
    expect(gazetteer.search('a', 7)).toHaveLength(7);
  });

  it('places a city where the published coordinates put it', () => {
    const [nairobi] = gazetteer.search('Nairobi', 1);
    expect(nairobi).toMatchObject({ latitude: -1.283, longitude: 36.817, kind: 'town' });
    expect(gazetteer.zoomOf(nairobi!)).toBeGreaterThan(8);
    expect(gazetteer.zoomOf(gazetteer.search('Russia', 1)[0]!)).toBeLessThan(4);
  });
});
