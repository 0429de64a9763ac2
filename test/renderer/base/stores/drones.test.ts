import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import {
  droneSilentMs,
  failed,
  ok,
  type ConsoleState,
  type DronesRead,
  type DronesState,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { useDrones } from '../../../../src-renderer/base/stores/drones.ts';
import { useMirror } from '../../../../src-renderer/base/stores/mirror.ts';
import { useUi } from '../../../../src-renderer/base/stores/ui.ts';
import { createPage } from '../../pageRig.ts';

const serverNow = 1_800_000_000_000;

const answer = (version: number, ids: readonly string[], more: Partial<DronesRead> = {}): DronesRead => ({
  version,
  complete: false,
  more: false,
  ids: [...ids],
  latitudes: ids.map(() => 48),
  longitudes: ids.map((_, at) => 16 + at),
  altitudes: ids.map(() => null),
  headings: ids.map(() => null),
  speeds: ids.map(() => null),
  at: ids.map(() => serverNow),
  missionIds: ids.map(() => null),
  incidentIds: ids.map(() => null),
  trail: { drones: [], latitudes: [], longitudes: [], at: [] },
  gone: [],
  ...more,
});

/** A page before a console whose answers are given one after the other. */
function open() {
  const asked: (number | null)[] = [];
  const waiting: ((result: Result<DronesRead>) => void)[] = [];
  const page = createPage({
    readDrones: ({ since }) => {
      asked.push(since);
      return new Promise((resolve) => waiting.push(resolve));
    },
  });
  const mirror = page.run(() => useMirror());
  page.link({ state: 'up' });
  let revision = 0;
  const slice: DronesState = {
    source: 'auto',
    version: 0,
    received: 0,
    known: 0,
    silent: 0,
    forgotten: 0,
    empty: 'none-yet',
  };
  const says = async (drones: Partial<DronesState>, epoch = 'a'): Promise<void> => {
    revision += 1;
    const slices = {
      session: { vault: 'open', username: 'ann' },
      time: { serverNow },
      drones: { ...slice, ...drones },
    } as unknown as Partial<ConsoleState>;
    page.push({ epoch, revision, base: null, incidents: null, slices });
    await nextTick();
  };
  /** Until the page has asked for what it was told of. */
  const pass = async (ms = 1_000): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
  };
  const gives = async (result: Result<DronesRead>): Promise<void> => {
    waiting.shift()?.(result);
    await pass(0);
  };
  const make = () => page.run(() => useDrones());
  const ui = page.run(() => useUi());
  return { page, mirror, asked, says, pass, gives, make, ui };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('reads nothing while there are no drones, and all of them once there are', async () => {
  const { asked, says, pass, gives, make } = open();
  const drones = make();
  await says({ version: 0 });
  await pass();
  expect(asked).toEqual([]);
  await says({ version: 3, known: 2, empty: null });
  await pass();
  expect(asked).toEqual([null]);
  await gives(ok(answer(3, ['one', 'two'], { complete: true })));
  expect(drones.table.size).toBe(2);
  expect([drones.revision, drones.members]).toEqual([1, 1]);
  await pass();
  expect(asked, 'nothing changed').toEqual([null]);
});

it('asks once for many changes, from what it holds, and goes on where it is behind', async () => {
  const { asked, says, pass, gives, make } = open();
  const drones = make();
  await says({ version: 1, known: 1 });
  await pass();
  for (const version of [2, 3, 4, 5]) {
    await says({ version, known: 1 });
    await pass(50);
  }
  expect(asked, 'one reading at a time').toEqual([null]);
  await gives(ok(answer(4, ['one'], { complete: true, more: true })));
  expect(asked, 'there is more').toEqual([null, 4]);
  await gives(ok(answer(4, ['two'])));
  await pass();
  expect(asked, 'told of version 5 meanwhile').toEqual([null, 4, 4]);
  await gives(ok(answer(5, [], { gone: ['one'] })));
  await pass();
  expect(asked).toHaveLength(3);
  expect([...drones.table.all()].map(({ id }) => id)).toEqual(['two']);
});

it('takes the last one away where the console knows none any more', async () => {
  const { asked, says, pass, gives, make } = open();
  const drones = make();
  await says({ version: 1, known: 1 });
  await pass();
  await gives(ok(answer(1, ['one'], { complete: true })));
  drones.chosenId = 'one';
  drones.follow('one');
  await says({ version: 2, known: 0, empty: 'none-left' });
  await pass();
  await gives(ok(answer(2, [], { gone: ['one'] })));
  expect(drones.table.size).toBe(0);
  expect([drones.chosenId, drones.followedId]).toEqual([null, null]);
  await says({ version: 3, known: 0 });
  await pass();
  expect(asked).toHaveLength(2);
});

it('begins again in another epoch, and drops what was asked in the last', async () => {
  const { asked, says, pass, gives, make } = open();
  const drones = make();
  await says({ version: 7, known: 1 });
  await pass();
  await gives(ok(answer(7, ['one'], { complete: true })));
  await says({ version: 8, known: 1 });
  await pass();
  await says({ version: 7, known: 1 }, 'b');
  await gives(ok(answer(8, ['of the last'])));
  expect(drones.table.get('of the last')).toBeUndefined();
  expect(asked).toEqual([null, 7, null]);
  await gives(ok(answer(7, ['other'], { complete: true })));
  expect([...drones.table.all()].map(({ id }) => id)).toEqual(['other']);
});

it('asks nothing while the console is lost, and again once it is back or says more', async () => {
  const { page, asked, says, pass, gives, make } = open();
  make();
  await says({ version: 1, known: 1 });
  await pass();
  await gives(failed(makeFailure({ code: 'bridge-lost', at: 0 })));
  page.link({ state: 'lost', since: 0 });
  await pass();
  const before = asked.length;
  page.link({ state: 'up' });
  await pass();
  expect(asked.length).toBe(before + 1);
});

it('is dropped with the account: what comes afterwards is dropped too', async () => {
  const { page, mirror, says, pass, gives, make } = open();
  const anns = make();
  await says({ version: 1, known: 1 });
  await pass();
  page.push({
    epoch: 'a',
    revision: 90,
    base: null,
    incidents: null,
    slices: { session: { vault: 'closed', username: null } } as never,
  });
  await nextTick();
  expect(mirror.account).toBeNull();
  await gives(ok(answer(1, ['one'], { complete: true })));
  expect(anns.table.size).toBe(0);
  expect(make()).not.toBe(anns);
});

it('a drone is silent by the server’s time', async () => {
  const { says, pass, gives, make } = open();
  const drones = make();
  await says({ version: 1, known: 2 });
  await pass(0);
  const at = [serverNow - droneSilentMs + 5_000, serverNow - droneSilentMs - 5_000];
  await pass();
  await gives(ok(answer(1, ['heard', 'silent'], { complete: true, at })));
  expect([...drones.table.all()].filter((one) => drones.isSilent(one)).map(({ id }) => id)).toEqual([
    'silent',
  ]);
});

it('a drone grows no older on a screen that has lost its console', async () => {
  const { page, says, pass, gives, make } = open();
  const drones = make();
  await says({ version: 1, known: 1 });
  await pass();
  await gives(ok(answer(1, ['heard'], { complete: true })));
  const silent = () => [...drones.table.all()].filter((one) => drones.isSilent(one)).length;
  page.link({ state: 'lost', since: performance.now() });
  await pass(2 * droneSilentMs);
  expect(silent()).toBe(0);
  page.link({ state: 'up' });
  expect(silent(), 'the console is there, and nothing came').toBe(1);
});

it('opens one in its panel, and sends the map to it', async () => {
  const { says, pass, gives, make, ui } = open();
  const drones = make();
  await says({ version: 1, known: 2 });
  await pass();
  await gives(ok(answer(1, ['one', 'two'], { complete: true })));
  ui.select(4);
  drones.open('two');
  expect([drones.chosenId, ui.panel, ui.selected]).toEqual(['two', 'drones', null]);
  drones.goTo('two');
  expect(ui.cameraWish).toEqual({ camera: { longitude: 17, latitude: 48, zoom: 13 }, fly: true });
  ui.look({ longitude: 0, latitude: 0, zoom: 14 }, { fly: false });
  drones.goTo('two');
  expect(ui.cameraWish?.camera?.zoom, 'no farther away than it was').toBe(14);
  drones.goTo('gone');
  expect(ui.cameraWish?.camera?.longitude).toBe(17);
});
