import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LengthUnits } from '../../../src-preload/contract/index.ts';
import { lengthText } from '../../../src-renderer/base/units.ts';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { i18n } from '../../../src-renderer/i18n/index.ts';
import { loadMessages } from '../../../src-renderer/i18n/languages.ts';
import { takePicture } from '../../../src-renderer/map/picture.ts';
import { ScaleBar } from '../../../src-renderer/map/scaleBar.ts';

/** A filled rectangle. */
interface Fill {
  readonly colour: string;
  readonly y: number;
  readonly width: number;
}

/** What was written on the picture, and what was filled: the ground's two halves, and the scale's two bars. */
interface Drawn {
  readonly words: { readonly text: string; readonly direction: string }[];
  readonly fills: Fill[];
}

function canvas(drawn: Drawn) {
  const pen = {
    direction: 'ltr',
    fillStyle: '',
    scale: () => undefined,
    drawImage: () => undefined,
    strokeText: () => undefined,
    fillText: (text: string) => drawn.words.push({ text, direction: pen.direction }),
    fillRect: (_x: number, y: number, width: number) => drawn.fills.push({ colour: pen.fillStyle, y, width }),
  };
  return {
    width: 0,
    height: 0,
    getContext: () => pen,
    toBlob: (take: (blob: unknown) => void) => {
      take('a picture');
    },
  };
}

/** A map on which a pixel is as many metres long, that draws when it is told to, or never. */
function open(metresPerPixel: number) {
  const drawn: Drawn = { words: [], fills: [] };
  const element = { style: {}, className: '', textContent: '', remove: () => undefined };
  vi.stubGlobal('document', {
    createElement: (name: string) => (name === 'canvas' ? canvas(drawn) : element),
  });
  const heard = new Map<string, () => void>();
  const off = (name: string): void => void heard.delete(name);
  const map = {
    on: () => undefined,
    off,
    once: (name: string, listener: () => void) => heard.set(name, listener),
    triggerRepaint: () => undefined,
    getCanvas: () => ({ width: 800, height: 600 }),
    getContainer: () => ({
      clientWidth: 400,
      clientHeight: 300,
      querySelector: () => ({ textContent: ' Natural Earth ' }),
    }),
    unproject: ([x]: [number, number]) => ({
      x,
      distanceTo: (other: { x: number }) => Math.abs(other.x - x) * metresPerPixel,
    }),
  };
  const scale = new ScaleBar(lengthText);
  scale.onAdd(map as never);
  const take = () => takePicture({ map: map as never, theme: themes.day, scale });
  const frame = async (name: 'idle' | 'render'): Promise<void> => {
    const listener = heard.get(name);
    heard.delete(name);
    listener?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { drawn, scale, take, frame, heard };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  i18n.global.locale.value = 'en';
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each<[LengthUnits, string, number]>([
  ['metric', '100 km', 100],
  ['imperial', '50 mi', 80.467],
  ['nautical', '50 NM', 92.6],
])('the scale is in the units that were chosen: %s', async (units, words, width) => {
  const { drawn, scale, take, frame } = open(1_000);
  scale.setUnits(units);
  const picture = take();
  await frame('idle');
  await frame('render');
  expect(await picture).toBe('a picture');
  expect(drawn.words.map(({ text }) => text)).toEqual([words, 'Natural Earth']);
  expect(drawn.fills.at(-1)?.width).toBeCloseTo(width, 2);
});

test('and in the page’s language, written in its direction', async () => {
  i18n.global.setLocaleMessage('ar', await loadMessages('ar'));
  i18n.global.locale.value = 'ar';
  const { drawn, take, frame } = open(20_000);
  const picture = take();
  await frame('idle');
  await frame('render');
  await picture;
  expect(drawn.words).toEqual([
    { text: '2,000\u00a0كم', direction: 'rtl' },
    { text: 'Natural Earth', direction: 'ltr' },
  ]);
});

test('beyond the poles there is sea in the north, and land in the south', async () => {
  const { drawn, take, frame } = open(1_000);
  const picture = take();
  await frame('idle');
  await frame('render');
  await picture;
  expect(drawn.fills.slice(0, 2)).toEqual([
    { colour: themes.day.mapWater, y: 0, width: 800 },
    { colour: themes.day.mapLand, y: 300, width: 800 },
  ]);
});

test('a map that comes to no rest is drawn as it is', async () => {
  const { drawn, take, frame } = open(1_000);
  const picture = take();
  await vi.advanceTimersByTimeAsync(4_000);
  await frame('render');
  expect(await picture).toBe('a picture');
  expect(drawn.words).not.toEqual([]);
});

test('a map that draws no more has no picture, and keeps nobody waiting', async () => {
  const { take, heard } = open(1_000);
  const picture = take();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await picture).toBeNull();
  expect([...heard.keys()], 'and nobody waits for it').toEqual([]);
});
