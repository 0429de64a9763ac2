import { statSync } from 'node:fs';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { textOf } from '../../core/base/errors.ts';
import { answerMessages } from '../threads/answering.ts';
import { processPort } from '../threads/ownerPort.ts';
import type { TileMessages } from './messages.ts';
import { closeToAllButReading, readSchema, requireIndex, TileReader } from './tileTables.ts';

/**
 * A process that reads one MBTiles file, which is an untrusted database. It is opened read-only and immutable (without a
 * journal or a lock), nothing is loaded or attached, no view or trigger runs, the size of values and the memory are
 * limited, and the owner kills the process when an answer takes too long.
 */
const largestValue = 16 * 1024 * 1024;
const mostMemory = 4 * largestValue;
const mostMetadata = 64;
const sampledTiles = 4;

const port = processPort();
const path = process.argv[2] ?? '';
const address = pathToFileURL(path);
address.searchParams.set('mode', 'ro');
address.searchParams.set('immutable', '1');
const database = new DatabaseSync(address, {
  readOnly: true,
  allowExtension: false,
  defensive: true,
  enableDoubleQuotedStringLiterals: false,
  limits: {
    length: largestValue,
    sqlLength: 100_000,
    attach: 0,
    compoundSelect: 8,
    exprDepth: 64,
    column: 64,
  },
});
database.exec(`PRAGMA hard_heap_limit=${String(mostMemory)}`);
database.exec('PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0');
const { hasMetadata, tiles } = readSchema(database);
if (tiles) requireIndex(database, tiles, statSync(path).size);
closeToAllButReading(database);
const reader = tiles ? new TileReader(database, tiles) : null;

function metadata(): Map<string, string> | null {
  if (!hasMetadata) return null;
  const values = new Map<string, string>();
  for (const { name, value } of database
    .prepare('SELECT name, value FROM metadata LIMIT ?')
    .all(mostMetadata)) {
    if (typeof name !== 'string') continue;
    if (typeof value === 'string' || typeof value === 'number') values.set(name.slice(0, 64), String(value));
  }
  return values;
}

type Tile = TileMessages['tile'];

function tile({ zoom, column, row }: Tile['request']): Tile['reply'] {
  const before = process.cpuUsage();
  const reply = (found: Uint8Array | null, failure: string | null): Tile['reply'] => {
    const { user, system } = process.cpuUsage(before);
    return { tile: found, failure, costMs: (user + system) / 1_000 };
  };
  try {
    return reply(reader?.tile(zoom, column, row) ?? null, null);
  } catch (error) {
    return reply(null, textOf(error));
  }
}

answerMessages<TileMessages>(
  {
    metadata,
    zooms: () => reader?.zooms() ?? null,
    extent: (zoom) => reader?.extent(zoom) ?? null,
    sample: (zoom) => reader?.sample(zoom, sampledTiles) ?? [],
    tile,
  },
  {},
  port,
);
