import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from '../../../core/base/errors.ts';
import { KeyedQueue } from '../../../core/base/queues.ts';
import type { IncomingFile, RecordKeys, Spool } from '../../../core/vault/records.ts';
import { boundTo } from '../../../core/vault/seal.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import { freeBytes, makeFolder, syncFolder } from '../../durableFiles.ts';
import { storing } from '../reason.ts';
import { receiveFile } from './incoming.ts';
import { fullChunksOf, plainChunkBytes, plainSize } from './sealedFile.ts';
import { readPartialFile, readSealed } from './sealedReading.ts';
import { readSealedText, writeSealedText } from './sealedTexts.ts';
import type { SpoolThreads } from './spoolThreads.ts';

const idRule = /^[0-9a-f]{16}$/;
/** Every name that the spool makes. Other files are not touched. */
const nameRule = /^([0-9a-f]{16})\.(?:(sealed)|(sidecar)|(partial)|sidecar\.tmp)$/;
/** How many files are checked side by side. */
const atOnce = 32;

interface Entry {
  readonly name: string;
  readonly id: string;
  readonly kind: 'sealed' | 'sidecar' | 'partial' | 'incomplete';
}

/**
 * The spool of one vault, a folder (mode 0700, files 0600): `<id>.sealed` and beside it `<id>.sidecar`. Names consist
 * of checked ids only, so no name leaves the folder.
 */
export class FolderSpool implements Spool {
  readonly #folder: string;
  readonly #keys: Pick<RecordKeys, 'identity' | 'files' | 'sidecars'>;
  readonly #threads: SpoolThreads;
  readonly #order = new KeyedQueue();
  /** Null while it starts. */
  readonly #incoming = new Map<string, IncomingFile | null>();
  /** Files since the spool was opened: a sweep may not know them yet. */
  readonly #recent = new Set<string>();
  #closed = false;

  constructor(options: {
    readonly folder: string;
    readonly keys: Pick<RecordKeys, 'identity' | 'files' | 'sidecars'>;
    readonly threads: SpoolThreads;
  }) {
    this.#folder = options.folder;
    this.#keys = options.keys;
    this.#threads = options.threads;
  }

