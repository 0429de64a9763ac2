import type { LngLatLike, Map as GlMap, MapMouseEvent } from 'maplibre-gl';
import { inseparableDegrees } from '../rows/stack.ts';
import { deepestZoom, type MarkMembers } from './clusters/index.ts';
import type { FlightGoal } from './flight.ts';
import { marksLayerId, selectionLayerId } from './style.ts';

const clickReachPx = 5;
const openPadding = 90;

interface MapHandsOptions {
  readonly map: GlMap;
  readonly isDrawable: () => boolean;
  /** Takes a click that is one of drawing. */
  readonly draw: (event: MapMouseEvent) => boolean;
  readonly isDrawing: () => boolean;
  readonly membersOf: (zoom: number, longitude: number, latitude: number) => Promise<MarkMembers | null>;
  readonly selected: () => number | null;
  /** An incident was chosen, or a place where there is none. */
  readonly onSelect: (key: number | null) => void;
  /** A mark of several incidents was chosen: where they are told apart. */
  readonly onOpen: (goal: FlightGoal) => void;
}

/** What a pointer does with the marks: a click selects an incident, or opens a cluster. */
export class MapHands {
  readonly #options: MapHandsOptions;

  constructor(options: MapHandsOptions) {
    this.#options = options;
    const { map, draw, isDrawing } = options;
    map.on('click', (event) => {
      if (!draw(event)) void this.#click(event);
    });
    const show = (cursor: string) => () => {
      if (!isDrawing()) map.getCanvas().style.cursor = cursor;
    };
    map.on('mousemove', marksLayerId, show('pointer'));
    map.on('mouseleave', marksLayerId, show(''));
  }

  async #click({ point: { x, y } }: MapMouseEvent): Promise<void> {
    const { map, isDrawable, membersOf, onSelect } = this.#options;
    if (!isDrawable()) return;
    const [hit] = map.queryRenderedFeatures(
      [
        [x - clickReachPx, y - clickReachPx],
        [x + clickReachPx, y + clickReachPx],
      ],
      { layers: [marksLayerId, selectionLayerId] },
    );
    if (hit?.geometry.type !== 'Point') {
      onSelect(null);
      return;
    }
    const { count, key, zoom } = hit.properties as { count: number; key: number; zoom: number };
    if (count === 1) {
      onSelect(key);
      return;
    }
    const [longitude = 0, latitude = 0] = hit.geometry.coordinates;
    const members = await membersOf(zoom, longitude, latitude);
    if (members && isDrawable()) this.#open(members, [longitude, latitude]);
  }

  #open({ keys, bounds }: MarkMembers, place: LngLatLike): void {
    const { map, selected, onSelect, onOpen } = this.#options;
    const [west, south, east, north] = bounds;
    const inseparable = Math.max(east - west, north - south) < inseparableDegrees;
    if (inseparable || map.getZoom() >= deepestZoom - 0.01) {
      const key = selected();
      const at = key === null ? -1 : keys.indexOf(key);
      onSelect(keys[(at + 1) % keys.length] ?? null);
      return;
    }
    const least = Math.min(deepestZoom, map.getZoom() + 1);
    const camera = map.cameraForBounds([west, south, east, north], {
      padding: openPadding,
      maxZoom: deepestZoom,
    });
    const opened = camera?.zoom !== undefined && camera.zoom >= least;
    onOpen({
      center: opened && camera.center ? camera.center : place,
      zoom: opened ? (camera.zoom ?? least) : least,
    });
  }
}
