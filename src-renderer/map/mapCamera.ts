import type { Map as GlMap } from 'maplibre-gl';
import type { Camera } from '../../src-preload/contract/index.ts';
import { clearancesOf, type Box, type Clearance } from './clearance.ts';
import { deepestZoom } from './clusters/index.ts';
import type { Bounds } from './clusters/points.ts';
import { FirstLook, type Extent } from './firstLook.ts';
import { Flight, type FlightEvent, type FlightGoal, type FlightKind } from './flight.ts';
import type { Corner, ViewArea } from './ring.ts';

/** What is shown while there are no incidents. */
export const worldBounds: Bounds = [-180, -58, 180, 74];
const selectionZoom = 5;
/** Incidents of one place are shown with the land around it. */
const deepestFit = 9;
const mostPadding = 56;
/** The largest mark's radius, and a gap. */
const markRoom = 32;
const own: FlightEvent = { own: true };

interface MapCameraOptions {
  readonly map: GlMap;
  readonly container: HTMLElement;
  /** How much larger everything is drawn than usual; cameras are told as they are without it. */
  readonly scale: number;
  readonly reducedMotion: boolean;
  /** What lies over the map, on the screen. */
  readonly covers: () => readonly Box[];
  /** The map came to rest where an operator brought it. */
  readonly onCamera: (camera: Camera) => void;
  /** The map came to rest, whoever brought it there. */
  readonly onRest: (camera: Camera) => void;
}

/** Where the map looks: by itself at all incidents first, then wherever it is sent, and what an operator made of it. */
export class MapCamera {
  readonly #map: GlMap;
  readonly #container: HTMLElement;
  readonly #scaleZoom: number;
  readonly #covers: () => readonly Box[];
  readonly #onCamera: (camera: Camera) => void;
  readonly #onRest: (camera: Camera) => void;
  readonly #flight: Flight;
  readonly #firstLook = new FirstLook();
  #reducedMotion: boolean;
  #extent: Extent = { count: 0, bounds: null };
  /** Where the map went by itself: to come to rest there is nobody's wish. */
  #own: Camera | null = null;

  constructor({ map, container, scale, reducedMotion, covers, onCamera, onRest }: MapCameraOptions) {
    this.#map = map;
    this.#container = container;
    this.#scaleZoom = Math.log2(scale);
    this.#reducedMotion = reducedMotion;
    this.#covers = covers;
    this.#onCamera = onCamera;
    this.#onRest = onRest;
    this.#flight = new Flight(map);
    map.on('moveend', (event) => {
      this.#rest('own' in event);
    });
    for (const name of ['pointerdown', 'wheel', 'keydown'] as const) {
      container.addEventListener(name, () => this.hold(), { capture: true, passive: true });
    }
  }

  setReducedMotion(reduced: boolean): void {
    this.#reducedMotion = reduced;
  }

  /** From now on the map does not go to new incidents by itself. */
  hold(): void {
    this.#firstLook.end();
  }

