import type { CustomLayerInterface, CustomRenderMethodInput, Map as GlMap } from 'maplibre-gl';
import { mercatorY, wrapped } from '../clusters/points.ts';
import { turnPixelsAtZero } from '../oneWorld.ts';
import type { MapTheme } from '../theme.ts';
import { dronePx } from './droneImage.ts';
import { DroneMarks } from './droneMarks.ts';
import { DroneNames } from './droneNames.ts';
import { DroneTrails } from './droneTrails.ts';
import { frameView, heightParts, turnParts, type FrameView } from './fixedPlace.ts';
import { areSame, shownDrones, type DroneSpot, type ShownDrones } from './shownDrones.ts';

/** What draws a part of the drones, in each frame of the map. */
export interface DronePart {
  readonly unfinished?: boolean;
  setTheme(theme: MapTheme): void;
  setTextScale?(scale: number): void;
  /** There are graphics that hold nothing yet. */
  begin(gl: WebGL2RenderingContext): void;
  draw(gl: WebGL2RenderingContext, shown: ShownDrones, view: FrameView): void;
}

/** The lowest first; `trails` lies under the marks of the incidents, the others over them. */
interface DroneParts {
  readonly trails: DronePart;
  readonly over: readonly DronePart[];
}

interface DroneOverlayOptions {
  readonly map: Pick<
    GlMap,
    | 'addLayer'
    | 'getLayer'
    | 'once'
    | 'getCenter'
    | 'getZoom'
    | 'getContainer'
    | 'unproject'
    | 'triggerRepaint'
  >;
  readonly isDrawable: () => boolean;
  /** The layers that trails and marks are put under. */
  readonly below: { readonly trails: string; readonly marks: string };
  readonly theme: MapTheme;
  readonly textScale: number;
  /** So many drones were drawn. */
  readonly onDrawn: (count: number) => void;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly parts?: DroneParts;
}

const trailsLayerId = 'drone-trails';
const marksLayerId = 'drone-marks';

/** The map is drawn for the drones this often at most, in milliseconds. */
const drawEveryMs = 200;
/** After a frame that was so long in coming the map rests this many times as long, and no longer than that. */
const restTimes = 2;
const mostRestMs = 2_000;

/**
 * The marks, names and trails of the drones, in layers that draw by themselves. What moves five times a second in one of
 * MapLibre's own sources has its tiles cut again and every name on the map placed again. Here a move writes some
 * kilobytes and has one frame drawn; what comes while that is awaited is drawn with the next.
 */
export class DroneOverlay {
  readonly #options: DroneOverlayOptions;
  readonly #parts: DroneParts;
  #spots: readonly DroneSpot[] = [];
  /** Those of `#spots` that were drawn last, or are being drawn. */
  #taken: readonly DroneSpot[] = [];
  #shown: ShownDrones = shownDrones([]);
  #view: FrameView | null = null;
  /** Something is to be drawn in the next frame of ours. */
  #due = false;
  /** Drones were taken that `onDrawn` was not called for. */
  #counted = true;
  /** When a frame was asked for that has not come; null for none. */
  #askedAt: number | null = null;
  #resting: ReturnType<typeof setTimeout> | null = null;

