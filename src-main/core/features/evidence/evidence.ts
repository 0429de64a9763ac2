import {
  failed,
  ok,
  type ApiConnection,
  type EvidenceItem,
  type EvidenceState,
  type Failure,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure, type FailureParts } from '../../base/failure.ts';
import { freshnessOf } from '../../base/freshness.ts';
import { cappedText } from '../../base/json.ts';
import type { LogEvent } from '../../base/logEvents.ts';
import { message } from '../../base/messages/message.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { InfrastructureApi } from '../../service/api/infrastructure.ts';
import { ListPoller, type PollMode } from '../../service/listPoller.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { CidHasher, RecordStore, VaultRecords } from '../../vault/records.ts';
import { parseCid } from './cid/parse.ts';
import { EvidenceCache } from './evidenceCache.ts';
import { readEvidenceDocument, writeEvidenceDocument } from './evidenceDocument.ts';
import { readEvidence } from './evidenceReader.ts';
import { evidenceAtStart } from './evidenceState.ts';
import { mostVerifications, Verifications } from './verifications.ts';

export interface EvidenceOptions {
  readonly api: Pick<InfrastructureApi, 'listEvidence'>;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  /** Addresses that end with a slash; a CID is appended to them. */
  readonly gateways: readonly string[];
  /** Opens an address in the system's browser; false where that failed. */
  readonly openExternal: (url: string) => Promise<boolean>;
  readonly hasher: () => CidHasher;
  /** Of the Infrastructure API. */
  readonly connection: () => ApiConnection['state'];
  /** The usual time between two reads, milliseconds. */
  readonly intervalMs: number;
}

/** From one `start` to its `stop`. */
interface AccountEvidence {
  readonly cache: EvidenceCache;
  readonly poller: ListPoller;
  readonly verifications: Verifications;
  readonly keep: RecordStore | null;
  unreadable: number;
  complete: boolean;
  lastReadAt: number | null;
  /** What is shown is what was kept on this computer: nothing was read since the start. */
  restored: boolean;
  /** The last write of the kept text, and what it waits for. */
  writing: Promise<void>;
  writeAgain: boolean;
}

const documentId = 'evidence';

/**
 * The list of evidence (interface: GET /evidence): read to its end at an interval, kept for when the
 * service cannot be reached, opened in gateways, and held against files on this computer. The slice
 * carries counts; items are read page by page, so that 100,000 of them cost no push.
 */
export class Evidence {
  readonly #options: EvidenceOptions;
  #account: AccountEvidence | null = null;
  /** Revisions go on over a stop: a page must not take another operator's list for its own. */
  #revisions = 0;

  constructor(options: EvidenceOptions) {
    this.#options = options;
  }

