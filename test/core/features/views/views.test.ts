import { describe, expect, it } from 'vitest';
import { layoutAtStart } from '../../../../src-main/core/features/views/viewsDocument.ts';
import type { IncidentQuery, MapPackage } from '../../../../src-preload/contract/index.ts';
import { flush } from '../../../support/clock.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { begunWorkspace, createWorkspaceRig } from './viewsRig.ts';

const camera = { longitude: 12.5, latitude: -33.25, zoom: 6 };
const narrow: IncidentQuery = {
  range: '6h',
  severities: ['high'],
  statuses: ['open'],
  types: ['flood'],
  openOnly: true,
};

const keptIn = (texts: ReadonlyMap<string, string>): Record<string, unknown> =>
  JSON.parse(texts.get('workspace') ?? 'null') as Record<string, unknown>;

describe('what is stored', () => {
  it('comes back at the next start: layout, filters and views, and the page learns it once', async () => {
    const first = await begunWorkspace();
    expect(first.shown().restored).toBe(1);
    first.feature.keepLayout({ panel: 'outbox', camera });
    first.store.patch('incidents', { query: narrow });
    const saved = first.feature.saveView(' North coast ', camera, '');
    expect(saved).toMatchObject({ ok: true, value: { name: 'North coast', range: '6h', camera } });
    await first.feature.stop();

    const second = await begunWorkspace(first.texts);
    expect(second.shown()).toMatchObject({
      restored: 1,
      layout: { panel: 'outbox', camera, sortBy: 'severity' },
      views: [{ name: 'North coast', severities: ['high'], statuses: ['open'] }],
    });
    expect(second.query()).toEqual(narrow);
  });

  it('is written at most once a second, whatever the map does, and what waits is written at the stop', async () => {
    const { feature, clock, records, texts } = await begunWorkspace();
    for (let step = 0; step < 100; step += 1) {
      feature.keepLayout({ camera: { ...camera, zoom: step / 10 } });
      await clock.advance(50);
    }
    expect(records.writes).toBeLessThanOrEqual(6);
    expect(records.writes).toBeGreaterThanOrEqual(5);
    feature.keepLayout({ camera: { ...camera, zoom: 21 } });
    await feature.stop();
    expect(keptIn(texts)).toMatchObject({ layout: { camera: { zoom: 21 } } });
  });

  it('is not written for a layout that says the same', async () => {
    const { feature, clock, records } = await begunWorkspace();
    feature.keepLayout({ panel: 'incidents' });
    await clock.advance(5_000);
    expect(records.writes).toBe(0);
  });

  it('is tried again after the disk refused it', async () => {
    const { feature, clock, records, texts } = await begunWorkspace();
    records.refuses = () => true;
    expect(feature.keepLayout({ panel: 'alarms' }).ok).toBe(true);
    await clock.advance(1_000);
    expect(texts.has('workspace')).toBe(false);
    records.refuses = () => false;
    await clock.advance(31_000);
    expect(keptIn(texts)).toMatchObject({ layout: { panel: 'alarms' } });
  });

  it('keeps the filters as they were left, not as the sign-out leaves the store', async () => {
    const { feature, store, texts } = await begunWorkspace();
    store.patch('incidents', { query: narrow });
    const stopped = feature.stop();
    store.patch('incidents', {
      query: { range: 'all', severities: [], statuses: [], types: [], openOnly: false },
    });
    await stopped;
    expect(keptIn(texts)).toMatchObject({ query: narrow });
  });
});

