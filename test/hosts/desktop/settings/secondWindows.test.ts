import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  keepSecondWindows,
  placeBeside,
  type SecondWindows,
} from '../../../../src-main/hosts/desktop/settings/secondWindows.ts';
import { displaysKey } from '../../../../src-main/hosts/desktop/settings/windowPlaces.ts';
import { flush } from '../../../support/clock.ts';
import { createMemoryDocuments } from '../../../support/ports.ts';
import { desktopUnderTest, senderOf, type DesktopUnderTest } from '../../support/desktopHost.ts';
import { display } from '../fake/screen.ts';
import type { FakeWindow } from '../fake/window.ts';

const laptop = display(1, { x: 0, y: 0, width: 1440, height: 900 });
const wall = display(2, { x: 1440, y: 0, width: 1920, height: 1080 });

let desktop: DesktopUnderTest;
let documents: ReturnType<typeof createMemoryDocuments>;
let windows: SecondWindows | null;
let first: FakeWindow;

async function begin(displays = [laptop, wall]): Promise<void> {
  desktop.electron.screen.displays = displays;
  const attachments = [keepSecondWindows(documents, (given) => (windows = given))];
  first = await desktop.run({ attachments, bounds: { x: 100, y: 50, width: 1200, height: 800 } });
}
async function opened(show: 'map' | 'list'): Promise<FakeWindow> {
  const before = desktop.electron.windows.length;
  windows?.open(show);
  await flush();
  const window = desktop.electron.windows[before];
  if (!window) throw new Error('Not opened');
  return window;
}

beforeEach(async () => {
  desktop = await desktopUnderTest();
  documents = createMemoryDocuments();
  windows = null;
});
afterEach(() => desktop.end());

describe('a second window', () => {
  it('shows its part of the page with exactly the rights of the first', async () => {
    await begin();
    const second = await opened('map');
    expect(second.loaded).toEqual(['console://app/?pane=map']);
    expect(second.options.webPreferences).toEqual(first.options.webPreferences);
    expect(second.webContents.openWindow('console://app/?pane=list')).toBe('deny');
    expect(
      second.webContents.happens('will-navigate', { url: 'https://evil.example/', isMainFrame: true }),
    ).toBe(true);
    expect(second.visible).toBe(false);
    second.finishLoad();
    expect(second.visible).toBe(true);
  });

  it('fills another display if there is one, and else stands where the system puts it', async () => {
    await begin();
    const beside = await opened('list');
    expect(beside.options).toMatchObject({ x: 1440, y: 0, width: 1920, height: 1040 });
    beside.finishLoad();
    expect(beside.maximized).toBe(true);
    await desktop.end();

    desktop = await desktopUnderTest();
    await begin([laptop]);
    const alone = await opened('list');
    expect(alone.options.x).toBeUndefined();
    expect(alone.options).toMatchObject({ minWidth: 480 });
  });

  it('comes back where it was left on these displays, the map and the list each in its own place', async () => {
    await begin();
    const map = await opened('map');
    Object.assign(map.options, { x: 1500, y: 100, width: 900, height: 700 });
    map.close();
    await flush();
    const [kept] = JSON.parse((await documents.read('window-map.json')) ?? '[]') as unknown[];
    expect(kept).toEqual({
      displays: displaysKey([laptop, wall]),
      place: { bounds: { x: 1500, y: 100, width: 900, height: 700 }, state: 'normal' },
    });
    expect((await opened('map')).options).toMatchObject({ x: 1500, y: 100, width: 900, height: 700 });
    expect((await opened('list')).options).toMatchObject({ x: 1440, width: 1920 });
    expect(await documents.read('windows.json')).toBeNull();
  });

  it('is one of each: asked for again it comes forward', async () => {
    await begin();
    windows?.open('map');
    windows?.open('map');
    await flush();
    expect(desktop.electron.windows).toHaveLength(2);
    const map = desktop.electron.windows[1];
    if (map) map.minimized = true;
    windows?.open('map');
    await opened('list');
    expect(map?.done).toEqual(['restore', 'show', 'focus']);
    expect(desktop.electron.windows).toHaveLength(3);
  });

  it('is a page of its own to the console, whose answers do not stand for the first one’s', async () => {
    const heard: string[] = [];
    desktop.electron.screen.displays = [laptop, wall];
    first = await desktop.run({
      attachments: [
        keepSecondWindows(documents, (given) => (windows = given)),
        ({ onTraffic }) => ({
          close: onTraffic({ sent: () => heard.push('sent'), answered: () => heard.push('answered') }),
        }),
      ],
    });
    const second = await opened('map');
    const { electron, fake } = desktop;
    electron.tell('console:subscribe', senderOf(second.webContents));
    electron.tell('console:link', senderOf(second.webContents), { kind: 'resync' });
    expect(fake.subscribers).toHaveLength(1);
    expect(fake.subscribers[0]?.answers).toEqual([{ kind: 'resync' }]);
    expect(heard).toEqual([]);
    electron.tell('console:subscribe', senderOf(first.webContents));
    expect(heard).toEqual(['sent']);
    // A lock makes each page begin anew, which ends its subscription.
    second.webContents.navigate('console://app/?pane=map');
    expect(fake.subscribers.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('ends with the first, and with its own page', async () => {
    await begin();
    const map = await opened('map');
    const list = await opened('list');
    list.webContents.die('crashed');
    expect([map.destroyed, list.destroyed]).toEqual([false, true]);
    expect(desktop.log.events()).toContain('second-window-gone');
    first.close();
    expect(map.destroyed).toBe(true);
    expect(windows).toBeNull();
  });

  it('does not come after the end, however slow the disk is', async () => {
    let goOn = (): void => undefined;
    documents.read = () => new Promise((resolve) => (goOn = () => resolve(null)));
    await begin();
    windows?.open('map');
    first.close();
    goOn();
    await flush();
    expect(desktop.electron.windows).toHaveLength(1);
  });
});

describe('the display beside', () => {
  it.each([
    ['the laptop’s window', { x: 100, y: 50, width: 1200, height: 800 }, 1440],
    ['one mostly on the wall', { x: 1300, y: 50, width: 1200, height: 800 }, 0],
    ['one on no display at all', { x: -5000, y: 50, width: 1200, height: 800 }, 1440],
  ])('of %s', (_which, bounds, x) => {
    expect(placeBeside(bounds, [laptop, wall])?.bounds.x).toBe(x);
  });

  it('is none where there is one display, or none', () => {
    expect(placeBeside(laptop.bounds, [laptop])).toBeNull();
    expect(placeBeside(laptop.bounds, [])).toBeNull();
  });
});