  /** The shown incidents: a map that nobody has moved yet is fitted to them. */
  setExtent(extent: Extent): void {
    this.#extent = extent;
    if (this.#firstLook.wants(extent, this.view(), performance.now()))
      this.#map.jumpTo(this.#fitting(extent.bounds ?? worldBounds), own);
  }

  /** A camera, or all incidents: as soon as there are some, and the world before. */
  look(camera: Camera | null, { fly }: { readonly fly: boolean }): void {
    if (camera === null) {
      const bounds = this.#extent.bounds ?? worldBounds;
      this.#firstLook.begin();
      const begun = this.#firstLook.wants(this.#extent, this.view(), performance.now());
      // Flown to, it is somebody's wish: what comes afterwards does not move the map.
      if (begun && fly) this.hold();
      const goal = (): FlightGoal => (fly ? this.#clearing(bounds) : this.#fitting(bounds));
      this.#go(goal, 'box', { event: own, fly });
      return;
    }
    this.hold();
    const { longitude, latitude, zoom } = camera;
    const goal: FlightGoal = { center: [longitude, latitude], zoom: zoom - this.#scaleZoom };
    this.#go(() => goal, 'place', { event: own, fly });
  }

  /** Brings a selected incident into the middle, near enough to see where it is. */
  showPlace(place: [longitude: number, latitude: number]): void {
    this.hold();
    const goal: FlightGoal = { center: place, zoom: Math.max(this.#map.getZoom(), selectionZoom) };
    this.#go(() => goal, 'place');
  }

  /** Brings an extent into view, however small. */
  showExtent(bounds: Bounds): void {
    this.hold();
    this.#go(() => this.#fitting(bounds, deepestZoom), 'box');
  }

  /** Goes into a mark that was clicked. */
  openMark(goal: FlightGoal): void {
    this.hold();
    this.#go(() => goal, 'mark');
  }

  zoomIn(): void {
    this.hold();
    this.#map.zoomIn({ animate: !this.#reducedMotion });
  }

  zoomOut(): void {
    this.hold();
    this.#map.zoomOut({ animate: !this.#reducedMotion });
  }

  camera(): Camera {
    const { lng, lat } = this.#map.getCenter().wrap();
    const zoom = Math.max(0, this.#map.getZoom() + this.#scaleZoom);
    return { longitude: lng, latitude: lat, zoom };
  }

  view(): ViewArea {
    const bounds = this.#map.getBounds();
    return {
      west: bounds.getWest(),
      south: bounds.getSouth(),
      east: bounds.getEast(),
      north: bounds.getNorth(),
    };
  }

  centre(): Corner {
    const { lng, lat } = this.#map.getCenter();
    return [lng, lat];
  }

  #go(
    goal: () => FlightGoal,
    kind: FlightKind,
    { event = {}, fly = true }: { readonly event?: FlightEvent; readonly fly?: boolean } = {},
  ): void {
    if (fly && !this.#reducedMotion) this.#flight.begin(goal, kind, event);
    else this.#map.jumpTo(goal(), event);
  }

  /** The camera in which a box fills the map as it is now. */
  #fitting(bounds: Bounds, maxZoom = deepestFit): FlightGoal {
    const { clientWidth, clientHeight } = this.#container;
    return this.#padded(bounds, Math.min(mostPadding, clientWidth / 8, clientHeight / 8), maxZoom);
  }

  /**
   * The same for a box of which nothing is to lie under a control. Incidents all around the world fill the map's width
   * at its least zoom: covers at the sides are cleared above or below them then, and the marks at the edge need no room.
   */
  #clearing(bounds: Bounds): FlightGoal {
    const clear = clearancesOf(this.#container.getBoundingClientRect(), this.#covers(), markRoom);
    const aroundWorld = clear
      .filter(({ left, right }) => left === markRoom && right === markRoom)
      .map((one) => ({ ...one, left: 0, right: 0 }));
    const isShown = ({ zoom }: FlightGoal): boolean => zoom > this.#map.getMinZoom();
    const nearest = (ways: readonly Clearance[]): FlightGoal | undefined =>
      ways
        .map((one) => this.#padded(bounds, one, deepestFit))
        .filter(isShown)
        .reduce<FlightGoal | undefined>(
          (best, one) => (best && best.zoom >= one.zoom ? best : one),
          undefined,
        );
    return nearest(clear.slice(0, 1)) ?? nearest(clear) ?? nearest(aroundWorld) ?? this.#fitting(bounds);
  }

  #padded([west, south, east, north]: Bounds, padding: number | Clearance, maxZoom: number): FlightGoal {
    const found = this.#map.cameraForBounds([west, south, east, north], { padding, maxZoom });
    return { center: found?.center ?? this.#map.getCenter(), zoom: found?.zoom ?? this.#map.getZoom() };
  }

  /** The container tells where the map looks, for tests and for a look from outside: longitude, latitude, zoom. */
  #rest(isOwn: boolean): void {
    const { lng, lat } = this.#map.getCenter();
    const zoom = this.#map.getZoom();
    this.#container.dataset['camera'] = `${lng.toFixed(3)} ${lat.toFixed(3)} ${zoom.toFixed(2)}`;
    const camera = this.camera();
    this.#onRest(camera);
    if (isOwn) this.#own = camera;
    // A map that is only resized comes to rest where it was.
    else if (this.#own === null || !isSame(this.#own, camera)) {
      this.#own = null;
      this.#onCamera(camera);
    }
  }
}

const isSame = (a: Camera, b: Camera): boolean =>
  Math.abs(a.longitude - b.longitude) < 1e-6 &&
  Math.abs(a.latitude - b.latitude) < 1e-6 &&
  Math.abs(a.zoom - b.zoom) < 1e-6;
