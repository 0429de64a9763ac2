import type { Map as GlMap } from 'maplibre-gl';
import type { Camera } from '../../src-preload/contract/index.ts';
import { clearancesOf, clearOffset, type Box, type Clearance } from './clearance.ts';
import { clearView, type ClearFrame } from './clearView.ts';
import { deepestWhole, deepestZoom, type LevelMarks } from './clusters/index.ts';
import { boundsOf, latitudeOf, longitudeOf, mercatorY, wrapped, type Bounds } from './clusters/points.ts';
import { FirstLook, type Extent } from './firstLook.ts';
import { Following } from './following.ts';
import { Flight, type FlightEvent, type FlightGoal, type FlightKind } from './flight.ts';
import { centreLimits, turnPixelsAtZero } from './oneWorld.ts';
import type { Corner, ViewArea } from './ring.ts';
import type { IncidentMapOptions } from './types.ts';

/** What is shown while there are no incidents. */
export const worldBounds: Bounds = [-180, -58, 180, 74];
const selectionZoom = 5;
/** A drone is seen to move from here on. */
const followZoom = 13;
/** Incidents of one place are shown with the land around it. */
const deepestFit = 9;
const mostPadding = 56;
/** The largest mark's radius, and a gap. */
const markRoom = 32;
const own: FlightEvent = { own: true };

interface MapCameraOptions extends Pick<
  IncidentMapOptions,
  'container' | 'reducedMotion' | 'fitsAll' | 'covers' | 'onCamera' | 'onUnfollowed'
> {
  readonly map: GlMap;
  readonly scale: number;
  /** The marks of a level of the whole world; null when they are lost. */
  readonly marksAt: (level: number) => Promise<LevelMarks | null>;
}

/** Where the map looks: at all incidents first, then where it is sent or moved. */
export class MapCamera {
  readonly #map: GlMap;
  readonly #container: HTMLElement;
  readonly #scaleZoom: number;
  readonly #covers: () => readonly Box[];
  readonly #marksAt: (level: number) => Promise<LevelMarks | null>;
  readonly #onCamera: (camera: Camera) => void;
  readonly #flight: Flight;
  readonly #following: Following;
  readonly #firstLook = new FirstLook();
  #reducedMotion: boolean;
  #extent: Extent = { count: 0, bounds: null, worst: null };
  readonly #fitsAll: boolean;
  /** A place that is to lie on the free part of the map; null for none. */
  #kept: Corner | null = null;
  /** What the map was fitted to, and is again in another size, until it is sent elsewhere or a hand moves it. */
  #fitted: Bounds | null = null;
  /** Where the page moved the map: to come to rest there is no operator's choice. */
  #own: Camera | null = null;
  /** Counts where the map was sent, and the hands on it: what was to come before is out of date. */
  #turns = 0;

