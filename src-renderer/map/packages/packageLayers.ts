import type { MapPackage } from '../../../src-preload/contract/index.ts';
import type { DrawnMap } from '../graphics.ts';
import { layOutText } from '../labelText.ts';
import type { MapTheme } from '../theme.ts';
import type { IncidentMapOptions } from '../types.ts';
import { packagePrefix, packageStyle, type PackageStyle } from './packageStyle.ts';

interface PackageLayersOptions extends DrawnMap, Pick<IncidentMapOptions, 'theme' | 'textScale'> {
  /** Address under which the console serves tiles, with a slash at its end. */
  readonly tilesBase: string;
  /** The layer that all packages lie under. */
  readonly below: string;
  /** Called with the ids of the shown packages, lowest first, once their tiles are on screen. */
  readonly onDrawn: (ids: readonly string[]) => void;
}

/**
 * Sources and layers of the imported packages on a living map: what is chosen is added, what is not
 * is taken off, and the order is put right, without touching anything else.
 */
export class PackageLayers {
  readonly #options: PackageLayersOptions;
  #theme: MapTheme;
  #textScale: number;
  #shown: readonly MapPackage[] = [];
  #undrawn = false;

  constructor(options: PackageLayersOptions) {
    this.#options = options;
    this.#theme = options.theme;
    this.#textScale = options.textScale;
    options.map.on('render', () => {
      this.#noteDrawn();
    });
  }

  /** Shows the visible ones of these packages, the lowest first. */
  set(packages: readonly MapPackage[]): void {
    this.#shown = packages.filter(({ visible }) => visible);
    this.apply();
  }

  setTheme(theme: MapTheme): void {
    this.#theme = theme;
  }

  setTextScale(scale: number): void {
    this.#textScale = scale;
  }

  /** Brings the map to what was chosen, from whatever it shows now. */
  apply(): void {
    const { map, below, isDrawable } = this.#options;
    if (!isDrawable()) return;
    const wanted = new Set(this.#shown.map(({ id }) => packagePrefix(id)));
    this.#removeOthers((id) => [...wanted].some((prefix) => id.startsWith(prefix)));
    const order: string[] = [];
    for (const entry of this.#shown) {
      const { sources, layers } = this.#styleOf(entry);
      for (const [id, source] of Object.entries(sources)) if (!map.getSource(id)) map.addSource(id, source);
      for (const layer of layers) {
        if (!map.getLayer(layer.id)) map.addLayer(layer, below);
        order.push(layer.id);
      }
    }
    const drawn = map.getLayersOrder().filter((id) => id.startsWith('map-'));
    if (drawn.some((id, at) => id !== order[at])) for (const id of order) map.moveLayer(id, below);
    this.#undrawn = true;
    map.triggerRepaint();
  }

  /** Colours of the present theme on what is drawn. */
  paint(): void {
    const { map } = this.#options;
    for (const entry of this.#shown) {
      for (const { id, paint } of this.#styleOf(entry).layers) {
        if (!map.getLayer(id)) continue;
        for (const [name, value] of Object.entries(paint ?? {})) {
          map.setPaintProperty(id, name as 'fill-color', value);
        }
      }
    }
  }

  /** Text of the present size on what is drawn. */
  layOut(): void {
    for (const entry of this.#shown) {
      for (const layer of this.#styleOf(entry).layers) layOutText(this.#options.map, layer);
    }
  }

  #noteDrawn(): void {
    const { map, isDrawable, onDrawn } = this.#options;
    if (!this.#undrawn || !isDrawable()) return;
    const loaded = this.#shown.every(({ id }) => {
      const source = `${packagePrefix(id)}tiles`;
      return map.getSource(source) !== undefined && map.isSourceLoaded(source);
    });
    if (!loaded) return;
    this.#undrawn = false;
    onDrawn(this.#shown.map(({ id }) => id));
  }

  #styleOf(entry: MapPackage): PackageStyle {
    return packageStyle(entry, {
      theme: this.#theme,
      textScale: this.#textScale,
      tilesBase: this.#options.tilesBase,
    });
  }

  #removeOthers(isWanted: (id: string) => boolean): void {
    const { map } = this.#options;
    const isOther = (id: string): boolean => id.startsWith('map-') && !isWanted(id);
    for (const id of map.getLayersOrder().filter(isOther)) map.removeLayer(id);
    for (const id of Object.keys(map.getStyle().sources).filter(isOther)) map.removeSource(id);
  }
}
