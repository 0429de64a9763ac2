import type { GeoJSONSource, Map as GlMap, MapMouseEvent } from 'maplibre-gl';
import type { Corner } from './ring.ts';
import { areaSource } from './style.ts';

type AreaFeature = Extract<
  Exclude<Parameters<GeoJSONSource['setData']>[0], string>,
  { type: 'FeatureCollection' }
>['features'][number];

/** What an operator does with pointer and keyboard while an area is drawn. */
export interface AreaHands {
  /** A corner at this place. */
  readonly onCorner: (corner: Corner) => void;
  readonly onUndo: () => void;
  readonly onFinish: () => void;
  readonly onCancel: () => void;
}

/**
 * The outline of the area that alarms are raised in, and its drawing: a click adds a corner, Enter or a
 * double click finishes, Backspace takes the last corner back, Escape gives up.
 */
export class AreaOverlay {
  readonly #map: GlMap;
  readonly #isDrawable: () => boolean;
  #ring: readonly Corner[] = [];
  #draft: readonly Corner[] | null = null;
  #pointer: Corner | null = null;
  #hands: AreaHands | null = null;
  #clickedAt: { readonly x: number; readonly y: number } | null = null;

  constructor(map: GlMap, isDrawable: () => boolean) {
    this.#map = map;
    this.#isDrawable = isDrawable;
    map.on('dblclick', (event) => {
      if (this.#hands === null) return;
      event.preventDefault();
      this.#hands.onFinish();
    });
    map.on('mousemove', ({ lngLat }) => {
      if (this.#draft === null) return;
      this.#pointer = [lngLat.lng, lngLat.lat];
      this.apply();
    });
    map.on('mouseout', () => {
      if (this.#draft === null) return;
      this.#pointer = null;
      this.apply();
    });
    map.getCanvas().addEventListener('keydown', (event) => {
      this.#key(event);
    });
  }

  get drawing(): boolean {
    return this.#hands !== null;
  }

  /** The area that is set; null for everywhere. */
  setRing(ring: readonly Corner[] | null): void {
    this.#ring = ring ?? [];
  }

  /** The corners drawn so far, and where the pointer's and the keyboard's doings go; null ends it. */
  setDraft(draft: readonly Corner[] | null, hands: AreaHands | null): void {
    const begins = this.#hands === null && hands !== null;
    this.#draft = draft;
    this.#hands = hands;
    this.#map.getCanvas().style.cursor = hands === null ? '' : 'crosshair';
    if (begins) {
      this.#clickedAt = null;
      this.#map.getCanvas().focus({ preventScroll: true });
    }
    if (draft === null) this.#pointer = null;
  }

  /** @returns whether the click was one of drawing. */
  click({ lngLat, point: { x, y } }: MapMouseEvent): boolean {
    if (this.#hands === null) return false;
    const last = this.#clickedAt;
    this.#clickedAt = { x, y };
    // The second click of a double click is not a corner of its own.
    if (last === null || Math.hypot(last.x - x, last.y - y) > 4)
      this.#hands.onCorner([lngLat.lng, lngLat.lat]);
    return true;
  }

  /** Writes what is known into the map; again after it lost its graphics. */
  apply(): void {
    if (!this.#isDrawable()) return;
    this.#map.getSource<GeoJSONSource>(areaSource)?.setData({
      type: 'FeatureCollection',
      features: this.#draft === null ? outline(this.#ring) : this.#drafted(this.#draft),
    });
  }

  #drafted(draft: readonly Corner[]): AreaFeature[] {
    const line = this.#pointer === null ? draft : [...draft, this.#pointer];
    return [
      ...(line.length > 1 ? [lineOf(line, true)] : []),
      ...draft.map((corner): AreaFeature => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [...corner] },
        properties: { draft: 1 },
      })),
    ];
  }

  #key(event: KeyboardEvent): void {
    const hands = this.#hands;
    if (hands === null) return;
    switch (event.key) {
      case 'Enter':
        hands.onFinish();
        break;
      case 'Escape':
        hands.onCancel();
        break;
      case 'Backspace':
        hands.onUndo();
        break;
      case ' ': {
        const { lng, lat } = this.#map.getCenter();
        hands.onCorner([lng, lat]);
        break;
      }
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function outline(ring: readonly Corner[]): AreaFeature[] {
  const [first] = ring;
  return first === undefined ? [] : [lineOf([...ring, first], false)];
}

const lineOf = (line: readonly Corner[], draft: boolean): AreaFeature => ({
  type: 'Feature',
  geometry: { type: 'LineString', coordinates: line.map((corner) => [...corner]) },
  properties: { draft: draft ? 1 : 0 },
});
