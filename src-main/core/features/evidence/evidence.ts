import {
  isSlowLine,
  ok,
  type Content,
  type EvidenceItem,
  type Failure,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { freshnessOf } from '../../base/freshness.ts';
import { cappedText } from '../../base/json.ts';
import { message } from '../../base/messages/message.ts';
import type { ReadCall } from '../../base/readFailures.ts';
import { namesInField } from '../../base/shownFields.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import { Yielding } from '../../base/yielding.ts';
import { ListPoller } from '../../service/listPoller.ts';
import { isUsedUp, pollMs } from '../../state/dataUse.ts';
import { PersistedDocument } from '../../vault/persistedDocument.ts';
import { contentKeyOf, parseCid } from './cid/parse.ts';
import { EvidenceCache } from './evidenceCache.ts';
import { readEvidenceDocument, writeEvidenceDocument } from './evidenceDocument.ts';
import { readEvidence, type EvidenceAccount, type KnownPages } from './evidenceReader.ts';
import { evidenceAtStart } from './evidenceState.ts';
import type { ListedItem } from './evidenceItem.ts';
import { mostVerifications, Verifications } from './verifications.ts';

/** A read every so many intervals of incidents: evidence changes mostly with uploads, which cause a read themselves. */
const evidenceEvery = 4;
/** On a slow line the list takes one part in so many of its time, and comes after so long at the latest, milliseconds. */
const [slowShare, roundMs] = [160, 600_000];

/** The last revision of the accounts before: a page must not mistake another operator's list for its own. */
export interface RevisionCounter {
  used: number;
}

/**
 * The list of evidence (interface: GET /evidence): read completely at an interval, stored for when the service cannot
 * be reached, opened in gateways, and compared with files on this computer. The slice has only counts. Pages read items
 * in portions, so that 100,000 of them cost no push.
 */
export class Evidence {
  readonly #account: EvidenceAccount;
  readonly #bytesOf: (content: string) => Content | null;
  readonly #cache: EvidenceCache;
  readonly #poller: ListPoller;
  readonly #verifications: Verifications;
  readonly #firstRevision: number;
  /** The contents that the last reading listed. */
  #listed: ReadonlySet<string> = new Set();
  /** Of the last reading. */
  #pages: KnownPages = new Map();
  #unreadable = 0;
  #complete = false;
  #lastReadAt: number | null = null;
  /** The shown list is the stored one, and was not read since. */
  #restored = false;
  readonly #document: PersistedDocument;
  /** The last complete list, which is stored. */
  #whole: { readonly items: readonly ListedItem[]; readonly lastReadAt: number } = {
    items: [],
    lastReadAt: 0,
  };

  /** `bytesOf`: the state of a content's bytes on this computer. */
  constructor(
    account: EvidenceAccount,
    bytesOf: (content: string) => Content | null,
    revisions: RevisionCounter,
  ) {
    const { scope, store, deployment } = account;
    const intervalMs = evidenceEvery * deployment.pollIntervals.incidentsMs;
    const onChange = (): void => {
      this.#tell();
    };
    this.#account = account;
    this.#bytesOf = bytesOf;
    this.#cache = new EvidenceCache(deployment);
    this.#firstRevision = revisions.used;
    scope.onEnd(() => {
      revisions.used = this.#firstRevision + this.#cache.revision + 1;
      store.set('evidence', evidenceAtStart);
    });
    this.#document = new PersistedDocument(account, 'evidence', () =>
      writeEvidenceDocument(this.#whole.items, this.#whole.lastReadAt),
    );
    this.#poller = new ListPoller(account, {
      intervalMs: () => Math.max(pollMs(store, intervalMs), this.#restMs()),
      name: 'evidence',
      isPaused: () => isUsedUp(store),
      read: (call) => this.#read(call),
      onChange,
    });
    this.#verifications = new Verifications(account, onChange);
  }

  /**
   * Resolves when the stored list is shown. Reading continues, from when `before` is settled: the newest incidents go
   * first on the wire.
   */
  async load(before: Promise<unknown> = Promise.resolve()): Promise<void> {
    await this.#restore();
    const start = (): void => {
      if (!this.#account.scope.isOver) this.#poller.start();
    };
    void before.then(start, start);
  }

  /** Reads the list at the operator's command, also after a missing scope. */
  async refresh(): Promise<Result<null>> {
    return this.#poller.readAnew({ interactive: true, recheck: true });
  }

  /** Items of one incident or of all, newest first. `revision` is the revision of their list. */
  read({
    incidentId,
    from,
    count,
  }: {
    readonly incidentId: string | null;
    readonly from: number;
    readonly count: number;
  }): { readonly revision: number; readonly total: number; readonly items: EvidenceItem[] } {
    const { store } = this.#account;
    // The revision of the items and of the state of their bytes: both only grow.
    const revision = store.slice('evidence').revision + store.slice('contents').revision;
    const { total, items } = this.#cache.read(incidentId, from, count);
    return { revision, total, items: items.map((item) => ({ ...item, content: this.#content(item.cid) })) };
  }

  /** The items with this text in a field, newest first. */
  async naming(text: string): Promise<readonly ListedItem[]> {
    const yielding = new Yielding();
    const found: ListedItem[] = [];
    for (const item of this.#cache.items) {
      if (yielding.over) await yielding.next();
      if (namesInField(item.fields, text)) found.push(item);
    }
    return found;
  }

  /** The CIDs of these incidents' items, or of all. */
  cids(incidentIds: readonly string[] | null): readonly string[] {
    return this.#cache.cids(incidentIds);
  }

  /** Addresses under the gateways that items give for a content. */
  addressesOf(content: string): readonly string[] {
    return this.#cache.addressesOf(content);
  }

  /**
   * Opens a CID in the system's browser. `gateway` is exactly one of the deployment's addresses. The CID is written
   * again from its bytes, so that nothing else can enter the address.
   */
  async open(cid: string, gateway: string): Promise<Result<null>> {
    const { deployment, ports, refuse } = this.#account;
    // The scan for calls of Electron's function of this name accepts them in one file only.
    const { openExternal } = ports;
    if (!deployment.gateways.includes(gateway)) return refuse({ code: 'gateway-refused' });
    const parsed = parseCid(cid);
    if (parsed === null) return refuse(notCid);
    const opened = await openExternal(gateway + parsed.canonical).catch(() => false);
    if (opened) return ok(null);
    return refuse({
      code: 'internal',
      sentence: message('evidence.noBrowser'),
      remedy: message('evidence.noBrowserRemedy'),
    });
  }

  /** Announces a file that is to be compared with a CID. Its bytes follow through `receive` and are not stored. */
  beginVerification(cid: string, fileName: string, bytes: number): Result<{ verificationId: string }> {
    if (parseCid(cid) === null) return this.#account.refuse(notCid);
    const verificationId = Buffer.from(this.#account.random.bytes(8)).toString('hex');
    const about = { cid, fileName: cappedText(fileName, 1_023), bytes };
    if (this.#verifications.begin(verificationId, about)) return ok({ verificationId });
    return this.#account.refuse({
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
    return this.#account.refuse({
      code: 'not-found',
      sentence: message('evidence.checkGone'),
      remedy: null,
    });
  }

  /**
   * Reads the whole list now and looks for one of these CIDs. `not-found` only when the list is proven to be complete;
   * `unknown` also when it could not be read.
   */
  async find(cids: readonly string[]): Promise<'found' | 'not-found' | 'unknown'> {
    const read = await this.#poller.readAnew({ interactive: false, recheck: false });
    if (!read.ok) return 'unknown';
    if (this.lists(cids)) return 'found';
    return this.#complete ? 'not-found' : 'unknown';
  }

  /** Whether the last reading of this session listed one of these CIDs, in any spelling. */
  lists(cids: readonly string[]): boolean {
    return cids.some((cid) => this.#listed.has(contentKeyOf(cid) ?? ''));
  }

  /** An event or a sent upload concerns the list: it is read within 2 s. */
  requestRead(): void {
    this.#poller.requestRead();
  }

  tokenChanged(): void {
    this.#poller.tokenChanged();
  }

  connectionReturned(): void {
    this.#poller.connectionReturned();
  }

  /** Derives the freshness again: time passed, or the connection changed. */
  review(): void {
    this.#tell();
  }

  wake(): void {
    this.#poller.wake();
  }

  async #read(call: ReadCall): Promise<Failure | null> {
    const reading = await readEvidence(this.#account, call, this.#pages);
    if (call.signal.aborted) return reading.failure;
    this.#pages = reading.pages;
    const changed = await this.#cache.take(reading.records, reading.complete);
    if (reading.failure !== null) return reading.failure;
    const before = this.#lastReadAt;
    this.#unreadable = reading.unreadable;
    this.#complete = reading.complete;
    this.#lastReadAt = this.#account.serverNow();
    this.#restored = false;
    this.#listed = new Set(reading.records.flatMap(({ content }) => content ?? []));
    this.#account.emit('evidence-read', null);
    if (reading.complete && (changed || before === null) && this.#account.records !== null) {
      this.#whole = { items: this.#cache.items, lastReadAt: this.#lastReadAt };
      this.#document.note();
    }
    return null;
  }

  async #restore(): Promise<void> {
    const kept = readEvidenceDocument(await this.#document.restore());
    if (kept !== null) {
      await this.#cache.take(kept.records, true);
      this.#lastReadAt = kept.lastReadAt;
      this.#complete = kept.whole;
      this.#restored = true;
    }
    this.#tell();
  }

  /** On a slow line what costs more of it comes less often. Uploads and events cause a read at once. */
  #restMs(): number {
    const ms = Math.min(roundMs, slowShare * this.#poller.lastMs);
    return isSlowLine(this.#account.store.slice('line')) ? ms : 0;
  }

  #tell(): void {
    const { scope, store, serverNow, connection, deployment } = this.#account;
    if (scope.isOver) return;
    const [cache, poller, lastReadAt] = [this.#cache, this.#poller, this.#lastReadAt];
    const freshness = freshnessOf({
      lastAt: lastReadAt,
      now: serverNow(),
      intervalMs: poller.intervalMs,
      connection: connection('infrastructure').state,
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
      gateways: [...deployment.gateways],
      verifications: this.#verifications.list,
    });
  }

  #content(cid: string | null): Content | null {
    const content = cid === null ? null : contentKeyOf(cid);
    return content === null ? null : this.#bytesOf(content);
  }
}

const notCid = {
  code: 'bad-request',
  sentence: message('evidence.notCid'),
  remedy: message('evidence.notCidRemedy'),
} as const;
