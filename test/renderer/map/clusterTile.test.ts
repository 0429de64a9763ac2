import fc from 'fast-check';
import { PbfWriter } from 'pbf';
import { expect, test } from 'vitest';
import { PointTileWriter, tileExtent, type TileValue } from '../../../src-renderer/map/clusters/tile.ts';

interface TilePoint {
  readonly x: number;
  readonly y: number;
  readonly values: readonly TileValue[];
}

/** Not `writeStringField`: pbf 5.1.2 writes U+20000 as U+10000. */
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const keys = ['count', 'icon', 'clé'];

/** The same layer, field by field as the Mapbox Vector Tile specification 2.1 (section 4) has it, by a general writer. */
function plainTile(name: string, points: readonly TilePoint[]): Uint8Array {
  const values = [...new Set(points.flatMap((point) => point.values))];
  const tile = new PbfWriter();
  tile.writeMessage(
    3,
    (_, layer) => {
      layer.writeVarintField(15, 2);
      layer.writeBytesField(1, utf8(name));
      for (const point of points) layer.writeMessage(2, writeFeature, { point, values });
      for (const key of keys) layer.writeBytesField(3, utf8(key));
      for (const value of values) {
        layer.writeMessage(
          4,
          (one, written) => {
            if (typeof one === 'string') written.writeBytesField(1, utf8(one));
            else written.writeVarintField(5, one);
          },
          value,
        );
      }
      layer.writeVarintField(5, tileExtent);
    },
    null,
  );
  return tile.finish();
}

function writeFeature(
  { point, values }: { readonly point: TilePoint; readonly values: readonly TileValue[] },
  feature: PbfWriter,
): void {
  feature.writePackedVarint(
    2,
    point.values.flatMap((value, key) => [key, values.indexOf(value)]),
  );
  feature.writeVarintField(3, 1);
  feature.writePackedVarint(4, [9, point.x * 2, point.y * 2]);
}

const place = fc.integer({ min: 0, max: tileExtent - 1 });
const value = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.constantFrom(127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 - 1, 2 ** 45, Number.MAX_SAFE_INTEGER),
  fc.constantFrom('', 'open|3|7', '7', '1.2\u00a0हज़ार', '1.2万', '1.2 ألف', '🔥', '\u{20000}'),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
);
const point = fc.record({ x: place, y: place, values: fc.tuple(value, value, value) });

test('a tile has the bytes that a general writer makes of its points', () => {
  fc.assert(
    fc.property(fc.array(point, { maxLength: 60 }), fc.constantFrom('marks', 'é'), (points, name) => {
      const writer = new PointTileWriter(keys);
      for (const { x, y, values } of points) writer.add(x, y, values);
      expect(writer.finish(name)).toEqual(plainTile(name, points));
    }),
  );
});

test('a tile of thousands of points and values is whole', () => {
  const points = Array.from({ length: 5_000 }, (_, at) => ({
    x: (at * 7) % tileExtent,
    y: (at * 13) % tileExtent,
    values: [at * 3, `over|${String(at)}`, `${String(at % 300)}\u00a0mil`],
  }));
  const writer = new PointTileWriter(keys);
  for (const { x, y, values } of points) writer.add(x, y, values);
  const tile = writer.finish('marks');
  expect(Buffer.compare(tile, plainTile('marks', points))).toBe(0);
  expect(tile.buffer.byteLength, 'the worker hands over the memory behind it').toBe(tile.length);
});
