import type { MarkImage, MarkPainter } from './marks.ts';
import type { MapTheme } from './theme.ts';

/** How long one piece of repainting may hold up the page, in milliseconds. */
const pieceMs = 6;

/** As much of a map as this needs. */
interface ImageStore {
  hasImage(name: string): boolean;
  addImage(name: string, image: MarkImage, options: { readonly pixelRatio: number }): unknown;
  updateImage(name: string, image: MarkImage): unknown;
}

export interface MarkImagesOptions {
  readonly map: ImageStore;
  readonly painter: Pick<MarkPainter, 'paint'>;
  readonly pixelRatio: number;
  readonly theme: MapTheme;
}

/**
 * The images of the marks, painted when the map first asks for them and again in another theme. A shift at
 * the map leaves hundreds of them, a count each: those on the screen are painted at once, the others a few
 * at a time, since none of them is looked at.
 */
export class MarkImages {
  readonly #options: MarkImagesOptions;
  readonly #names = new Set<string>();
  #theme: MapTheme;
  /** Still in another theme than the present one. */
  #behind = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: MarkImagesOptions) {
    this.#options = options;
    this.#theme = options.theme;
  }

  /** Paints an image that the map lacks. */
  add(name: string): void {
    const { map, painter, pixelRatio } = this.#options;
    const image = painter.paint(name, this.#theme);
    if (!image || map.hasImage(name)) return;
    this.#names.add(name);
    map.addImage(name, image, { pixelRatio });
  }

  /** Paints all in a theme; those named in `shown` before it returns. */
  setTheme(theme: MapTheme, shown: Iterable<string>): void {
    this.#theme = theme;
    this.#behind = new Set(this.#names);
    for (const name of shown) this.#repaint(name);
    this.#goOn();
  }

  /** Stops painting: the map is gone, or cannot be painted on. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #goOn(): void {
    clearTimeout(this.#timer);
    if (this.#behind.size > 0) this.#timer = setTimeout(() => this.#work());
  }

  #work(): void {
    const ends = performance.now() + pieceMs;
    for (const name of this.#behind) {
      this.#repaint(name);
      if (performance.now() > ends) break;
    }
    this.#goOn();
  }

  #repaint(name: string): void {
    if (!this.#behind.delete(name)) return;
    const image = this.#options.painter.paint(name, this.#theme);
    if (image) this.#options.map.updateImage(name, image);
  }
}