describe('a document that cannot be read whole', () => {
  it('gives back each member that holds by itself', async () => {
    const good = {
      id: 'a'.repeat(32),
      name: 'Harbour',
      camera: null,
      range: '1h',
      severities: [],
      statuses: [],
    };
    const { shown, query } = await begunWorkspace(
      new Map([
        [
          'workspace',
          JSON.stringify({
            version: 1,
            layout: {
              camera: { ...camera, zoom: 99 },
              panel: 'maps',
              sortBy: 'age',
              sortDirection: 'ascending',
            },
            query: { range: 'forever', severities: ['critical'], statuses: 'open', limit: 0 },
            views: [good, { ...good, name: 'Same id' }, { ...good, id: 'b'.repeat(32) }, { id: 1 }, null],
          }),
        ],
      ]),
    );
    expect(shown().layout).toEqual({
      ...layoutAtStart,
      camera: null,
      panel: 'maps',
      sortBy: 'severity',
      sortDirection: 'ascending',
    });
    expect(query()).toEqual({
      range: 'all',
      severities: ['critical'],
      statuses: [],
      types: [],
      openOnly: true,
    });
    // A view of the version before searches, columns, overlays and packages is a view: it has none of them.
    const plain = {
      types: [],
      openOnly: false,
      search: '',
      columns: null,
      groupBy: 'none',
      overlays: { graticule: false, mgrsGrid: false },
      packages: null,
    };
    expect(shown().views).toEqual([{ ...good, ...plain }]);
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"version":2,"layout":{"panel":"maps"}}',
    '{"version":1,"views":{"0":1}}',
  ])('is as nothing: %s', async (text) => {
    const { shown } = await begunWorkspace(new Map([['workspace', text]]));
    expect(shown()).toMatchObject({ restored: 1, layout: { panel: 'incidents', camera: null }, views: [] });
  });
});

describe('the start', () => {
  it('takes no layout before what was kept is there, so that a page does not overwrite it', async () => {
    const { feature, shown } = createWorkspaceRig();
    const records = new MemoryRecords(
      new Map([['workspace', JSON.stringify({ version: 1, layout: { panel: 'missions' } })]]),
    );
    let goOn = (): void => undefined;
    records.ready = new Promise((resolve) => (goOn = resolve));
    const started = feature.start(records);
    expect(feature.keepLayout({ panel: 'incidents' })).toMatchObject({ failure: { code: 'conflict' } });
    expect(feature.saveView('Early', null, '')).toMatchObject({ failure: { code: 'conflict' } });
    goOn();
    await started;
    expect(shown().layout.panel).toBe('missions');
  });

  it('leaves filters alone that were set while it read', async () => {
    const { feature, query, store } = createWorkspaceRig();
    const records = new MemoryRecords(
      new Map([['workspace', JSON.stringify({ version: 1, query: narrow })]]),
    );
    const started = feature.start(records);
    const meant: IncidentQuery = {
      range: '1h',
      severities: [],
      statuses: [],
      types: [],
      openOnly: false,
    };
    store.patch('incidents', { query: meant });
    await started;
    expect(query()).toEqual(meant);
  });

  it('that a stop overtakes takes up nothing', async () => {
    const { feature, shown } = createWorkspaceRig();
    const started = feature.start(
      new MemoryRecords(new Map([['workspace', JSON.stringify({ version: 1, layout: { panel: 'maps' } })]])),
    );
    await feature.stop();
    await started;
    expect(shown()).toMatchObject({ restored: 0, layout: { panel: 'incidents' } });
    expect(feature.keepLayout({ panel: 'maps' })).toMatchObject({ failure: { code: 'conflict' } });
  });

  it('works without anything to keep it in, and counts every restoration', async () => {
    const { feature, shown } = createWorkspaceRig();
    await feature.start(null);
    expect(feature.keepLayout({ panel: 'evidence' }).ok).toBe(true);
    expect(shown().layout.panel).toBe('evidence');
    await feature.stop();
    expect(shown()).toMatchObject({ restored: 1, layout: { panel: 'incidents' }, views: [] });
    await feature.start(null);
    await flush();
    expect(shown().restored).toBe(2);
  });
});

