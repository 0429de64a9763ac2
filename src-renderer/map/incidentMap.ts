import type { Map as GlMap } from 'maplibre-gl';
import type { IncidentTable } from '../table/table.ts';
import { AreaOverlay } from './areaOverlay.ts';
import { ArrivalPulses } from './arrivalPulses.ts';
import type { DetailLayers } from './details/detailLayers.ts';
import { DroneOverlay } from './droneOverlay.ts';
import { makeGlMap, MarksProtocol } from './glMap.ts';
import { Graphics, type DrawnMap } from './graphics.ts';
import { GridOverlay } from './gridOverlay.ts';
import { groundLayers } from './groundLayers.ts';
import { MapCamera } from './mapCamera.ts';
import { ClusterTip } from './clusterTip.ts';
import { MapHands } from './mapHands.ts';
import { MapPaint } from './mapPaint.ts';
import { MarksLayer } from './marksLayer.ts';
import { OneWorld } from './oneWorld.ts';
import type { PackageLayers } from './packages/packageLayers.ts';
import { PinOverlay } from './pinOverlay.ts';
import { PlaceMarks } from './placeMarks.ts';
import { takePicture } from './picture.ts';
import { ScaleBar } from './scaleBar.ts';
import { SelectionMark } from './selectionMark.ts';
import { shownPoints } from './shownPoints.ts';
import { areaSource, measureSource } from './style.ts';
import type { MapTheme } from './theme.ts';
import type { IncidentMapOptions, MapState, MapWords } from './types.ts';

/** The map: its parts, and what concerns several of them. */
export class IncidentMap {
  readonly camera: MapCamera;
  readonly marks: MarksLayer;
  readonly pins: PinOverlay;
  readonly drones: DroneOverlay;
  /** The area that alarms are raised in. */
  readonly area: AreaOverlay;
  readonly measure: AreaOverlay;
  readonly grids: GridOverlay;
  readonly places: PlaceMarks;
  readonly packages: PackageLayers;
  readonly paint: MapPaint;
  readonly scaleBar: ScaleBar;
  /** From when on it takes rows. */
  readonly usable: Promise<void>;
  readonly #options: IncidentMapOptions;
  readonly #map: GlMap;
  readonly #graphics: Graphics;
  readonly #protocol = new MarksProtocol();
  readonly #selection: SelectionMark;
  readonly #pulses: ArrivalPulses;
  readonly #details: DetailLayers;
  #shown: { readonly table: IncidentTable; readonly rows: Uint32Array } | null = null;

