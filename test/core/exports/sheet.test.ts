import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportFacts } from '../../../src-main/core/exports/exportFacts.ts';
import { mostListedRows, sheetTime, writeSheet } from '../../../src-main/core/exports/sheet.ts';
import sheetFonts from '../../../src-main/core/exports/sheetFonts.json' with { type: 'json' };
import { mgrsText } from '../../../src-main/core/exports/sheetTable.ts';
import type { ExportTally } from '../../../src-main/core/exports/textFormat.ts';
import type { StoredIncident } from '../../../src-main/core/vault/incidentCache.ts';
import { facts, hostileIncident, hostileText, madeAt, stored } from './exportFixtures.ts';
import { plainPng } from './plainPng.ts';

interface Sheet {
  readonly raw: string;
  /** What is drawn with text operators, page by page, in the order of drawing. */
  readonly pages: readonly string[];
  readonly tally: ExportTally;
}

async function sheetOf(
  incidents: readonly (StoredIncident | null)[],
  change: Partial<ExportFacts> = {},
  { picture = null as Uint8Array | null, paper = 'a4' as 'a4' | 'letter' } = {},
): Promise<Sheet> {
  const pieces: Uint8Array[] = [];
  let tally: ExportTally = { written: 0, leftOut: 0, gone: 0 };
  for await (const piece of writeSheet({
    facts: facts({ incidents: incidents.length, ...change }),
    keys: Uint32Array.from(incidents, (_incident, at) => at),
    find: (key) => incidents[key] ?? null,
    picture,
    order: { paper },
    onTally: (next) => {
      tally = next;
    },
  })) {
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  return { raw: bytes.toString('latin1'), pages: pageTexts(bytes), tally };
}

/**
 * Reads a PDF's text back: the glyphs that a page's content draws, through the table from glyphs to
 * characters that each font carries along.
 */
function pageTexts(bytes: Buffer): string[] {
  const raw = bytes.toString('latin1');
  const objects = new Map<string, string>();
  for (const [, number = '', body = ''] of raw.matchAll(/(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/g)) {
    objects.set(number, body);
  }
  const streamOf = (number: string): string => {
    const body = objects.get(number) ?? '';
    const length = Number(/\/Length (\d+)/.exec(body)?.[1] ?? 0);
    const from = body.indexOf('stream\n') + 'stream\n'.length;
    const plain = Buffer.from(body.slice(from, from + length), 'latin1');
    return (body.includes('/FlateDecode') ? inflateSync(plain) : plain).toString('latin1');
  };
  const referenced = (body: string, name: string): string =>
    new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1] ?? '';
  const resolved = (body: string, name: string): string => {
    const inline = new RegExp(`/${name} <<([\\s\\S]*?)>>`).exec(body)?.[1];
    return inline ?? objects.get(referenced(body, name)) ?? '';
  };
  const charactersOf = (fontNumber: string): Map<string, string> => {
    const table = streamOf(referenced(objects.get(fontNumber) ?? '', 'ToUnicode'));
    const characters = new Map<string, string>();
    for (const [, first = '', list = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
      [...list.matchAll(/<([0-9a-f ]*)>/gi)].forEach(([, units = ''], at) => {
        const code = (Number.parseInt(first, 16) + at).toString(16).padStart(4, '0');
        const text = (units.replaceAll(' ', '').match(/.{4}/g) ?? [])
          .map((unit) => String.fromCharCode(Number.parseInt(unit, 16)))
          .join('');
        characters.set(code, text);
      });
    }
    return characters;
  };
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body));
  return pages.map((page) => {
    const fontEntries = resolved(resolved(page, 'Resources'), 'Font');
    const resources = objects.get(referenced(page, 'Resources')) ?? page;
    const fonts = new Map(
      [...`${fontEntries} ${resources}`.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(
        ([, name = '', number = '']) => [name, charactersOf(number)] as const,
      ),
    );
    let font = new Map<string, string>();
    let text = '';
    const content = streamOf(referenced(page, 'Contents'));
    for (const [, name, drawn] of content.matchAll(
      /\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]*>|[-\d. ])*)\] TJ/gi,
    )) {
      if (name !== undefined) font = fonts.get(name) ?? new Map();
      else {
        for (const [, codes = ''] of (drawn ?? '').matchAll(/<([0-9a-f]*)>/gi)) {
          text += (codes.match(/.{4}/g) ?? []).map((code) => font.get(code) ?? '?').join('');
        }
        text += '\n';
      }
    }
    return text;
  });
}

