import type { GeoJSONSource, Map as GlMap, MapMouseEvent } from 'maplibre-gl';
import type { DrawnMap } from './graphics.ts';
import type { Corner } from './ring.ts';

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

/** How the corners of a draft are joined, and what is written at the last of them. */
export interface DraftShape {
  /** The points between two corners, both included; a straight line on the map without it. */
  readonly join: (from: Corner, to: Corner) => readonly Corner[];
  /** Whether the last corner is joined to the first. */
  readonly closed: boolean;
  readonly label: string;
}

interface AreaOverlayOptions extends DrawnMap {
  /** The GeoJSON source that it draws into. */
  readonly source: string;
  /** An operator draws: the map is to stay where it is. */
  readonly onDrawing: () => void;
}

/**
 * A ring and the drawing of one: of the area that alarms are raised in, or of what is measured. A click adds a
 * corner, as the space bar does at the map's middle, Enter or a double click finishes, Backspace takes the
 * last corner back, Escape gives up.
 */
export class AreaOverlay {
  readonly #map: GlMap;
  readonly #source: string;
  readonly #isDrawable: () => boolean;
  readonly #onDrawing: () => void;
  #ring: readonly Corner[] = [];
  #draft: readonly Corner[] | null = null;
  #pointer: Corner | null = null;
  #hands: AreaHands | null = null;
  #shape: DraftShape | null = null;
  #clickedAt: { readonly x: number; readonly y: number } | null = null;

  constructor({ map, source, isDrawable, onDrawing }: AreaOverlayOptions) {
    this.#map = map;
    this.#source = source;
    this.#isDrawable = isDrawable;
    this.#onDrawing = onDrawing;
    map.on('dblclick', (event) => {
      if (this.#hands === null) return;
      event.preventDefault();
      this.#hands.onFinish();
    });
    map.on('mousemove', ({ lngLat }) => {
      if (this.#draft === null || this.#hands === null) return;
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
    this.apply();
  }

  /**
   * The corners drawn so far, and where the pointer's and the keyboard's doings go; without hands it stands still.
   * Null shows the area that is set.
   */
  setDraft(draft: readonly Corner[] | null, hands: AreaHands | null, shape: DraftShape | null = null): void {
    const begins = this.#hands === null && hands !== null;
    if (hands !== null) this.#onDrawing();
    this.#draft = draft;
    this.#shape = shape;
    // Another overlay's cursor is not this one's to take away.
    if ((this.#hands === null) !== (hands === null))
      this.#map.getCanvas().style.cursor = hands === null ? '' : 'crosshair';
    this.#hands = hands;
    if (begins) {
      this.#clickedAt = null;
      this.#map.getCanvas().focus({ preventScroll: true });
    }
    if (hands === null) this.#pointer = null;
    this.apply();
  }

  /** @returns whether the click was one of drawing. */
  click({ lngLat, point: { x, y } }: MapMouseEvent): boolean {
    if (this.#hands === null) return false;
    const last = this.#clickedAt;
    this.#clickedAt = { x, y };
    // The second click of a double click is not another corner.
    if (last === null || Math.hypot(last.x - x, last.y - y) > 4)
      this.#hands.onCorner([lngLat.lng, lngLat.lat]);
    return true;
  }

  /** Writes what is known into the map; again after it lost its graphics. */
  apply(): void {
    if (!this.#isDrawable()) return;
    void this.#map.getSource<GeoJSONSource>(this.#source)?.setData({
      type: 'FeatureCollection',
      features: this.#draft === null ? outline(this.#ring) : this.#drafted(this.#draft),
    });
  }

  #drafted(draft: readonly Corner[]): AreaFeature[] {
    const shape = this.#shape;
    const corners = this.#pointer === null ? draft : [...draft, this.#pointer];
    const [first] = corners;
    const line = shape?.closed && first && corners.length > 2 ? [...corners, first] : corners;
    const last = draft.at(-1);
    return [
      ...(line.length > 1 ? [lineOf(shape === null ? line : joined(line, shape.join), true)] : []),
      ...draft.map((corner): AreaFeature => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [...corner] },
        properties: { draft: 1, label: corner === last ? (shape?.label ?? '') : '' },
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

const joined = (line: readonly Corner[], join: DraftShape['join']): readonly Corner[] =>
  line.slice(1).flatMap((corner, at) => join(line[at] ?? corner, corner).slice(at === 0 ? 0 : 1));

const lineOf = (line: readonly Corner[], draft: boolean): AreaFeature => ({
  type: 'Feature',
  geometry: { type: 'LineString', coordinates: line.map((corner) => [...corner]) },
  properties: { draft: draft ? 1 : 0 },
});
