import { expect, test } from 'vitest';
import { endRefused, withoutSandbox, type Starter } from '../../../src-main/hosts/desktop/refusedStart.ts';
import { FakeElectron } from './fake/electron.ts';

const doubleClick: Starter = {
  platform: 'linux',
  environment: { DISPLAY: ':0' },
  terminal: false,
  supervised: false,
};

async function refused(change: Partial<Starter>) {
  const starter = { ...doubleClick, ...change };
  const fake = new FakeElectron({ boxesBeforeReady: starter.platform !== 'linux' });
  const makeFolder = (): string => '/passing';
  await endRefused({ electron: fake.asElectron(), starter, sentence: () => 'Why', status: 3, makeFolder });
  return fake;
}

test.each<[string, Partial<Starter>, string[]]>([
  ['on Linux, where a box needs a ready Electron', {}, ['ready']],
  ['on Wayland', { environment: { WAYLAND_DISPLAY: 'wayland-0' } }, ['ready']],
  ['on Windows', { platform: 'win32', environment: {} }, []],
  ['on macOS', { platform: 'darwin', environment: {} }, []],
])('a start that is refused after a double click says so in a box: %s', async (_where, change, steps) => {
  const fake = await refused(change);
  expect(fake.errorBoxes).toEqual(['Why']);
  expect(fake.app.exits).toEqual([3]);
  expect(fake.app.steps).toEqual(steps);
});

test('on Linux it waits for Electron in a profile of its own: that of the data folder is in use', async () => {
  const fake = await refused({});
  expect([...fake.app.paths]).toEqual([
    ['userData', '/passing'],
    ['sessionData', '/passing'],
  ]);
});

test.each<[string, Partial<Starter>]>([
  ['a terminal, in which the sentence stands', { terminal: true }],
  ['a service manager, as nobody may close the box', { supervised: true }],
  ['no screen', { environment: {} }],
])('there is no box with %s', async (_who, change) => {
  const fake = await refused(change);
  expect(fake.errorBoxes).toEqual([]);
  expect(fake.app.exits).toEqual([3]);
  expect(fake.app.steps).toEqual([]);
});

test('an AppImage that the system keeps from its sandbox is known; other switches are another matter', () => {
  const image: Starter = { ...doubleClick, environment: { APPIMAGE: '/opt/Field.AppImage' } };
  expect(withoutSandbox(['no-sandbox'], image)).toBe(true);
  expect(withoutSandbox(['no-sandbox', 'js-flags'], image)).toBe(false);
  expect(withoutSandbox([], image)).toBe(false);
  expect(withoutSandbox(['no-sandbox'], doubleClick)).toBe(false);
});
