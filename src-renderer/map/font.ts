/* eslint-disable words/literal-text -- names of fonts. */
/** The page's bundled font (also the name under which MapLibre draws text without a glyph server). */
export const mapFont = 'Inter Variable';

/** With the bundled fonts for letters that it lacks, as in base.css. */
export const mapFonts: readonly string[] = [
  mapFont,
  'Noto Sans Arabic Variable',
  'Noto Sans Devanagari Variable',
  'Noto Sans SC Variable',
];

/** For a canvas, and for asking whether they are there. */
export const mapFontFamily = [...mapFonts.map((name) => `"${name}"`), 'sans-serif'].join(', ');

/**
 * Fetches the fonts that hold the letters of a text. A font that is not there when a letter is first drawn on
 * the map is drawn with another, for good: MapLibre keeps the picture. Never rejects.
 */
export async function loadFonts(text: string): Promise<void> {
  await Promise.allSettled([document.fonts.load(`12px ${mapFontFamily}`, text)]);
}
