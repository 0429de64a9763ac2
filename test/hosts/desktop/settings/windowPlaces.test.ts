import { expect, test } from 'vitest';
import {
  displaysKey,
  isWithinReach,
  keepWindowPlaces,
  knowsPlaces,
  placeOptions,
  readPlaces,
  readWindowPlace,
} from '../../../../src-main/hosts/desktop/settings/windowPlaces.ts';
import { flush, StillClock } from '../../../support/clock.ts';
import { createMemoryDocuments, createRecordingLogger } from '../../../support/ports.ts';
import { FakeApp } from '../fake/app.ts';
import { FakePlacedWindow } from '../fake/placedWindow.ts';
import { display, FakeScreen } from '../fake/screen.ts';

const laptop = display(1, { x: 0, y: 0, width: 1440, height: 900 });
const wall = display(2, { x: 1440, y: 0, width: 1920, height: 1080 });

async function placed(wayland = false) {
  const documents = createMemoryDocuments();
  const written: string[] = [];
  const { write } = documents;
  documents.write = (name, text) => {
    written.push(text);
    return write(name, text);
  };
  const window = new FakePlacedWindow(wayland);
  const screen = new FakeScreen([laptop]);
  const clock = new StillClock();
  const logger = createRecordingLogger();
  const attached = keepWindowPlaces(documents)({
    ...{ electron: { screen }, window, knowsPlaces: !wayland, clock, logger },
  });
  await flush();
  return { documents, written, window, screen, clock, logger, attached };
}

test('a place comes back on the displays that it was left on, each set with its own', async () => {
  const { documents, window, screen, clock } = await placed();
  window.move({ x: 20, y: 30, width: 1000, height: 700 });
  clock.advance(1_000);
  screen.displays = [wall, laptop];
  window.move({ x: 1600, y: 100, width: 1500, height: 900 });
  window.maximised = true;
  window.emit('maximize');
  clock.advance(1_000);

  expect(await readWindowPlace(documents, screen)).toEqual({
    bounds: { x: 1600, y: 100, width: 1500, height: 900 },
    state: 'maximised',
  });
  expect(await readWindowPlace(documents, new FakeScreen([laptop]))).toEqual({
    bounds: { x: 20, y: 30, width: 1000, height: 700 },
    state: 'normal',
  });
});

test('on Wayland the size is kept and no place, which would read 0,0 (fact 7)', async () => {
  const { documents, written, window, screen, clock } = await placed(true);
  window.move({ x: 300, y: 200, width: 1000, height: 700 });
  window.maximised = true;
  window.emit('maximize');
  clock.advance(1_000);
  expect(written.join()).not.toMatch(/"[xy]":/);
  const place = await readWindowPlace(documents, screen);
  expect(placeOptions(place)).toEqual({ width: 1000, height: 700, maximised: true });
});

test.each([
  ['win32', 'x11', true],
  ['linux', 'x11', true],
  ['linux', 'wayland', false],
] as const)('places are known by what Chromium chose: %s %s %s (fact 32)', (platform, session, known) => {
  const app = new FakeApp([]);
  app.session = session;
  expect(knowsPlaces(platform, app.commandLine)).toBe(known);
});

test('displays are known by what they are, not by their order; a moved or scaled one is another set', () => {
  expect(displaysKey([laptop, wall])).toBe(displaysKey([wall, laptop]));
  expect(displaysKey([laptop])).not.toBe(displaysKey([laptop, wall]));
  expect(displaysKey([display(1, laptop.bounds, 2)])).not.toBe(displaysKey([laptop]));
});

test('on displays never seen the latest place that lies on them serves; none does where none lies there', async () => {
  const { documents, window, screen, clock } = await placed();
  window.move({ x: 20, y: 30, width: 1000, height: 700 });
  clock.advance(1_000);
  screen.displays = [laptop, wall];
  window.move({ x: 1600, y: 100, width: 1500, height: 900 });
  clock.advance(1_000);
  const rotated = display(9, { x: 0, y: 0, width: 900, height: 1440 });
  expect((await readWindowPlace(documents, new FakeScreen([rotated])))?.bounds.x).toBe(20);
  const elsewhere = display(9, { x: 5_000, y: 5_000, width: 800, height: 600 });
  expect(await readWindowPlace(documents, new FakeScreen([elsewhere]))).toBeNull();
});

test.each([
  ['in the middle', { x: 100, y: 100 }, true],
  ['partly beyond the left edge', { x: -800, y: 100 }, true],
  ['a sliver at the left edge', { x: -950, y: 100 }, false],
  ['a sliver at the right edge', { x: 1_380, y: 100 }, false],
  ['its title bar above the display', { x: 100, y: -30 }, false],
  ['a little above the display', { x: 100, y: -8 }, true],
  ['its title bar under the task bar', { x: 100, y: 855 }, false],
])('a window %s can be taken hold of: %#', (_where, at, reach) => {
  expect(isWithinReach({ ...at, width: 1_000, height: 700 }, [laptop])).toBe(reach);
});