  /** `records` null: nothing is kept. Answers when what was kept is shown; reading goes on. */
  async start(records: VaultRecords | null): Promise<void> {
    const account = this.#openAccount(records?.store ?? null);
    this.#account = account;
    // In `writing`, so that a stop waits for it: it uses the records.
    account.writing = this.#restore(account);
    await account.writing;
    if (this.#account === account) account.poller.start();
  }

  async stop(): Promise<void> {
    const account = this.#account;
    this.#account = null;
    if (account !== null) {
      this.#revisions += account.cache.revision + 1;
      await Promise.all([account.poller.stop(), account.verifications.close()]);
      await account.writing;
    }
    if (this.#account === null) this.#options.store.set('evidence', evidenceAtStart);
  }

  /** Reads the list at the operator's command, also where the scope was missing before. */
  async refresh(): Promise<Result<null>> {
    if (this.#account === null) return this.#fail({ code: 'signed-out' });
    return this.#account.poller.readAnew({ interactive: true, recheck: true });
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
    const { revision } = this.#state;
    if (this.#account === null) return { revision, total: 0, items: [] };
    return { revision, ...this.#account.cache.read(incidentId, from, count) };
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
    if (this.#account === null) return this.#fail({ code: 'signed-out' });
    if (parseCid(cid) === null) return this.#fail(notCid);
    const verificationId = Buffer.from(this.#options.random.bytes(8)).toString('hex');
    const about = { cid, fileName: cappedText(fileName, 1_023), bytes };
    if (this.#account.verifications.begin(verificationId, about)) return ok({ verificationId });
    return this.#fail({
      code: 'file-refused',
      sentence: message('evidence.tooMany', { n: mostVerifications }),
      remedy: message('evidence.tooManyRemedy'),
    });
  }

  knows(id: string): boolean {
    return this.#account?.verifications.knows(id) ?? false;
  }

  /** Takes the bytes of an announced file. Never rejects. */
  async receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    return this.#account === null ? 'unknown' : this.#account.verifications.receive(id, body);
  }

  dismissVerification(id: string): Result<null> {
    if (this.#account?.verifications.dismiss(id)) return ok(null);
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
    const account = this.#account;
    if (account === null) return 'unknown';
    const read = await account.poller.readAnew({ interactive: false, recheck: false });
    if (account.cache.holds(cids)) return 'found';
    return read.ok && account.complete && this.#account === account ? 'not-found' : 'unknown';
  }

  /** An event, or an upload that was sent, concerns the list: it is read within 2 s. */
  hint(): void {
    this.#account?.poller.hint();
  }

  tokenChanged(): void {
    this.#account?.poller.tokenChanged();
  }

  connectionReturned(): void {
    this.#account?.poller.connectionReturned();
  }

  /** Derives the freshness anew, as time has passed or the connection changed. */
  review(): void {
    this.#tell();
  }

  wake(): void {
    this.#account?.poller.wake();
  }

  get #state(): EvidenceState {
    return this.#options.store.slice('evidence');
  }

  #openAccount(keep: RecordStore | null): AccountEvidence {
    const { clock, random, logger, serverTime, intervalMs, hasher } = this.#options;
    const onChange = (): void => {
      this.#tell();
    };
    const account: AccountEvidence = {
      cache: new EvidenceCache(),
      poller: new ListPoller({
        clock,
        random,
        logger,
        serverTime,
        intervalMs,
        name: 'evidence',
        read: (mode) => this.#read(account, mode),
        onChange,
      }),
      verifications: new Verifications({
        clock,
        logger,
        hasher,
        now: () => serverTime.serverNow(),
        onChange,
      }),
      keep,
      unreadable: 0,
      complete: false,
      lastReadAt: null,
      restored: false,
      writing: Promise.resolve(),
      writeAgain: false,
    };
    return account;
  }

  async #read(account: AccountEvidence, mode: PollMode): Promise<Failure | null> {
    const reading = await readEvidence(this.#options, mode);
    if (mode.signal.aborted) return reading.failure;
    const changed = await account.cache.take(reading.records, reading.complete);
    if (reading.failure !== null) return reading.failure;
    const before = account.lastReadAt;
    account.unreadable = reading.unreadable;
    account.complete = reading.complete;
    account.lastReadAt = this.#options.serverTime.serverNow();
    account.restored = false;
    if (reading.complete && (changed || before === null)) this.#keep(account);
    return null;
  }

  async #restore(account: AccountEvidence): Promise<void> {
    if (account.keep !== null) {
      try {
        const { rows } = await account.keep.rows('documents');
        const text = rows.find(({ id }) => id === documentId)?.text;
        const kept = text === undefined ? null : readEvidenceDocument(text);
        if (kept !== null) {
          await account.cache.take(kept.records, true);
          account.lastReadAt = kept.lastReadAt;
          account.complete = kept.whole;
          account.restored = true;
        }
      } catch (error) {
        this.#warn('evidence-not-restored', error);
      }
    }
    this.#tell(account);
  }

  /** Writes what is known; while a write is under way, once more after it. */
  #keep(account: AccountEvidence): void {
    const { keep } = account;
    if (keep === null) return;
    if (account.writeAgain) return;
    account.writeAgain = true;
    account.writing = account.writing.then(async () => {
      account.writeAgain = false;
      const text = writeEvidenceDocument(account.cache.items, account.lastReadAt ?? 0);
      try {
        await keep.write([{ table: 'documents', id: documentId, text }]);
      } catch (error) {
        this.#warn('evidence-not-kept', error);
      }
    });
  }

  #tell(of: AccountEvidence | null = this.#account): void {
    if (of === null || of !== this.#account) return;
    const { store, serverTime, connection, gateways } = this.#options;
    const { cache, poller, verifications, lastReadAt } = of;
    const freshness = freshnessOf({
      lastAt: lastReadAt,
      now: serverTime.serverNow(),
      intervalMs: poller.intervalMs,
      connection: connection(),
      failed: poller.failure !== null,
      hasData: lastReadAt !== null,
    });
    store.set('evidence', {
      revision: this.#revisions + cache.revision,
      count: cache.items.length,
      withoutCid: cache.withoutCid,
      unreadable: of.unreadable,
      complete: of.complete,
      reading: poller.reading,
      lastReadAt,
      failure: poller.failure,
      freshness: of.restored && freshness !== 'offline' ? 'stale' : freshness,
      gateways: [...gateways],
      verifications: verifications.list,
    });
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
