/**
 * Writes a vector tile of points (Mapbox Vector Tile 2.1): one layer, properties that are numbers or
 * short texts. Small on purpose; a general encoder would first have to be given objects.
 */
export const tileExtent = 4096;

export type TileValue = string | number;

export class PointTileWriter {
  readonly #features = new ByteWriter();
  readonly #keys: readonly string[];
  readonly #values = new Map<TileValue, number>();
  readonly #scratch = new ByteWriter();

  /** `keys` are the properties every point has, in the order `add` takes their values. */
  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** `x` and `y` in tile units, 0..4095. */
  add(x: number, y: number, values: readonly TileValue[]): void {
    const feature = this.#scratch.reset();
    const tags = values.map((value) => this.#indexOf(value));
    // tags (field 2, packed), type POINT (field 3), geometry (field 4, packed): MoveTo with one pair
    feature.varint(0x12);
    feature.varint(tags.reduce((size, tag) => size + 1 + varintSize(tag), 0));
    tags.forEach((tag, key) => {
      feature.varint(key);
      feature.varint(tag);
    });
    feature.varint(0x18);
    feature.varint(1);
    feature.varint(0x22);
    feature.varint(1 + varintSize(x * 2) + varintSize(y * 2));
    feature.varint(9);
    feature.varint(x * 2);
    feature.varint(y * 2);
    this.#features.field(0x12, feature.bytes());
  }

  finish(layerName: string): Uint8Array<ArrayBuffer> {
    const layer = new ByteWriter();
    layer.varint(0x78);
    layer.varint(2);
    layer.field(0x0a, encodeText(layerName));
    layer.append(this.#features.bytes());
    for (const key of this.#keys) layer.field(0x1a, encodeText(key));
    for (const value of this.#values.keys()) {
      const encoded = new ByteWriter();
      if (typeof value === 'string') encoded.field(0x0a, encodeText(value));
      else {
        encoded.varint(0x28);
        encoded.varint(value);
      }
      layer.field(0x22, encoded.bytes());
    }
    layer.varint(0x28);
    layer.varint(tileExtent);
    const tile = new ByteWriter();
    tile.field(0x1a, layer.bytes());
    return tile.bytes().slice();
  }

  #indexOf(value: TileValue): number {
    const known = this.#values.get(value);
    if (known !== undefined) return known;
    const index = this.#values.size;
    this.#values.set(value, index);
    return index;
  }
}

const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  reset(): this {
    this.#length = 0;
    return this;
  }

  /** A whole number from 0 to 2^53. */
  varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length] = (rest % 128) + 128;
      this.#length += 1;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  /** A length-delimited field with the tag byte `tag`. */
  field(tag: number, bytes: Uint8Array): void {
    this.varint(tag);
    this.varint(bytes.length);
    this.append(bytes);
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.bytes());
    this.#bytes = grown;
  }
}
