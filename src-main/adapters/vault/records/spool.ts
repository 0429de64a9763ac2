import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from '../../../core/base/errors.ts';
import { KeyedQueue } from '../../../core/base/queues.ts';
import type { IncomingFile, RecordKeys, Spool } from '../../../core/vault/records.ts';
import { boundTo, ringOf } from '../../../core/vault/seal.ts';
import { StorageError } from '../../../core/vault/storage.ts';
import { freeBytes, makeFolder, syncFolder } from '../../durableFiles.ts';
import { storing } from '../reason.ts';
import { receiveFile } from './incoming.ts';
import { fileKey, fullChunksOf, plainChunkBytes, plainSize } from './sealedFile.ts';
import { readPartialFile, readSealed, resealKey, type SealedSource } from './sealedReading.ts';
import {
  readSealedBytes,
  readSealedText,
  resealText,
  writeSealed,
  writeSealedText,
  type SealedPlace,
} from './sealedTexts.ts';
import type { SpoolThreads } from './spoolThreads.ts';

const idRule = /^[0-9a-f]{16}$/;
/** Every name that the spool makes. Other files are not touched. */
const nameRule = /^([0-9a-f]{16})\.(?:(sealed|sidecar|partial|key)|(?:sidecar|key)\.tmp)$/;
/** How many files are checked side by side. */
const atOnce = 32;

interface Entry {
  readonly name: string;
  readonly id: string;
  readonly kind: Ending | 'incomplete';
}
type Ending = 'sealed' | 'sidecar' | 'partial' | 'key';

export interface SpoolKeys extends Pick<RecordKeys, 'identity' | 'files' | 'sidecars'> {
  readonly older?: readonly SpoolKeys[];
}

/**
 * The spool of one vault, a folder (mode 0700, files 0600): `<id>.sealed` and beside it `<id>.sidecar`, and `<id>.key`
 * for a file from before a changed password. Names consist of checked ids only, so no name leaves the folder.
 */
export class FolderSpool implements Spool {
  readonly #folder: string;
  readonly #threads: SpoolThreads;
  readonly #order = new KeyedQueue();
  /** `file` is null while it starts; `over` resolves when no more bytes come. */
  readonly #incoming = new Map<string, { file: IncomingFile | null; readonly over: Promise<void> }>();
  /** Files since the spool was opened: a sweep may not know them yet. */
  readonly #recent = new Set<string>();
  #keys: SpoolKeys;
  #closed = false;

  constructor(options: {
    readonly folder: string;
    readonly keys: SpoolKeys;
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
      let end = (): void => undefined;
      const incoming = {
        file: null as IncomingFile | null,
        over: new Promise<void>((resolve) => (end = resolve)),
      };
      this.#incoming.set(id, incoming);
      this.#recent.add(id);
      const onEnd = (): void => {
        this.#incoming.delete(id);
        end();
      };
      try {
        await makeFolder(this.#folder);
        if (await isThere(complete)) throw new StorageError('blocked', 'there is such a file already');
        this.#check();
        const { identity, files } = this.#keys;
        const folder = this.#folder;
        const file = await receiveFile({ folder, id, identity, files, threads: this.#threads, onEnd });
        incoming.file = file;
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
    yield* readSealed(this.#source(id, 'sealed'));
  }

  async *readPart(id: string, start: number, end: number): AsyncGenerator<Uint8Array> {
    yield* readSealed(this.#source(id, 'sealed'), { start, end });
  }

  async *readPartial(id: string): AsyncGenerator<Uint8Array> {
    yield* readPartialFile(this.#source(id, 'partial'));
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
      for (const kind of ['sidecar', 'sealed', 'partial', 'key'] as const)
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
        // The note beside an unfinished file says what it is, and its key opens it.
        if ((kind === 'sidecar' || kind === 'key') && partials.has(id)) continue;
        await this.#order.run(id, () => rm(join(this.#folder, name), { force: true, recursive: true }));
      }
    });
  }

  writeSidecar(id: string, text: string): Promise<void> {
    return this.#inOrder(id, () => {
      this.#recent.add(id);
      return writeSealedText(this.#place(id, 'sidecar'), text);
    });
  }

  sidecars(): Promise<ReadonlyMap<string, string | null>> {
    return this.#storing(async () => {
      const entries = (await this.#entries()).filter(({ kind }) => kind === 'sidecar');
      const texts = await someAtOnce(entries, async ({ id }) => {
        const { text, damaged } = await this.#order.run(id, () => readSealedText(this.#place(id, 'sidecar')));
        return { id, text, isThere: damaged || text !== null };
      });
      return new Map(texts.filter(({ isThere }) => isThere).map(({ id, text }) => [id, text]));
    });
  }

  /**
   * Seals the texts and the keys of all files with newer keys; what is written from now on is sealed with them. False
   * when a file must not be written.
   */
  renew(keys: SpoolKeys): Promise<boolean> {
    this.#keys = keys;
    return this.#storing(async () => {
      // The keys of these come from an earlier one.
      await Promise.all([...this.#incoming.values()].map(({ over }) => over));
      let done = true;
      for (const { id, kind } of await this.#entries()) {
        const isDone = await this.#order.run(id, async () => {
          this.#check();
          if (kind === 'sidecar' || kind === 'key') await resealText(this.#place(id, kind));
          if (kind !== 'sealed' && kind !== 'partial') return true;
          const save = (key: Uint8Array): Promise<void> => writeSealed(this.#place(id, 'key'), key);
          return resealKey(this.#source(id, kind), { unfinished: kind === 'partial', save });
        });
        done &&= isDone;
      }
      return done;
    });
  }

  /** Files that are still being written are given up. Running writes end first. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#incoming.values()].map(async ({ file }) => file?.discard()));
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
      const [, id, ending] = nameRule.exec(name) ?? [];
      return id === undefined ? [] : [{ name, id, kind: (ending as Ending | undefined) ?? 'incomplete' }];
    });
  }

  #path(id: string, ending: Ending): string {
    if (!idRule.test(id)) throw new StorageError('broken', 'not the id of a file');
    return join(this.#folder, `${id}.${ending}`);
  }

  #place(id: string, kind: 'sidecar' | 'key'): SealedPlace {
    const keys = ringOf(this.#keys).map(({ sidecars }) => sidecars);
    const name = basename(this.#path(id, kind));
    return { folder: this.#folder, name, keys, bound: boundTo(kind, this.#keys.identity, id) };
  }

  #source(id: string, kind: 'sealed' | 'partial'): SealedSource {
    return {
      path: this.#path(id, kind),
      check: () => this.#check(),
      keysOf: async (salt) => {
        const { bytes } = await readSealedBytes(this.#place(id, 'key'));
        const derived = ringOf(this.#keys).map(({ identity, files }) =>
          fileKey(files, { identity, id, salt }),
        );
        return bytes ? [...derived, bytes] : derived;
      },
    };
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
