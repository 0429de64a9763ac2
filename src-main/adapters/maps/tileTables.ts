import { constants, type DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * The tables of an MBTiles file with the tiles.
 *
 * A view in an untrusted file may join for hours, and a running query cannot be stopped. So no view runs: where `tiles`
 * is a view (specification 1.3 allows that), the tables that writers usually put behind it are read directly, one after
 * another.
 */
export interface TileTables {
  readonly places: string;
  /** The table with the bytes if they are not beside the tile's position, and the key that leads there. */
  readonly linked: { readonly table: string; readonly key: string } | null;
}

const placeColumns = ['zoom_level', 'tile_column', 'tile_row'];
const shapes: readonly TileTables[] = [
  { places: 'tiles', linked: null },
  { places: 'map', linked: { table: 'images', key: 'tile_id' } },
  { places: 'tiles_shallow', linked: { table: 'tiles_data', key: 'tile_data_id' } },
];
/** Without an index the whole file is read for each tile, so it must be small. */
const largestWithoutIndex = 32 * 1024 * 1024;

/** Columns of a plain table; empty for a view, a virtual table, and one with computed columns. */
function columnsOf(database: DatabaseSync, table: string): ReadonlySet<string> {
  const found = database
    .prepare(`SELECT type, sql FROM sqlite_master WHERE name = ? AND type IN ('table', 'view') LIMIT 1`)
    .get(table);
  if (found?.['type'] !== 'table' || /^\s*CREATE\s+VIRTUAL/i.test(String(found['sql']))) return new Set();
  const columns = database.prepare('SELECT name, hidden FROM pragma_table_xinfo(?)').all(table);
  if (columns.some(({ hidden }) => hidden !== 0)) return new Set();
  return new Set(columns.map(({ name }) => String(name).toLowerCase()));
}

const holds = (columns: ReadonlySet<string>, names: readonly string[]): boolean =>
  names.every((name) => columns.has(name));

export interface Schema {
  readonly hasMetadata: boolean;
  /** Null when there is nothing called `tiles`. */
  readonly tiles: TileTables | null;
}

/**
 * Finds the tables with the tiles. Must be called before `closeToAllButReading`.
 *
 * @throws when `tiles` exists but cannot be read
 */
export function readSchema(database: DatabaseSync): Schema {
  const hasMetadata = holds(columnsOf(database, 'metadata'), ['name', 'value']);
  const named = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'tiles' LIMIT 1`).get();
  if (!named) return { hasMetadata, tiles: null };
  const tiles = shapes.find(({ places, linked }) => {
    const columns = columnsOf(database, places);
    if (!linked) return holds(columns, [...placeColumns, 'tile_data']);
    const { table, key } = linked;
    return holds(columns, [...placeColumns, key]) && holds(columnsOf(database, table), [key, 'tile_data']);
  });
  if (!tiles) throw new Error('The tiles lie in no tables that are known');
  return { hasMetadata, tiles };
}

/** @throws when finding a tile would need reading all of a large file */
export function requireIndex(database: DatabaseSync, { places, linked }: TileTables, bytes: number): void {
  if (bytes <= largestWithoutIndex) return;
  const questions = [
    `SELECT 1 FROM ${places} WHERE zoom_level = 0 AND tile_column = 0 AND tile_row = 0`,
    ...(linked ? [`SELECT 1 FROM ${linked.table} WHERE ${linked.key} = 0`] : []),
  ];
  for (const question of questions) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${question}`).all();
    if (plan.some(({ detail }) => String(detail).startsWith('SCAN'))) throw new Error('There is no index');
  }
}

/** From now on the database only reads rows: only the few functions used here, and no pragmas. */
export function closeToAllButReading(database: DatabaseSync): void {
  const used: ReadonlySet<string> = new Set(['min', 'max']);
  database.setAuthorizer((action, _first, second) => {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_READ:
        return constants.SQLITE_OK;
      case constants.SQLITE_FUNCTION:
        return used.has(String(second).toLowerCase()) ? constants.SQLITE_OK : constants.SQLITE_DENY;
      default:
        return constants.SQLITE_DENY;
    }
  });
}

const integer = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
/** A tile that is not bytes is a fault of the file. An empty tile makes it visible. */
const bytesOf = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : new Uint8Array(0));

/** The queries for tiles, each on one table. */
export class TileReader {
  readonly #linked: TileTables['linked'];
  readonly #lowest: StatementSync;
  readonly #highest: StatementSync;
  readonly #extent: StatementSync;
  readonly #some: StatementSync;
  readonly #one: StatementSync;
  readonly #data: StatementSync | null;

  constructor(database: DatabaseSync, { places, linked }: TileTables) {
    const content = linked ? linked.key : 'tile_data';
    const end = (order: 'ASC' | 'DESC'): StatementSync =>
      database.prepare(`SELECT zoom_level AS zoom FROM ${places} ORDER BY zoom_level ${order} LIMIT 1`);
    this.#linked = linked;
    this.#lowest = end('ASC');
    this.#highest = end('DESC');
    this.#extent = database.prepare(
      `SELECT min(tile_column) AS west, min(tile_row) AS south, max(tile_column) AS east, max(tile_row) AS north
       FROM ${places} WHERE zoom_level = ?`,
    );
    this.#some = database.prepare(
      `SELECT tile_column AS col, tile_row AS line, ${content} AS content FROM ${places} WHERE zoom_level = ? LIMIT ?`,
    );
    this.#one = database.prepare(
      `SELECT ${content} AS content FROM ${places}
       WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? LIMIT 1`,
    );
    this.#data = linked
      ? database.prepare(`SELECT tile_data AS content FROM ${linked.table} WHERE ${linked.key} = ? LIMIT 1`)
      : null;
  }

  zooms(): { min: number; max: number } | null {
    const min = integer(this.#lowest.get()?.['zoom']);
    const max = integer(this.#highest.get()?.['zoom']);
    return min === null || max === null ? null : { min, max };
  }

  extent(zoom: number): [number, number, number, number] | null {
    const found = this.#extent.get(zoom);
    const end = (name: string): number | null => integer(found?.[name]);
    const [west, south, east, north] = [end('west'), end('south'), end('east'), end('north')];
    if (west === null || south === null || east === null || north === null) return null;
    return [west, south, east, north];
  }

  sample(zoom: number, most: number): { column: number; row: number; data: Uint8Array }[] {
    return this.#some.all(zoom, most).flatMap(({ col, line, content }) => {
      const [column, row] = [integer(col), integer(line)];
      return column === null || row === null ? [] : [{ column, row, data: this.#follow(content) }];
    });
  }

  tile(zoom: number, column: number, row: number): Uint8Array | null {
    const found = this.#one.get(zoom, column, row);
    return found ? this.#follow(found['content']) : null;
  }

  #follow(content: unknown): Uint8Array {
    if (!this.#linked || !this.#data) return bytesOf(content);
    if (typeof content !== 'string' && typeof content !== 'number') return new Uint8Array(0);
    return bytesOf(this.#data.get(content)?.['content']);
  }
}
