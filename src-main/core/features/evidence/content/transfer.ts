import type { Failure } from '../../../../../src-preload/contract/index.ts';
import { message } from '../../../base/messages/message.ts';
import type { IncomingFile, SpooledFacts } from '../../../vault/records.ts';
import { StorageError } from '../../../vault/storage.ts';
import { storageFailure } from '../../../vault/storageFailure.ts';
import { verdictOf } from '../cid/verdict.ts';
import {
  ContentFetch,
  FetchFailed,
  type FetchAccount,
  type Fetched,
  type FetchOptions,
  type FetchTarget,
} from './contentFetch.ts';
import { contentFacts, headBytes, type ContentFacts } from './contentKind.ts';
import { GifFrames } from './gifFrames.ts';
import { pieceBytes, type ContentPartial, type PartialForm } from './contentPartials.ts';
import type { ContentStore } from './contentStore.ts';

export interface TransferOptions extends FetchOptions {
  /** The same text for all spellings of the CID. */
  readonly content: string;
  readonly stored: ContentStore;
  /** Whether the beginning of a broken fetch may stay; asked at the break. */
  readonly mayStay: () => boolean;
  /** Waits until so many more bytes are within the rate. */
  readonly pace: (bytes: number) => Promise<void>;
  readonly onProgress: (received: number, total: number | null) => void;
}

/** Room that is made at a time while the length is unknown, bytes. */
const roomStep = 16 * 1024 * 1024;

/** After these failures the stored beginning is worth continuing. */
const goesOn = new Set<Failure['code']>([
  'cancelled',
  'unreachable',
  'timed-out',
  'service-error',
  'too-many-requests',
  'answered-by-something-else',
]);

/**
 * Fetches the file of a CID into the vault: sealed as it comes, verified against the CID, and only then added.
 * Continues an earlier fetch that broke off, also by a kill.
 *
 * @returns null when it is stored, else why not. Of a file that is not added only a usable beginning stays, and only
 * where `mayStay` allows it. Never rejects.
 */
export async function transfer(account: FetchAccount, options: TransferOptions): Promise<Failure | null> {
  const incoming = new IncomingContent(account, options);
  const { cid, content, stored } = options;
  try {
    const fetched = await new ContentFetch(account, options, incoming).run();
    const { id, spooled, facts } = await incoming.finish(fetched === 'blocks' ? 'blocks' : 'bytes');
    const refused = refusalOf(account, fetched, cid, spooled);
    if (refused !== null) {
      await stored.discard(id);
      return refused;
    }
    await stored.add({
      id,
      content,
      bytes: spooled.bytes,
      isVerified: isVerified(fetched, cid, spooled),
      facts,
      usedAt: account.serverNow(),
    });
    return null;
  } catch (error) {
    if (error instanceof PartialDamaged) return transfer(account, options);
    const failure = failureOf(account, error);
    await incoming.end(goesOn.has(failure.code) && options.mayStay());
    return failure;
  }
}

function failureOf({ serverNow, fail }: FetchAccount, error: unknown): Failure {
  if (error instanceof FetchFailed) return error.failure;
  return error instanceof StorageError
    ? storageFailure(error.reason, serverNow())
    : fail({ code: 'internal' });
}

/** The stored beginning is shorter than its note says: the fetch starts again. */
class PartialDamaged extends Error {
  override readonly name = 'PartialDamaged';
}

/**
 * A file that is being fetched into the vault. With its next byte a stored beginning is copied into a new file, under a
 * new key: so no piece is sealed twice under one nonce, and nothing is copied for a gateway that does not answer.
 */
class IncomingContent implements FetchTarget {
  readonly before: ContentPartial | null;
  readonly #account: FetchAccount;
  readonly #options: TransferOptions;
  readonly #head = new Uint8Array(headBytes);
  readonly #frames = new GifFrames();
  #begun: { readonly id: string; readonly file: IncomingFile } | null = null;
  #isCopied = false;
  #isNoted = false;
  #form: PartialForm = 'blocks';
  #received = 0;
  #total: number | null = null;
  #room = 0;

  constructor(account: FetchAccount, options: TransferOptions) {
    this.#account = account;
    this.#options = options;
    this.before = options.stored.partials.take(options.content);
  }

  async sized(bytes: number): Promise<void> {
    this.#total = bytes;
    await this.#makeRoom(bytes);
    this.#room = Math.max(this.#room, bytes);
    this.#tell();
  }