  constructor(options: MapCameraOptions) {
    const { map, container, scale, reducedMotion, covers, marksAt, onCamera } = options;
    this.#map = map;
    this.#container = container;
    this.#scaleZoom = Math.log2(scale);
    this.#fitsAll = options.fitsAll ?? false;
    this.#reducedMotion = reducedMotion;
    this.#covers = covers;
    this.#marksAt = marksAt;
    this.#onCamera = onCamera;
    this.#flight = new Flight(map);
    this.#following = new Following({
      map,
      go: (place, first) => {
        this.#goAlong(place, first);
      },
      onEnd: options.onUnfollowed,
    });
    map.on('moveend', (event) => {
      this.#rest('own' in event);
    });
    map.on('resize', () => {
      this.refit();
    });
    for (const name of ['pointerdown', 'wheel', 'keydown'] as const) {
      container.addEventListener(name, () => this.hold(), { capture: true, passive: true });
    }
  }

  setReducedMotion(reduced: boolean): void {
    this.#reducedMotion = reduced;
  }

  /** The map, or what lies over it, has another size: what was in view is to be again. */
  refit(): void {
    if (this.#fitted === null) this.#uncover();
    else this.#fit(this.#fitted);
  }

  /** From now on new incidents do not move the map. */
  hold(): void {
    this.#firstLook.end();
    this.#turns += 1;
    this.#kept = null;
    this.#fitted = null;
  }

  /** The shown incidents: a map that was not moved yet is fitted to the worst of them. */
  setExtent(extent: Extent): void {
    this.#extent = extent;
    const first = this.#first();
    if (this.#firstLook.wants(first, this.view(), performance.now())) this.#fit(first.bounds ?? worldBounds);
  }

  /** Moves the map as little as brings a place out from under what lies over it; again when the map is resized. */
  keepClear(place: Corner): void {
    this.#kept = place;
    this.#uncover();
  }

  /**
   * Goes where a camera looked; null for all incidents with a flight. Without one it is the worst of the open ones as
   * soon as there are some, and the world before, also for those that a read still brings, until a hand moves the map or
   * selects (firstLook.ts).
   */
  look(camera: Camera | null, { fly }: { readonly fly: boolean }): void {
    this.#following.end();
    if (camera === null) {
      const first = this.#first();
      const bounds = (fly ? this.#extent.bounds : first.bounds) ?? worldBounds;
      this.#firstLook.begin();
      const begun = this.#firstLook.wants(first, this.view(), performance.now());
      // Flown to, it is an operator's choice: what comes afterwards does not move the map.
      if (begun && fly) this.hold();
      if (fly) void this.#showClear(bounds);
      else {
        this.#turns += 1;
        this.#fit(bounds);
      }
      return;
    }
    this.hold();
    const { longitude, latitude, zoom } = camera;
    const goal: FlightGoal = { center: [longitude, latitude], zoom: zoom - this.#scaleZoom };
    this.#go(() => goal, 'place', { event: own, fly });
  }

  /** Brings a selected incident into the middle, near enough to see where it is. */
  showPlace(place: [longitude: number, latitude: number]): void {
    this.#following.end();
    this.hold();
    const goal: FlightGoal = { center: place, zoom: Math.max(this.#map.getZoom(), selectionZoom) };
    this.#go(() => goal, 'place');
  }

  /** Brings an extent into view, however small: west, south, east, north, in degrees. */
  showExtent(bounds: Bounds): void {
    this.#following.end();
    this.hold();
    this.#go(() => this.#fitting(bounds, deepestZoom), 'box');
  }

  /** Brings some of the incidents into view, as clear of what lies over the map as all of them are. */
  showPlaces(places: readonly Corner[]): void {
    const bounds = boundsOf({
      length: places.length,
      x: Float64Array.from(places, ([longitude]) => wrapped(longitude / 360 + 0.5)),
      y: Float64Array.from(places, ([, latitude]) => mercatorY(latitude)),
    });
    if (bounds === null) return;
    this.#following.end();
    this.hold();
    void this.#showClear(bounds);
  }

  /** Goes into a mark that was clicked. */
  openMark(goal: FlightGoal): void {
    this.#following.end();
    this.hold();
    this.#go(() => goal, 'mark');
  }

  /** Keeps a moving place in view, until an operator moves the map; null ends that. */
  follow(place: Corner | null): void {
    if (place !== null) this.hold();
    this.#following.to(place);
  }

  zoomIn(): void {
    this.hold();
    this.#map.zoomIn({ animate: !this.#reducedMotion });
  }

  zoomOut(): void {
    this.hold();
    this.#map.zoomOut({ animate: !this.#reducedMotion });
  }

  /** Where the map looks, as it can be kept. */
  camera(): Camera {
    const { lng, lat } = this.#map.getCenter().wrap();
    const zoom = Math.max(0, this.#map.getZoom() + this.#scaleZoom);
    return { longitude: lng, latitude: lat, zoom };
  }

  /** What the map shows now; longitudes may lie beyond 180 degrees. */
  view(): ViewArea {
    const bounds = this.#map.getBounds();
    return {
      west: bounds.getWest(),
      south: bounds.getSouth(),
      east: bounds.getEast(),
      north: bounds.getNorth(),
    };
  }

  /** The place in the map's middle. */
  centre(): Corner {
    const { lng, lat } = this.#map.getCenter();
    return [lng, lat];
  }

  /** What the map is fitted to while no hand moves it. */
  #first(): Pick<Extent, 'count' | 'bounds'> {
    const { count, bounds, worst } = this.#extent;
    return { count, bounds: this.#fitsAll ? bounds : (worst ?? bounds) };
  }

  #fit(bounds: Bounds): void {
    this.#fitted = bounds;
    const goal = this.#fitting(bounds);
    // What lies over a wallboard's map is measured on the screen, and the map is not: it is enlarged.
    const clear = !this.#fitsAll && this.#isCovered(bounds, goal.zoom) ? this.#clearing(bounds) : null;
    this.#map.jumpTo(clear ?? goal, own);
  }

  /** Whether a control would lie over a mark at the edge of a box in the middle of the map. */
  #isCovered([west, south, east, north]: Bounds, zoom: number): boolean {
    const turn = turnPixelsAtZero * 2 ** zoom;
    const across = (((east - west) / 360) * turn) / 2 + markRoom;
    const down = ((mercatorY(south) - mercatorY(north)) * turn) / 2 + markRoom;
    const frame = this.#container.getBoundingClientRect();
    const [x, y] = [(frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2];
    return this.#covers().some(
      ({ left, top, right, bottom }) =>
        left < x + across && right > x - across && top < y + down && bottom > y - down,
    );
  }

  #uncover(): void {
    if (this.#kept === null) return;
    const { lng } = this.#map.getCenter();
    const [longitude, latitude] = this.#kept;
    const turned = longitude + 360 * Math.round((lng - longitude) / 360);
    const { x, y } = this.#map.project([turned, latitude]);
    const { width, height, left, top } = this.#container.getBoundingClientRect();
    const [right, down] = clearOffset(
      { x, y },
      { width, height },
      this.#covers().map((cover) => ({
        left: cover.left - left,
        top: cover.top - top,
        right: cover.right - left,
        bottom: cover.bottom - top,
      })),
      markRoom,
    );
    if (right === 0 && down === 0) return;
    this.#map.panBy([-right, -down], { animate: !this.#reducedMotion, duration: 250 }, own);
  }

  #go(
    goal: () => FlightGoal,
    kind: FlightKind,
    { event = {}, fly = true }: { readonly event?: FlightEvent; readonly fly?: boolean } = {},
  ): void {
    this.#turns += 1;
    if (fly && !this.#reducedMotion) this.#flight.begin(goal, kind, event);
    else this.#map.jumpTo(goal(), event);
  }

  /** Not where the operator brought the map: what is followed is not where they want to look next time. */
  #goAlong([longitude, latitude]: Corner, first: boolean): void {
    const zoom = this.#map.getZoom();
    const goal: FlightGoal = {
      center: [longitude, latitude],
      zoom: first ? Math.max(zoom, followZoom) : zoom,
    };
    this.#go(() => goal, first ? 'place' : 'mark', { event: own });
  }

  /** The camera in which a box fills the map as it is now. */
  #fitting(bounds: Bounds, maxZoom = deepestFit): FlightGoal {
    const { clientWidth, clientHeight } = this.#container;
    return this.#padded(bounds, Math.min(mostPadding, clientWidth / 8, clientHeight / 8), maxZoom);
  }

  /** Goes where a box fills the map and nothing of it is cut or under a control. */
  async #showClear(bounds: Bounds): Promise<void> {
    const marks = new Map<number, LevelMarks>();
    if (this.#clearing(bounds) === null) {
      this.#turns += 1;
      const turn = this.#turns;
      const { leastZoom, mostZoom } = this.#frame(bounds);
      const levels = Array.from({ length: deepestWhole + 1 }, (_, level) => level).filter(
        (level) => level + 1 > leastZoom && level <= Math.max(leastZoom, mostZoom),
      );
      for (const known of await Promise.all(levels.map(this.#marksAt)))
        if (known !== null) marks.set(known.zoom, known);
      if (turn !== this.#turns) return;
    }
    const goal = (): FlightGoal =>
      this.#clearing(bounds) ?? this.#viewOf(bounds, marks) ?? this.#fitting(bounds);
    this.#go(goal, 'box', { event: own });
  }

  /**
   * Where a box lies beside all controls, in the widest way around them. Null where they leave too little of the map,
   * and where the box would not fit even at the least zoom, as that of incidents all around the world.
   */
  #clearing(bounds: Bounds): FlightGoal | null {
    const clear = clearancesOf(this.#container.getBoundingClientRect(), this.#covers(), markRoom);
    const nearest = (ways: readonly Clearance[]): FlightGoal | null =>
      ways
        .map((one) => this.#padded(bounds, one, deepestFit))
        .filter((one) => this.#isReached(one))
        .reduce<FlightGoal | null>((best, one) => (best && best.zoom >= one.zoom ? best : one), null);
    return nearest(clear.slice(0, 1)) ?? nearest(clear);
  }

  /** Where every mark of the box is seen whole, around the controls. */
  #viewOf(bounds: Bounds, marks: ReadonlyMap<number, LevelMarks>): FlightGoal | null {
    const found = clearView(this.#frame(bounds), (level) => marks.get(level));
    return found && { center: [longitudeOf(found.x), latitudeOf(found.y)], zoom: found.zoom };
  }

  #frame(bounds: Bounds): ClearFrame {
    const { left, top } = this.#container.getBoundingClientRect();
    return {
      width: this.#container.clientWidth,
      height: this.#container.clientHeight,
      covers: this.#covers().map((cover) => ({
        left: cover.left - left,
        top: cover.top - top,
        right: cover.right - left,
        bottom: cover.bottom - top,
      })),
      leastZoom: this.#map.getMinZoom(),
      mostZoom: this.#padded(bounds, 0, deepestFit).zoom,
    };
  }

  /** Whether MapLibre goes there as it is: it keeps to the least zoom and between the poles. */
  #isReached({ center, zoom }: FlightGoal): boolean {
    const turn = turnPixelsAtZero * 2 ** zoom;
    const y = mercatorY(Array.isArray(center) ? center[1] : center.lat) * turn;
    const [first, last] = centreLimits(turn, this.#container.clientHeight);
    return zoom > this.#map.getMinZoom() && y >= first && y <= last;
  }

  #padded([west, south, east, north]: Bounds, padding: number | Clearance, maxZoom: number): FlightGoal {
    const found = this.#map.cameraForBounds([west, south, east, north], { padding, maxZoom });
    return { center: found?.center ?? this.#map.getCenter(), zoom: found?.zoom ?? this.#map.getZoom() };
  }

  /** The container tells where the map looks, for tests and for a look from outside: longitude, latitude, zoom. */
  #rest(isOwn: boolean): void {
    const { lng, lat } = this.#map.getCenter();
    const zoom = this.#map.getZoom();
    this.#container.dataset['camera'] = `${lng.toFixed(3)} ${lat.toFixed(3)} ${zoom.toFixed(4)}`;
    const camera = this.camera();
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
