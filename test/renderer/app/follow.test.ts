import { afterEach, expect, it } from 'vitest';
import { nextTick } from 'vue';
import { noPolicy, policyStateOf } from '../../../src-main/core/features/policy/policy.ts';
import type { ConsoleState } from '../../../src-preload/contract/index.ts';
import { followChannel, paneOf, readFollowMessage, sameCamera } from '../../../src-renderer/app/follow.ts';
import { useFollow } from '../../../src-renderer/app/followStore.ts';
import { useUi, type Pane } from '../../../src-renderer/base/stores/ui.ts';
import { createPage } from '../pageRig.ts';

const camera = { longitude: 12, latitude: 34, zoom: 5 };
const follows: ReturnType<typeof useFollow>[] = [];
const listeners: BroadcastChannel[] = [];

/** A window of the console, signed in unless said otherwise; over the real channel. */
async function open(
  pane: Pane,
  { epoch = 'a', kiosk = 'off' as ConsoleState['policy']['kiosk'], opened = true } = {},
) {
  const page = createPage();
  const [ui, follow] = page.run(() => {
    const made = useUi();
    made.pane = pane;
    return [made, useFollow()] as const;
  });
  follows.push(follow);
  let revision = 0;
  const sign = async (vault: 'open' | 'closed'): Promise<void> => {
    revision += 1;
    page.push({
      epoch,
      revision,
      base: null,
      incidents: null,
      slices: {
        policy: { ...policyStateOf(noPolicy), kiosk },
        session: { vault, username: 'kim', session: { state: 'active', expiresAt: 1 } },
      },
    });
    await nextTick();
  };
  await sign(opened ? 'open' : 'closed');
  return { ui, follow, sign };
}

/** What a stranger on the channel hears. */
function overhear(): { readonly heard: unknown[]; readonly say: (data: unknown) => void } {
  const channel = new BroadcastChannel(followChannel);
  listeners.push(channel);
  const heard: unknown[] = [];
  channel.onmessage = ({ data }: MessageEvent<unknown>) => void heard.push(data);
  return { heard, say: (data) => channel.postMessage(data) };
}

/** Until what was sent before has come everywhere. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) {
    const [from, to] = [new BroadcastChannel('settled'), new BroadcastChannel('settled')];
    await new Promise<void>((resolve) => {
      to.onmessage = () => resolve();
      from.postMessage(null);
    });
    from.close();
    to.close();
    await nextTick();
  }
}

afterEach(() => {
  for (const follow of follows.splice(0)) follow.$dispose();
  for (const channel of listeners.splice(0)) channel.close();
});

it('brings selection, search, time window and camera from one window to the others, once', async () => {
  const main = await open('all');
  const map = await open('map');
  await settled();
  const { heard } = overhear();
  main.ui.select(7, 'list');
  main.ui.search = 'flood';
  main.ui.timeWindow = { from: 1, to: 2 };
  main.ui.look(camera, { fly: true });
  await settled();
  expect(map.ui.selected).toBe(7);
  expect(map.ui.selectedOn, 'the map flies to what a list chose').toBe('list');
  expect(map.ui.search).toBe('flood');
  expect(map.ui.timeWindow).toEqual({ from: 1, to: 2 });
  expect(map.ui.cameraWish).toEqual({ camera, fly: false });
  expect(heard, 'nothing is told back').toHaveLength(4);

  map.ui.select(null);
  // The map comes to rest a hair beside where it was told to look; then the operator moves it.
  map.ui.camera = { ...camera, longitude: 12.000_001 };
  await settled();
  expect(main.ui.selected).toBeNull();
  expect(main.ui.camera).toEqual(camera);
  map.ui.camera = { ...camera, zoom: 8 };
  await settled();
  expect(main.ui.camera?.zoom).toBe(8);
  map.ui.camera = camera;
  await settled();
  expect(main.ui.camera?.zoom, 'also back to where it was told to look first').toBe(5);
  expect(heard).toHaveLength(7);
});

it('tells a window that opens how things stand, and only the whole page does', async () => {
  const main = await open('all');
  const list = await open('list');
  main.ui.search = 'fire';
  main.ui.select(3);
  await settled();
  const { heard } = overhear();
  const map = await open('map');
  await settled();
  expect([map.ui.search, map.ui.selected]).toEqual(['fire', 3]);
  expect(list.ui.search).toBe('fire');
  expect(heard).toEqual([
    { kind: 'asked' },
    {
      kind: 'stands',
      epoch: 'a',
      selection: { key: 3, on: 'list' },
      search: 'fire',
      window: null,
      camera: null,
    },
  ]);
});

it('takes no key of another epoch, which would be another incident', async () => {
  const main = await open('all', { epoch: 'a' });
  const map = await open('map', { epoch: 'b' });
  main.ui.select(7);
  main.ui.search = 'x';
  await settled();
  expect(map.ui.search).toBe('x');
  expect(map.ui.selected).toBeNull();
});

it.each([
  ['wishes not to', { wanted: false, how: {} }],
  ['is not signed in', { wanted: true, how: { opened: false } }],
  ['is a wallboard', { wanted: true, how: { kiosk: 'wallboard' as const } }],
])('neither tells nor hears where one %s', async (_why, { wanted, how }) => {
  const other = await open('list');
  const one = await open('all', how);
  one.follow.wanted = wanted;
  const { heard } = overhear();
  one.ui.search = 'mine';
  await settled();
  expect(other.ui.search).toBe('');
  expect(heard).toEqual([]);
  other.ui.search = 'theirs';
  await settled();
  expect(one.ui.search).toBe('mine');
});

it('tells nothing of how a page is cleared at the sign-out', async () => {
  const main = await open('all');
  main.ui.search = 'secret';
  await settled();
  const { heard } = overhear();
  await main.sign('closed');
  main.ui.reset();
  await settled();
  expect(heard).toEqual([]);
});

it.each([
  [null],
  ['asked'],
  [{ kind: 'stands' }],
  [{ kind: 'stands', epoch: 'a', search: 'x'.repeat(257) }],
  [{ kind: 'stands', epoch: 'a', selection: { key: -1, on: 'list' } }],
  [{ kind: 'stands', epoch: 'a', camera: { longitude: 500, latitude: 0, zoom: 1 } }],
  [{ kind: 'stands', epoch: 'a', search: 'x', more: 1 }],
  [{ kind: 'stands', epoch: 'a', window: { from: 'x', to: 1 } }],
])('passes over what is no message: %j', async (data) => {
  const { ui } = await open('all');
  overhear().say(data);
  await settled();
  expect(readFollowMessage(data)).toBeNull();
  expect([ui.search, ui.selected, ui.camera, ui.timeWindow]).toEqual(['', null, null, null]);
});

it('knows a camera again across the antimeridian', () => {
  expect(sameCamera({ ...camera, longitude: 179.999_999 }, { ...camera, longitude: -179.999_999 })).toBe(
    true,
  );
  expect(sameCamera(camera, { ...camera, longitude: 12.001 })).toBe(false);
  expect(sameCamera(camera, null)).toBe(false);
  expect(sameCamera(null, null)).toBe(true);
});

it.each([
  ['', 'all'],
  ['?pane=map', 'map'],
  ['?pane=list&x=1', 'list'],
  ['?pane=everything', 'all'],
])('reads from the address what a window shows: %s', (search, pane) => {
  expect(paneOf(search)).toBe(pane);
});
