import type { GeoJSONSource, Map as GlMap } from 'maplibre-gl';
import { countryLabels, countryNames, type CountryLabels, type NameCountry } from './countryLabels.ts';
import { loadFonts } from './font.ts';
import type { DrawnMap } from './graphics.ts';
import { LabelPainter } from './labelPainter.ts';
import { readLabelImage } from './labelText.ts';
import { MarkImages } from './markImages.ts';
import type { MapTheme } from './theme.ts';

export const labelsSource = 'labels';

/** More painted names than a screen ever shows: those that came first are let go of. */
const mostImages = 1_500;

/** The names on the map: those of countries in the page's language, and the pictures of what has to be shaped. */
export class MapLabels {
  readonly #map: GlMap;
  readonly #isDrawable: () => boolean;
  readonly #images: MarkImages;
  /** Ids of the pictures that the map has, the oldest first. */
  readonly #ids = new Set<string>();
  /** Of the language that was chosen last. */
  #countries: CountryLabels | null = null;

  constructor({ map, isDrawable }: DrawnMap, theme: MapTheme, pixelRatio: number) {
    this.#map = map;
    this.#isDrawable = isDrawable;
    const labels = new LabelPainter(pixelRatio);
    const painter = {
      paint: (id: string, wanted: MapTheme) => {
        const label = this.#ids.has(id) ? readLabelImage(id) : null;
        return label === null ? null : labels.paint(label, wanted);
      },
    };
    this.#images = new MarkImages({ map, painter, pixelRatio: labels.pixelRatio, theme });
  }

  /** Names the countries again, as soon as the fonts for their letters are there. */
  async setNames(nameOf: NameCountry): Promise<void> {
    const countries = countryLabels(nameOf);
    this.#countries = countries;
    await loadFonts(countryNames(nameOf).join(' '));
    // Another language may have been chosen in the meantime.
    if (this.#countries === countries) this.apply();
  }

  /** Writes the names into the map; again after it lost its graphics. */
  apply(): void {
    if (this.#countries === null || !this.#isDrawable()) return;
    void this.#map.getSource<GeoJSONSource>(labelsSource)?.setData(this.#countries);
  }

  /** Adds the picture that an id asks for; nothing for an id that is no name's. */
  async add(id: string): Promise<void> {
    const label = readLabelImage(id);
    if (label === null) return;
    await loadFonts(label.text);
    if (!this.#isDrawable() || this.#map.hasImage(id)) return;
    this.#ids.add(id);
    this.#images.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size <= mostImages || oldest === undefined) return;
    this.#ids.delete(oldest);
    this.#map.removeImage(oldest);
  }

  /** Paints the pictures in another theme, those on the screen before it returns. */
  setTheme(theme: MapTheme): void {
    const shown = this.#ids.size === 0 ? new Set() : this.#shownTexts();
    const ids = [...this.#ids].filter((id) => shown.has(readLabelImage(id)?.text));
    this.#images.setTheme(theme, ids);
  }

  /** Stops painting: the map is gone, or cannot be painted on. */
  stop(): void {
    this.#images.stop();
  }

  /** Every word of what is named on the screen; which of them is its name differs between maps. */
  #shownTexts(): ReadonlySet<unknown> {
    const layers = this.#map.getLayersOrder().filter((id) => this.#map.getLayer(id)?.type === 'symbol');
    const features = this.#map.queryRenderedFeatures({ layers });
    return new Set(features.flatMap(({ properties }) => Object.values(properties)));
  }
}
