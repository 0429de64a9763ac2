import { imageFormat, type ImageSize } from '../../../base/imageHeader.ts';

const headerBytes = 13;
const frameBytes = 9;
const extension = 0x21;
const frame = 0x2c;
const trailer = 0x3b;

/**
 * The sizes of a GIF's frames, from its bytes as they come. A decoder makes room for a frame that is larger than the
 * screen in the header, so the header alone says too little. For bytes of another format nothing is measured.
 */
export class GifFrames {
  /** The sum of all frames, pixels. */
  pixels = 0;
  count = 0;
  #width = 0;
  #height = 0;
  /** A block of no known kind came: decoders differ in what they do then. */
  #isIllegible = false;
  readonly #walk = this.#blocks();
  readonly #field = new Uint8Array(headerBytes);
  #filled = 0;
  /** How many bytes the walk wants next; a negative number are skipped; null after the end. */
  #wanted = this.#after();

  /** The smallest size that the screen and all frames fit into; null when the frames cannot be read. */
  extent({ width, height }: ImageSize): ImageSize | null {
    if (this.#isIllegible) return null;
    return { width: Math.max(width, this.#width), height: Math.max(height, this.#height) };
  }

  take(bytes: Uint8Array): void {
    let at = 0;
    while (this.#wanted !== null && at < bytes.byteLength) {
      const length = Math.min(Math.abs(this.#wanted) - this.#filled, bytes.byteLength - at);
      if (this.#wanted > 0) this.#field.set(bytes.subarray(at, at + length), this.#filled);
      at += length;
      this.#filled += length;
      if (this.#filled === Math.abs(this.#wanted)) this.#wanted = this.#after();
    }
  }

  #after(): number | null {
    this.#filled = 0;
    const { done, value } = this.#walk.next();
    return done === true ? null : value;
  }

  *#blocks(): Generator<number, void> {
    const field = this.#field;
    yield headerBytes;
    if (imageFormat(field) !== 'gif') return;
    yield* colours(field[10]);
    for (;;) {
      yield 1;
      const [kind] = field;
      if (kind === trailer) return;
      this.#isIllegible = kind !== extension && kind !== frame;
      if (this.#isIllegible) return;
      if (kind === frame) {
        yield frameBytes;
        this.#measure(new DataView(field.buffer));
        yield* colours(field[8]);
      }
      // The label of an extension, the code size of a frame.
      yield 1;
      for (;;) {
        yield 1;
        const [length = 0] = field;
        if (length === 0) break;
        yield -length;
      }
    }
  }

  #measure(view: DataView): void {
    const [left, top, width, height] = [0, 2, 4, 6].map((at) => view.getUint16(at, true)) as Four;
    this.#width = Math.max(this.#width, left + width);
    this.#height = Math.max(this.#height, top + height);
    this.pixels += width * height;
    this.count += 1;
  }
}

type Four = [number, number, number, number];

/** Skips a table of colours, where the flags say that there is one. */
function* colours(flags = 0): Generator<number, void> {
  if ((flags & 0x80) !== 0) yield -(3 << ((flags & 7) + 1));
}
