import { mapFontFamily } from '../font.ts';
import { isRightToLeft } from '../labelText.ts';

/** Of the texture, in pixels of the screen. */
export const atlasSide = 2_048;
const haloPx = 1.6;
const heightEms = 1.45;
const baselineEms = 1.06;

/** Where a name lies in the texture, pixels. */
export interface NameSlot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Row {
  readonly y: number;
  used: number;
  /** The last frame that drew one of its names. */
  drawnAt: number;
  readonly names: string[];
}

/**
 * Pictures of names in a texture: how much of a pixel is letter, and how much its edge. The colours come when it is
 * drawn, so that another theme needs no other pictures. Where it is full, the row that was not drawn for longest goes.
 */
export class NameAtlas {
  readonly pixelRatio: number;
  readonly #gl: WebGL2RenderingContext;
  readonly #context: CanvasRenderingContext2D;
  readonly #texture: WebGLTexture;
  readonly #size: number;
  readonly #height: number;
  readonly #rows: Row[] = [];
  readonly #slots = new Map<string, { readonly slot: NameSlot; readonly row: Row }>();
  #frame = 0;

  /** `size`: of the text in CSS pixels. */
  constructor(gl: WebGL2RenderingContext, size: number, pixelRatio: number) {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('This browser draws no canvas');
    this.#gl = gl;
    this.#context = context;
    this.#size = size;
    this.pixelRatio = pixelRatio;
    this.#height = Math.ceil((size * heightEms + 2 * haloPx) * pixelRatio);
    this.#texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RG8, atlasSide, atlasSide);
    // A name stands on whole pixels.
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    context.canvas.width = atlasSide;
    context.canvas.height = this.#height;
    context.scale(pixelRatio, pixelRatio);
    context.font = `${String(size)}px ${mapFontFamily}`;
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.lineJoin = 'round';
    context.lineWidth = 2 * haloPx;
  }

  get texture(): WebGLTexture {
    return this.#texture;
  }

  /** Of a name with its edge, CSS pixels. */
  get height(): number {
    return this.#height / this.pixelRatio;
  }

  /** Another frame begins; what it does not draw may go. */
  beginFrame(): void {
    this.#frame += 1;
  }

  /** Where a name lies that is drawn now; null while it has no picture. */
  slot(name: string): NameSlot | null {
    const known = this.#slots.get(name);
    if (known === undefined) return null;
    known.row.drawnAt = this.#frame;
    return known.slot;
  }

  /** Of a name that may have no picture yet, CSS pixels; by its letters it is a guess. */
  width(name: string): number {
    const known = this.#slots.get(name);
    return known === undefined ? name.length * this.#size * 0.62 : known.slot.width / this.pixelRatio;
  }

  /** Makes the picture of a name that has none. @returns whether there was room. */
  add(name: string): boolean {
    const context = this.#context;
    const wide = context.measureText(name).width + 2 * haloPx + 2;
    const width = Math.min(atlasSide, Math.ceil(wide * this.pixelRatio));
    const row = this.#rowFor(width);
    if (row === null) return false;
    const slot = { x: row.used, y: row.y, width, height: this.#height };
    row.used += width;
    row.drawnAt = this.#frame;
    row.names.push(name);
    this.#slots.set(name, { slot, row });
    this.#paint(name, slot);
    return true;
  }

  delete(): void {
    this.#gl.deleteTexture(this.#texture);
  }

  #rowFor(width: number): Row | null {
    const open = this.#rows.find(({ used }) => used + width <= atlasSide);
    if (open !== undefined) return open;
    const y = this.#rows.length * this.#height;
    if (y + this.#height <= atlasSide) {
      const row: Row = { y, used: 0, drawnAt: this.#frame, names: [] };
      this.#rows.push(row);
      return row;
    }
    const [oldest] = this.#rows.toSorted((a, b) => a.drawnAt - b.drawnAt);
    if (oldest === undefined || oldest.drawnAt === this.#frame) return null;
    for (const name of oldest.names.splice(0)) this.#slots.delete(name);
    oldest.used = 0;
    return oldest;
  }

  /** Red is its edge, green its letters, and black nothing. */
  #paint(name: string, { x, y, width, height }: NameSlot): void {
    const context = this.#context;
    const [middle, baseline] = [width / this.pixelRatio / 2, haloPx + baselineEms * this.#size];
    context.direction = isRightToLeft(name) ? 'rtl' : 'ltr';
    context.fillStyle = '#000';
    context.fillRect(0, 0, width / this.pixelRatio + 1, height / this.pixelRatio + 1);
    context.strokeStyle = '#f00';
    context.strokeText(name, middle, baseline);
    context.fillStyle = '#0f0';
    context.fillText(name, middle, baseline);
    const { data } = context.getImageData(0, 0, width, height);
    const parts = new Uint8Array(2 * width * height);
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      parts[2 * pixel] = data[4 * pixel] ?? 0;
      parts[2 * pixel + 1] = data[4 * pixel + 1] ?? 0;
    }
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, width, height, gl.RG, gl.UNSIGNED_BYTE, parts);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
  }
}
