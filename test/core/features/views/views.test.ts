import { describe, expect, it } from 'vitest';
import type { IncidentQuery, MapPackage } from '../../../../src-preload/contract/index.ts';
import { layoutAtStart } from '../../../../src-main/core/features/views/viewsDocument.ts';
import { flush } from '../../../support/clock.ts';
import { MemoryActions } from '../../memoryRecords.ts';
import { begunWorkspace, createWorkspaceRig } from './viewsRig.ts';

const camera = { longitude: 12.5, latitude: -33.25, zoom: 6 };
const narrow: IncidentQuery = {
  range: '6h',
  severities: ['high'],
  statuses: ['open'],
  types: ['flood'],
  openOnly: true,
  limit: 500,
};

const keptIn = (texts: ReadonlyMap<string, string>): Record<string, unknown> =>
  JSON.parse(texts.get('workspace') ?? 'null') as Record<string, unknown>;

describe('what is kept', () => {
  it('comes back at the next start: layout, filters and views, and the page is told once', async () => {
    const first = await begunWorkspace();
    expect(first.shown().restored).toBe(1);
    first.desk.keepLayout({ panel: 'outbox', camera });
    first.store.patch('incidents', { query: narrow });
    const saved = first.desk.saveView(' North coast ', camera, '');
    expect(saved).toMatchObject({ ok: true, value: { name: 'North coast', range: '6h', camera } });
    await first.desk.stop();

    const second = await begunWorkspace(first.texts);
    expect(second.shown()).toMatchObject({
      restored: 1,
      layout: { panel: 'outbox', camera, sortBy: 'severity' },
      views: [{ name: 'North coast', severities: ['high'], statuses: ['open'] }],
    });
    expect(second.query()).toEqual(narrow);
  });

  it('is written at most once a second, whatever the map does, and what waits is written at the stop', async () => {
    const { desk, clock, actions, texts } = await begunWorkspace();
    for (let step = 0; step < 100; step += 1) {
      desk.keepLayout({ camera: { ...camera, zoom: step / 10 } });
      await clock.advance(50);
    }
    expect(actions.writes).toBeLessThanOrEqual(6);
    expect(actions.writes).toBeGreaterThanOrEqual(5);
    desk.keepLayout({ camera: { ...camera, zoom: 21 } });
    await desk.stop();
    expect(keptIn(texts)).toMatchObject({ layout: { camera: { zoom: 21 } } });
  });

  it('is not written for a layout that says the same', async () => {
    const { desk, clock, actions } = await begunWorkspace();
    desk.keepLayout({ panel: 'incidents' });
    await clock.advance(5_000);
    expect(actions.writes).toBe(0);
  });

  it('is tried again after the disk refused it', async () => {
    const { desk, clock, actions, texts } = await begunWorkspace();
    actions.refuses = () => true;
    expect(desk.keepLayout({ panel: 'alarms' }).ok).toBe(true);
    await clock.advance(1_000);
    expect(texts.has('workspace')).toBe(false);
    actions.refuses = () => false;
    await clock.advance(31_000);
    expect(keptIn(texts)).toMatchObject({ layout: { panel: 'alarms' } });
  });

  it('keeps the filters as they were left, not as the sign-out leaves the store', async () => {
    const { desk, store, texts } = await begunWorkspace();
    store.patch('incidents', { query: narrow });
    const stopped = desk.stop();
    store.patch('incidents', {
      query: { range: 'all', severities: [], statuses: [], types: [], openOnly: false, limit: null },
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
      limit: null,
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
    const { desk, shown } = createWorkspaceRig();
    const actions = new MemoryActions(
      new Map([['workspace', JSON.stringify({ version: 1, layout: { panel: 'missions' } })]]),
    );
    let goOn = (): void => undefined;
    actions.ready = new Promise((resolve) => (goOn = resolve));
    const started = desk.start(actions);
    expect(desk.keepLayout({ panel: 'incidents' })).toMatchObject({ failure: { code: 'conflict' } });
    expect(desk.saveView('Early', null, '')).toMatchObject({ failure: { code: 'conflict' } });
    goOn();
    await started;
    expect(shown().layout.panel).toBe('missions');
  });

  it('leaves filters alone that were set while it read', async () => {
    const { desk, query, store } = createWorkspaceRig();
    const actions = new MemoryActions(
      new Map([['workspace', JSON.stringify({ version: 1, query: narrow })]]),
    );
    const started = desk.start(actions);
    const meant: IncidentQuery = {
      range: '1h',
      severities: [],
      statuses: [],
      types: [],
      openOnly: false,
      limit: null,
    };
    store.patch('incidents', { query: meant });
    await started;
    expect(query()).toEqual(meant);
  });

  it('that a stop overtakes takes up nothing', async () => {
    const { desk, shown } = createWorkspaceRig();
    const started = desk.start(
      new MemoryActions(new Map([['workspace', JSON.stringify({ version: 1, layout: { panel: 'maps' } })]])),
    );
    await desk.stop();
    await started;
    expect(shown()).toMatchObject({ restored: 0, layout: { panel: 'incidents' } });
    expect(desk.keepLayout({ panel: 'maps' })).toMatchObject({ failure: { code: 'signed-out' } });
  });

  it('works without anything to keep it in, and counts every restoration', async () => {
    const { desk, shown } = createWorkspaceRig();
    await desk.start(null);
    expect(desk.keepLayout({ panel: 'evidence' }).ok).toBe(true);
    expect(shown().layout.panel).toBe('evidence');
    await desk.stop();
    expect(shown()).toMatchObject({ restored: 1, layout: { panel: 'incidents' }, views: [] });
    await desk.start(null);
    await flush(1);
    expect(shown().restored).toBe(2);
  });
});

describe('saved views', () => {
  it('replaces one of the same name in its place, under its id', async () => {
    const { desk, names, shown, store } = await begunWorkspace();
    for (const name of ['one', 'two', 'three']) desk.saveView(name, null, '');
    const before = shown().views[1]?.id;
    store.patch('incidents', { query: narrow });
    expect(desk.saveView('two', camera, '')).toMatchObject({ ok: true, value: { id: before } });
    expect(names()).toEqual(['one', 'two', 'three']);
    expect(shown().views[1]).toMatchObject({ id: before, camera, severities: ['high'] });
  });

  it('hold what is shown: filters, camera, search, columns, groups and overlays', async () => {
    const { desk, store, shown } = await begunWorkspace();
    store.patch('incidents', { query: narrow });
    const columns = [{ name: 'type', width: 200 } as const];
    const overlays = { graticule: true, mgrsGrid: false };
    desk.keepLayout({ columns, overlays, groupBy: 'place' });
    desk.saveView('Wide', camera, 'harbour');
    desk.keepLayout({ columns: null, groupBy: 'none' });
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
    const { desk, store, shown } = await begunWorkspace();
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
    desk.saveView('Two', null, '');
    store.patch('maps', { packages: packages.map((one) => ({ ...one, visible: false })) });
    desk.saveView('None', null, '');
    expect(shown().views.map((view) => view.packages)).toEqual([
      [
        { id: 'a'.repeat(16), name: 'Harbour' },
        { id: 'c'.repeat(16), name: 'x'.repeat(256) },
      ],
      [],
    ]);
  });

  it('takes another name, unless it is taken or nothing', async () => {
    const { desk, names, shown } = await begunWorkspace();
    for (const name of ['one', 'two']) desk.saveView(name, camera, 'x');
    const [one] = shown().views;
    if (!one) throw new Error('not saved');
    expect(desk.renameView(one.id, ' first ')).toEqual({ ok: true, value: null });
    expect(names()).toEqual(['first', 'two']);
    expect(shown().views[0]).toEqual({ ...one, name: 'first' });
    expect(desk.renameView(one.id, 'first').ok).toBe(true);
    expect(desk.renameView(one.id, 'two')).toMatchObject({ failure: { code: 'conflict' } });
    expect(desk.renameView(one.id, '  ')).toMatchObject({ failure: { code: 'malformed-request' } });
    expect(desk.renameView('f'.repeat(32), 'x')).toMatchObject({ failure: { code: 'not-found' } });
    expect(names()).toEqual(['first', 'two']);
  });

  it('keeps 64 at most, and refuses a name of nothing', async () => {
    const { desk, names } = await begunWorkspace();
    for (let at = 0; at < 64; at += 1) expect(desk.saveView(`view ${at}`, null, '').ok).toBe(true);
    expect(desk.saveView('one more', null, '')).toMatchObject({ failure: { code: 'conflict' } });
    expect(desk.saveView('view 63', camera, '').ok).toBe(true);
    expect(desk.saveView('   ', null, '')).toMatchObject({ failure: { code: 'malformed-request' } });
    expect(names()).toHaveLength(64);
  });

  it('moves and removes by id', async () => {
    const { desk, names, shown } = await begunWorkspace();
    for (const name of ['one', 'two', 'three']) desk.saveView(name, null, '');
    const idOf = (name: string): string => shown().views.find((view) => view.name === name)?.id ?? '';
    desk.moveView(idOf('three'), 0);
    expect(names()).toEqual(['three', 'one', 'two']);
    desk.moveView(idOf('three'), 63);
    expect(names()).toEqual(['one', 'two', 'three']);
    const gone = idOf('two');
    expect(desk.removeView(gone).ok).toBe(true);
    expect(names()).toEqual(['one', 'three']);
    expect(desk.removeView(gone)).toMatchObject({ failure: { code: 'not-found' } });
    expect(desk.moveView(gone, 0)).toMatchObject({ failure: { code: 'not-found' } });
  });
});
