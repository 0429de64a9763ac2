import {
  failed,
  ok,
  type ApiConnection,
  type Content,
  type EvidenceItem,
  type Failure,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure, type FailureParts } from '../../base/failure.ts';
import { freshnessOf } from '../../base/freshness.ts';
import { cappedText } from '../../base/json.ts';
import type { LogEvent } from '../../base/logEvents.ts';
import { message } from '../../base/messages/message.ts';
import type { Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { InfrastructureApi } from '../../service/api/infrastructure.ts';
import { ListPoller, type PollMode } from '../../service/listPoller.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { Account } from '../../vault/account.ts';
import type { CidHasher } from '../../vault/records.ts';
import { contentOf, parseCid } from './cid/parse.ts';
import { EvidenceCache } from './evidenceCache.ts';
import { readEvidenceDocument, writeEvidenceDocument } from './evidenceDocument.ts';
import { readEvidence } from './evidenceReader.ts';
import { evidenceAtStart } from './evidenceState.ts';
import { mostVerifications, Verifications } from './verifications.ts';

export interface EvidenceOptions extends Pick<Account, 'scope' | 'records'> {
  readonly api: Pick<InfrastructureApi, 'listEvidence'>;
  readonly store: ConsoleStore;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  /** Addresses that end with a slash; a CID is appended to them. */
  readonly gateways: readonly string[];
  /** Opens an address in the system's browser; false where that failed. */
  readonly openExternal: (url: string) => Promise<boolean>;
  readonly hasher: () => CidHasher;
  /** What is known here of the bytes of a content. */
  readonly bytesOf: (content: string) => Content | null;
  /** Of the Infrastructure API. */
  readonly connection: () => ApiConnection['state'];
  /** The usual time between two reads, milliseconds. */
  readonly intervalMs: number;
  /** Revisions go on over accounts: a page must not take another operator's list for its own. */
  readonly revisions: RevisionCounter;
}

/** The revisions that lists of accounts before had. */
export interface RevisionCounter {
  used: number;
}

const documentId = 'evidence';

/**
 * The list of evidence (interface: GET /evidence): read to its end at an interval, kept for when the
 * service cannot be reached, opened in gateways, and held against files on this computer. The slice
 * carries counts; items are read page by page, so that 100,000 of them cost no push.
 */
export class Evidence {
  readonly #options: EvidenceOptions;
  readonly #cache = new EvidenceCache();
  readonly #poller: ListPoller;
  readonly #verifications: Verifications;
  readonly #firstRevision: number;
  #unreadable = 0;
  #complete = false;
  #lastReadAt: number | null = null;
  /** What is shown is what was stored on this computer: nothing was read since. */
  #restored = false;
  /** The last use of the records, and whether another write waits for it. */
  #storing: Promise<void> = Promise.resolve();
  #storeAgain = false;

  constructor(options: EvidenceOptions) {
    const { scope, random, logger, serverTime, intervalMs, hasher, store, revisions } = options;
    const onChange = (): void => {
      this.#tell();
    };
    this.#options = options;
    this.#firstRevision = revisions.used;
    scope.onEnd(() => {
      revisions.used = this.#firstRevision + this.#cache.revision + 1;
      store.set('evidence', evidenceAtStart);
    });
    scope.defer(() => this.#storing);
    this.#poller = new ListPoller({
      scope,
      random,
      logger,
      serverTime,
      intervalMs,
      name: 'evidence',
      read: (mode) => this.#read(mode),
      onChange,
    });
    this.#verifications = new Verifications({
      scope,
      logger,
      hasher,
      now: () => serverTime.serverNow(),
      onChange,
    });
  }

  /** Answers when what was stored is shown; reading goes on. */
  async load(): Promise<void> {
    this.#storing = this.#restore();
    await this.#storing;
    if (!this.#options.scope.isOver) this.#poller.start();
  }

  /** Reads the list at the operator's command, also where the scope was missing before. */
  async refresh(): Promise<Result<null>> {
    return this.#poller.readAnew({ interactive: true, recheck: true });
  }

  /** Items newest first, of one incident or all; `revision` says which list they are of. */
  read({
    incidentId,
    from,
    count,
  }: {
    readonly incidentId: string | null;
    readonly from: number;
    readonly count: number;
  }): { readonly revision: number; readonly total: number; readonly items: EvidenceItem[] } {
    const { store } = this.#options;
    // Of the items and of what is known of their bytes: both only count up.
    const revision = store.slice('evidence').revision + store.slice('contents').revision;
    const { total, items } = this.#cache.read(incidentId, from, count);
    return { revision, total, items: items.map((item) => ({ ...item, content: this.#content(item.cid) })) };
  }

  /** The CIDs of one incident's items, or of all. */
  cids(incidentId: string | null): readonly string[] {
    return this.#cache.cids(incidentId);
  }

  /**
   * Opens a CID in the system's browser. `gateway` is an address of the deployment, to the letter. The
   * CID is written anew from its bytes, so that nothing else can come into the address.
   */
  async open(cid: string, gateway: string): Promise<Result<null>> {
    const { gateways, openExternal } = this.#options;
    if (!gateways.includes(gateway)) return this.#fail({ code: 'gateway-refused' });
    const parsed = parseCid(cid);
    if (parsed === null) return this.#fail(notCid);
    const opened = await openExternal(gateway + parsed.canonical).catch(() => false);
    if (opened) return ok(null);
    return this.#fail({
      code: 'internal',
      sentence: message('evidence.noBrowser'),
      remedy: message('evidence.noBrowserRemedy'),
    });
  }

  /** Announces a file that is held against a CID; its bytes follow by `receive`, and are not kept. */
  beginVerification(cid: string, fileName: string, bytes: number): Result<{ verificationId: string }> {
    if (parseCid(cid) === null) return this.#fail(notCid);
    const verificationId = Buffer.from(this.#options.random.bytes(8)).toString('hex');
    const about = { cid, fileName: cappedText(fileName, 1_023), bytes };
    if (this.#verifications.begin(verificationId, about)) return ok({ verificationId });
    return this.#fail({
      code: 'file-refused',
      sentence: message('evidence.tooMany', { n: mostVerifications }),
      remedy: message('evidence.tooManyRemedy'),
    });
  }

  knows(id: string): boolean {
    return this.#verifications.knows(id);
  }

  /** Takes the bytes of an announced file. Never rejects. */
  receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    return this.#verifications.receive(id, body);
  }

  dismissVerification(id: string): Result<null> {
    if (this.#verifications.dismiss(id)) return ok(null);
    return this.#fail({
      code: 'not-found',
      sentence: message('evidence.checkGone'),
      remedy: null,
    });
  }

  /**
   * Reads the list to its end, beginning now, and looks for one of these CIDs. `not-found` only when
   * that list is proven to be complete: `unknown` in every other case but `found`.
   */
  async find(cids: readonly string[]): Promise<'found' | 'not-found' | 'unknown'> {
    const read = await this.#poller.readAnew({ interactive: false, recheck: false });
    if (this.#cache.holds(cids)) return 'found';
    return read.ok && this.#complete ? 'not-found' : 'unknown';
  }

  /** An event, or an upload that was sent, concerns the list: it is read within 2 s. */
  hint(): void {
    this.#poller.hint();
  }

  tokenChanged(): void {
    this.#poller.tokenChanged();
  }

  connectionReturned(): void {
    this.#poller.connectionReturned();
  }

  /** Derives the freshness anew, as time has passed or the connection changed. */
  review(): void {
    this.#tell();
  }

  wake(): void {
    this.#poller.wake();
  }

  async #read(mode: PollMode): Promise<Failure | null> {
    const reading = await readEvidence(this.#options, mode);
    if (mode.signal.aborted) return reading.failure;
    const changed = await this.#cache.take(reading.records, reading.complete);
    if (reading.failure !== null) return reading.failure;
    const before = this.#lastReadAt;
    this.#unreadable = reading.unreadable;
    this.#complete = reading.complete;
    this.#lastReadAt = this.#options.serverTime.serverNow();
    this.#restored = false;
    if (reading.complete && (changed || before === null)) this.#store();
    return null;
  }

  async #restore(): Promise<void> {
    try {
      const { rows } = (await this.#options.records?.store.rows('documents')) ?? { rows: [] };
      const text = rows.find(({ id }) => id === documentId)?.text;
      const kept = text === undefined ? null : readEvidenceDocument(text);
      if (kept !== null) {
        await this.#cache.take(kept.records, true);
        this.#lastReadAt = kept.lastReadAt;
        this.#complete = kept.whole;
        this.#restored = true;
      }
    } catch (error) {
      this.#warn('evidence-not-restored', error);
    }
    this.#tell();
  }

  /** Writes what is known; while a write is under way, once more after it. */
  #store(): void {
    const { records } = this.#options;
    if (records === null || this.#storeAgain) return;
    this.#storeAgain = true;
    this.#storing = this.#storing.then(async () => {
      this.#storeAgain = false;
      const text = writeEvidenceDocument(this.#cache.items, this.#lastReadAt ?? 0);
      try {
        await records.store.write([{ table: 'documents', id: documentId, text }]);
      } catch (error) {
        this.#warn('evidence-not-kept', error);
      }
    });
  }

  #tell(): void {
    const { scope, store, serverTime, connection, gateways } = this.#options;
    if (scope.isOver) return;
    const [cache, poller, lastReadAt] = [this.#cache, this.#poller, this.#lastReadAt];
    const freshness = freshnessOf({
      lastAt: lastReadAt,
      now: serverTime.serverNow(),
      intervalMs: poller.intervalMs,
      connection: connection(),
      failed: poller.failure !== null,
      hasData: lastReadAt !== null,
    });
    store.set('evidence', {
      revision: this.#firstRevision + cache.revision,
      count: cache.items.length,
      withoutCid: cache.withoutCid,
      unreadable: this.#unreadable,
      complete: this.#complete,
      reading: poller.reading,
      lastReadAt,
      failure: poller.failure,
      freshness: this.#restored && freshness !== 'offline' ? 'stale' : freshness,
      gateways: [...gateways],
      verifications: this.#verifications.list,
    });
  }

  #content(cid: string | null): Content | null {
    const content = cid === null ? null : contentOf(cid);
    return content === null ? null : this.#options.bytesOf(content);
  }

  #fail(parts: Omit<FailureParts, 'at'>): Result<never> {
    return failed(makeFailure({ ...parts, at: this.#options.serverTime.serverNow() }));
  }

  #warn(event: LogEvent, error: unknown): void {
    this.#options.logger.warn(event, { detail: error instanceof Error ? error.message : String(error) });
  }
}

const notCid = {
  code: 'bad-request',
  sentence: message('evidence.notCid'),
  remedy: message('evidence.notCidRemedy'),
} as const;
