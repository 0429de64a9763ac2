import { expect, test } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { defaultPreferences } from '../../../../src-main/core/features/preferences/preferences.ts';
import {
  createZoomer,
  keepZoom,
  zoomFrom,
  zoomMenuItems,
} from '../../../../src-main/hosts/desktop/settings/zoom.ts';
import { failed, zoomSteps } from '../../../../src-preload/contract/index.ts';
import { flush } from '../../../support/clock.ts';
import { createWords } from '../../../../src-main/hosts/desktop/words.ts';
import { FakeConsole } from '../../support/console.ts';
import { FakeApp } from '../fake/app.ts';
import { FakeZoomedContents } from '../fake/zoomedContents.ts';

function zoomed(zoom = 1) {
  const console = new FakeConsole();
  console.tell('preferences', { ...defaultPreferences, zoom });
  const webContents = new FakeZoomedContents();
  const attached = keepZoom({ console, window: { webContents } });
  return { console, webContents, attached };
}
const asked = ({ calls }: FakeConsole): unknown[] => calls.map(({ request }) => request);

test('the page is drawn as large as preferred, after each load and at each change', () => {
  const { console, webContents } = zoomed(1.25);
  webContents.factors.length = 0;
  webContents.emit('dom-ready');
  webContents.emit('dom-ready');
  expect(webContents.factors).toEqual([1.25, 1.25]);
  console.tell('preferences', { ...defaultPreferences, zoom: 2 });
  expect(webContents.factors).toEqual([1.25, 1.25, 2]);
  console.tell('preferences', { ...defaultPreferences, zoom: 2, theme: 'day' });
  expect(webContents.factors).toHaveLength(3);
});

test('the wheel with Ctrl changes the preference and not the page itself', () => {
  const { console, webContents } = zoomed();
  const before = webContents.factors.length;
  webContents.wheel('in');
  webContents.wheel('in');
  webContents.wheel('out');
  expect(console.calls.every(({ verb }) => verb === 'setPreferences')).toBe(true);
  expect(asked(console)).toEqual([{ zoom: 1.1 }, { zoom: 1.25 }, { zoom: 1.1 }]);
  expect(webContents.factors).toHaveLength(before);
});

test('steps lead from every size to the next one, and stay at the ends', () => {
  for (const [at, step] of zoomSteps.entries()) {
    expect(zoomFrom(step, 'in')).toBe(zoomSteps[at + 1] ?? 3);
    expect(zoomFrom(step, 'out')).toBe(zoomSteps[at - 1] ?? 0.5);
  }
  expect(zoomFrom(1.3, 'in')).toBe(1.5);
  expect(zoomFrom(1.3, 'out')).toBe(1.25);
  expect(zoomFrom(1.3, 'reset')).toBe(1);
});

test('the menu’s entries step the preference by the usual keys, and ask for nothing at an end', () => {
  const console = new FakeConsole();
  console.tell('preferences', { ...defaultPreferences, zoom: 2.5 });
  const zoomer = createZoomer(console);
  const items = zoomMenuItems(zoomer, createWords(new FakeApp([])));
  const press = (key: string): void => {
    const item = items.find(({ accelerator }) => accelerator === `CommandOrControl+${key}`);
    Reflect.apply(item?.click ?? (() => expect.fail(`No ${key}`)), undefined, []);
  };
  for (const key of ['Plus', '=', 'numadd', '-', 'numsub', '0', 'num0']) press(key);
  expect(asked(console)).toEqual([{ zoom: 3 }, { zoom: 2.5 }, { zoom: 2 }, { zoom: 1 }]);
  expect(items.filter(({ visible }) => visible !== false).map(({ label }) => label)).toEqual([
    'Actual size',
    'Zoom in',
    'Zoom out',
  ]);
});

test('what a locked console refuses is not stepped on from', async () => {
  const console = new FakeConsole();
  console.tell('preferences', defaultPreferences);
  const zoomer = createZoomer(console);
  console.answer = () => Promise.resolve(failed(makeFailure({ code: 'locked', at: 0 })));
  zoomer.change('in');
  await flush();
  zoomer.change('in');
  expect(asked(console)).toEqual([{ zoom: 1.1 }, { zoom: 1.1 }]);
});

test('a size that could not be written down still holds', async () => {
  const console = new FakeConsole();
  console.tell('preferences', defaultPreferences);
  const zoomer = createZoomer(console);
  console.answer = () => Promise.resolve(failed(makeFailure({ code: 'storage-failed', at: 0 })));
  zoomer.change('in');
  await flush();
  zoomer.change('in');
  expect(asked(console)).toEqual([{ zoom: 1.1 }, { zoom: 1.25 }]);
});

test('once closed it follows nothing more, whether the page is still there or not', () => {
  const { console, webContents, attached } = zoomed();
  attached.close();
  expect(webContents.eventNames()).toEqual([]);
  console.tell('preferences', { ...defaultPreferences, zoom: 3 });
  expect(webContents.factors).not.toContain(3);

  const gone = zoomed();
  gone.webContents.destroyed = true;
  gone.webContents.emit('dom-ready');
  gone.console.tell('preferences', { ...defaultPreferences, zoom: 3 });
  gone.attached.close();
  expect(gone.webContents.factors).not.toContain(3);
});
