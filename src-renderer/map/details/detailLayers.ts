import { addProtocol, removeProtocol, type Map as GlMap } from 'maplibre-gl';
import archive from '../../../build/assets/basemap/details.pmtiles?url';
import { loadFonts } from '../font.ts';
import { layOutText } from '../labelText.ts';
import type { MapTheme } from '../theme.ts';
import {
  detailLayers,
  detailSource,
  detailsSource,
  namesLayer,
  townName,
  type DetailLook,
} from './detailStyle.ts';

interface DetailLayersOptions extends DetailLook {
  readonly map: GlMap;
  readonly isDrawable: () => boolean;
  /** The layer that all details lie under. */
  readonly below: string;
  /** The page's address, which the archive's is relative to. */
  readonly base: string;
  readonly onDrawn: () => void;
}

/**
 * Towns, rivers, lakes, built-up areas and provinces of the bundled map. Their archive is fetched when the map was
 * drawn without them, so that nobody waits for it; if it cannot be read the map stays as it was.
 */
export class DetailLayers {
  readonly #options: DetailLayersOptions;
  readonly #protocol = `details-${crypto.randomUUID()}`;
  #look: DetailLook;
  #served = false;

  constructor(options: DetailLayersOptions) {
    this.#options = options;
    const { theme, textScale, language } = options;
    this.#look = { theme, textScale, language };
  }

  /** Fetches the archive and draws of it. To be called once. */
  async open(): Promise<void> {
    const { base, isDrawable, map, onDrawn } = this.#options;
    const [{ DetailTiles, namesOn }, answer] = await Promise.all([
      import('./detailTiles.ts'),
      fetch(new URL(archive, base)),
    ]);
    if (!answer.ok) return;
    const tiles = new DetailTiles(await answer.arrayBuffer());
    addProtocol(this.#protocol, async ({ url }) => {
      const [zoom = 0, x = 0, y = 0] = url
        .slice(this.#protocol.length + 3)
        .split('/')
        .map(Number);
      const data = await tiles.tile(zoom, x, y);
      await loadFonts(namesOn(data, this.#look.language).join(' '));
      return { data };
    });
    this.#served = true;
    if (!isDrawable()) return;
    this.apply();
    const noteDrawn = (): void => {
      if (!isDrawable() || !map.isSourceLoaded(detailsSource)) return;
      map.off('render', noteDrawn);
      onDrawn();
    };
    map.on('render', noteDrawn);
  }

  /** Writes the details into the map, also after it lost its graphics. */
  apply(): void {
    const { map, below, isDrawable } = this.#options;
    if (!this.#served || !isDrawable()) return;
    if (!map.getSource(detailsSource))
      map.addSource(detailsSource, detailSource(`${this.#protocol}://{z}/{x}/{y}`));
    for (const layer of this.#layers()) if (!map.getLayer(layer.id)) map.addLayer(layer, below);
  }

  setTheme(theme: MapTheme): void {
    this.#look = { ...this.#look, theme };
  }

  setTextScale(textScale: number): void {
    this.#look = { ...this.#look, textScale };
  }

  /** Names towns in another language, as soon as the fonts for the letters of those on the screen are there. */
  async setLanguage(language: string): Promise<void> {
    this.#look = { ...this.#look, language };
    const { map, isDrawable } = this.#options;
    if (!isDrawable() || !map.getSource(detailsSource)) return;
    const towns = map.querySourceFeatures(detailsSource, { sourceLayer: namesLayer });
    await loadFonts(towns.map(({ properties }) => townName(properties, language)).join(' '));
    // Another one may have been chosen in the meantime.
    if (language === this.#look.language && isDrawable()) this.layOut();
  }

  /** Colours of the present theme on what is drawn. */
  paint(): void {
    const { map } = this.#options;
    for (const { id, paint } of this.#layers()) {
      if (!map.getLayer(id)) continue;
      for (const [name, value] of Object.entries(paint ?? {}))
        map.setPaintProperty(id, name as 'fill-color', value);
    }
  }

  /** Text of the present size and language on what is drawn. */
  layOut(): void {
    for (const layer of this.#layers()) layOutText(this.#options.map, layer);
  }

  close(): void {
    removeProtocol(this.#protocol);
  }

  #layers() {
    return detailLayers(this.#look);
  }
}
