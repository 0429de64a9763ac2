import type { Map as GlMap } from 'maplibre-gl';
import { ClusterClient, type ClientOptions } from './clusters/client.ts';
import { countSample } from './clusters/countText.ts';
import type { LevelMarks, MarkMembers } from './clusters/index.ts';
import type { PointColumns } from './clusters/points.ts';
import type { Extent } from './firstLook.ts';
import { loadFonts } from './font.ts';
import type { DrawnMap } from './graphics.ts';
import { marksSource } from './style.ts';

interface MarksLayerOptions
  extends
    DrawnMap<Pick<GlMap, 'on' | 'isSourceLoaded' | 'refreshTiles'>>,
    Pick<ClientOptions, 'onRestarted' | 'start'> {
  /** Counts are said in it; a BCP 47 tag. */
  readonly language: string;
  /** The points are known, though not drawn yet. */
  readonly onIndexed: (extent: Extent) => void;
  /** What the map shows stands for so many incidents. */
  readonly onDrawn: (count: number) => void;
}

/** The marks of the incidents: their index in the worker, the tiles that MapLibre draws of it, and when it has. */
export class MarksLayer {
  readonly #options: MarksLayerOptions;
  readonly #clusters: ClusterClient;
  #language: string;
  /** The language that was chosen last. */
  #chosen: string;
  /** How many incidents are indexed that are perhaps not on the screen yet. */
  #undrawn: number | null = null;
  #askAgain = false;
  #handedAt: number | null = null;
  #drawTime = 0;

  constructor(options: MarksLayerOptions) {
    this.#options = options;
    this.#language = options.language;
    this.#chosen = options.language;
    this.#clusters = new ClusterClient({
      onIndexed: (extent) => {
        options.onIndexed(extent);
        this.#undrawn = extent.count;
        this.#refresh();
      },
      onRestarted: options.onRestarted,
      ...(options.start && { start: options.start }),
    });
    options.map.on('render', () => {
      this.#noteDrawn();
    });
  }

  /** From handing over points to their being drawn, the last time, in milliseconds; 0 before the first. */
  get drawTime(): number {
    return this.#drawTime;
  }

  /** Hands the points' arrays over to the worker; they are empty here afterwards. */
  setPoints(points: PointColumns): void {
    if (this.#options.isDrawable()) this.#handedAt ??= performance.now();
    this.#clusters.setPoints(points);
  }

  /** Says the counts in another language, as soon as the fonts for its letters are there. */
  async setLanguage(language: string): Promise<void> {
    this.#chosen = language;
    await loadFonts(countSample(language));
    // Another one may have been chosen in the meantime.
    if (language !== this.#chosen || language === this.#language) return;
    this.#language = language;
    this.#refresh();
  }

  /** A vector tile as MapLibre asks for it. */
  tile(zoom: number, x: number, y: number): Promise<ArrayBuffer> {
    return this.#clusters.tile(zoom, x, y, this.#language);
  }

  /** All marks of a level of the whole world; null when they are lost. */
  levelMarks(zoom: number): Promise<LevelMarks | null> {
    return this.#clusters.marks(zoom);
  }

  /** The incidents behind the mark of a level that lies nearest to a place; null when there are none. */
  members(zoom: number, longitude: number, latitude: number): Promise<MarkMembers | null> {
    return this.#clusters.members(zoom, longitude, latitude);
  }

  /** The map cannot be drawn: how long that lasts says nothing of how fast it draws. */
  stop(): void {
    this.#handedAt = null;
  }

  /** The map can be drawn again, and perhaps shows what was known before it could not. */
  apply(): void {
    this.#refresh();
  }

  close(): void {
    this.#clusters.close();
  }

  #refresh(): void {
    const { map, isDrawable } = this.#options;
    if (!isDrawable()) return;
    // MapLibre does not ask again for a tile that it is waiting for: it would keep the answer of before.
    this.#askAgain = !map.isSourceLoaded(marksSource);
    // Tiles on screen stay until their successors are there: a live change does not flash.
    map.refreshTiles(marksSource);
  }

  #noteDrawn(): void {
    const { map, isDrawable, onDrawn } = this.#options;
    if (!isDrawable() || !(this.#askAgain || this.#undrawn !== null)) return;
    if (!map.isSourceLoaded(marksSource)) return;
    if (this.#askAgain) {
      this.#askAgain = false;
      map.refreshTiles(marksSource);
      return;
    }
    if (this.#undrawn !== null) onDrawn(this.#undrawn);
    this.#undrawn = null;
    if (this.#handedAt !== null) this.#drawTime = performance.now() - this.#handedAt;
    this.#handedAt = null;
  }
}