  constructor(options: IncidentMapOptions, report: (state: MapState) => void) {
    const { container, theme, reducedMotion, scale = 1 } = options;
    this.#options = options;
    const map = makeGlMap(options, this.#protocol.tiles);
    this.#map = map;
    this.scaleBar = new ScaleBar(options.words.length);
    map.addControl(this.scaleBar, 'bottom-right');
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
    const drawn: DrawnMap = { map, isDrawable: () => this.#graphics.drawable };
    // Before the camera: another size of the map has its least zoom before the first look is fitted again.
    new OneWorld(map);
    this.camera = new MapCamera({
      map,
      container,
      scale,
      reducedMotion,
      fitsAll: options.fitsAll ?? false,
      covers: options.covers,
      marksAt: (level) => this.marks.levelMarks(level),
      onCamera: options.onCamera,
      onUnfollowed: options.onUnfollowed,
    });
    this.marks = new MarksLayer({
      ...drawn,
      language: options.words.language,
      onIndexed: (extent) => {
        if (!this.#graphics.gone) this.camera.setExtent(extent);
      },
      onDrawn: (count) => {
        container.dataset['drawnIncidents'] = String(count);
      },
      onRestarted: () => {
        if (this.#shown) this.setRows(this.#shown.table, this.#shown.rows);
      },
    });
    this.#protocol.serve((zoom, x, y) => this.marks.tile(zoom, x, y));
    this.#selection = new SelectionMark(drawn);
    this.#pulses = new ArrivalPulses(map, reducedMotion);
    container.dataset['mapLanguage'] = options.words.language;
    const onDrawing = (): void => {
      this.camera.hold();
    };
    this.area = new AreaOverlay({ ...drawn, source: areaSource, onDrawing });
    this.measure = new AreaOverlay({ ...drawn, source: measureSource, onDrawing });
    this.grids = new GridOverlay(drawn);
    this.places = new PlaceMarks(map);
    this.pins = new PinOverlay({
      ...drawn,
      onDrawn: (count) => {
        container.dataset['pinnedIncidents'] = String(count);
      },
    });
    this.drones = new DroneOverlay({
      ...drawn,
      countText: options.words.drones,
      onDrawn: (count) => {
        container.dataset['drawnDrones'] = String(count);
      },
    });
    const ground = groundLayers(drawn, options);
    this.packages = ground.packages;
    this.#details = ground.details;
    this.paint = new MapPaint({
      ...drawn,
      overlays: [this.#details, this.packages],
      theme,
      textScale: options.textScale,
      glyphs: options.glyphs,
      scale,
    });
    this.#attachHands(drawn);
    map.once('load', () => {
      report('ready');
      this.#selection.warm();
      void this.#details.open().catch(() => undefined);
    });
    // Not the load: rows may be clustered while the basemap is still being read.
    this.usable = new Promise((resolve) => {
      map.once('style.load', () => {
        resolve();
      });
    });
  }

  /** Shows these rows of the table; call it again when the table or the filter changed. */
  setRows(table: IncidentTable, rows: Uint32Array): void {
    this.#shown = { table, rows };
    const now = this.#options.serverNow();
    const { points, arrivals } = shownPoints(table, rows, now);
    this.marks.setPoints(points);
    this.#pulses.show(arrivals, now);
    this.pins.setRows(table, rows);
    this.#selection.setTable(table);
  }

  /** Marks an incident, with or without bringing it into view; null for none. */
  select(key: number | null, { fly }: { readonly fly: boolean }): void {
    this.#options.container.dataset['selectedIncident'] = key === null ? '' : String(key);
    this.#selection.setKey(key);
    if (key !== null) this.camera.hold();
    const place = this.#selection.place();
    if (fly && place) this.camera.showPlace(place);
    else if (place) this.camera.keepClear(place);
  }

  setReducedMotion(reduced: boolean): void {
    this.camera.setReducedMotion(reduced);
    this.#pulses.setReducedMotion(reduced);
  }

  /** Says everything in another language; countries once the fonts of their names are there. */
  setWords({ language, title, nameCountry, length, drones }: MapWords): void {
    this.#map.getCanvas().setAttribute('aria-label', title);
    this.scaleBar.setText(length);
    this.drones.setCountText(drones);
    this.#details.setLanguage(language);
    void Promise.all([this.marks.setLanguage(language), this.paint.setNames(nameCountry)]).then(() => {
      this.#options.container.dataset['mapLanguage'] = language;
    });
  }

  /**
   * What the map shows now as a PNG, for paper: in `theme`, with its attribution and a scale in the units that
   * were set. Null when it draws no more.
   */
  async picture(theme: MapTheme): Promise<Blob | null> {
    if (!this.#graphics.drawable) return null;
    const shown = this.paint.theme;
    try {
      this.paint.setTheme(theme);
      return await takePicture({ map: this.#map, theme, scale: this.scaleBar });
    } finally {
      this.paint.setTheme(shown);
    }
  }

  /** Nothing is to be asked of it afterwards. */
  destroy(): void {
    this.#graphics.close();
    this.#pulses.clear();
    this.#stopDrawing();
    this.#protocol.close();
    this.#details.close();
    this.#map.remove();
    this.marks.close();
  }

  /** What a press on the map means, by what lies there. */
  #attachHands(drawn: DrawnMap): void {
    new MapHands({
      ...drawn,
      draw: (event) => this.area.click(event) || this.measure.click(event),
      isDrawing: () => this.area.drawing || this.measure.drawing,
      membersOf: (zoom, longitude, latitude) => this.marks.members(zoom, longitude, latitude),
      selected: () => this.#selection.key,
      onDrone: this.#options.onDrone,
      onSelect: this.#options.onSelect,
      onOpen: (goal) => {
        this.camera.openMark(goal);
      },
    });
    new ClusterTip({
      map: drawn.map,
      membersOf: (zoom, longitude, latitude) => this.marks.members(zoom, longitude, latitude),
      words: ({ open, count }) => this.#options.words.cluster(open, count),
    });
  }

  #stopDrawing(): void {
    this.paint.stop();
    this.marks.stop();
  }

  /** Writes everything into the map that MapLibre did not keep, or that was changed while it could not be drawn. */
  #drawAgain(): void {
    this.#details.apply();
    this.packages.apply();
    this.area.apply();
    this.measure.apply();
    this.grids.apply();
    this.pins.apply();
    this.drones.apply();
    this.paint.apply();
    this.#selection.apply();
    this.marks.apply();
  }
}
