import { addProtocol, AttributionControl, Map as GlMap, removeProtocol } from 'maplibre-gl';
import type { GeoJSONSource, MapMouseEvent } from 'maplibre-gl';
import type { Camera, LengthUnits, MapPackage } from '../../src-preload/contract/index.ts';
import { severityRank } from '../rows/severity.ts';
import type { IncidentTable } from '../rows/table.ts';
import { layOutText } from './labelText.ts';
import { AreaOverlay, type AreaHands, type DraftShape } from './areaOverlay.ts';
import { ArrivalPulses } from './arrivalPulses.ts';
import { ClusterClient, type Indexed } from './clusters/client.ts';
import { deepestZoom, iconName } from './clusters/index.ts';
import type { Bounds } from './clusters/points.ts';
import { Flight } from './flight.ts';
import { mapFont } from './font.ts';
import { GridOverlay, lowestGridLayer, type GridMakers } from './gridOverlay.ts';
import { MapLabels } from './mapLabels.ts';
import { MarkImages } from './markImages.ts';
import { MarkPainter } from './marks.ts';
import { OneWorld } from './oneWorld.ts';
import { PackageLayers } from './packages/packageLayers.ts';
import { PinOverlay } from './pinOverlay.ts';
import { PlaceMarks, type PlaceMarkName } from './placeMarks.ts';
import { takePicture } from './picture.ts';
import type { Corner, ViewArea } from './ring.ts';
import { ScaleBar } from './scaleBar.ts';
import { shownPoints } from './shownPoints.ts';
import {
  areaSource,
  mapLayers,
  mapStyle,
  marksLayerId,
  marksSource,
  measureSource,
  selectionLayerId,
  selectionSource,
} from './style.ts';
import type { MapTheme } from './theme.ts';
import type { IncidentMap, IncidentMapOptions, MapState, MapWords } from './types.ts';

const world: Bounds = [-180, -58, 180, 74];
const clickReachPx = 5;
const flyToZoom = 5;
/** Incidents that lie within this at the deepest zoom cannot be told apart by zooming in. */
const inseparableDegrees = 0.000_05;

export class GlIncidentMap implements IncidentMap {
  readonly usable: Promise<void>;
  readonly #options: IncidentMapOptions;
  readonly #map: GlMap;
  readonly #clusters: ClusterClient;
  readonly #pulses: ArrivalPulses;
  readonly #area: AreaOverlay;
  readonly #measure: AreaOverlay;
  readonly #grids: GridOverlay;
  readonly #places: PlaceMarks;
  readonly #pins: PinOverlay;
  readonly #labels: MapLabels;
  readonly #scaleBar: ScaleBar;
  readonly #packages: PackageLayers;
  readonly #protocol: string;
  readonly #images: MarkImages;
  /** Zoom levels that the scale takes from a camera's. */
  readonly #scaleZoom: number;
  #theme: MapTheme;
  #textScale: number;
  #reducedMotion: boolean;
  #table: IncidentTable | null = null;
  #rows: Uint32Array | null = null;
  #selected: number | null = null;
  /** The selection as the map holds it; to write the same again would have it drawn again for nothing. */
  #drawnSelection: string | null = null;
  #bounds: Bounds | null = null;
  #fitted = false;
  /** Where the map went by itself: to come to rest there is nobody's wish. */
  #own: Camera | null = null;
  /** Indexed but perhaps not on screen yet. */
  readonly #flight: Flight;
  #undrawn: number | null = null;
  #askAgain = false;
  #handedAt: number | null = null;
  #drawTime = 0;
  #destroyed = false;
  /** While the graphics context is lost MapLibre has no style: asking it for a source would throw. */
  #lost = false;