  constructor(options: DroneOverlayOptions) {
    this.#options = options;
    const { theme, textScale } = options;
    this.#parts = options.parts ?? {
      trails: new DroneTrails(theme),
      over: [
        new DroneMarks(theme),
        new DroneNames({
          theme,
          textScale,
          onFonts: () => {
            this.#want();
          },
        }),
      ],
    };
    options.map.once('style.load', () => {
      this.#addLayers();
    });
  }

  /** All drones, also those that did not change. */
  set(spots: readonly DroneSpot[]): void {
    this.#spots = spots;
    if (!areSame(spots, this.#taken)) this.#want();
  }

  /** Draws everything again, after the map lost its graphics and with them these layers. */
  apply(): void {
    if (!this.#options.isDrawable()) return;
    this.#addLayers();
    this.#askedAt = null;
    if (this.#resting !== null) clearTimeout(this.#resting);
    this.#resting = null;
    if (this.#spots.length > 0 || this.#taken.length > 0) this.#want();
  }

  setTheme(theme: MapTheme): void {
    for (const part of this.#all()) part.setTheme(theme);
  }

  setTextScale(scale: number): void {
    for (const part of this.#all()) part.setTextScale?.(scale);
  }

  /** Draws in the theme that was set last: with the rest of the map, which does not wait. */
  paint(): void {
    if (this.#taken.length > 0) this.#options.map.triggerRepaint();
  }

  layOut(): void {
    this.paint();
  }

  /** The drone whose mark lies uppermost in a box on the screen; null for none. */
  at(box: readonly [readonly [number, number], readonly [number, number]]): string | null {
    const { map, isDrawable } = this.#options;
    if (!isDrawable() || this.#shown.spots.length === 0) return null;
    const [[left, top], [right, bottom]] = box;
    // The map is never turned: what is to the right on the screen is so in the world.
    const { lng, lat } = map.unproject([(left + right) / 2, (top + bottom) / 2]);
    const [x, y] = [wrapped(lng / 360 + 0.5), mercatorY(lat)];
    const worldPx = turnPixelsAtZero * 2 ** map.getZoom();
    const wide = (right - left + dronePx) / 2 / worldPx;
    const high = (bottom - top + dronePx) / 2 / worldPx;
    const { spots, places } = this.#shown;
    const found = spots.findLast((_, at) => {
      const away = wrapped((places[2 * at] ?? 0) / turnParts - x + 0.5) - 0.5;
      const down = (places[2 * at + 1] ?? 0) / heightParts - y;
      return Math.abs(away) <= wide && Math.abs(down) <= high;
    });
    return found?.id ?? null;
  }

  #all(): readonly DronePart[] {
    return [this.#parts.trails, ...this.#parts.over];
  }

  /** Has a frame drawn as soon as one may be. */
  #want(): void {
    this.#due = true;
    if (this.#askedAt !== null || this.#resting !== null || !this.#options.isDrawable()) return;
    this.#askedAt = this.#options.now();
    this.#options.map.triggerRepaint();
  }

  #addLayers(): void {
    const { map, below } = this.#options;
    const { trails, over } = this.#parts;
    const add = (layer: Omit<CustomLayerInterface, 'type'>, before: string): void => {
      if (!map.getLayer(layer.id)) map.addLayer({ ...layer, type: 'custom' }, before);
    };
    add(
      {
        id: trailsLayerId,
        onAdd: (_, gl) => {
          trails.begin(gl);
        },
        render: (gl, input) => {
          this.#beginFrame(gl, input);
          if (this.#view !== null) trails.draw(gl, this.#shown, this.#view);
        },
      },
      below.trails,
    );
    add(
      {
        id: marksLayerId,
        onAdd: (_, gl) => {
          for (const part of over) part.begin(gl);
        },
        render: (gl) => {
          if (this.#view !== null) for (const part of over) part.draw(gl, this.#shown, this.#view);
          this.#endFrame();
        },
      },
      below.marks,
    );
  }

  /** Of the layer that is drawn first. */
  #beginFrame(gl: WebGL2RenderingContext, { defaultProjectionData }: CustomRenderMethodInput): void {
    if (this.#spots !== this.#taken && !areSame(this.#spots, this.#taken)) {
      this.#shown = shownDrones(this.#spots);
      this.#counted = false;
    }
    this.#taken = this.#spots;
    this.#due = false;
    // Without drones the layers cost nothing.
    const isEmpty = this.#shown.spots.length === 0 && this.#counted;
    this.#view = isEmpty
      ? null
      : frameView(this.#options.map, defaultProjectionData.mainMatrix, gl.drawingBufferWidth);
  }

  #endFrame(): void {
    const { onDrawn, now } = this.#options;
    if (!this.#counted) onDrawn(this.#taken.length);
    this.#counted = true;
    if (this.#view !== null && this.#all().some(({ unfinished }) => unfinished)) this.#due = true;
    if (this.#askedAt === null && !this.#due) return;
    const waited = this.#askedAt === null ? 0 : now() - this.#askedAt;
    this.#askedAt = null;
    if (this.#resting !== null) return;
    this.#resting = setTimeout(
      () => {
        this.#resting = null;
        if (this.#due) this.#want();
      },
      Math.min(mostRestMs, Math.max(drawEveryMs, restTimes * waited)),
    );
  }
}