  free(): Promise<number | null> {
    return this.#storing(async () => {
      const place = await stat(this.#folder).then(
        () => this.#folder,
        () => dirname(this.#folder),
      );
      return freeBytes(place);
    });
  }

  receive(id: string): Promise<IncomingFile> {
    return this.#storing(async () => {
      const complete = this.#path(id, 'sealed');
      if (this.#incoming.has(id)) throw new StorageError('blocked', 'such a file is on its way already');
      this.#incoming.set(id, null);
      this.#recent.add(id);
      const onEnd = (): void => void this.#incoming.delete(id);
      try {
        await makeFolder(this.#folder);
        if (await isThere(complete)) throw new StorageError('blocked', 'there is such a file already');
        this.#check();
        const { identity, files } = this.#keys;
        const folder = this.#folder;
        const file = await receiveFile({ folder, id, identity, files, threads: this.#threads, onEnd });
        this.#incoming.set(id, file);
        if (!this.#closed) return file;
        await file.discard();
        throw new StorageError('broken', 'the spool was closed');
      } catch (error) {
        onEnd();
        throw error;
      }
    });
  }

  async *read(id: string): AsyncGenerator<Uint8Array> {
    const { identity, files } = this.#keys;
    yield* readSealed({ path: this.#path(id, 'sealed'), identity, id, files, check: () => this.#check() });
  }

  async *readPart(id: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    const { identity, files } = this.#keys;
    const path = this.#path(id, 'sealed');
    yield* readSealed({ path, identity, id, files, check: () => this.#check(), part: { start, end } });
  }

  async *readPartial(id: string): AsyncGenerator<Uint8Array> {
    const { identity, files } = this.#keys;
    const path = this.#path(id, 'partial');
    yield* readPartialFile({ path, identity, id, files, check: () => this.#check() });
  }

  list(): Promise<ReadonlyMap<string, number>> {
    return this.#sizes('sealed', plainSize);
  }

  partials(): Promise<ReadonlyMap<string, number>> {
    return this.#sizes('partial', (size) => fullChunksOf(size) * plainChunkBytes);
  }

  #sizes(wanted: Entry['kind'], plain: (size: number) => number): Promise<ReadonlyMap<string, number>> {
    return this.#storing(async () => {
      const entries = (await this.#entries()).filter(({ kind }) => kind === wanted);
      const sizes = await someAtOnce(entries, async ({ name, id }) => {
        const facts = await stat(join(this.#folder, name)).catch(() => null);
        return [id, facts?.isFile() ? plain(facts.size) : -1] as const;
      });
      return new Map(sizes);
    });
  }

  remove(id: string): Promise<void> {
    return this.#inOrder(id, async () => {
      // The sidecar first: a file without a sidecar belongs to no item, but a sidecar without its file would be a
      // question.
      for (const kind of ['sidecar', 'sealed', 'partial'] as const)
        await rm(this.#path(id, kind), { force: true });
      if (await isThere(this.#folder)) await syncFolder(this.#folder);
      this.#recent.delete(id);
    });
  }

  sweep(keep: ReadonlySet<string>, partials: ReadonlySet<string> = new Set()): Promise<void> {
    return this.#storing(async () => {
      for (const { name, id, kind } of await this.#entries()) {
        if (this.#recent.has(id)) continue;
        if (kind === 'partial' ? partials.has(id) : kind !== 'incomplete' && keep.has(id)) continue;
        // The note beside an unfinished file says what it is.
        if (kind === 'sidecar' && partials.has(id)) continue;
        await this.#order.run(id, () => rm(join(this.#folder, name), { force: true, recursive: true }));
      }
    });
  }

  writeSidecar(id: string, text: string): Promise<void> {
    return this.#inOrder(id, () => {
      this.#recent.add(id);
      return writeSealedText({ ...this.#sidecar(id), text });
    });
  }

  sidecars(): Promise<ReadonlyMap<string, string | null>> {
    return this.#storing(async () => {
      const entries = (await this.#entries()).filter(({ kind }) => kind === 'sidecar');
      const texts = await someAtOnce(entries, async ({ id }) => {
        const { text, damaged } = await this.#order.run(id, () => readSealedText(this.#sidecar(id)));
        return { id, text, isThere: damaged || text !== null };
      });
      return new Map(texts.filter(({ isThere }) => isThere).map(({ id, text }) => [id, text]));
    });
  }

  /** Files that are still being written are given up. Running writes end first. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#incoming.values()].map(async (file) => file?.discard()));
    await this.#order.idle();
  }

  async #entries(): Promise<Entry[]> {
    let names: string[];
    try {
      names = await readdir(this.#folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
    return names.flatMap((name) => {
      const [, id, sealed, sidecar, partial] = nameRule.exec(name) ?? [];
      if (id === undefined) return [];
      return [
        { name, id, kind: sealed ? 'sealed' : sidecar ? 'sidecar' : partial ? 'partial' : 'incomplete' },
      ];
    });
  }

  #path(id: string, ending: 'sealed' | 'sidecar' | 'partial'): string {
    if (!idRule.test(id)) throw new StorageError('broken', 'not the id of a file');
    return join(this.#folder, `${id}.${ending}`);
  }

  #sidecar(id: string): Omit<Parameters<typeof writeSealedText>[0], 'text'> {
    const { identity, sidecars: key } = this.#keys;
    const name = basename(this.#path(id, 'sidecar'));
    return { folder: this.#folder, name, key, bound: boundTo('sidecar', identity, id) };
  }

  #check(): void {
    if (this.#closed) throw new StorageError('broken', 'the spool was closed');
  }

  #inOrder<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#storing(() => this.#order.run(id, work));
  }

  #storing<T>(work: () => Promise<T>): Promise<T> {
    return storing(async () => {
      this.#check();
      return work();
    });
  }
}

async function someAtOnce<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += atOnce) {
    done.push(...(await Promise.all(all.slice(at, at + atOnce).map(work))));
  }
  return done;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
