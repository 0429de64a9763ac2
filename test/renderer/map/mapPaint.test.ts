import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { severityGlyphs } from '../../../src-renderer/design/glyphs.ts';
import { themes } from '../../../src-renderer/design/tokens.ts';
import { MapPaint } from '../../../src-renderer/map/mapPaint.ts';

/** A map that keeps what was set on its layers last. */
function open() {
  const state = { drawable: true };
  const set = new Map<string, unknown>();
  const packages: string[] = [];
  const note = (what: string) => () => packages.push(what);
  const keep = (layer: string, name: string, value: unknown) => set.set(`${layer} ${name}`, value);
  const paint = new MapPaint({
    map: {
      setMissingStyleImageResolver: () => undefined,
      getLayer: () => ({}),
      queryRenderedFeatures: () => [],
      setPaintProperty: keep,
      setLayoutProperty: keep,
    } as never,
    isDrawable: () => state.drawable,
    overlays: [
      {
        setTheme: note('theme'),
        paint: note('paint'),
        setTextScale: note('size'),
        layOut: note('lay out'),
      },
    ],
    theme: themes.day,
    textScale: 1,
    glyphs: severityGlyphs,
    scale: 1,
  });
  return { paint, state, set, packages };
}

beforeEach(() => {
  vi.stubGlobal('devicePixelRatio', 1);
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => ({}) }) });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('theme and text size are those that were chosen last, on the map and on its packages', () => {
  const { paint, set, packages } = open();
  paint.setTheme(themes.night);
  expect(paint.theme).toBe(themes.night);
  expect(set.get('water background-color')).toBe(themes.night.mapWater);
  paint.setTextScale(1.5);
  expect(set.get('measure-label text-size')).toBe(13 * 1.5);
  expect(packages).toEqual(['theme', 'paint', 'size', 'lay out']);
  paint.stop();
});

test('what was chosen while the map could not be drawn on is there when it can', () => {
  const { paint, state, set, packages } = open();
  state.drawable = false;
  paint.setTheme(themes.night);
  paint.setTextScale(2);
  expect(set.size).toBe(0);
  expect(packages, 'packages take note').toEqual(['theme', 'size']);
  state.drawable = true;
  paint.apply();
  expect(set.get('water background-color')).toBe(themes.night.mapWater);
  expect(set.get('measure-label text-size')).toBe(26);
  paint.stop();
});