  async write(bytes: Uint8Array, form: PartialForm): Promise<void> {
    await this.#options.pace(bytes.byteLength);
    await this.#take(bytes, form);
  }

  async finish(form: PartialForm): Promise<{
    readonly id: string;
    readonly spooled: SpooledFacts;
    readonly facts: ContentFacts;
  }> {
    const { id, file } = await this.#target(form);
    const spooled = await file.finish();
    const head = this.#head.subarray(0, Math.min(this.#received, headBytes));
    return { id, spooled, facts: contentFacts(head, this.#frames) };
  }

  /** `stays`: its full pieces stay, to be continued. Never rejects. */
  async end(stays: boolean): Promise<void> {
    const { content, stored } = this.#options;
    const { before } = this;
    if (before !== null && !this.#isCopied) {
      await this.#discard();
      await (stays ? stored.partials.give(before) : stored.partials.remove(before));
      return;
    }
    const begun = this.#begun;
    if (begun === null) return;
    if (!stays || !this.#isNoted) {
      await this.#discard();
      return;
    }
    await begun.file.leave();
    // A full piece is sealed when the next byte comes, so the last one may be missing.
    const bytes = Math.floor((this.#received - 1) / pieceBytes) * pieceBytes;
    await stored.partials.give({ id: begun.id, content, form: this.#form, bytes });
  }

  /** Made when the first byte comes: most failures happen before, and then no memory of the spool is used. */
  async #target(form: PartialForm): Promise<{ readonly id: string; readonly file: IncomingFile }> {
    if (this.#begun !== null) return this.#begun;
    const { stored } = this.#options;
    this.#form = form;
    const begun = (this.#begun = await stored.begin());
    const { before } = this;
    if (before === null) return begun;
    for await (const piece of stored.partials.read(before)) {
      if (this.#options.signal.aborted) throw new FetchFailed(this.#account.fail({ code: 'cancelled' }));
      await this.#take(piece, form);
    }
    const isWhole = this.#received === before.bytes;
    this.#isCopied = isWhole;
    if (isWhole) {
      await stored.partials.remove(before);
      return begun;
    }
    await this.#discard();
    await stored.partials.remove(before);
    throw new PartialDamaged('less was left than its size says');
  }

  async #take(bytes: Uint8Array, form: PartialForm): Promise<void> {
    const { id, file } = await this.#target(form);
    await this.#reserve(this.#received + bytes.byteLength);
    if (this.#received < headBytes)
      this.#head.set(bytes.subarray(0, headBytes - this.#received), this.#received);
    this.#frames.take(bytes);
    await file.write(bytes);
    this.#received += bytes.byteLength;
    this.#tell();
    if (this.#isNoted || this.#received <= pieceBytes) return;
    this.#isNoted = true;
    await this.#options.stored.partials.note(id, this.#options.content, form);
  }

  async #discard(): Promise<void> {
    await this.#begun?.file.discard();
    if (this.#begun !== null && this.#isNoted) await this.#options.stored.discard(this.#begun.id);
  }

  async #reserve(bytes: number): Promise<void> {
    if (bytes <= this.#room) return;
    this.#room = Math.max(bytes, this.#room + roomStep);
    await this.#makeRoom(this.#room);
  }

  async #makeRoom(bytes: number): Promise<void> {
    const failure = await this.#options.stored.makeRoom(bytes);
    if (failure !== null) throw new FetchFailed(failure);
  }

  #tell(): void {
    this.#options.onProgress(Math.max(this.#received, this.before?.bytes ?? 0), this.#total);
  }
}

const isVerified = (fetched: Fetched, cid: string, spooled: SpooledFacts): boolean =>
  fetched === 'blocks' || verdictOf({ ...spooled, claimed: cid }).verdict === 'match';

/** Refuses plain bytes that do not match the CID, and a page that cannot be verified. */
function refusalOf(
  { fail }: FetchAccount,
  fetched: Fetched,
  cid: string,
  spooled: SpooledFacts,
): Failure | null {
  if (fetched === 'blocks') return null;
  switch (verdictOf({ ...spooled, claimed: cid }).verdict) {
    case 'match':
      return null;
    case 'differs':
      return fail({ code: 'content-mismatch' });
    case 'not-verifiable':
      if (fetched !== 'page') return null;
      return fail({
        code: 'answered-by-something-else',
        sentence: message('gateway.somethingElse'),
        remedy: message('gateway.again'),
      });
  }
}
