import { mercatorY, wrapped } from '../clusters/points.ts';
import { PointTileWriter, tileExtent } from '../clusters/tile.ts';
import { lastTownZoom, townsLayer } from './detailStyle.ts';

/** The towns of a tile, and their names, whose fonts it needs. */
interface TownTile {
  readonly data: ArrayBuffer;
  readonly names: readonly string[];
}

/** Towns are found by the tile of this zoom that they lie on; on tiles of lower zooms so many of the world come in question. */
const cellZoom = 5;
const mostFromAfar = 6_000;
/** Of two towns nearer than this only the more important one is drawn, in pixels of a tile of 512; at the last zoom both. */
const leastApartPx = 64;
const leastApart = (leastApartPx * tileExtent) / 512;
/** Where the English name stands among the fields of a town, and the names in other languages. */
const firstName = 4;
const nameAt: Readonly<Record<string, number>> = { es: 5, fr: 6, 'zh-Hans': 7 };

/** Vector tiles of the towns of the gazetteer, cut when they are asked for. */
export class TownTiles {
  readonly #lines: readonly string[];
  /** Of each town: as a share of the world's width, from the west and from the north. */
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** The towns of each cell, the most important first. */
  readonly #cells = new Map<number, number[]>();

  /** @param lines As build/towns.ts describes them. Reading them takes some 20 ms. */
  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#x = new Float64Array(lines.length);
    this.#y = new Float64Array(lines.length);
    lines.forEach((line, town) => {
      // Not split: most of a line is its names.
      const end = line.indexOf('|');
      const x = (this.#x[town] = wrapped(
        Number(line.slice(end + 1, line.indexOf('|', end + 1))) / 360 + 0.5,
      ));
      const y = (this.#y[town] = mercatorY(Number(line.slice(0, end))));
      const cell = cellOf(Math.floor(x * 2 ** cellZoom), Math.floor(y * 2 ** cellZoom));
      const there = this.#cells.get(cell);
      if (there) there.push(town);
      else this.#cells.set(cell, [town]);
    });
  }

  /** Names are in the language, a BCP 47 tag, where a town has one in it; else in English. */
  tile(zoom: number, x: number, y: number, language: string): TownTile {
    const writer = new PointTileWriter(['name', 'order', 'size']);
    const names: string[] = [];
    for (const { town, right, down } of this.#spread(zoom, x, y)) {
      const fields = (this.#lines[town] ?? '').split('|');
      const name = fields[nameAt[language] ?? firstName] || (fields[firstName] ?? '');
      names.push(name);
      writer.add(right, down, [name, town, sizeOf(Number(fields[3]))]);
    }
    const data = names.length === 0 ? new ArrayBuffer(0) : writer.finish(townsLayer).buffer;
    return { data, names };
  }

  /** The towns on a tile that lie far enough apart, the most important first; `right` and `down` in units of the tile. */
  #spread(zoom: number, x: number, y: number) {
    const kept: { readonly town: number; readonly right: number; readonly down: number }[] = [];
    for (const town of this.#around(zoom, x, y)) {
      const right = Math.floor(((this.#x[town] as number) * 2 ** zoom - x) * tileExtent);
      const down = Math.floor(((this.#y[town] as number) * 2 ** zoom - y) * tileExtent);
      if (right < 0 || right >= tileExtent || down < 0 || down >= tileExtent) continue;
      const isClose = (other: { readonly right: number; readonly down: number }): boolean =>
        (other.right - right) ** 2 + (other.down - down) ** 2 < leastApart ** 2;
      if (zoom === lastTownZoom || !kept.some(isClose)) kept.push({ town, right, down });
    }
    return kept;
  }

  /** The towns that may lie on a tile, the most important first. */
  #around(zoom: number, x: number, y: number): Iterable<number> {
    if (zoom < cellZoom) return this.#x.subarray(0, mostFromAfar).keys();
    const scale = 2 ** (cellZoom - zoom);
    return this.#cells.get(cellOf(Math.floor(x * scale), Math.floor(y * scale))) ?? [];
  }
}

const cellOf = (x: number, y: number): number => y * 2 ** cellZoom + x;

/** A hundred for each digit of the thousands of inhabitants: a village has 70, the largest city 440. */
const sizeOf = (thousands: number): number => Math.round(100 * Math.log10(Math.max(1, thousands)));