describe('saved views', () => {
  it('replaces one of the same name in its place, under its id', async () => {
    const { feature, names, shown, store } = await begunWorkspace();
    for (const name of ['one', 'two', 'three']) feature.saveView(name, null, '');
    const before = shown().views[1]?.id;
    store.patch('incidents', { query: narrow });
    expect(feature.saveView('two', camera, '')).toMatchObject({ ok: true, value: { id: before } });
    expect(names()).toEqual(['one', 'two', 'three']);
    expect(shown().views[1]).toMatchObject({ id: before, camera, severities: ['high'] });
  });

  it('hold what is shown: filters, camera, search, columns, groups and overlays', async () => {
    const { feature, store, shown } = await begunWorkspace();
    store.patch('incidents', { query: narrow });
    const columns = [{ name: 'type', width: 200 } as const];
    const overlays = { graticule: true, mgrsGrid: false };
    feature.keepLayout({ columns, overlays, groupBy: 'place' });
    feature.saveView('Wide', camera, 'harbour');
    feature.keepLayout({ columns: null, groupBy: 'none' });
    expect(shown().views).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        name: 'Wide',
        camera,
        range: '6h',
        severities: ['high'],
        statuses: ['open'],
        types: ['flood'],
        openOnly: true,
        search: 'harbour',
        columns,
        groupBy: 'place',
        overlays,
        // There is no map package that could be shown or hidden.
        packages: null,
      },
    ]);
  });

  it('hold which map packages are shown, under names that another computer can know', async () => {
    const { feature, store, shown } = await begunWorkspace();
    const known = (id: string, name: string, visible: boolean): MapPackage => ({
      id: id.repeat(16),
      name,
      attribution: '',
      format: 'pmtiles',
      kind: 'raster',
      tileType: 'png',
      tileSize: 256,
      minZoom: 0,
      maxZoom: 8,
      bounds: [-10, -10, 10, 10],
      bytes: 1_000,
      layers: [],
      scheme: 'raster',
      visible,
    });
    const packages = [
      known('a', 'Harbour', true),
      known('b', 'Hills', false),
      known('c', 'x'.repeat(300), true),
    ];
    store.patch('maps', { packages });
    feature.saveView('Two', null, '');
    store.patch('maps', { packages: packages.map((one) => ({ ...one, visible: false })) });
    feature.saveView('None', null, '');
    expect(shown().views.map((view) => view.packages)).toEqual([
      [
        { id: 'a'.repeat(16), name: 'Harbour' },
        { id: 'c'.repeat(16), name: 'x'.repeat(256) },
      ],
      [],
    ]);
  });

  it('takes another name, unless it is taken or nothing', async () => {
    const { feature, names, shown } = await begunWorkspace();
    for (const name of ['one', 'two']) feature.saveView(name, camera, 'x');
    const [one] = shown().views;
    if (!one) throw new Error('not saved');
    expect(feature.renameView(one.id, ' first ')).toEqual({ ok: true, value: null });
    expect(names()).toEqual(['first', 'two']);
    expect(shown().views[0]).toEqual({ ...one, name: 'first' });
    expect(feature.renameView(one.id, 'first').ok).toBe(true);
    expect(feature.renameView(one.id, 'two')).toMatchObject({ failure: { code: 'conflict' } });
    expect(feature.renameView(one.id, '  ')).toMatchObject({ failure: { code: 'malformed-request' } });
    expect(feature.renameView('f'.repeat(32), 'x')).toMatchObject({ failure: { code: 'not-found' } });
    expect(names()).toEqual(['first', 'two']);
  });

  it('keeps 64 at most, and refuses a name of nothing', async () => {
    const { feature, names } = await begunWorkspace();
    for (let at = 0; at < 64; at += 1) expect(feature.saveView(`view ${at}`, null, '').ok).toBe(true);
    expect(feature.saveView('one more', null, '')).toMatchObject({ failure: { code: 'conflict' } });
    expect(feature.saveView('view 63', camera, '').ok).toBe(true);
    expect(feature.saveView('   ', null, '')).toMatchObject({ failure: { code: 'malformed-request' } });
    expect(names()).toHaveLength(64);
  });

  it('moves and removes by id', async () => {
    const { feature, names, shown } = await begunWorkspace();
    for (const name of ['one', 'two', 'three']) feature.saveView(name, null, '');
    const idOf = (name: string): string => shown().views.find((view) => view.name === name)?.id ?? '';
    feature.moveView(idOf('three'), 0);
    expect(names()).toEqual(['three', 'one', 'two']);
    feature.moveView(idOf('three'), 63);
    expect(names()).toEqual(['one', 'two', 'three']);
    const gone = idOf('two');
    expect(feature.removeView(gone).ok).toBe(true);
    expect(names()).toEqual(['one', 'three']);
    expect(feature.removeView(gone)).toMatchObject({ failure: { code: 'not-found' } });
    expect(feature.moveView(gone, 0)).toMatchObject({ failure: { code: 'not-found' } });
  });
});
