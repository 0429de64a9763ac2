import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import zlib from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { Formatter } from '../../../../src-main/core/base/messages/formatter.ts';
import { drawSheet } from '../../../../src-main/core/features/exports/sheet/drawing.ts';
import { facesFor } from '../../../../src-main/core/features/exports/sheet/faces.ts';
import sheetFonts from '../../../../src-main/core/features/exports/sheet/faces/inter.json' with { type: 'json' };
import { writeSheet } from '../../../../src-main/core/features/exports/sheet/sheet.ts';
import type { Sheet } from '../../../../src-main/core/features/exports/sheet/sheetPress.ts';
import { scaleOf, type Wording } from '../../../../src-preload/contract/index.ts';
import es from '../../../../src-renderer/locales/es/core.json';
import { messageMap } from '../../../support/messages.ts';
import { facts, madeAt, stored } from './exportFixtures.ts';
import { plainPng } from './plainPng.ts';
import { sheetOf } from './sheetRig.ts';

/** The program that sets the PDF reads fonts with another, which is no dependency of ours. */
const { resolve: nearPdfkit } = createRequire(createRequire(import.meta.url).resolve('pdfkit'));
const { create } = createRequire(import.meta.url)(nearPdfkit('fontkit')) as {
  create(bytes: Buffer): { hasGlyphForCodePoint(code: number): boolean };
};
const opened = (base64: string) => create(Buffer.from(base64, 'base64'));

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
          ['high', 2],
          ['unknown', 3],
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
      'Data as of 22 Nov 2026, 13:44 UTC, 18 minutes old',
      'Not complete: at least 1,707 incidents exist',
      '1 critical',
      '3 unranked',
      '2 high',
      '0 medium',
      '1 without location',
      '1 no longer returned by the service',
      '-33.85678, 151.21522',
      'Пожар',
      'not returned',
      'No location',
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

  it('says that there is nothing, and that there is no map', async () => {
    const { pages, raw } = await sheetOf([], { severities: new Map() }, { paper: 'letter' });
    expect(pages[0]).toContain('There are no incidents under these filters.');
    expect(pages[0]).toContain('The map is not on this sheet');
    expect(raw).toContain('/MediaBox [0 0 612 792]');
  });

  const pictured: Sheet = {
    facts: facts(),
    paper: 'a4',
    wording: null,
    picture: plainPng({}),
    rows: [],
    leftOut: 0,
  };

  it('tells before and after all that compresses', async () => {
    let compresses = false;
    const told: boolean[] = [];
    const set = (value: boolean) => () => {
      expect(compresses).toBe(!value);
      compresses = value;
    };
    const deflate = zlib.deflateSync;
    const watched = vi.spyOn(zlib, 'deflateSync').mockImplementation((...args) => {
      told.push(compresses);
      return deflate(...args);
    });
    try {
      await drawSheet(pictured, { begin: set(true), end: set(false) });
    } finally {
      watched.mockRestore();
    }
    expect(told.length).toBeGreaterThan(2);
    expect(new Set(told)).toEqual(new Set([true]));
    expect(compresses).toBe(false);
  });

  it('is not compressed where it is not wanted any more', async () => {
    const unwanted = () => {
      throw new Error('it was cancelled');
    };
    const end = vi.fn();
    await expect(drawSheet(pictured, { begin: unwanted, end })).rejects.toThrow('it was cancelled');
    expect(end).not.toHaveBeenCalled();
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
});

/** As a Spanish page lends it. */
const spanish = (change: Partial<Wording['places']> = {}): Wording => ({
  language: 'es',
  messages: Object.fromEntries(messageMap(es.sheet, 'sheet.')),
  places: { format: 'dms', texts: [], ...change },
});

describe('a sheet in the words of a page', () => {
  it('is in its language, with its dates, and with places in its form beside decimal degrees', async () => {
    const location = { latitude: -33.85678, longitude: 151.21522, altitude: null };
    const text = '33° 51′ 24.41″ S, 151° 12′ 54.79″ E';
    const wording = spanish({ texts: [[location.latitude, location.longitude, text]] });
    const { pages, raw } = await sheetOf([stored({ severity: 'critical', location })], {}, { wording });
    const page = (pages[0] ?? '').replaceAll('\n', ' ');
    for (const words of [
      'Incidentes, Harbour',
      'Datos de 22 nov 2026, 13:44 UTC, con 18 minutos',
      'Incompleto: existen al menos 1707 incidentes.',
      'crítica',
      'Latitud, longitud',
      'DMS',
      '-33.85678, 151.21522',
      text,
      'Página 1 de 1',
    ]) {
      expect(page).toContain(words);
    }
    expect(raw).toContain('/Lang (es)');
  });

  it('never puts the text of another place beside a place', async () => {
    const moved = { latitude: 1.5, longitude: 2.5, altitude: null };
    const wording = spanish({ texts: [[1.25, 2.5, 'elsewhere']] });
    const { pages } = await sheetOf([stored({ location: moved })], {}, { wording });
    expect(pages[0]).toContain('1.50000, 2.50000');
    expect(pages[0]).not.toContain('elsewhere');
  });

  it('says in English what was not lent', async () => {
    const { pages } = await sheetOf([], {}, { wording: { ...spanish(), messages: {} } });
    expect(pages[0]).toContain('Not complete: at least');
  });

  it.each(['es', 'fr', 'ar', 'hi', 'zh-Hans'] as const)(
    'has a glyph for every sign of its words in %s',
    async (language) => {
      const file = `src-renderer/locales/${language}/core.json`;
      const { sheet } = JSON.parse(readFileSync(file, 'utf8')) as typeof es;
      const months = Array.from({ length: 12 }, (_, month) =>
        new Formatter({ language, messages: {} }, 'utc').instant(Date.UTC(2026, month, 15)),
      );
      const texts = [...messageMap(sheet).values(), ...months].join(' ');
      const faces = await facesFor(texts);
      const fonts = faces.filter(({ face }) => face === 'regular').map(({ base64 }) => opened(base64));
      const lacking = [...new Set(texts)].filter(
        (sign) => !fonts.some((font) => font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0)),
      );
      // Spaces of every width are drawn as spaces, and joiners not at all.
      expect(lacking.filter((sign) => !/[\s\u200c\u200d]/.test(sign))).toEqual([]);
    },
  );

  it('joins letters, and orders words, of a language that is read from the right', async () => {
    const sheet = await sheetOf([stored({ incidentType: 'محل حمل (3)' })]);
    const page = sheet.pages[0] ?? '';
    // The line as it is drawn, from left to right: the joined forms carry the plain letters along.
    const drawn = [...'محل حمل '].reverse().join('');
    expect(page.replaceAll('\n', '')).toContain(`(3)${drawn}`);
  });
});

it('gives a thread nothing but data', async () => {
  const given: Sheet[] = [];
  const print = (sheet: Sheet): Promise<Uint8Array> => {
    given.push(structuredClone(sheet));
    return Promise.resolve(new Uint8Array(70_000));
  };
  const pieces: number[] = [];
  for await (const piece of writeSheet({
    facts: facts(),
    scale: scaleOf(null),
    keys: Uint32Array.of(0, 1),
    find: (key) => (key === 0 ? stored() : null),
    picture: null,
    order: { paper: 'letter' },
    press: { print },
    signal: new AbortController().signal,
    onTally: () => undefined,
  })) {
    pieces.push(piece.byteLength);
  }
  expect(given).toMatchObject([{ paper: 'letter', rows: [{ id: 'i-1', notReturned: false }], leftOut: 0 }]);
  expect(pieces).toEqual([65_536, 70_000 - 65_536]);
});
