import { z } from 'zod';
import { contentKindSchema, type Failure } from '../../../../../src-preload/contract/index.ts';
import { parsedJson } from '../../../base/json.ts';
import type { LogEvent } from '../../../base/logEvents.ts';
import { message } from '../../../base/messages/message.ts';
import { KeyedQueue } from '../../../base/queues.ts';
import type { GatewayClient } from '../../../service/gateway/gatewayClient.ts';
import type { IncomingFile, Spool } from '../../../vault/records.ts';
import type { LocalAccount } from '../../context.ts';
import type { Deployment } from '../../deployments/index.ts';
import type { ContentFacts } from './contentKind.ts';
import { ContentPartials } from './contentPartials.ts';

/** What the bytes of evidence need of the account. */
export interface ContentsAccount extends LocalAccount {
  readonly deployment: Pick<Deployment, 'gateways' | 'evidencePreview' | 'evidenceCache'>;
  /** Null where no evidence may be fetched. */
  readonly gateways: Pick<GatewayClient, 'ask'> | null;
}

/** What the store of files needs of it. */
type StoreAccount = Pick<ContentsAccount, 'deployment' | 'random' | 'logger' | 'serverNow' | 'fail'>;

/** A file of evidence, sealed in the vault. */
export interface StoredFile {
  /** The vault's file, 16 hexadecimal digits. */
  readonly id: string;
  /** The same text for all spellings of its CID. */
  readonly content: string;
  readonly bytes: number;
  readonly isVerified: boolean;
  readonly facts: ContentFacts;
  /** Server time, Unix milliseconds. */
  readonly usedAt: number;
}

/** The note beside a file, sealed like the file. */
const noteSchema = z.strictObject({
  version: z.literal(1),
  content: z.string().max(256),
  bytes: z.number(),
  isVerified: z.boolean(),
  facts: z.strictObject({
    kind: contentKindSchema,
    mediaType: z.string().max(64),
    ending: z.string().max(8),
    width: z.number().nullable(),
    height: z.number().nullable(),
  }),
  usedAt: z.number(),
});

/** The shortest time between two stored uses. It is enough to find the least recently used file. */
const usedEveryMs = 10 * 60_000;
/** Bytes that stay free for everything else on the disk. */
const roomToLeave = 256 * 1024 * 1024;

/**
 * The files of evidence in a vault, each once for all spellings of its CID. A file counts when its note is on the disk.
 * After a kill before that, the next start removes the sealed file.
 */
export class ContentStore {
  readonly partials: ContentPartials;
  readonly #account: StoreAccount;
  readonly #spool: Spool;
  readonly #isPinned: (content: string) => boolean;
  readonly #order = new KeyedQueue();
  /** By content. */
  readonly #stored = new Map<string, StoredFile>();
  #bytes = 0;

  /** `isPinned`: whether a content must stay, or is shown now. */
  constructor(account: StoreAccount, spool: Spool, isPinned: (content: string) => boolean) {
    this.#account = account;
    this.#spool = spool;
    this.#isPinned = isPinned;
    this.partials = new ContentPartials(spool);
  }

