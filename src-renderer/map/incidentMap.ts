import type { Map as GlMap } from 'maplibre-gl';
import type { Camera, LengthUnits, MapPackage } from '../../src-preload/contract/index.ts';
import type { IncidentTable } from '../table/table.ts';
import { AreaOverlay, type AreaHands, type DraftShape } from './areaOverlay.ts';
import { ArrivalPulses } from './arrivalPulses.ts';
import type { DetailLayers } from './details/detailLayers.ts';
import type { DroneSpot } from './droneGroups.ts';
import { DroneOverlay } from './droneOverlay.ts';
import { makeGlMap, MarksProtocol } from './glMap.ts';
import { Graphics } from './graphics.ts';
import { GridOverlay, type GridMakers } from './gridOverlay.ts';
import { groundLayers } from './groundLayers.ts';
import { MapCamera } from './mapCamera.ts';
import { ClusterTip } from './clusterTip.ts';
import { MapHands } from './mapHands.ts';
import { MapPaint } from './mapPaint.ts';
import { MarksLayer } from './marksLayer.ts';
import { OneWorld } from './oneWorld.ts';
import type { PackageLayers } from './packages/packageLayers.ts';
import { PinOverlay } from './pinOverlay.ts';
import { PlaceMarks, type PlaceMarkName } from './placeMarks.ts';
import { takePicture } from './picture.ts';
import { boundsOf, mercatorY, wrapped } from './clusters/points.ts';
import type { Corner, ViewArea } from './ring.ts';
import { ScaleBar } from './scaleBar.ts';
import { SelectionMark } from './selectionMark.ts';
import { shownPoints } from './shownPoints.ts';
import { areaSource, measureSource } from './style.ts';
import type { MapTheme } from './theme.ts';
import type { IncidentMap, IncidentMapOptions, MapState, MapWords } from './types.ts';

/** The map, put together of its layers, its camera and the hands on it. */
export class GlIncidentMap implements IncidentMap {
  readonly usable: Promise<void>;
  readonly #options: IncidentMapOptions;
  readonly #map: GlMap;
  readonly #graphics: Graphics;
  readonly #camera: MapCamera;
  readonly #protocol = new MarksProtocol();
  readonly #marks: MarksLayer;
  readonly #selection: SelectionMark;
  readonly #pulses: ArrivalPulses;
  readonly #area: AreaOverlay;
  readonly #measure: AreaOverlay;
  readonly #grids: GridOverlay;
  readonly #places: PlaceMarks;
  readonly #pins: PinOverlay;
  readonly #drones: DroneOverlay;
  readonly #paint: MapPaint;
  readonly #scaleBar: ScaleBar;
  readonly #packages: PackageLayers;
  readonly #details: DetailLayers;
  #shown: { readonly table: IncidentTable; readonly rows: Uint32Array } | null = null;

