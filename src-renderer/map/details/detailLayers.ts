import { addProtocol, removeProtocol, type VectorTileSource } from 'maplibre-gl';
import archive from '../../../build/assets/basemap/details.pmtiles?url';
import { loadFonts } from '../font.ts';
import type { DrawnMap } from '../graphics.ts';
import { layOutText } from '../labelText.ts';
import type { MapTheme } from '../theme.ts';
import type { IncidentMapOptions } from '../types.ts';
import { detailLayers, detailsSource, detailSources, townsSource, type DetailLook } from './detailStyle.ts';

interface DetailLayersOptions extends DrawnMap, DetailLook, Pick<IncidentMapOptions, 'readTowns'> {
  /** The layer that all details lie under. */
  readonly below: string;
  /** Names of towns are in it; a BCP 47 tag. */
  readonly language: string;
  /** The page's address, which the archive's is relative to. */
  readonly base: string;
  readonly onDrawn: () => void;
}

/**
 * Rivers, lakes, built-up areas and provinces of the bundled map, from its archive, and towns, from the gazetteer. Both
 * are fetched when the map was drawn without them, so that it does not wait for them; if they cannot be read the map stays
 * as it was.
 */
export class DetailLayers {
  readonly #options: DetailLayersOptions;
  readonly #protocol = `details-${crypto.randomUUID()}`;
  readonly #townProtocol = `towns-${crypto.randomUUID()}`;
  #look: DetailLook;
  #language: string;
  #served = false;

  constructor(options: DetailLayersOptions) {
    this.#options = options;
    const { theme, textScale, language } = options;
    this.#look = { theme, textScale };
    this.#language = language;
  }

  /** Fetches archive and gazetteer and draws of them. To be called once. */
  async open(): Promise<void> {
    const { base, isDrawable, map, readTowns, onDrawn } = this.#options;
    const [{ DetailTiles, namesOn }, { TownTiles }, answer, lines] = await Promise.all([
      import('./detailTiles.ts'),
      import('./townTiles.ts'),
      fetch(new URL(archive, base)),
      readTowns(),
    ]);
    if (!answer.ok) return;
    const tiles = new DetailTiles(await answer.arrayBuffer());
    const towns = new TownTiles(lines);
    addProtocol(this.#protocol, async ({ url }) => {
      const [zoom, x, y] = placeOf(url);
      const data = await tiles.tile(zoom, x, y);
      await loadFonts(namesOn(data).join(' '));
      return { data };
    });
    addProtocol(this.#townProtocol, async ({ url }) => {
      const [zoom, x, y, language] = placeOf(url);
      const { data, names } = towns.tile(zoom, x, y, language);
      await loadFonts(names.join(' '));
      return { data };
    });
    this.#served = true;
    if (!isDrawable()) return;
    this.apply();
    const noteDrawn = (): void => {
      if (!isDrawable() || ![detailsSource, townsSource].every((id) => map.isSourceLoaded(id))) return;
      map.off('render', noteDrawn);
      onDrawn();
    };
    map.on('render', noteDrawn);
  }

  /** Writes the details into the map, also after it lost its graphics. */
  apply(): void {
    const { map, below, isDrawable } = this.#options;
    if (!this.#served || !isDrawable()) return;
    const sources = detailSources(`${this.#protocol}://{z}/{x}/{y}`, this.#townTiles());
    for (const [id, source] of Object.entries(sources)) if (!map.getSource(id)) map.addSource(id, source);
    for (const layer of this.#layers()) if (!map.getLayer(layer.id)) map.addLayer(layer, below);
  }

  setTheme(theme: MapTheme): void {
    this.#look = { ...this.#look, theme };
  }

  setTextScale(textScale: number): void {
    this.#look = { ...this.#look, textScale };
  }

  /** Names towns in another language. */
  setLanguage(language: string): void {
    if (language === this.#language) return;
    this.#language = language;
    const { map, isDrawable } = this.#options;
    if (isDrawable()) map.getSource<VectorTileSource>(townsSource)?.setTiles([this.#townTiles()]);
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

  /** Text of the present size on what is drawn. */
  layOut(): void {
    for (const layer of this.#layers()) layOutText(this.#options.map, layer);
  }

  close(): void {
    removeProtocol(this.#protocol);
    removeProtocol(this.#townProtocol);
  }

  /** The language is in the address, so that MapLibre asks for other tiles with another. */
  #townTiles(): string {
    return `${this.#townProtocol}://{z}/{x}/{y}/${this.#language}`;
  }

  #layers() {
    return detailLayers(this.#look);
  }
}

/** Of the address of a tile: what follows its protocol. */
function placeOf(url: string): readonly [zoom: number, x: number, y: number, language: string] {
  const [zoom, x, y, language = ''] = url.slice(url.indexOf('://') + 3).split('/');
  return [Number(zoom), Number(x), Number(y), language];
}
