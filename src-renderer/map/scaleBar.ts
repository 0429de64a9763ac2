import type { IControl, Map as GlMap } from 'maplibre-gl';
import type { LengthUnits } from '../../src-preload/contract/index.ts';

/** `500 m`, `2 km`: a length in metres, in the page's language. */
export type LengthText = (metres: number, units: LengthUnits) => string;

/** As wide as the bar may be, in pixels; it is at least half as wide, and has to hold its words. */
const mostWidth = 160;
/** Metres of each unit, the largest first, and how many of it are the least that it is used for. */
const unitsOf: Readonly<Record<LengthUnits, readonly (readonly [size: number, least: number])[]>> = {
  metric: [
    [1_000, 1],
    [1, 0],
  ],
  imperial: [
    [1_609.344, 1],
    [0.3048, 0],
  ],
  nautical: [
    [1_852, 0.1],
    [1, 0],
  ],
};

/** The longest length in metres, 1, 2, 3 or 5 times a power of ten of its unit, that is not longer than `most`. */
export function roundLength(most: number, units: LengthUnits): number {
  const [size] = unitsOf[units].find(([metres, least]) => most >= metres * least) ?? [1];
  const power = 10 ** Math.floor(Math.log10(most / size) + 1e-9);
  const times = [5, 3, 2].find((figure) => most >= figure * power * size) ?? 1;
  return times * power * size;
}

/** A round length on the map: how many pixels it takes, and its words. */
export interface ScaleLength {
  readonly width: number;
  readonly words: string;
}

/** The map's scale, true in its middle. MapLibre's own says its units in one language for good. */
export class ScaleBar implements IControl {
  readonly #element = document.createElement('div');
  #map: GlMap | null = null;
  #units: LengthUnits = 'metric';
  #text: LengthText;

  constructor(text: LengthText) {
    this.#text = text;
    this.#element.className = 'maplibregl-ctrl maplibregl-ctrl-scale';
  }

  onAdd(map: GlMap): HTMLElement {
    this.#map = map;
    map.on('move', this.#draw);
    this.#draw();
    return this.#element;
  }

  onRemove(): void {
    this.#map?.off('move', this.#draw);
    this.#map = null;
    this.#element.remove();
  }

  setUnits(units: LengthUnits): void {
    this.#units = units;
    this.#draw();
  }

  setText(text: LengthText): void {
    this.#text = text;
    this.#draw();
  }

  /** The longest round length within `most` pixels of the map; null while it has no size. */
  within(most: number): ScaleLength | null {
    if (this.#map === null) return null;
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const [x, y] = [clientWidth / 2, clientHeight / 2];
    const across = this.#map.unproject([x - most / 2, y]).distanceTo(this.#map.unproject([x + most / 2, y]));
    if (!(across > 0)) return null;
    const metres = roundLength(across, this.#units);
    return { width: (most * metres) / across, words: this.#text(metres, this.#units) };
  }

  readonly #draw = (): void => {
    const length = this.within(mostWidth);
    if (length === null) return;
    this.#element.style.width = `${length.width}px`;
    if (this.#element.textContent !== length.words) this.#element.textContent = length.words;
  };
}