  constructor(options: IncidentMapOptions, report: (state: MapState) => void) {
    const { container, theme, reducedMotion, scale = 1 } = options;
    this.#options = options;
    const map = makeGlMap(options, this.#protocol.tiles);
    this.#map = map;
    this.#scaleBar = new ScaleBar(options.words.length);
    map.addControl(this.#scaleBar, 'bottom-right');
    this.#graphics = new Graphics({
      map,
      onLost: () => {
        this.#stopDrawing();
        report('context-lost');
      },
      onBack: () => {
        this.#drawAgain();
        report('ready');
      },
    });
    const isDrawable = (): boolean => this.#graphics.drawable;
    this.#camera = new MapCamera({
      map,
      container,
      scale,
      reducedMotion,
      fitsAll: options.fitsAll ?? false,
      covers: options.covers,
      marksAt: (level) => this.#marks.levelMarks(level),
      onCamera: options.onCamera,
      onRest: options.onRest,
      onUnfollowed: options.onUnfollowed,
    });
    this.#marks = new MarksLayer({
      map,
      isDrawable,
      language: options.words.language,
      onIndexed: (extent) => {
        if (!this.#graphics.gone) this.#camera.setExtent(extent);
      },
      onDrawn: (count) => {
        container.dataset['drawnIncidents'] = String(count);
      },
      onRestarted: () => {
        if (this.#shown) this.setRows(this.#shown.table, this.#shown.rows);
      },
    });
    this.#protocol.serve((zoom, x, y) => this.#marks.tile(zoom, x, y));
    this.#selection = new SelectionMark({ map, isDrawable });
    this.#pulses = new ArrivalPulses(map, reducedMotion);
    new OneWorld(map);
    container.dataset['mapLanguage'] = options.words.language;
    this.#area = new AreaOverlay({ map, source: areaSource, isDrawable });
    this.#measure = new AreaOverlay({ map, source: measureSource, isDrawable });
    this.#grids = new GridOverlay(map, isDrawable);
    this.#places = new PlaceMarks(map);
    this.#pins = new PinOverlay({
      map,
      isDrawable,
      onDrawn: (count) => {
        container.dataset['pinnedIncidents'] = String(count);
      },
    });
    this.#drones = new DroneOverlay({
      map,
      isDrawable,
      countText: options.words.drones,
      onDrawn: (count) => {
        container.dataset['drawnDrones'] = String(count);
      },
    });
    const ground = groundLayers({ map, isDrawable, options });
    this.#packages = ground.packages;
    this.#details = ground.details;
    this.#paint = new MapPaint({
      map,
      isDrawable,
      overlays: [this.#details, this.#packages],
      theme,
      textScale: options.textScale,
      glyphs: options.glyphs,
      scale,
    });
    this.#attachHands();
    this.#followDrawing(report);
    // Not the load: rows may be clustered while the basemap is still being read.
    this.usable = new Promise((resolve) => {
      map.once('style.load', () => {
        resolve();
      });
    });
  }

  setRows(table: IncidentTable, rows: Uint32Array): void {
    if (this.#graphics.gone) return;
    this.#shown = { table, rows };
    const now = this.#options.serverNow();
    const { points, arrivals } = shownPoints(table, rows, now);
    this.#marks.setPoints(points);
    this.#pulses.show(arrivals, now);
    this.#pins.setRows(table, rows);
    this.#selection.setTable(table);
  }

  drawTime(): number {
    return this.#marks.drawTime;
  }

  select(key: number | null, { fly }: { readonly fly: boolean }): void {
    if (this.#graphics.gone) return;
    this.#options.container.dataset['selectedIncident'] = key === null ? '' : String(key);
    this.#selection.setKey(key);
    if (key !== null) this.#camera.hold();
    const place = this.#selection.place();
    if (fly && place) this.#camera.showPlace(place);
    else if (place) this.#camera.keepClear(place);
  }

  setPins(keys: ReadonlySet<number>): void {
    this.#pins.setKeys(keys);
  }

  setDrones(drones: readonly DroneSpot[]): void {
    this.#drones.set(drones);
  }

  follow(place: Corner | null): void {
    if (!this.#graphics.gone) this.#camera.follow(place);
  }

  setTheme(theme: MapTheme): void {
    this.#paint.setTheme(theme);
  }

  setPackages(packages: readonly MapPackage[]): void {
    this.#packages.choose(packages);
    if (this.#graphics.drawable) this.#packages.apply();
  }

  showExtent(bounds: MapPackage['bounds']): void {
    this.#camera.showExtent(bounds);
  }

  setReducedMotion(reduced: boolean): void {
    this.#camera.setReducedMotion(reduced);
    this.#pulses.setReducedMotion(reduced);
  }

  setArea(ring: readonly Corner[] | null): void {
    this.#area.setRing(ring);
    this.#area.apply();
  }

  setDraft(draft: readonly Corner[] | null, hands: AreaHands | null): void {
    if (this.#graphics.gone) return;
    if (hands !== null) this.#camera.hold();
    this.#area.setDraft(draft, hands);
    this.#area.apply();
  }

  setMeasure(draft: readonly Corner[] | null, hands: AreaHands | null, shape: DraftShape): void {
    if (this.#graphics.gone) return;
    if (hands !== null) this.#camera.hold();
    this.#measure.setDraft(draft, hands, shape);
    this.#measure.apply();
  }

  setGrids(makers: GridMakers): void {
    this.#grids.setMakers(makers);
    this.#grids.apply();
  }

  setWords({ language, title, nameCountry, length, drones }: MapWords): void {
    if (this.#graphics.gone) return;
    this.#map.getCanvas().setAttribute('aria-label', title);
    this.#scaleBar.setText(length);
    this.#drones.setCountText(drones);
    this.#details.setLanguage(language);
    void Promise.all([this.#marks.setLanguage(language), this.#paint.setNames(nameCountry)]).then(() => {
      this.#options.container.dataset['mapLanguage'] = language;
    });
  }

  setTextScale(scale: number): void {
    this.#paint.setTextScale(scale);
  }

  setUnits(units: LengthUnits): void {
    this.#scaleBar.setUnits(units);
  }

  setPlaceMark(mark: PlaceMarkName, place: Corner | null, name: string): void {
    if (!this.#graphics.gone) this.#places.set(mark, place, name);
  }

  view(): ViewArea {
    return this.#camera.view();
  }

  centre(): Corner {
    return this.#camera.centre();
  }

  look(camera: Camera | null, options: { readonly fly: boolean }): void {
    if (!this.#graphics.gone) this.#camera.look(camera, options);
  }

  showPlaces(places: readonly Corner[]): void {
    const bounds = boundsOf({
      length: places.length,
      x: Float64Array.from(places, ([longitude]) => wrapped(longitude / 360 + 0.5)),
      y: Float64Array.from(places, ([, latitude]) => mercatorY(latitude)),
    });
    if (!this.#graphics.gone && bounds !== null) this.#camera.showBox(bounds);
  }

  camera(): Camera {
    return this.#camera.camera();
  }

  async picture(theme: MapTheme): Promise<Blob | null> {
    if (!this.#graphics.drawable) return null;
    const shown = this.#paint.theme;
    try {
      this.#paint.setTheme(theme);
      return await takePicture({ map: this.#map, theme, scale: this.#scaleBar });
    } finally {
      this.#paint.setTheme(shown);
    }
  }

  zoomIn(): void {
    this.#camera.zoomIn();
  }

  zoomOut(): void {
    this.#camera.zoomOut();
  }

  destroy(): void {
    if (this.#graphics.gone) return;
    this.#graphics.close();
    this.#pulses.clear();
    this.#stopDrawing();
    this.#protocol.close();
    this.#details.close();
    this.#map.remove();
    this.#marks.close();
  }

  /** What a press on the map means, by what lies there. */
  #attachHands(): void {
    new MapHands({
      map: this.#map,
      isDrawable: () => this.#graphics.drawable,
      draw: (event) => this.#area.click(event) || this.#measure.click(event),
      isDrawing: () => this.#area.drawing || this.#measure.drawing,
      membersOf: (zoom, longitude, latitude) => this.#marks.members(zoom, longitude, latitude),
      selected: () => this.#selection.key,
      onDrone: this.#options.onDrone,
      onSelect: this.#options.onSelect,
      onOpen: (goal) => {
        this.#camera.openMark(goal);
      },
    });
    new ClusterTip({
      map: this.#map,
      membersOf: (zoom, longitude, latitude) => this.#marks.members(zoom, longitude, latitude),
      words: ({ open, count }) => this.#options.words.cluster(open, count),
    });
  }

  /** Says when the map can be used, and notes what MapLibre has drawn. */
  #followDrawing(report: (state: MapState) => void): void {
    this.#map.on('render', () => {
      if (this.#graphics.drawable) this.#packages.noteDrawn();
    });
    this.#map.once('load', () => {
      report('ready');
      this.#selection.warm();
      void this.#details.open().catch(() => undefined);
    });
  }

  #stopDrawing(): void {
    this.#paint.stop();
    this.#marks.stop();
  }

  /** Writes everything into the map that MapLibre did not keep, or that was changed while it could not be drawn. */
  #drawAgain(): void {
    this.#details.apply();
    this.#packages.apply();
    this.#area.apply();
    this.#measure.apply();
    this.#grids.apply();
    this.#pins.apply();
    this.#drones.apply();
    this.#paint.apply();
    this.#selection.apply();
    this.#marks.apply();
  }
}
