import { basename } from 'node:path';
import { z } from 'zod';
import {
  mapPackageSchema,
  ok,
  type FailureCode,
  type MapPackage,
  type MapsState,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { codeOf, nameOf } from '../../base/errors.ts';
import { JsonDocument } from '../../base/jsonDocument.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { OpenedFile } from '../../base/ports.ts';
import { SerialQueue } from '../../base/queues.ts';
import { type SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { AppContext } from '../context.ts';
import type { MapFacts } from './facts.ts';
import { MapImports, mostImports } from './imports.ts';
import { MapRefusal } from './refusal.ts';
import { inspect, openTiles, type TileSource } from './tiles.ts';

export const mapsAtStart: MapsState = { packages: [], imports: [], missing: [] };

/** More packages than a map can show; also the limit of every list made from them. */
const mostPackages = 64;

/** The packages in the order of their layers, the lowest first, as stored in the data folder. */
const catalogSchema = z.object({
  version: z.literal(1),
  packages: z.array(mapPackageSchema).max(mostPackages),
  /** Ids of packages that took too long to read. */
  aside: z.array(z.string()).max(mostPackages).default([]),
});
type Catalog = Omit<z.infer<typeof catalogSchema>, 'version'>;

/** Bytes that an import leaves free for everything else on the disk. */
const roomToLeave = 64 * 1024 * 1024;

/**
 * A tile as a host sends it, unpacked. `missing`: the package has none, so the map shows part of the tile of a lower
 * zoom; `empty`: there is nothing to draw.
 */
export type TileAnswer =
  | { readonly kind: 'tile'; readonly type: MapPackage['tileType']; readonly bytes: Uint8Array }
  | { readonly kind: 'empty' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unknown' };

/**
 * The imported map packages: their catalog, files, imports and tiles. Changes of the catalog run one after another, and
 * are shown only after they are stored.
 */
export class MapLibrary {
  readonly #app: AppContext;
  readonly #catalog: JsonDocument<Catalog>;
  readonly #imports: MapImports;
  readonly #sources = new Map<string, Promise<TileSource>>();
  /** The whole catalog, including packages with missing files. */
  #packages: readonly MapPackage[] = [];
  #missing: ReadonlySet<string> = new Set();
  /** Packages that are read no more, since reading one took too long. */
  #aside: ReadonlySet<string> = new Set();
  readonly #queue = new SerialQueue();

  constructor(app: AppContext) {
    const { ports } = app;
    this.#app = app;
    this.#catalog = new JsonDocument(ports, 'maps', (value) => catalogSchema.safeParse(value).data ?? null);
    this.#imports = new MapImports(
      app,
      () => this.#tell(),
      (id, bytes, facts, keep) => this.#adopt(id, bytes, facts, keep),
    );
  }

  /**
   * Reads the catalog and removes what an interrupted import left. Never rejects: the console works without maps. A
   * catalog that cannot be read is made again from the files.
   */
  async load(): Promise<void> {
    const { ports, logger } = this.#app;
    const { maps: files } = ports;
    try {
      const kept = await files.list();
      const { packages, aside } = await this.#stored(kept);
      this.#packages = packages;
      this.#aside = new Set(aside);
      this.#missing = new Set(packages.filter(({ id, bytes }) => kept.get(id) !== bytes).map(({ id }) => id));
      await files.sweep(new Set(packages.map(({ id }) => id)));
    } catch (error) {
      logger.error('maps-not-loaded', { error: nameOf(error) });
    } finally {
      this.#tell();
    }
  }

  /** Announces a file. The answer names where its bytes go. */
  async begin(fileName: string, bytes: number): Promise<Result<{ importId: string }>> {
    const { ports, random } = this.#app;
    const { maps: files } = ports;
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

  /** Imports the map package at `path`. Answers when the import is in the list, which then shows its result. */
  async importFile(path: string, open: AppContext['ports']['openFile']): Promise<Result<null>> {
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
    const receive = async (): Promise<void> => {
      try {
        await this.receive(begun.value.importId, file.pieces());
      } finally {
        await file.close();
      }
    };
    void receive().catch(() => undefined);
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

  /** Moves a package to a position among those that are shown, 0 for the lowest. */
  move(id: string, to: number): Promise<Result<null>> {
    return this.#change(id, (packages) => {
      const moved = packages.filter((entry) => entry.id === id);
      const others = packages.filter((entry) => entry.id !== id);
      const shown = others.filter((entry) => this.#isShown(entry));
      const before = shown[to];
      const at = before ? others.indexOf(before) : others.length;
      return [...others.slice(0, at), ...moved, ...others.slice(at)];
    });
  }

  /**
   * Removes a package from the catalog, then its file. After a kill between the two, the next start removes the file.
   */
  async remove(id: string): Promise<Result<null>> {
    const changed = await this.#change(id, (packages) => packages.filter((entry) => entry.id !== id));
    if (!changed.ok) return changed;
    await this.#closeSource(id);
    try {
      await this.#app.ports.maps.remove(id);
      return changed;
    } catch {
      return this.#failed('storage-failed', message('map.fileLeft'), message('map.fileLeftRemedy'));
    }
  }

  /** A tile by the map's numbers: 0 <= x, y < 2^z, y from the north. Never rejects. */
  async tile(id: string, z: number, x: number, y: number): Promise<TileAnswer> {
    const entry = this.#packages.find((known) => known.id === id);
    if (!entry || !this.#isShown(entry)) return { kind: 'unknown' };
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

  /** The stored catalog. One that cannot be read is made from the files. */
  async #stored(kept: ReadonlyMap<string, number>): Promise<Catalog> {
    const stored = await this.#catalog.load();
    if (stored.kind === 'stored') return stored.value;
    return { packages: stored.kind === 'none' ? [] : await this.#recover(kept), aside: [] };
  }

  /** A catalog made from the files: in no order, all visible. */
  async #recover(kept: ReadonlyMap<string, number>): Promise<MapPackage[]> {
    const { ports, logger } = this.#app;
    const { maps: files } = ports;
    logger.error('map-book-unreadable');
    const packages: MapPackage[] = [];
    for (const [id, bytes] of kept) {
      try {
        packages.push({ ...(await inspect(files, id, id)), id, bytes, visible: true });
      } catch (error) {
        logger.warn('map-not-recovered', { error: nameOf(error) });
      }
    }
    const catalog = packages.slice(0, mostPackages);
    await this.#save(catalog).catch((error: unknown) => {
      // The next start makes it again.
      logger.warn('document-not-written', { error: nameOf(error) });
    });
    return catalog;
  }

  #source(entry: MapPackage): Promise<TileSource> {
    const open = this.#sources.get(entry.id);
    if (open) return open;
    const opening = openTiles(this.#app.ports.maps, entry);
    this.#sources.set(entry.id, opening);
    return opening;
  }

  async #closeSource(id: string): Promise<void> {
    const source = this.#sources.get(id);
    this.#sources.delete(id);
    await source?.then((opened) => opened.close()).catch(() => undefined);
  }

  /** A damaged tile counts as missing. When the file is missing, the list says so. */
  async #takeTrouble(entry: MapPackage, error: unknown): Promise<void> {
    const { ports, logger } = this.#app;
    const { maps: files } = ports;
    logger.warn('map-tile-unreadable', { error: nameOf(error) });
    if (error instanceof MapRefusal || codeOf(error) === 'MAP_TILE') return;
    await this.#closeSource(entry.id);
    if (codeOf(error) === 'MAP_ENDLESS') return this.#setAside(entry);
    const kept = await files.list().catch(() => null);
    if (kept === null || kept.has(entry.id)) return;
    this.#missing = new Set([...this.#missing, entry.id]);
    this.#tell();
  }

  /** Now and at the next start: each try costs a core for the whole time of a query. */
  async #setAside({ id }: MapPackage): Promise<void> {
    if (this.#aside.has(id)) return;
    this.#aside = new Set([...this.#aside, id]);
    this.#tell();
    await this.#queue
      .run(() => this.#save(this.#packages))
      .catch((error: unknown) => {
        this.#app.logger.warn('document-not-written', { error: nameOf(error) });
      });
  }

  async #adopt(id: string, bytes: number, facts: MapFacts, keep: () => Promise<void>): Promise<void> {
    await this.#queue.run(async () => {
      await keep();
      const packages = [...this.#packages, { ...facts, id, bytes, visible: true }];
      try {
        await this.#save(packages);
      } catch (error) {
        await this.#app.ports.maps.remove(id).catch(() => undefined);
        throw error;
      }
      this.#packages = packages;
    });
  }

  #change(id: string, change: (packages: readonly MapPackage[]) => MapPackage[]): Promise<Result<null>> {
    return this.#queue.run(async () => {
      if (!this.#packages.some((entry) => entry.id === id)) {
        return this.#failed('not-found', message('map.unknown'), null);
      }
      const packages = change(this.#packages);
      try {
        await this.#save(packages);
      } catch {
        return this.#failed('storage-failed', message('map.listNotWritten'));
      }
      this.#packages = packages;
      this.#tell();
      return ok(null);
    });
  }

  /** Rejects with the disk's error. */
  #save(packages: readonly MapPackage[]): Promise<void> {
    const aside = packages.map(({ id }) => id).filter((id) => this.#aside.has(id));
    return this.#catalog.write({ version: 1, packages, aside });
  }

  #tell(): void {
    this.#app.store.set('maps', {
      packages: this.#packages.filter((entry) => this.#isShown(entry)),
      imports: this.#imports.list,
      missing: this.#packages
        .filter((entry) => !this.#isShown(entry))
        .map(({ id, name }) => ({ id, name, why: this.#aside.has(id) ? 'endless' : 'gone' })),
    });
  }

  #isShown({ id }: MapPackage): boolean {
    return !this.#missing.has(id) && !this.#aside.has(id);
  }

  #noImport(): Result<never> {
    return this.#failed('not-found', message('map.importOver'), null);
  }

  #failed(code: FailureCode, sentence: Message, remedy?: Message | null): Result<never> {
    return this.#app.refuse({ code, sentence, remedy });
  }
}
