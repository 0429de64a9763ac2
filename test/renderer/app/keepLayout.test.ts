import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { noPolicy, policyStateOf } from '../../../src-main/core/features/policy/policy.ts';
import { layoutAtStart } from '../../../src-main/core/features/views/viewsDocument.ts';
import type { ConsoleState, Layout } from '../../../src-preload/contract/index.ts';
import { keepLayout } from '../../../src-renderer/app/keepLayout.ts';
import { useUi } from '../../../src-renderer/base/stores/ui.ts';
import { createPage } from '../pageRig.ts';

const camera = { longitude: 12, latitude: 34, zoom: 5 };
const kept: Layout = {
  ...layoutAtStart,
  camera,
  panel: 'outbox',
  sortBy: 'severity',
  sortDirection: 'ascending',
};

function open(kiosk: ConsoleState['policy']['kiosk'] = 'off') {
  const told: Partial<Layout>[] = [];
  const verbs = {
    keepLayout: (change: Partial<Layout>) => {
      told.push(change);
      return Promise.resolve({ ok: true, value: null } as const);
    },
  };
  const page = createPage(verbs);
  const ui = page.run(() => {
    const made = useUi();
    keepLayout();
    return made;
  });
  let revision = 0;
  const shows = async (vault: 'open' | 'closed', restored: number, layout: Layout = kept): Promise<void> => {
    revision += 1;
    page.push({
      epoch: 'a',
      revision,
      base: null,
      incidents: null,
      slices: {
        policy: { ...policyStateOf(noPolicy), kiosk },
        session: { vault, username: 'kim', session: { state: 'active', expiresAt: 1 } },
        workspace: { restored, layout, views: [], station: null, linked: null },
      },
    });
    await nextTick();
  };
  return { ui, shows, told };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(1_500);

it('takes over what a vault brought back, once', async () => {
  const { ui, shows } = open();
  await shows('closed', 0);
  await shows('open', 0);
  expect(ui.panel).toBe('incidents');
  await shows('open', 1);
  expect([ui.panel, ui.sortBy, ui.sortDirection, ui.cameraWish]).toEqual([
    'outbox',
    'severity',
    'ascending',
    { camera, fly: false },
  ]);
  ui.panel = 'maps';
  await shows('open', 1, { ...kept, panel: 'alarms' });
  expect(ui.panel, 'an echo of another page is no restoration').toBe('maps');
});

it('takes it over in a page that begins in the middle of a session', async () => {
  const { ui, shows } = open();
  await shows('open', 3);
  expect(ui.panel).toBe('outbox');
});

it('does not take what the sign-in before brought back for the next one’s', async () => {
  const { ui, shows, told } = open();
  await shows('closed', 1);
  await shows('open', 1);
  expect(ui.panel).toBe('incidents');
  ui.timeline = true;
  await nextTick();
  expect(told, 'nothing is told before the layout is back').toEqual([]);
  await shows('open', 2);
  expect(ui.panel).toBe('outbox');
});

it('leaves what the operator chose before the stored layout came, and tells it', async () => {
  const { ui, shows, told } = open();
  await shows('closed', 0);
  ui.groupBy = 'type';
  await shows('open', 0);
  ui.sort('created', 'descending');
  ui.timeline = true;
  ui.timeline = false;
  ui.recentActions = ['sort'];
  await nextTick();
  await shows('open', 1, { ...kept, timeline: true, groupBy: 'place', recentActions: ['export'] });
  expect([ui.sortBy, ui.sortDirection, ui.timeline, ui.recentActions]).toEqual([
    'created',
    'descending',
    false,
    ['sort'],
  ]);
  expect([ui.panel, ui.groupBy, ui.cameraWish], 'the rest is as it was left').toEqual([
    'outbox',
    'place',
    { camera, fly: false },
  ]);
  expect(told[0]).toEqual({
    sortBy: 'created',
    sortDirection: 'descending',
    timeline: false,
    recentActions: ['sort'],
  });
});

it('does not move the map that the operator moved before the stored layout came', async () => {
  const { ui, shows, told } = open();
  await shows('open', 0);
  const moved = { ...camera, zoom: 9 };
  ui.camera = moved;
  await settle();
  await shows('open', 1);
  expect([ui.camera, ui.cameraWish]).toEqual([moved, null]);
  expect(told[0]).toEqual({ camera: moved });
});

it('forgets at a sign-out what was chosen before it', async () => {
  const { ui, shows } = open();
  await shows('open', 0);
  ui.sort('created', 'descending');
  await shows('closed', 0);
  ui.reset();
  await shows('open', 1);
  expect(ui.sortBy).toBe('severity');
  expect(ui.sortDirection).toBe('ascending');
});

it('tells changes, the camera only when the map has rested for a second', async () => {
  const { ui, shows, told } = open();
  await shows('open', 1);
  await settle();
  told.length = 0;
  for (let zoom = 1; zoom <= 9; zoom += 1) {
    ui.camera = { ...camera, zoom };
    await vi.advanceTimersByTimeAsync(300);
  }
  expect(told).toEqual([]);
  await settle();
  expect(told).toEqual([{ camera: { ...camera, zoom: 9 } }]);
  ui.panel = 'missions';
  await nextTick();
  expect(told.at(-1)).toEqual({ panel: 'missions', sortBy: 'severity', sortDirection: 'ascending' });
});

it('tells nothing of how a page stands at the sign-in page', async () => {
  const { ui, shows, told } = open();
  await shows('open', 1);
  await settle();
  told.length = 0;
  await shows('closed', 1);
  ui.reset();
  ui.camera = camera;
  await settle();
  expect(told).toEqual([]);
});

it.each([
  ['map', [{ overlays: { graticule: true, mgrsGrid: false }, timeline: true }]],
  [
    'list',
    [
      { sortBy: 'status', sortDirection: 'ascending' },
      { columns: [{ name: 'id', width: 200 }], groupBy: 'none', detailsWidth: null },
    ],
  ],
] as const)('speaks for its own half in a window with the %s only', async (pane, expected) => {
  const { ui, shows, told } = open();
  ui.pane = pane;
  await shows('open', 1);
  expect(ui.panel, 'what the whole page shows is not shown here').toBe('incidents');
  await settle();
  told.length = 0;
  ui.camera = { ...camera, zoom: 9 };
  ui.sort('status', 'ascending');
  ui.overlays = { graticule: true, mgrsGrid: false };
  ui.timeline = true;
  ui.columns = [{ name: 'id', width: 200 }];
  await settle();
  expect(told).toEqual(expected);
});

it('leaves a wallboard alone', async () => {
  const { ui, shows, told } = open('wallboard');
  await shows('open', 1);
  ui.look(camera, { fly: true });
  await settle();
  expect(ui.panel).toBe('incidents');
  expect(told).toEqual([]);
});

it('takes the grouping over and tells it, in the window of the list too', async () => {
  const { ui, shows, told } = open();
  await shows('closed', 0);
  await shows('open', 1, { ...kept, groupBy: 'place' });
  expect(ui.groupBy).toBe('place');
  await settle();
  told.length = 0;
  ui.groupBy = 'type';
  await nextTick();
  ui.pane = 'list';
  ui.groupBy = 'none';
  await nextTick();
  ui.pane = 'map';
  ui.groupBy = 'place';
  await nextTick();
  expect(told.map(({ groupBy }) => groupBy)).toEqual(['type', 'none', undefined]);
});
