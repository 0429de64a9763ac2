/**
 * Writes a vector tile of points (Mapbox Vector Tile 2.1): one layer, properties that are whole numbers or
 * short texts. Small on purpose; a general encoder would first have to be given objects.
 */
export const tileExtent = 4096;

export type TileValue = string | number;

/** Bytes of a varint at most: of 2^53. */
const longestVarint = 8;
const encoder = new TextEncoder();

/** Writes one tile. Every byte goes where it stays, except that the layer's parts are put together at the end. */
export class PointTileWriter {
  readonly #features = new ByteWriter();
  readonly #values = new ByteWriter();
  readonly #keys: readonly string[];
  /** Of each value among the layer's values. */
  readonly #places = new Map<TileValue, number>();
  /** Of the values of one point. */
  readonly #tags: number[];

  /** `keys` are the properties every point has, in the order `add` takes their values; fewer than 128. */
  constructor(keys: readonly string[]) {
    this.#keys = keys;
    this.#tags = keys.map(() => 0);
  }

  /** `x` and `y` in tile units, 0..4095; `values` are whole numbers from 0 to 2^53 or texts. */
  add(x: number, y: number, values: readonly TileValue[]): void {
    const tags = this.#tags;
    let tagBytes = 0;
    for (let key = 0; key < tags.length; key += 1) {
      const tag = this.#placeOf(values[key] as TileValue);
      tags[key] = tag;
      tagBytes += 1 + varintSize(tag);
    }
    const geometryBytes = 1 + varintSize(x * 2) + varintSize(y * 2);
    const feature = this.#features;
    feature.reserve(4 * longestVarint + tagBytes + geometryBytes);
    feature.varint(0x12);
    feature.varint(1 + varintSize(tagBytes) + tagBytes + 2 + 2 + geometryBytes);
    // tags (field 2, packed), type POINT (field 3), geometry (field 4, packed): MoveTo with one pair
    feature.varint(0x12);
    feature.varint(tagBytes);
    for (let key = 0; key < tags.length; key += 1) {
      feature.varint(key);
      feature.varint(tags[key] as number);
    }
    feature.varint(0x18);
    feature.varint(1);
    feature.varint(0x22);
    feature.varint(geometryBytes);
    feature.varint(9);
    feature.varint(x * 2);
    feature.varint(y * 2);
  }

  /** The tile, in memory of exactly its size. */
  finish(layerName: string): Uint8Array<ArrayBuffer> {
    const head = new ByteWriter();
    head.reserve(2);
    head.varint(0x78);
    head.varint(2);
    head.text(0x0a, layerName, textBytes(layerName));
    const keys = new ByteWriter();
    for (const key of this.#keys) keys.text(0x1a, key, textBytes(key));
    const extent = new ByteWriter();
    extent.reserve(2 * longestVarint);
    extent.varint(0x28);
    extent.varint(tileExtent);
    const parts = [head, this.#features, keys, this.#values, extent].map((part) => part.bytes());
    const layerBytes = parts.reduce((sum, { length }) => sum + length, 0);
    const tile = new ByteWriter(1 + varintSize(layerBytes) + layerBytes);
    tile.varint(0x1a);
    tile.varint(layerBytes);
    for (const part of parts) tile.append(part);
    return tile.bytes();
  }

  #placeOf(value: TileValue): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    const place = this.#places.size;
    this.#places.set(value, place);
    this.#write(value);
    return place;
  }

  #write(value: TileValue): void {
    const values = this.#values;
    values.reserve(3 + 2 * longestVarint);
    values.varint(0x22);
    if (typeof value === 'string') {
      const size = textBytes(value);
      values.varint(1 + varintSize(size) + size);
      values.text(0x0a, value, size);
    } else {
      values.varint(1 + varintSize(value));
      values.varint(0x28);
      values.varint(value);
    }
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** Of a text in UTF-8. Nearly every text of a tile is ASCII, and a loop over it costs less than an encoder does. */
function textBytes(text: string): number {
  for (let at = 0; at < text.length; at += 1)
    if (text.charCodeAt(at) >= 128) return encoder.encode(text).length;
  return text.length;
}

class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Makes room for so many bytes more; `varint` takes it for granted. */
  reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.bytes());
    this.#bytes = grown;
  }

  /** A whole number from 0 to 2^53, in room reserved before. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length] = (rest % 128) + 128;
      this.#length += 1;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  /** A length-delimited field with the tag byte `tag`; `size` as `textBytes` says it. */
  text(tag: number, text: string, size: number): void {
    this.reserve(1 + longestVarint + size);
    this.varint(tag);
    this.varint(size);
    if (size === text.length) {
      for (let at = 0; at < size; at += 1) this.#bytes[this.#length + at] = text.charCodeAt(at);
    } else encoder.encodeInto(text, this.#bytes.subarray(this.#length));
    this.#length += size;
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}
