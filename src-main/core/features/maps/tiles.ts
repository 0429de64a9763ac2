import type { MapPackage } from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import type { MapFile, MapFiles, TileDatabase } from '../../base/ports.ts';
import type { MapFacts } from './facts.ts';
import { formatOf, inspectMbtiles, inspectPmtiles, unpackTile, whatItIs } from './inspect.ts';
import { largestTile } from './limits.ts';
import { PmtilesArchive } from './pmtiles.ts';
import { MapRefusal } from './refusal.ts';

/** An opened package: its tiles by the map's numbers, with rows from the north. */
export interface TileSource {
  /** Unpacked; null when there is none. Rejects when the file can't be read, or no longer. */
  tile(z: number, x: number, y: number): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/**
 * Inspects a new file, until `signal` says that its import is over.
 *
 * @throws MapRefusal when it is not a usable package; anything else when it can't be read
 */
export async function inspect(
  files: MapFiles,
  id: string,
  fileName: string,
  signal?: AbortSignal,
): Promise<MapFacts> {
  const file = await files.open(id, 'incoming');
  try {
    const start = await file.read(0, 128);
    switch (formatOf(start)) {
      case 'pmtiles':
        return await inspectPmtiles(file, fileName);
      case 'mbtiles':
        return await inspectDatabase(await files.openDatabase(id, 'incoming'), fileName, signal);
      case null:
        throw new MapRefusal(whatItIs(start));
    }
  } finally {
    await file.close();
  }
}

/** A running search ends with its database. */
async function inspectDatabase(
  database: TileDatabase,
  fileName: string,
  signal: AbortSignal | undefined,
): Promise<MapFacts> {
  const close = (): void => void database.close();
  signal?.addEventListener('abort', close);
  if (signal?.aborted === true) close();
  try {
    return await inspectMbtiles(database, fileName);
  } finally {
    signal?.removeEventListener('abort', close);
    await database.close();
  }
}

/** Opens a complete package for reading. */
export async function openTiles(
  files: MapFiles,
  { id, format }: Pick<MapPackage, 'id' | 'format'>,
): Promise<TileSource> {
  switch (format) {
    case 'pmtiles':
      return openPmtiles(await files.open(id, 'kept'));
    case 'mbtiles':
      return mbtilesSource(await files.openDatabase(id, 'kept'));
  }
}

async function openPmtiles(file: MapFile): Promise<TileSource> {
  try {
    const archive = await PmtilesArchive.open(file);
    return { tile: (z, x, y) => archive.tile(z, x, y), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const mbtilesSource = (database: TileDatabase): TileSource => ({
  tile: async (z, x, y) => {
    const data = await database.tile(z, x, 2 ** z - 1 - y);
    if (!data) return null;
    if (data.byteLength > largestTile) throw new MapRefusal(message('map.tileTooLarge'));
    return unpackTile(data);
  },
  close: () => database.close(),
});