test('many moves are written once a second, with the last of them, and nothing when nothing changed', async () => {
  const { written, window, clock } = await placed();
  for (let step = 0; step < 100; step += 1) {
    window.move({ x: step, y: 0, width: 1000, height: 700 });
    clock.advance(15);
  }
  expect(written).toHaveLength(1);
  clock.advance(1_000);
  expect(written).toHaveLength(2);
  expect(readPlaces(written[1] ?? null)[0]?.place.bounds.x).toBe(99);
  window.emit('move');
  clock.advance(5_000);
  expect(written).toHaveLength(2);
});

test('closing the window keeps its last place at once', async () => {
  const { documents, window, screen } = await placed();
  window.move({ x: 7, y: 8, width: 1000, height: 700 });
  window.emit('close');
  expect((await readWindowPlace(documents, screen))?.bounds.x).toBe(7);
});

test('a minimised window keeps the place that it had, and a full screen is remembered as one', async () => {
  const { documents, window, screen, clock } = await placed();
  window.fullScreen = true;
  window.emit('enter-full-screen');
  clock.advance(1_000);
  window.fullScreen = false;
  window.minimised = true;
  window.move({ x: -32_000, y: -32_000, width: 200, height: 200 });
  clock.advance(1_000);
  const place = await readWindowPlace(documents, screen);
  expect(place).toEqual({ bounds: { x: 100, y: 50, width: 1440, height: 900 }, state: 'full-screen' });
  expect(placeOptions(place)).toEqual({ x: 100, y: 50, width: 1440, height: 900, fullscreen: true });
});

test('a place says whether its window is maximised or fills the screen', () => {
  const bounds = { x: 0, y: 0, width: 1000, height: 700 };
  expect(placeOptions({ bounds, state: 'maximised' })).toEqual({ ...bounds, maximised: true });
  expect(placeOptions({ bounds, state: 'normal' })).toEqual(bounds);
  expect(placeOptions(null)).toEqual({});
});

test('sets of displays that were not seen for long are forgotten', async () => {
  const { written, window, screen, clock } = await placed();
  for (let id = 1; id <= 20; id += 1) {
    screen.displays = [display(id, laptop.bounds)];
    window.move({ x: id, y: 0, width: 1000, height: 700 });
    clock.advance(1_000);
  }
  const places = readPlaces(written.at(-1) ?? null);
  expect(JSON.parse(written.at(-1) ?? '')).toHaveLength(16);
  expect(places.map(({ place }) => place.bounds.x)).toEqual([
    20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5,
  ]);
});

test('what cannot be read in the document is left out, entry by entry', async () => {
  const good = {
    displays: 'a',
    place: { bounds: { x: 1, y: 2, width: 900, height: 700 }, state: 'normal' },
  };
  const bad = [
    null,
    {},
    { ...good, place: { ...good.place, state: 'sideways' } },
    { ...good, place: { bounds: { x: 1e9, y: 0, width: 900, height: 700 }, state: 'normal' } },
    { ...good, place: { bounds: { x: 0, y: 0, width: 0, height: 0 }, state: 'normal' } },
    { ...good, extra: 1 },
  ];
  expect(readPlaces(JSON.stringify([...bad, good]))).toEqual([good]);
  for (const text of ['', 'null', '{}', '[', '{"__proto__":[]}']) expect(readPlaces(text)).toEqual([]);
  const unreadable = { ...createMemoryDocuments(), read: () => Promise.reject(new Error('EIO')) };
  expect(await readWindowPlace(unreadable, new FakeScreen([laptop]))).toBeNull();
});

test('a document that cannot be read or written costs the place and nothing else', async () => {
  const window = new FakePlacedWindow();
  const clock = new StillClock();
  const logger = createRecordingLogger();
  const broken = { ...createMemoryDocuments(), read: () => Promise.reject(new Error('EIO')) };
  broken.write = () => Promise.reject(new Error('ENOSPC'));
  keepWindowPlaces(broken)({
    electron: { screen: new FakeScreen([laptop]) },
    window,
    knowsPlaces: true,
    clock,
    logger,
  });
  await flush();
  window.emit('move');
  clock.advance(1_000);
  await flush();
  expect(logger.lines.map(({ event }) => event)).toEqual([
    'window-places-unreadable',
    'window-places-not-written',
  ]);
});

test('once closed it listens to nothing more, whether the window is still there or not', async () => {
  const { attached, window, written, clock } = await placed();
  window.move({ x: 5, y: 5, width: 1000, height: 700 });
  attached.close();
  expect(written).toHaveLength(1);
  expect(window.eventNames()).toEqual([]);
  clock.advance(5_000);
  expect(written).toHaveLength(1);

  const gone = await placed();
  gone.window.emit('move');
  gone.window.destroyed = true;
  gone.attached.close();
  expect(gone.written).toEqual([]);
});
