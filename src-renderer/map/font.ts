/** The page's bundled font (also the name under which MapLibre draws text without a glyph server). */
export const mapFont = 'Inter Variable';
