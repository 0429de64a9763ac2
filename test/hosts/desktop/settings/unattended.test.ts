import { afterEach, beforeEach, expect, it } from 'vitest';
import { sirenAtStart } from '../../../../src-main/core/features/alarms/alarmsState.ts';
import { keepAwake, showAlarms } from '../../../../src-main/hosts/desktop/settings/unattended.ts';
import type { OutboxState } from '../../../../src-preload/contract/index.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../../support/desktopHost.ts';
import type { FakeWindow } from '../fake/window.ts';

let desktop: DesktopUnderTest;
beforeEach(async () => {
  desktop = await desktopUnderTest();
});
afterEach(() => desktop.end());

const run = (platform: NodeJS.Platform = 'linux'): Promise<FakeWindow> =>
  desktop.run({ platform, attachments: [keepAwake, showAlarms] });
const move = (...directions: OutboxState['moving'][number]['direction'][]): void => {
  const moving = directions.map((direction) => ({ direction }));
  desktop.fake.tell('outbox', { moving } as Partial<OutboxState> as OutboxState);
};
const blockers = (): string[] => [...desktop.electron.blockers.values()];
const alarms = (unacknowledged: number): void =>
  desktop.fake.tell('siren', { ...sirenAtStart, unacknowledged });

it('the computer does not sleep while a file is sent, and only then', async () => {
  await run();
  move('receiving');
  expect(blockers()).toEqual([]);
  move('receiving', 'sending');
  move('sending');
  expect(blockers()).toEqual(['prevent-app-suspension']);
  move();
  expect(blockers()).toEqual([]);
  move('sending');
  desktop.electron.app.quit();
  await expect.poll(blockers).toEqual([]);
});

it.each(['linux', 'darwin'] as const)(
  'the icon has the number of alarms on %s, and flashes for those that come meanwhile',
  async (platform) => {
    const window = await run(platform);
    const { app } = desktop.electron;
    alarms(1);
    expect([app.badge, window.flashing]).toEqual([1, false]);
    window.blur();
    alarms(3);
    expect([app.badge, window.flashing]).toEqual([3, true]);
    window.flashing = false;
    alarms(2);
    expect([app.badge, window.flashing]).toEqual([2, false]);
    alarms(4);
    alarms(0);
    expect([app.badge, window.flashing, window.overlay]).toEqual([0, false, null]);
  },
);

it('the taskbar of Windows has an image for alarms, and says how many', async () => {
  const window = await run('win32');
  window.blur();
  alarms(2);
  expect([desktop.electron.app.badge, window.overlay, window.flashing]).toEqual([
    0,
    '2 alarms to acknowledge',
    true,
  ]);
  alarms(0);
  expect([window.overlay, window.flashing]).toEqual([null, false]);
});

it('a dock keeps no number of a console that has ended', async () => {
  await run();
  alarms(2);
  desktop.electron.app.quit();
  await expect.poll(() => desktop.electron.app.badge).toBe(0);
});
