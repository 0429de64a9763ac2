import type { MapGeoJSONFeature, MapMouseEvent } from 'maplibre-gl';
import { inseparableDegrees } from '../table/stack.ts';
import { deepestZoom, type MarkMembers } from './clusters/index.ts';
import { nearZoom } from './droneGroups.ts';
import { droneLayerIds } from './droneLayers.ts';
import type { FlightGoal } from './flight.ts';
import type { DrawnMap } from './graphics.ts';
import { marksLayerId, selectionLayerId } from './style.ts';
import type { IncidentMapOptions } from './types.ts';

/** In pixels of the map: its upper left and its lower right corner. */
export type ClickBox = readonly [readonly [number, number], readonly [number, number]];

const clickReachPx = 5;
const boxAround = (x: number, y: number, reach: number): ClickBox => [
  [x - reach, y - reach],
  [x + reach, y + reach],
];
const openPadding = 90;

interface MapHandsOptions extends DrawnMap, Pick<IncidentMapOptions, 'onDrone' | 'onSelect'> {
  /** Takes a click that is one of drawing. */
  readonly draw: (event: MapMouseEvent) => boolean;
  readonly isDrawing: () => boolean;
  readonly membersOf: (zoom: number, longitude: number, latitude: number) => Promise<MarkMembers | null>;
  readonly selected: () => number | null;
  /** A mark of several incidents was chosen: where they separate. */
  readonly onOpen: (goal: FlightGoal) => void;
}

export interface Mark {
  /** How many incidents it stands for, and of one its key. */
  readonly count: number;
  readonly key: number;
  /** Of the tile that it comes from. */
  readonly zoom: number;
  readonly place: readonly [longitude: number, latitude: number];
}

/** Null for what is no mark. */
export function markOf({ geometry, properties }: MapGeoJSONFeature): Mark | null {
  if (geometry.type !== 'Point') return null;
  const { count, key, zoom } = properties as { count: number; key: number; zoom: number };
  const [longitude = 0, latitude = 0] = geometry.coordinates;
  return { count, key, zoom, place: [longitude, latitude] };
}

/** What a pointer does with the marks: a click selects an incident or a drone, or opens a cluster. */
export class MapHands {
  readonly #options: MapHandsOptions;

  constructor(options: MapHandsOptions) {
    this.#options = options;
    const { map, draw, isDrawing } = options;
    map.on('click', (event) => {
      if (!draw(event)) void this.#click(event);
    });
    const show = (cursor: string): void => {
      if (!isDrawing()) map.getCanvas().style.cursor = cursor;
    };
    const layers = [marksLayerId, ...droneLayerIds];
    map.on('mousemove', layers, () => {
      show('pointer');
    });
    map.on('mouseleave', layers, () => {
      show('');
    });
  }

  async #click({ point: { x, y } }: MapMouseEvent): Promise<void> {
    const { map, isDrawable, membersOf, onSelect, selected } = this.#options;
    if (!isDrawable()) return;
    const [first, last] = boxAround(x, y, clickReachPx);
    const [top, ...below] = map
      .queryRenderedFeatures([[...first], [...last]], { layers: [marksLayerId, selectionLayerId] })
      .map(markOf)
      .filter((mark) => mark !== null);
    if (top === undefined) {
      if (!this.#pressDrone([first, last])) onSelect(null);
      return;
    }
    const own = top.count === 1 ? top.key : null;
    // The mark of the selected incident lies over that of its cluster, which a second press is for.
    const cluster =
      own === null ? top : own === selected() ? below.find(({ count }) => count > 1) : undefined;
    const members = cluster && (await membersOf(cluster.zoom, ...cluster.place));
    if (!isDrawable()) return;
    if (own !== null && members?.keys.includes(own) !== true) onSelect(own);
    else if (cluster && members) this.#open(members, cluster.place);
  }

  /** Chooses the drone in a box, or goes where those of a badge separate. @returns whether there was one. */
  #pressDrone([first, last]: ClickBox): boolean {
    const { map, onDrone, onOpen } = this.#options;
    const [found] = map.queryRenderedFeatures([[...first], [...last]], { layers: [...droneLayerIds] });
    if (found === undefined) return false;
    const { id } = found.properties as { id?: string };
    if (id !== undefined) onDrone(id);
    else if (found.geometry.type === 'Point') {
      const [longitude = 0, latitude = 0] = found.geometry.coordinates;
      onOpen({ center: [longitude, latitude], zoom: nearZoom });
    }
    return true;
  }

  #open({ keys, bounds }: MarkMembers, [longitude, latitude]: Mark['place']): void {
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
      center: opened && camera.center ? camera.center : [longitude, latitude],
      zoom: opened ? (camera.zoom ?? least) : least,
    });
  }
}
