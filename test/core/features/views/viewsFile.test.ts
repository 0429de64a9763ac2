import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readViewsFile, writeViewsFile } from '../../../../src-main/core/features/views/viewsFile.ts';
import { columnNames, savedViewSchema, type SavedView } from '../../../../src-preload/contract/index.ts';
import { begunWorkspace } from './viewsRig.ts';
import { said } from '../../../support/messages.ts';

const words = fc.array(fc.string({ maxLength: 12 }), { maxLength: 4 });
const view: fc.Arbitrary<SavedView> = fc.record({
  id: fc.stringMatching(/^[0-9a-f]{32}$/),
  name: fc
    .string({ minLength: 1, maxLength: 80, unit: 'grapheme' })
    .filter((name) => name.trim() === name && name.length > 0 && name.length <= 80),
  camera: fc.option(
    fc.record({
      longitude: fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value + 0),
      latitude: fc.double({ min: -90, max: 90, noNaN: true }).map((value) => value + 0),
      zoom: fc.double({ min: 0, max: 24, noNaN: true }).map((value) => value + 0),
    }),
  ),
  range: fc.constantFrom('1h', '6h', '24h', '7d', 'all'),
  severities: words,
  statuses: words,
  types: words,
  openOnly: fc.boolean(),
  search: fc.string({ maxLength: 256 }),
  columns: fc.option(
    fc.array(fc.record({ name: fc.constantFrom(...columnNames), width: fc.integer({ min: 48, max: 480 }) }), {
      minLength: 1,
      maxLength: columnNames.length,
    }),
  ),
  groupBy: fc.constantFrom('none', 'type', 'place'),
  overlays: fc.record({ graticule: fc.boolean(), mgrsGrid: fc.boolean() }),
  packages: fc.option(
    fc.array(fc.record({ id: fc.stringMatching(/^[0-9a-f]{16}$/), name: fc.string({ maxLength: 256 }) }), {
      maxLength: 8,
    }),
  ),
});
const views = fc.uniqueArray(view, { minLength: 1, maxLength: 8, selector: ({ name }) => name });

const withoutId = ({ id: _, ...rest }: SavedView) => rest;
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const fileOf = (entries: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ kind: 'field-console.views', version: 1, views: entries, ...more });
const plain = { name: 'North', camera: null, range: '6h', severities: [], statuses: [] };

describe('a file of views', () => {
  it('brings back every view as it was, without the ids of the computer', () => {
    fc.assert(
      fc.property(views, (saved) => {
        const text = textOf(writeViewsFile(saved));
        expect(readViewsFile(text)).toEqual({ views: saved.map(withoutId), unreadable: 0 });
        for (const { id } of saved) expect(text).not.toContain(id);
      }),
    );
  });

  it('is read or refused, whatever it holds, and what is read is a view', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(fc.jsonValue()).map((list) => fileOf(list)),
        ),
        (text) => {
          const read = readViewsFile(text);
          for (const known of read?.views ?? []) {
            expect(savedViewSchema.safeParse({ ...known, id: 'a'.repeat(32) }).success).toBe(true);
          }
        },
      ),
    );
  });

  it.each([
    ['', 'nothing'],
    ['{', 'no JSON'],
    ['null', 'null'],
    ['[]', 'a list'],
    [fileOf([plain], { version: 2 }), 'a later version'],
    [fileOf([plain], { kind: 'field-console.deployment' }), 'another kind'],
    [JSON.stringify({ kind: 'field-console.views', version: 1 }), 'no views'],
    [fileOf([], { views: { 0: plain } }), 'an object of views'],
  ])('is refused: %s (%s)', (text) => {
    expect(readViewsFile(text)).toBeNull();
  });

  it('counts what cannot be read, and takes the rest', () => {
    const read = readViewsFile(
      fileOf([
        plain,
        { ...plain, name: ' South ', later: 'a member of a later version' },
        { ...plain, name: 'No such range', range: 'forever' },
        { ...plain, name: 'No such column', columns: [{ name: 'altitude', width: 100 }] },
        { ...plain, name: '   ' },
        { ...plain, name: 'x'.repeat(81) },
        { ...plain, name: 'Long', severities: ['x'.repeat(257)] },
        { ...plain, name: 'Many', statuses: Array<string>(65).fill('open') },
        { ...plain, range: '1h' },
        { name: 'Half' },
        7,
        null,
      ]),
    );
    expect(read?.views.map(({ name, range }) => [name, range])).toEqual([
      ['North', '6h'],
      ['South', '6h'],
    ]);
    expect(read?.unreadable).toBe(10);
    expect(read?.views[1]).not.toHaveProperty('later');
  });

  it('takes nothing from a prototype', () => {
    const text = `{"kind":"field-console.views","version":1,"views":[{"__proto__":${JSON.stringify(plain)}}]}`;
    expect(readViewsFile(text)).toEqual({ views: [], unreadable: 1 });
  });

  it('may begin with a byte order mark', () => {
    expect(readViewsFile(`\uFEFF${fileOf([plain])}`)?.views).toHaveLength(1);
  });
});

describe('views that are shared', () => {
  it('go from one console to another, and replace what has their name', async () => {
    const [here, there] = [
      await begunWorkspace(new Map(), { seed: 1 }),
      await begunWorkspace(new Map(), { seed: 2 }),
    ];
    for (const name of ['one', 'two', 'three']) here.feature.saveView(name, null, name);
    const ids = here.views().map(({ id }) => id);
    const prepared = here.feature.exportViews([ids[2] ?? '', ids[0] ?? '', 'f'.repeat(32)]);
    if (!prepared.ok) throw new Error(said(prepared.failure.sentence));
    expect(prepared.value.fileName).toMatch(/^field-console-\d{4}-\d\d-\d\d\.views\.json$/);
    const text = textOf(here.downloads.take(prepared.value.exportId) ?? new Uint8Array());

    there.feature.saveView('mine', null, '');
    there.feature.saveView('three', null, 'another search');
    const kept = there.views()[1];
    expect(there.feature.importViews(text)).toEqual({
      ok: true,
      value: { added: 1, replaced: 1, unreadable: 0 },
    });
    expect(there.views().map(({ name, search }) => [name, search])).toEqual([
      ['mine', ''],
      ['three', 'three'],
      ['one', 'one'],
    ]);
    expect(there.views()[1]?.id).toBe(kept?.id);
    expect(ids).not.toContain(there.views()[2]?.id);
  });

  it('are refused when they are gone, and a file when it is none', async () => {
    const { feature, views: shown } = await begunWorkspace();
    expect(feature.exportViews(['f'.repeat(32)])).toMatchObject({ failure: { code: 'not-found' } });
    expect(feature.importViews('{}')).toMatchObject({ failure: { code: 'file-refused' } });
    expect(feature.importViews(fileOf([7]))).toEqual({
      ok: true,
      value: { added: 0, replaced: 0, unreadable: 1 },
    });
    expect(shown()).toEqual([]);
  });

  it('are taken in all or not at all where there is no room for them', async () => {
    const { feature, views: shown } = await begunWorkspace();
    for (let at = 0; at < 63; at += 1) feature.saveView(`view ${at}`, null, '');
    const before = shown();
    const two = fileOf([plain, { ...plain, name: 'South' }]);
    expect(feature.importViews(two)).toMatchObject({ failure: { code: 'conflict' } });
    expect(shown()).toBe(before);
    expect(feature.importViews(fileOf([plain, { ...plain, name: 'view 7' }]))).toMatchObject({
      value: { added: 1, replaced: 1 },
    });
    expect(shown()).toHaveLength(64);
  });
});