  /** The total of all files, without their seals. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Reads the stored files and removes what an interrupted process left. Never rejects: after a failure all is fetched
   * again.
   */
  async load(): Promise<void> {
    try {
      const [sizes, notes] = await Promise.all([this.#spool.list(), this.#spool.sidecars()]);
      for (const [id, text] of notes) {
        const note = readNote(text);
        // A kill between two writes can leave two files of the same content. One is removed.
        if (note === null || sizes.get(id) !== note.bytes || this.#stored.has(note.content)) continue;
        this.#add({ id, ...note });
      }
      await this.partials.load(notes, (content) => this.#stored.has(content));
      await this.#spool.sweep(new Set([...this.#stored.values()].map(({ id }) => id)), this.partials.ids);
    } catch (error) {
      this.#warn('contents-not-read', error);
    }
  }

  find(content: string): StoredFile | null {
    return this.#stored.get(content) ?? null;
  }

  /**
   * Makes room for `bytes` more, on the disk and in what the deployment allows: removes unfinished files first, then the
   * files that were shown longest ago. Removes none of the latter when that would not be enough.
   *
   * @returns null when there is room, else why not.
   */
  async makeRoom(bytes: number): Promise<Failure | null> {
    const { evidenceCache: cacheBytes } = this.#account.deployment;
    const { partials } = this;
    const cutOff = (): number => partials.bytes + this.#bytes + bytes - cacheBytes;
    for (let first = partials.earliest(); first && cutOff() > 0; first = partials.earliest())
      await partials.remove(first);
    const free = await this.#spool.free().catch(() => null);
    const leastUsed = [...this.#stored.values()]
      .filter(({ content }) => !this.#isPinned(content))
      .sort((one, other) => one.usedAt - other.usedAt);
    const goes: StoredFile[] = [];
    let missing = Math.max(this.#bytes + bytes - cacheBytes, free === null ? 0 : bytes + roomToLeave - free);
    for (const stored of leastUsed) {
      if (missing <= 0) break;
      missing -= stored.bytes;
      goes.push(stored);
    }
    if (missing > 0) {
      const leftBytes = Math.max(0, bytes - missing);
      return this.#account.fail({
        code: 'storage-failed',
        sentence: message('content.noRoom', { neededBytes: bytes, leftBytes }),
        remedy: message('content.noRoomRemedy'),
      });
    }
    for (const stored of goes) await this.remove(stored);
    return null;
  }

  async begin(): Promise<{ readonly id: string; readonly file: IncomingFile }> {
    const id = Buffer.from(this.#account.random.bytes(8)).toString('hex');
    return { id, file: await this.#spool.receive(id) };
  }

  /** Adds a finished file. Rejects when it cannot be stored; then nothing of it stays. */
  async add(stored: StoredFile): Promise<void> {
    try {
      await this.#write(stored);
    } catch (error) {
      await this.discard(stored.id);
      throw error;
    }
    const before = this.#stored.get(stored.content);
    if (before !== undefined) await this.remove(before);
    this.#add(stored);
  }

  /** Removes a file that was never added. Never rejects: the next start removes what stays. */
  async discard(id: string): Promise<void> {
    await this.#spool.remove(id).catch((error: unknown) => {
      this.#warn('content-not-removed', error);
    });
  }

  async remove({ content, id, bytes }: StoredFile): Promise<void> {
    if (this.#stored.get(content)?.id === id) {
      this.#stored.delete(content);
      this.#bytes -= bytes;
    }
    await this.discard(id);
  }

  /** Notes that a file was shown. */
  use(content: string): void {
    const now = this.#account.serverNow();
    const stored = this.#stored.get(content);
    if (stored === undefined) return;
    const used = { ...stored, usedAt: now };
    this.#stored.set(content, used);
    if (now - stored.usedAt < usedEveryMs) return;
    this.#write(used).catch((error: unknown) => {
      this.#warn('content-use-not-written', error);
    });
  }

  /** The bytes from `start` to before `end`, opened piece by piece. */
  read({ id }: StoredFile, start: number, end: number): AsyncIterable<Uint8Array> {
    return this.#spool.readPart(id, start, end);
  }

  async settled(): Promise<void> {
    await this.#order.idle();
  }

  #add(stored: StoredFile): void {
    this.#stored.set(stored.content, stored);
    this.#bytes += stored.bytes;
  }

  #write({ id, ...note }: StoredFile): Promise<void> {
    const text = JSON.stringify({ version: 1, ...note });
    return this.#order.run(id, () => this.#spool.writeSidecar(id, text));
  }

  #warn(event: LogEvent, error: unknown): void {
    this.#account.logger.warn(event, { detail: error instanceof Error ? error.message : String(error) });
  }
}

function readNote(text: string | null): Omit<StoredFile, 'id'> | null {
  const read = noteSchema.safeParse(parsedJson(text));
  if (!read.success) return null;
  const { version: _version, ...note } = read.data;
  return note;
}