describe('a sheet', () => {
  it('says first whose data these are, how old and how complete, and then what they are', async () => {
    const { pages, tally, raw } = await sheetOf(
      [
        stored({
          severity: 'critical',
          location: { latitude: -33.85678, longitude: 151.21522, altitude: null },
        }),
        stored({ id: 'i-2', incidentType: 'Пожар', location: null }, { notReturnedSince: madeAt }),
        null,
      ],
      {
        deployment: 'Harbour station',
        withoutLocation: 1,
        notReturned: 1,
        severities: new Map([
          ['critical', 1],
          ['HIGH', 2],
          ['catastrophic', 3],
        ]),
      },
      { picture: plainPng({ width: 60, height: 30 }) },
    );
    expect(pages).toHaveLength(1);
    const [text = ''] = pages;
    const places = [
      'Incidents, Harbour station',
      'by ada',
      'Filters: the last 6 hours, severity critical',
      'Data as of 2026-11-22 13:44:31 UTC, 18 minutes old',
      'Not complete: at least 1,707 incidents exist',
      '1 critical',
      '2 high',
      '0 medium',
      '3 other',
      '1 without location',
      '1 no longer returned by the service',
      '-33.85678, 151.21522',
      '56H LH 34893 52290',
      'Пожар',
      'open, not returned',
      'no location',
      'Page 1 of 1',
    ].map((words) => ({ words, at: text.replaceAll('\n', ' ').indexOf(words) }));
    expect(places.filter(({ at }) => at < 0)).toEqual([]);
    expect(places.map(({ at }) => at)).toEqual(places.map(({ at }) => at).sort((a, b) => a - b));
    expect(tally).toEqual({ written: 2, leftOut: 0, gone: 1 });
    expect(raw).toContain('/MediaBox [0 0 595.28 841.89]');
    expect(raw).toMatch(/\/Width 60\b/);
    expect(text).not.toContain('TRAINING');
  });

  it('bears the training band on every page, and repeats the table’s head', async () => {
    const { pages } = await sheetOf(
      Array.from({ length: 120 }, (_, at) => stored({ id: `i-${at}` })),
      { training: true },
    );
    expect(pages.length).toBeGreaterThan(2);
    pages.forEach((text, at) => {
      expect(text).toContain('TRAINING, NOT REAL INCIDENTS');
      expect(text).toContain('Latitude, longitude');
      expect(text.replaceAll('\n', ' ')).toContain(`Page ${at + 1} of ${pages.length}`);
    });
  });

  it('lists 2,000 and says how many it leaves out', async () => {
    const one = stored();
    const { pages, tally } = await sheetOf(Array.from({ length: mostListedRows + 345 }, () => one));
    expect(tally).toEqual({ written: mostListedRows, leftOut: 345, gone: 0 });
    expect(pages.at(-1)?.replaceAll('\n', ' ')).toContain(
      'The first 2,000 are listed; 345 incidents are left out.',
    );
    const listed = pages.join('').split('fire\n').length - 1;
    expect(listed).toBe(mostListedRows);
  });

  it('says that there is nothing, and that there is no map', async () => {
    const { pages, raw } = await sheetOf([], { severities: new Map() }, { paper: 'letter' });
    expect(pages[0]).toContain('There are no incidents under these filters.');
    expect(pages[0]).toContain('The map is not on this sheet');
    expect(raw).toContain('/MediaBox [0 0 612 792]');
  });

  it('does without a picture that is damaged behind its head', async () => {
    const { pages } = await sheetOf([stored()], {}, { picture: plainPng({}).subarray(0, 40) });
    expect(pages[0]).toContain('fire');
  });

  it('is set in its own faces only, which are those of the package', async () => {
    const { raw } = await sheetOf([stored()]);
    const names = new Set(
      Array.from(raw.matchAll(/\/BaseFont \/(?:[A-Z]{6}\+)?([\w-]+)/g), ([, name]) => name),
    );
    expect([...names].filter((name) => !name?.startsWith('Inter'))).toEqual([]);
    const { resolve } = createRequire(import.meta.url);
    for (const [face, weight] of [
      ['regular', 400],
      ['strong', 600],
    ] as const) {
      for (const [script, text] of Object.entries(sheetFonts[face])) {
        const file = resolve(`@fontsource/inter/files/inter-${script}-${weight}-normal.woff`);
        expect(readFileSync(file).toString('base64') === text, `${face} ${script}`).toBe(true);
      }
    }
  });

  it('is made whatever it is to hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileIncident, { maxLength: 3 }), hostileText, async (incidents, text) => {
        const { pages, tally } = await sheetOf(incidents, { deployment: text, filters: text.repeat(60) });
        expect(tally.written).toBe(incidents.length);
        expect(pages[0]).toContain('Data as of');
      }),
      { numRuns: 6 },
    );
  });
});

it('tells times in the operator’s zone, with its offset', () => {
  expect(sheetTime(madeAt, 'utc')).toBe('2026-11-22 14:02 UTC');
  const local = sheetTime(madeAt, 'local');
  const offset = /([+-]\d\d:\d\d)$/.exec(local)?.[1];
  expect(new Date(`${local.slice(0, 10)}T${local.slice(11, 16)}:31${offset}`).getTime()).toBe(madeAt);
});

it.each([
  // The Eiffel Tower and the Sydney Opera House, as their published references have them to 10 m.
  [48.85824, 2.2945, '31U DQ 4825[0-9] 1193[0-9]'],
  [-33.857, 151.215, '56H LH 348\\d\\d 522\\d\\d'],
  // The wide zones of south-western Norway and of Svalbard.
  [60.39, 5.32, '32V KN \\d{5} \\d{5}'],
  [78.22, 15.65, '33X WG \\d{5} \\d{5}'],
  [84.5, 0, ''],
  [-80.1, 0, ''],
])('places %f, %f in MGRS', (latitude, longitude, expected) => {
  expect(mgrsText({ latitude, longitude })).toMatch(new RegExp(`^${expected}$`));
});
