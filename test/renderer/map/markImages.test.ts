import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { MarkImages } from '../../../src-renderer/map/markImages.ts';
import type { MapTheme } from '../../../src-renderer/map/theme.ts';

/** A map and a painter that note which image is of which theme; an image takes a millisecond. */
function open() {
  const drawn = new Map<string, MapTheme>();
  const updates: string[] = [];
  const images = new Map<unknown, MapTheme>();
  const note = (name: string, image: unknown): void => {
    const theme = images.get(image);
    if (theme) drawn.set(name, theme);
  };
  const marks = new MarkImages({
    map: {
      hasImage: (name) => drawn.has(name),
      addImage: note,
      updateImage: (name, image) => {
        updates.push(name);
        note(name, image);
      },
    },
    painter: {
      paint: (name, theme) => {
        now += 1;
        if (!name.startsWith('m|')) return null;
        const image = { width: 1, height: 1, data: new Uint8ClampedArray(4) };
        images.set(image, theme);
        return image;
      },
    },
    pixelRatio: 1,
    theme: themes.day,
  });
  const ofTheme = (theme: MapTheme): string[] =>
    [...drawn].flatMap(([name, has]) => (has === theme ? [name] : []));
  return { marks, drawn, updates, ofTheme };
}
const names = Array.from({ length: 100 }, (_, at) => `m|1|${String(at)}`);

let now = 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('what is on the screen has the new theme at once, the rest in pieces, and nothing twice', () => {
  const { marks, drawn, updates, ofTheme } = open();
  for (const name of names) marks.add(name);
  expect(ofTheme(themes.day)).toEqual(names);
  marks.setTheme(themes.night, ['m|1|7', 'm|1|9', 'm|1|7', 'another layer']);
  expect(ofTheme(themes.night)).toEqual(['m|1|7', 'm|1|9']);
  vi.advanceTimersToNextTimer();
  expect(ofTheme(themes.night).length).toBeGreaterThan(2);
  expect(ofTheme(themes.day).length, 'not all in one piece').toBeGreaterThan(50);
  vi.runAllTimers();
  expect(ofTheme(themes.night)).toHaveLength(100);
  expect(drawn.size).toBe(100);
  expect(updates).toHaveLength(100);
});

test('an image that comes meanwhile is of the new theme, and a second change begins anew', () => {
  const { marks, ofTheme } = open();
  for (const name of names) marks.add(name);
  marks.setTheme(themes.night, []);
  vi.advanceTimersToNextTimer();
  marks.add('m|2');
  expect(ofTheme(themes.night)).toContain('m|2');
  marks.setTheme(themes.red, []);
  vi.runAllTimers();
  expect(ofTheme(themes.red)).toHaveLength(101);
});

test('nothing is painted on a map that is gone, and an unknown image never', () => {
  const { marks, drawn, ofTheme } = open();
  for (const name of names) marks.add(name);
  marks.add('no mark');
  marks.setTheme(themes.night, []);
  marks.stop();
  vi.runAllTimers();
  expect(ofTheme(themes.day)).toEqual(names);
  expect(drawn.has('no mark')).toBe(false);
});
