import { basename } from 'node:path';
import {
  failed,
  ok,
  type FailureCode,
  type MapPackage,
  type MapsState,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { BasePorts, Clock, Documents, Logger, MapFiles, OpenedFile, Random } from '../../base/ports.ts';
import { SerialQueue } from '../../base/queues.ts';
import { type SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { MapFacts } from './facts.ts';
import { MapImports, mostImports } from './imports.ts';
import { MapCatalog, mostPackages } from './mapCatalog.ts';
import { MapRefusal } from './refusal.ts';
import { inspect, openTiles, type TileSource } from './tiles.ts';

export const mapsAtStart: MapsState = { packages: [], imports: [], missing: [] };

/** Room that an import leaves to everything else on the disk, bytes. */
const roomToLeave = 64 * 1024 * 1024;

/**
 * A tile as a host hands it on, unpacked. `missing` where the package leaves it out, so that the map
 * may show the part of a lower zoom's tile in its place; `empty` where nothing is to be drawn.
 */
export type TileAnswer =
  | { readonly kind: 'tile'; readonly type: MapPackage['tileType']; readonly bytes: Uint8Array }
  | { readonly kind: 'empty' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unknown' };

export interface MapLibraryOptions {
  readonly files: MapFiles;
  readonly documents: Documents;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  /** Called with the whole slice after every change. */
  readonly onChange: (state: MapsState) => void;
}

/**
 * The imported map packages: their book, their files, what is being imported, and their tiles.
 * Changes of the catalog run one after another, and none shows before it is written down.
 */
export class MapLibrary {
  readonly #options: MapLibraryOptions;
  readonly #catalog: MapCatalog;
  readonly #imports: MapImports;
  readonly #sources = new Map<string, Promise<TileSource>>();
  /** All of the catalog, those with missing files among them. */
  #packages: readonly MapPackage[] = [];
  #missing: ReadonlySet<string> = new Set();
  readonly #queue = new SerialQueue();

  constructor(options: MapLibraryOptions) {
    const { files, clock, logger, now, documents } = options;
    this.#options = options;
    this.#catalog = new MapCatalog({ documents, logger });
    this.#imports = new MapImports({
      files,
      clock,
      logger,
      now,
      onChange: () => {
        this.#tell();
      },
      adopt: (id, bytes, facts, keep) => this.#adopt(id, bytes, facts, keep),
    });
  }

  /**
   * Reads the catalog and clears away what a dead import left behind. Never rejects: a console without
   * its maps is still a console. A catalog that cannot be read is made again from the files.
   */
  async load(): Promise<void> {
    const { files, logger } = this.#options;
    try {
      const kept = await files.list();
      const written = await this.#catalog.load();
      const packages = written ?? (await this.#recover(kept));
      this.#packages = packages;
      this.#missing = new Set(packages.filter(({ id, bytes }) => kept.get(id) !== bytes).map(({ id }) => id));
      await files.sweep(new Set(packages.map(({ id }) => id)));
    } catch (error) {
      logger.error('maps-not-loaded', { error: error instanceof Error ? error.name : 'unknown' });
    } finally {
      this.#tell();
    }
  }

  /** Announces a file; the answer names where its bytes go. */
  async begin(fileName: string, bytes: number): Promise<Result<{ importId: string }>> {
    const { random, files } = this.#options;
    if (this.#imports.list.length >= mostImports) {
      return this.#failed('conflict', message('map.tooManyImports'), message('map.tooManyImportsRemedy'));
    }
    if (this.#packages.length >= mostPackages) {
      return this.#failed(
        'conflict',
        message('map.tooMany', { n: mostPackages }),
        message('map.tooManyRemedy'),
      );
    }
    const free = await files.free().catch(() => null);
    if (free !== null && bytes + roomToLeave > free) {
      const sentence = message('map.noRoom', { neededBytes: bytes, leftBytes: free });
      return this.#failed('storage-failed', sentence, message('map.makeRoom'));
    }
    const importId = Buffer.from(random.bytes(8)).toString('hex');
    this.#imports.begin(importId, fileName, bytes);
    return ok({ importId });
  }

  /**
   * Imports the map package at `path`. Answers when the import is on the list, which says what becomes
   * of it.
   */
  async importFile(path: string, open: BasePorts['openFile']): Promise<Result<null>> {
    let file: OpenedFile;
    try {
      file = await open(path);
    } catch {
      return this.#failed('map-refused', message('opened.map'));
    }
    const begun = await this.begin(basename(path), file.bytes);
    if (!begun.ok) {
      await file.close();
      return begun;
    }
    void this.receive(begun.value.importId, file.pieces())
      .finally(() => file.close())
      .catch(() => undefined);
    return ok(null);
  }

  cancel(importId: string): Result<null> {
    return this.#imports.cancel(importId) ? ok(null) : this.#noImport();
  }

  dismiss(importId: string): Result<null> {
    return this.#imports.dismiss(importId) ? ok(null) : this.#noImport();
  }

  receive(importId: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    return this.#imports.receive(importId, body);
  }

  setVisible(id: string, visible: boolean): Promise<Result<null>> {
    return this.#change(id, (packages) =>
      packages.map((entry) => (entry.id === id ? { ...entry, visible } : entry)),
    );
  }

  /** Moves a package to a place among those that are shown, 0 for the lowest. */
  move(id: string, to: number): Promise<Result<null>> {
    return this.#change(id, (packages) => {
      const moved = packages.filter((entry) => entry.id === id);
      const others = packages.filter((entry) => entry.id !== id);
      const shown = others.filter((entry) => !this.#missing.has(entry.id));
      const before = shown[to];
      const at = before ? others.indexOf(before) : others.length;
      return [...others.slice(0, at), ...moved, ...others.slice(at)];
    });
  }

  /** Forgets a package, then removes its file: a kill in between leaves what the next start removes. */
  async remove(id: string): Promise<Result<null>> {
    const changed = await this.#change(id, (packages) => packages.filter((entry) => entry.id !== id));
    if (!changed.ok) return changed;
    await this.#closeSource(id);
    try {
      await this.#options.files.remove(id);
      return changed;
    } catch {
      return this.#failed('storage-failed', message('map.fileLeft'), message('map.fileLeftRemedy'));
    }
  }

  /** A tile by the map's own numbers: 0 <= x, y < 2^z, y from the north. Never rejects. */
  async tile(id: string, z: number, x: number, y: number): Promise<TileAnswer> {
    const entry = this.#packages.find((known) => known.id === id);
    if (!entry || this.#missing.has(id)) return { kind: 'unknown' };
    if (z < entry.minZoom || z > entry.maxZoom) return { kind: 'empty' };
    try {
      const bytes = await (await this.#source(entry)).tile(z, x, y);
      if (!bytes) return { kind: 'missing' };
      if (bytes.byteLength === 0) return { kind: 'empty' };
      return { kind: 'tile', type: entry.tileType, bytes };
    } catch (error) {
      await this.#takeTrouble(entry, error);
      return { kind: 'missing' };
    }
  }

  async close(): Promise<void> {
    await this.#imports.close();
    await this.#queue.settled();
    for (const id of [...this.#sources.keys()]) await this.#closeSource(id);
  }

  /** The catalog from the files themselves: in no order, all visible. */
  async #recover(kept: ReadonlyMap<string, number>): Promise<MapPackage[]> {
    const { files, logger } = this.#options;
    logger.error('map-book-unreadable');
    const packages: MapPackage[] = [];
    for (const [id, bytes] of kept) {
      try {
        packages.push({ ...(await inspect(files, id, id)), id, bytes, visible: true });
      } catch (error) {
        logger.warn('map-not-recovered', { error: error instanceof Error ? error.name : 'unknown' });
      }
    }
    const catalog = packages.slice(0, mostPackages);
    await this.#catalog.save(catalog).catch((error: unknown) => {
      // Then the next start makes it again.
      logger.warn('document-not-written', { error: error instanceof Error ? error.name : 'unknown' });
    });
    return catalog;
  }

  #source(entry: MapPackage): Promise<TileSource> {
    const open = this.#sources.get(entry.id);
    if (open) return open;
    const opening = openTiles(this.#options.files, entry);
    this.#sources.set(entry.id, opening);
    return opening;
  }

  async #closeSource(id: string): Promise<void> {
    const source = this.#sources.get(id);
    this.#sources.delete(id);
    await source?.then((opened) => opened.close()).catch(() => undefined);
  }

  /** One damaged tile is one missing tile; a file that is gone is said on the list. */
  async #takeTrouble(entry: MapPackage, error: unknown): Promise<void> {
    const { files, logger } = this.#options;
    logger.warn('map-tile-unreadable', { error: error instanceof Error ? error.name : 'unknown' });
    if (error instanceof MapRefusal) return;
    await this.#closeSource(entry.id);
    const kept = await files.list().catch(() => null);
    if (kept === null || kept.has(entry.id)) return;
    this.#missing = new Set([...this.#missing, entry.id]);
    this.#tell();
  }

  async #adopt(id: string, bytes: number, facts: MapFacts, keep: () => Promise<void>): Promise<void> {
    await this.#alone(async () => {
      await keep();
      const packages = [...this.#packages, { ...facts, id, bytes, visible: true }];
      try {
        await this.#catalog.save(packages);
      } catch (error) {
        await this.#options.files.remove(id).catch(() => undefined);
        throw error;
      }
      this.#packages = packages;
    });
  }

  #change(id: string, change: (packages: readonly MapPackage[]) => MapPackage[]): Promise<Result<null>> {
    return this.#alone(async () => {
      if (!this.#packages.some((entry) => entry.id === id)) {
        return this.#failed('not-found', message('map.unknown'), null);
      }
      const packages = change(this.#packages);
      try {
        await this.#catalog.save(packages);
      } catch {
        return this.#failed('storage-failed', message('map.listNotWritten'));
      }
      this.#packages = packages;
      this.#tell();
      return ok(null);
    });
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  #tell(): void {
    const shown = (entry: MapPackage): boolean => !this.#missing.has(entry.id);
    this.#options.onChange({
      packages: this.#packages.filter(shown),
      imports: this.#imports.list,
      missing: this.#packages.filter((entry) => !shown(entry)).map(({ id, name }) => ({ id, name })),
    });
  }

  #noImport(): Result<never> {
    return this.#failed('not-found', message('map.importOver'), null);
  }

  #failed(code: FailureCode, sentence: Message, remedy?: Message | null): Result<never> {
    return failed(makeFailure({ code, at: this.#options.now(), sentence, remedy }));
  }
}