  constructor(options: IncidentMapOptions, report: (state: MapState) => void) {
    this.#options = options;
    this.#theme = options.theme;
    this.#textScale = options.textScale;
    this.#reducedMotion = options.reducedMotion;
    this.#protocol = `incidents-${crypto.randomUUID()}`;
    const scale = options.scale ?? 1;
    this.#scaleZoom = Math.log2(scale);
    const pixelRatio = Math.min(3, Math.max(1, globalThis.devicePixelRatio) * scale);
    const tilesBase = new URL('tiles/', document.baseURI).href;
    this.#map = new GlMap({
      container: options.container,
      style: mapStyle({
        theme: options.theme,
        textScale: options.textScale,
        nameCountry: options.words.nameCountry,
        tiles: `${this.#protocol}://{z}/{x}/{y}`,
        base: document.baseURI,
      }),
      bounds: boundsLike(world),
      minZoom: -Math.ceil(this.#scaleZoom),
      pixelRatio: globalThis.devicePixelRatio * scale,
      maxZoom: deepestZoom,
      fadeDuration: 0,
      // Left out, the library asks the system by itself.
      ...(options.reducedMotion && { reduceMotion: true }),
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      refreshExpiredTiles: false,
      attributionControl: false,
      // MapLibre's worker fetches tiles by itself, and has to prove whose page it works for.
      transformRequest: (url) =>
        url.startsWith(tilesBase) ? { url, headers: options.tileHeaders() } : { url },
      localIdeographFontFamily: `"${mapFont}", sans-serif`,
      locale: { 'Map.Title': options.words.title },
    });
    const map = this.#map;
    map.touchZoomRotate.disableRotation();
    map.keyboard.disableRotation();
    // MapLibre calls its canvas a region, which would be a second region inside the page's own.
    map.getCanvas().setAttribute('role', 'application');
    map.addControl(
      new AttributionControl({ compact: false, customAttribution: 'Natural Earth' }),
      'bottom-right',
    );
    this.#scaleBar = new ScaleBar(options.words.length);
    map.addControl(this.#scaleBar, 'bottom-right');

    this.#clusters = new ClusterClient({
      onIndexed: (indexed) => {
        this.#takeIndex(indexed);
      },
      onRestarted: () => {
        if (this.#table && this.#rows) this.setRows(this.#table, this.#rows);
      },
    });
    addProtocol(this.#protocol, async ({ url }) => {
      const [zoom = 0, x = 0, y = 0] = url
        .slice(this.#protocol.length + 3)
        .split('/')
        .map(Number);
      return { data: await this.#clusters.tile(zoom, x, y) };
    });
    this.#pulses = new ArrivalPulses(map, options.reducedMotion);
    const isDrawable = (): boolean => this.#drawable;
    new OneWorld(map);
    this.#flight = new Flight(map);
    this.#labels = new MapLabels({ map, theme: options.theme, pixelRatio, isDrawable });
    const painter = new MarkPainter({ glyphs: options.glyphs, font: `"${mapFont}", sans-serif`, pixelRatio });
    this.#images = new MarkImages({ map, painter, pixelRatio, theme: options.theme });
    options.container.dataset['mapLanguage'] = options.words.language;
    this.#area = new AreaOverlay({ map, source: areaSource, isDrawable });
    this.#measure = new AreaOverlay({ map, source: measureSource, isDrawable });
    this.#grids = new GridOverlay(map, isDrawable);
    this.#places = new PlaceMarks(map);
    this.#pins = new PinOverlay({
      map,
      isDrawable,
      onDrawn: (count) => {
        options.container.dataset['pinnedIncidents'] = String(count);
      },
    });
    this.#packages = new PackageLayers({
      map,
      tilesBase,
      below: lowestGridLayer,
      theme: options.theme,
      textScale: options.textScale,
      onDrawn: (ids) => {
        options.container.dataset['mapPackages'] = ids.join(' ');
      },
    });

    map.setMissingStyleImageResolver((id) => {
      this.#images.add(id);
      return this.#labels.add(id);
    });
    map.on('click', (event) => {
      if (!this.#area.click(event) && !this.#measure.click(event)) void this.#click(event);
    });
    map.on('mousemove', marksLayerId, () => {
      if (!this.#drawing) map.getCanvas().style.cursor = 'pointer';
    });
    map.on('mouseleave', marksLayerId, () => {
      if (!this.#drawing) map.getCanvas().style.cursor = '';
    });
    map.on('render', () => {
      this.#noteDrawn();
      if (this.#drawable) this.#packages.noteDrawn();
    });
    map.on('moveend', (event) => {
      this.#noteCamera('own' in event);
    });
    map.on('webglcontextlost', () => {
      this.#images.stop();
      this.#labels.stop();
      this.#lost = true;
      report('context-lost');
    });
    map.on('webglcontextrestored', () => {
      map.once('idle', () => {
        this.#restore(report);
      });
    });
    map.once('load', () => {
      report('ready');
      this.#warmSelection();
    });
    // Not the load: rows may be clustered while the basemap is still being read.
    this.usable = new Promise((resolve) => {
      map.once('style.load', () => {
        resolve();
      });
    });
  }

  setRows(table: IncidentTable, rows: Uint32Array): void {
    if (this.#destroyed) return;
    this.#table = table;
    this.#rows = rows;
    this.#handedAt ??= performance.now();
    const now = this.#options.stationNow();
    const { points, arrivals } = shownPoints(table, rows, now);
    this.#clusters.setPoints(points);
    this.#pulses.show(arrivals, now);
    this.#pins.setRows(table, rows);
    this.#showSelection();
  }

  select(key: number | null, { fly }: { readonly fly: boolean }): void {
    if (this.#destroyed) return;
    this.#selected = key;
    this.#options.container.dataset['selectedIncident'] = key === null ? '' : String(key);
    const place = this.#showSelection();
    if (!fly || !place) return;
    this.#fitted = true;
    const zoom = Math.max(this.#map.getZoom(), flyToZoom);
    const to = { center: place, zoom };
    if (this.#reducedMotion) this.#map.jumpTo(to);
    else this.#flight.begin(to);
  }

  setPins(keys: ReadonlySet<number>): void {
    this.#pins.setKeys(keys);
  }

  setTheme(theme: MapTheme): void {
    this.#theme = theme;
    this.#packages.setTheme(theme);
    if (!this.#drawable) return;
    this.#packages.paint();
    for (const layer of mapLayers(theme, this.#textScale)) {
      for (const [name, value] of Object.entries(layer.paint ?? {})) {
        this.#map.setPaintProperty(layer.id, name as 'fill-color', value);
      }
    }
    this.#images.setTheme(theme, this.#shownImages());
    this.#labels.setTheme(theme);
  }

  setPackages(packages: readonly MapPackage[]): void {
    this.#packages.choose(packages);
    if (this.#drawable) this.#packages.apply();
  }

  showExtent(bounds: MapPackage['bounds']): void {
    this.#fitted = true;
    this.#fit(bounds, !this.#reducedMotion, { maxZoom: deepestZoom });
  }

  setReducedMotion(reduced: boolean): void {
    this.#reducedMotion = reduced;
    this.#pulses.setReducedMotion(reduced);
  }

  setArea(ring: readonly Corner[] | null): void {
    this.#area.setRing(ring);
    this.#area.apply();
  }

  setDraft(draft: readonly Corner[] | null, hands: AreaHands | null): void {
    if (this.#destroyed) return;
    this.#area.setDraft(draft, hands);
    this.#area.apply();
  }

  setMeasure(draft: readonly Corner[] | null, hands: AreaHands | null, shape: DraftShape): void {
    if (this.#destroyed) return;
    this.#measure.setDraft(draft, hands, shape);
    this.#measure.apply();
  }

  setGrids(makers: GridMakers, covered: number): void {
    this.#grids.setMakers(makers, covered);
    this.#grids.apply();
  }

  setWords({ language, title, nameCountry, length }: MapWords): void {
    if (this.#destroyed) return;
    this.#map.getCanvas().setAttribute('aria-label', title);
    this.#scaleBar.setText(length);
    void this.#labels.setNames(nameCountry).then(() => {
      this.#options.container.dataset['mapLanguage'] = language;
    });
  }

  setTextScale(scale: number): void {
    this.#textScale = scale;
    this.#packages.setTextScale(scale);
    if (!this.#drawable) return;
    this.#packages.layOut();
    for (const layer of mapLayers(this.#theme, scale)) layOutText(this.#map, layer);
  }

  setUnits(units: LengthUnits): void {
    this.#scaleBar.setUnits(units);
  }

  setPlaceMark(mark: PlaceMarkName, place: Corner | null, name: string): void {
    if (!this.#destroyed) this.#places.set(mark, place, name);
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

  look(camera: Camera | null, { fly }: { readonly fly: boolean }): void {
    if (this.#destroyed) return;
    const animate = fly && !this.#reducedMotion;
    if (camera === null) {
      this.#fitted = this.#bounds !== null;
      this.#fit(this.#bounds ?? world, animate, { own: true });
      return;
    }
    this.#fitted = true;
    const { longitude, latitude, zoom } = camera;
    const to = { center: [longitude, latitude] as [number, number], zoom: zoom - this.#scaleZoom };
    if (animate) this.#flight.begin(to, { own: true });
    else this.#map.jumpTo(to, { own: true });
  }

  camera(): Camera {
    const { lng, lat } = this.#map.getCenter().wrap();
    const zoom = Math.max(0, this.#map.getZoom() + this.#scaleZoom);
    return { longitude: lng, latitude: lat, zoom };
  }

  async picture(theme: MapTheme): Promise<Blob | null> {
    if (!this.#drawable) return null;
    const shown = this.#theme;
    try {
      this.setTheme(theme);
      return await takePicture(this.#map, theme);
    } finally {
      if (!this.#destroyed) this.setTheme(shown);
    }
  }

  zoomIn(): void {
    this.#map.zoomIn({ animate: !this.#reducedMotion });
  }

  zoomOut(): void {
    this.#map.zoomOut({ animate: !this.#reducedMotion });
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#pulses.clear();
    this.#images.stop();
    this.#labels.stop();
    removeProtocol(this.#protocol);
    this.#map.remove();
    this.#clusters.close();
  }

  get #drawing(): boolean {
    return this.#area.drawing || this.#measure.drawing;
  }

  get #drawable(): boolean {
    return !this.#destroyed && !this.#lost;
  }

  #restore(report: (state: MapState) => void): void {
    this.#lost = false;
    this.#packages.apply();
    this.#area.apply();
    this.#measure.apply();
    this.#grids.apply();
    this.#pins.apply();
    this.#labels.apply();
    this.setTheme(this.#theme);
    this.#drawnSelection = null;
    this.#showSelection();
    this.#map.refreshTiles(marksSource);
    report('ready');
  }

  #takeIndex({ count, bounds }: Indexed): void {
    if (this.#destroyed) return;
    this.#bounds = bounds;
    if (!this.#fitted && bounds) {
      this.#fitted = true;
      this.#fit(bounds, false, { own: true });
    }
    this.#undrawn = count;
    if (!this.#drawable) return;
    // MapLibre does not ask again for a tile that it is waiting for: it would keep the answer of before.
    this.#askAgain = !this.#map.isSourceLoaded(marksSource);
    // Tiles on screen stay until their successors are there: a live change does not flash.
    this.#map.refreshTiles(marksSource);
  }

  #noteDrawn(): void {
    if (!this.#drawable || this.#undrawn === null || !this.#map.isSourceLoaded(marksSource)) return;
    if (this.#askAgain) {
      this.#askAgain = false;
      this.#map.refreshTiles(marksSource);
      return;
    }
    this.#options.container.dataset['drawnIncidents'] = String(this.#undrawn);
    this.#undrawn = null;
    if (this.#handedAt !== null) this.#drawTime = performance.now() - this.#handedAt;
    this.#handedAt = null;
  }

  drawTime(): number {
    return this.#drawTime;
  }

  /** Where the map looks, for tests and for a look from outside too: longitude, latitude, zoom. */
  #noteCamera(own: boolean): void {
    const { lng, lat } = this.#map.getCenter();
    const zoom = this.#map.getZoom();
    this.#options.container.dataset['camera'] = `${lng.toFixed(3)} ${lat.toFixed(3)} ${zoom.toFixed(2)}`;
    const camera = this.camera();
    if (own) this.#own = camera;
    // A map that is only resized comes to rest where it was.
    else if (this.#own === null || !sameCamera(this.#own, camera)) {
      this.#own = null;
      this.#options.onCamera(camera);
    }
  }

  #fit(
    bounds: Bounds,
    animate: boolean,
    { maxZoom = 9, own }: { readonly maxZoom?: number; readonly own?: true } = {},
  ): void {
    const { clientWidth, clientHeight } = this.#options.container;
    const padding = Math.min(56, clientWidth / 8, clientHeight / 8);
    this.#map.fitBounds(boundsLike(bounds), { padding, maxZoom, animate }, own ? { own } : {});
  }

  /** Draws the selected incident over everything, also when its cluster hides it; answers its place. */
  #showSelection(): [number, number] | null {
    const row = this.#selected === null ? -1 : (this.#table?.indexOfKey(this.#selected) ?? -1);
    const columns = this.#table?.columns;
    const longitude = columns?.longitude[row];
    const latitude = columns?.latitude[row];
    const place: [number, number] | null =
      longitude === undefined || latitude === undefined || Number.isNaN(latitude)
        ? null
        : [longitude, latitude];
    const severity = this.#table?.dictionaries.severity[columns?.severity[row] ?? 0] ?? '';
    if (this.#drawable) this.#drawSelection(place, iconName(severityRank(severity), 1));
    return place;
  }

  #drawSelection(place: [number, number] | null, icon: string): void {
    const drawn = JSON.stringify([place, icon, this.#selected]);
    const source = this.#map.getSource<GeoJSONSource>(selectionSource);
    if (source === undefined || drawn === this.#drawnSelection) return;
    this.#drawnSelection = drawn;
    source.setData({
      type: 'FeatureCollection',
      features: place
        ? [
            {
              type: 'Feature',
              geometry: { type: 'Point', coordinates: place },
              properties: { icon, key: this.#selected, count: 1 },
            },
          ]
        : [],
    });
  }

  /**
   * Draws the selection's layers once where nobody looks yet: the first draw of a layer compiles its
   * program, which without a graphics card stalls the page for over 100 ms at the first selection.
   */
  #warmSelection(): void {
    const { lng, lat } = this.#map.getCenter();
    this.#drawSelection([lng, lat], iconName(0, 1));
    this.#map.once('idle', () => {
      if (!this.#destroyed) this.#showSelection();
    });
  }

  async #click({ point: { x, y } }: MapMouseEvent): Promise<void> {
    if (!this.#drawable) return;
    const { onSelect } = this.#options;
    const [hit] = this.#map.queryRenderedFeatures(
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
    const members = await this.#clusters.members(zoom, longitude, latitude);
    if (!members || this.#destroyed) return;
    const [west, south, east, north] = members.bounds;
    const inseparable = Math.max(east - west, north - south) < inseparableDegrees;
    if (inseparable || this.#map.getZoom() >= deepestZoom - 0.01) {
      const at = this.#selected === null ? -1 : members.keys.indexOf(this.#selected);
      onSelect(members.keys[(at + 1) % members.keys.length] ?? null);
      return;
    }
    const least = Math.min(deepestZoom, this.#map.getZoom() + 1);
    const camera = this.#map.cameraForBounds(boundsLike(members.bounds), {
      padding: 90,
      maxZoom: deepestZoom,
    });
    const opened = camera?.zoom !== undefined && camera.zoom >= least;
    this.#map.easeTo({
      center: opened && camera.center ? camera.center : [longitude, latitude],
      zoom: opened ? (camera.zoom ?? least) : least,
      animate: !this.#reducedMotion,
      duration: 450,
    });
  }

  /** The images of the marks on the screen. */
  #shownImages(): readonly string[] {
    const marks = this.#map.queryRenderedFeatures({ layers: [marksLayerId, selectionLayerId] });
    return marks.map(({ properties }) => String(properties['icon']));
  }
}

const boundsLike = ([west, south, east, north]: Bounds): [[number, number], [number, number]] => [
  [west, south],
  [east, north],
];

const sameCamera = (a: Camera, b: Camera): boolean =>
  Math.abs(a.longitude - b.longitude) < 1e-6 &&
  Math.abs(a.latitude - b.latitude) < 1e-6 &&
  Math.abs(a.zoom - b.zoom) < 1e-6;
