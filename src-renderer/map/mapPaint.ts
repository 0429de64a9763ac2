import type { Map as GlMap } from 'maplibre-gl';
import type { NameCountry } from './countryLabels.ts';
import { droneLayerIds } from './droneLayers.ts';
import { mapFontFamily } from './font.ts';
import type { DrawnMap } from './graphics.ts';
import { layOutText } from './labelText.ts';
import { MapLabels } from './mapLabels.ts';
import { MarkImages } from './markImages.ts';
import { MarkPainter } from './marks.ts';
import { mapLayers, marksLayerId, selectionLayerId } from './style.ts';
import type { MapTheme } from './theme.ts';
import type { IncidentMapOptions } from './types.ts';

/** More of them are not told apart, and cost memory by the square. */
const mostPixelRatio = 3;

/** Layers that come and go, painted with the others. The setters take note, the other two draw. */
interface Overlay {
  setTheme(theme: MapTheme): void;
  setTextScale(scale: number): void;
  paint(): void;
  layOut(): void;
}

interface MapPaintOptions extends DrawnMap, Pick<IncidentMapOptions, 'theme' | 'textScale' | 'glyphs'> {
  readonly overlays: readonly Overlay[];
  readonly scale: number;
}

/** Colours, sizes of text and painted images of everything on the map. */
export class MapPaint {
  readonly #map: GlMap;
  readonly #isDrawable: () => boolean;
  readonly #overlays: readonly Overlay[];
  readonly #images: MarkImages;
  readonly #labels: MapLabels;
  #theme: MapTheme;
  #textScale: number;

  constructor({ map, isDrawable, overlays, theme, textScale, glyphs, scale }: MapPaintOptions) {
    this.#map = map;
    this.#isDrawable = isDrawable;
    this.#overlays = overlays;
    this.#theme = theme;
    this.#textScale = textScale;
    const pixelRatio = Math.min(mostPixelRatio, Math.max(1, globalThis.devicePixelRatio) * scale);
    this.#labels = new MapLabels({ map, isDrawable }, theme, pixelRatio);
    const painter = new MarkPainter(glyphs, mapFontFamily, pixelRatio);
    this.#images = new MarkImages({ map, painter, pixelRatio, theme });
    map.setMissingStyleImageResolver((id) => {
      this.#images.add(id);
      return this.#labels.add(id);
    });
  }

  get theme(): MapTheme {
    return this.#theme;
  }

  setTheme(theme: MapTheme): void {
    this.#theme = theme;
    for (const overlay of this.#overlays) overlay.setTheme(theme);
    if (!this.#isDrawable()) return;
    for (const overlay of this.#overlays) overlay.paint();
    for (const layer of mapLayers(theme, this.#textScale)) {
      for (const [name, value] of Object.entries(layer.paint ?? {})) {
        this.#map.setPaintProperty(layer.id, name as 'fill-color', value);
      }
    }
    const marks = this.#map.queryRenderedFeatures({
      layers: [marksLayerId, selectionLayerId, ...droneLayerIds],
    });
    const shown = marks.map(({ properties }) => String(properties['icon']));
    this.#images.setTheme(theme, shown);
    this.#labels.setTheme(theme);
  }

  setTextScale(scale: number): void {
    this.#textScale = scale;
    for (const overlay of this.#overlays) overlay.setTextScale(scale);
    if (!this.#isDrawable()) return;
    for (const overlay of this.#overlays) overlay.layOut();
    for (const layer of mapLayers(this.#theme, scale)) layOutText(this.#map, layer);
  }

  /** Names the countries again, as soon as the fonts for their letters are there. */
  setNames(nameOf: NameCountry): Promise<void> {
    return this.#labels.setNames(nameOf);
  }

  /** Stops painting: the map is gone, or cannot be painted on. */
  stop(): void {
    this.#images.stop();
    this.#labels.stop();
  }

  /** Paints everything as it was chosen last; again after the map lost its graphics. */
  apply(): void {
    this.#labels.apply();
    this.setTextScale(this.#textScale);
    this.setTheme(this.#theme);
  }
}
