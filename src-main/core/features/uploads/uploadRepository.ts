import type { ApiConnection, Failure, Upload, UploadState } from '../../../../src-preload/contract/index.ts';
import { KeyedQueue } from '../../base/queues.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { CoordinationApi } from '../../service/api/coordination.ts';
import type { VaultRecords } from '../../vault/records.ts';
import type { AttemptVault } from '../../vault/attemptVault.ts';
import type { LocalAccount } from '../context.ts';
import type { Deployment } from '../deployments/index.ts';
import { isUnsent, type UploadItem } from './item.ts';
import { nextUpload, type UploadEvent } from './machine.ts';
import type { Block } from './messages.ts';
import { recover, uncertain } from './recovery.ts';
import { UploadList, type Entry } from './uploadList.ts';
import { shownState, uploadView } from './uploadView.ts';
import { UploadWriter } from './uploadWriter.ts';

/** What uploads need of the account. */
export interface UploadsAccount extends LocalAccount {
  readonly coordination: Pick<CoordinationApi, 'upload'>;
  readonly deployment: Pick<Deployment, 'upload'>;
  readonly vault: Pick<AttemptVault, 'note' | 'noteUnsent'>;
  readonly serverTime: Pick<ServerTime, 'verified'>;
  readonly connection: (api: 'coordination') => Pick<ApiConnection, 'state'>;
}

/** The result of a step. `failure`: the change is in memory, but not on the disk yet. */
export interface Step {
  readonly before: UploadItem;
  readonly after: UploadItem;
  readonly failure: Failure | null;
}

/** The queue's key for items without a row. No item has this id. */
const newItems = 'new';

type MakeEvent = (item: UploadItem) => UploadEvent | null;

/**
 * The uploads of one open vault: the list, its rows on the disk, and the part for pages. Steps of one item run one
 * after another, so that an answer and an operator's command never mix.
 */
export class UploadRepository {
  readonly #account: UploadsAccount;
  readonly #records: VaultRecords;
  readonly #list = new UploadList();
  readonly #queues = new KeyedQueue();
  readonly #writer: UploadWriter;
  #revision = 0;
  #unsentTold = -1;
  #paused = false;
  #block: Block | null = null;
  #problem: Failure | null = null;
  #room = Infinity;

  constructor(account: UploadsAccount, records: VaultRecords) {
    this.#account = account;
    this.#records = records;
    this.#writer = new UploadWriter(account, records, this.#list, this.#queues, (problem) => {
      if (this.#problem === problem) return;
      this.#problem = problem;
      this.#tell();
    });
  }

  get order(): readonly Entry[] {
    return this.#list.order;
  }

  get paused(): boolean {
    return this.#paused;
  }

  get block(): Block | null {
    return this.#block;
  }

  get latestServerTime(): number | null {
    return this.#writer.latestServerTime;
  }

  noteServerTime(time: number): void {
    this.#writer.noteServerTime(time);
  }

  entry(id: string): Entry | undefined {
    return this.#list.entry(id);
  }

  stateOf(item: UploadItem): UploadState {
    return shownState(item, this.#shownBlock());
  }

  /** Reads the stored uploads, and removes files that no upload needs. */
  async load(): Promise<{ readonly rebuilt: number; readonly uncertain: number }> {
    const { serverNow, logger, username, deployment } = this.#account;
    const circumstances = { account: username, path: deployment.upload.path };
    const { store, spool, lost } = this.#records;
    const { paused } = await this.#writer.readDocuments();
    this.#paused = paused;
    const [rows, sidecars, files] = await Promise.all([
      store.rows('uploads'),
      spool.sidecars(),
      spool.list(),
    ]);
    const found = { rows, sidecars, files, isLost: lost !== null };
    const { items, changed, bare, keep, rebuilt } = await recover(found, {
      ...circumstances,
      now: serverNow(),
    });
    this.#list.fill(items);
    await this.#writer.saveAll(changed.map((item) => ({ id: item.id, item })));
    for (const id of bare) await this.#queues.run(id, () => this.#writer.save(id, true));
    try {
      await spool.sweep(keep);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      logger.warn('outbox.not-swept', { detail });
    }
    logger.info('outbox.loaded', { uploads: items.length, rebuilt, damaged: rows.damaged });
    this.#changed();
    return { rebuilt, uncertain: rebuilt === 0 ? 0 : uncertain(items) };
  }

  read(from: number, count: number): { revision: number; total: number; items: Upload[] } {
    const block = this.#shownBlock();
    const items = this.#list.order
      .slice(from, from + count)
      .map(({ item }) => uploadView(item, block, this.#room));
    return { revision: this.#revision, total: this.#list.size, items };
  }

  /**
   * Adds a new item at the end of the list. It is on the disk before any page sees it, so that its row survives a kill
   * at any moment. After a failure nothing of it stays. Runs one at a time, since each takes the next place.
   */
  add(make: (place: number) => UploadItem): Promise<Failure | null> {
    return this.#queues.run(newItems, async () => {
      const item = make(this.#list.nextPlace);
      const failure = await this.#writer.writeNew(item);
      if (failure === null) {
        this.#list.add(item);
        this.#changed();
      } else {
        // The row may have been written all the same.
        await this.#writer.save(item.id, false);
      }
      return failure;
    });
  }

  /** One step; null when it changes nothing. A step that cannot be written counts in memory and is written later. */
  step(id: string, makeEvent: MakeEvent): Promise<Step | null> {
    return this.#queues.run(id, async () => {
      const entry = this.#list.entry(id);
      const next = entry && this.#next(entry, makeEvent);
      if (!entry || !next) return null;
      const before = entry.item;
      this.#list.replace(entry, next);
      this.#changed();
      const kind = moved(before, next);
      if (kind !== null) this.#log(kind, next);
      const failure = await this.#writer.save(id, needsSidecar(before, next));
      return { before, after: next, failure };
    });
  }

  /** One step that must be safe from a power cut before it counts: when it cannot be written, nothing changes. */
  stepFirst(id: string, makeEvent: MakeEvent): Promise<Step | null> {
    return this.#queues.run(id, async () => {
      const entry = this.#list.entry(id);
      const next = entry && this.#next(entry, makeEvent);
      if (!entry || !next) return null;
      const before = entry.item;
      const failure = await this.#writer.writeFirst(next);
      // The step's number is used up either way: the sidecar may have been written. The item may have been moved
      // meanwhile.
      const { place } = entry.item;
      this.#list.replace(
        entry,
        failure === null ? { ...next, place } : { ...before, place, step: next.step },
      );
      this.#changed();
      return { before, after: entry.item, failure };
    });
  }

  /** An item that could not be written at all is shown as waiting, in memory only. */
  showUnable(entry: Entry, failure: Failure, until: number): void {
    const { phase } = entry.item;
    const isPlain = phase.state === 'queued' ? !phase.consented : phase.state === 'waiting';
    if (isPlain) this.#list.replace(entry, { ...entry.item, phase: { state: 'waiting', failure, until } });
    this.#problem = failure;
    this.#changed();
  }

  async move(id: string, to: number): Promise<Failure | null> {
    const entry = this.#list.entry(id);
    if (!entry) return null;
    const moved = this.#list.move(entry, to);
    if (moved.length === 0) return null;
    this.#changed();
    if (moved.length === 1) return this.#queues.run(id, () => this.#writer.save(id, false));
    return this.#writer.saveAll(moved.map((one) => ({ id: one.id, item: one.item })));
  }

  /** Destroys an item for which `allows` is true. Its bytes go first, so that after a kill they cannot be sent. */
  discard(
    id: string,
    allows: (item: UploadItem) => boolean,
  ): Promise<{ readonly done: boolean; readonly failure: Failure | null }> {
    return this.#queues.run(id, async () => {
      const entry = this.#list.entry(id);
      if (!entry || !allows(entry.item)) return { done: false, failure: null };
      const kept = await this.#writer.removeBytes(id);
      if (kept !== null) return { done: false, failure: kept };
      this.#list.remove(entry);
      this.#changed();
      await this.#writer.save(id, false);
      return { done: true, failure: null };
    });
  }

  async discardSent(): Promise<Failure | null> {
    const sent = this.#list.order.filter(({ item }) => item.phase.state === 'sent');
    this.#list.removeAll(new Set(sent));
    this.#changed();
    return this.#writer.saveAll(sent.map(({ id }) => ({ id, item: null })));
  }

  async setPaused(paused: boolean): Promise<Failure | null> {
    this.#paused = paused;
    this.#changed();
    return this.#writer.writeSettings({ paused });
  }

  /** Sets why nothing is sent now, for all items. */
  setBlock(block: Block | null): void {
    if (this.#block === block) return;
    this.#block = block;
    this.#changed();
  }

  /** How many bytes may be sent now: those that are larger say that they wait. */
  setRoom(room: number): void {
    const held = (): number =>
      this.#room === Infinity
        ? 0
        : this.order.filter(({ item }) => isUnsent(item) && item.bytes > this.#room).length;
    const before = held();
    this.#room = room;
    if (held() !== before) this.#changed();
  }

  twinOf(sha256: string, id: string): UploadItem | null {
    return this.#list.twinOf(sha256, id);
  }

  /** Resolves when everything that can be written is written. */
  async finish(): Promise<void> {
    await this.#queues.idle();
    await this.#writer.finish();
    await this.#queues.idle();
  }

  /** A pause of all uploads is shown rather than a missing connection. */
  #shownBlock(): Block | null {
    return this.#paused ? null : this.#block;
  }

  #next(entry: Entry, makeEvent: MakeEvent): UploadItem | null {
    const event = makeEvent(entry.item);
    if (event === null) return null;
    const next = nextUpload(entry.item, event);
    return next === entry.item ? null : { ...next, step: entry.item.step + 1 };
  }

  #changed(): void {
    this.#revision += 1;
    this.#tell();
  }

  #tell(): void {
    const { unsent } = this.#list;
    const counts = this.#list.counts(this.#shownBlock() !== null);
    this.#account.store.patch('outbox', {
      revision: this.#revision,
      counts,
      unsent,
      paused: this.#paused,
      problem: this.#problem,
    });
    const needed = unsent + counts.unproven;
    if (needed === this.#unsentTold) return;
    this.#unsentTold = needed;
    this.#account.vault.noteUnsent(needed);
  }

  /** A complete file came into the outbox, or was sent. */
  #log(kind: 'upload-queued' | 'upload-sent', { fileName: subject, incidentId, phase }: UploadItem): void {
    const outcome = phase.state === 'sent' || phase.state === 'unproven' ? phase.verdict : null;
    this.#account.emit('shift-line', { kind, subject, incidentId, outcome });
  }
}

/** The kind of a step for the shift's log. */
function moved(
  { phase: before }: UploadItem,
  { phase: after }: UploadItem,
): 'upload-queued' | 'upload-sent' | null {
  if (after.state === before.state) return null;
  const isAnswered = ({ state }: UploadItem['phase']): boolean => state === 'sent' || state === 'unproven';
  if (isAnswered(after)) return isAnswered(before) ? null : 'upload-sent';
  return before.state === 'receiving' && after.state !== 'failed' ? 'upload-queued' : null;
}

/** Whether the sidecar has to record the change, and there is a file beside which it can be stored. */
function needsSidecar(before: UploadItem, after: UploadItem): boolean {
  if (after.sha256 === null || after.phase === before.phase) return false;
  const isDamaged = 'failure' in after.phase && after.phase.failure?.code === 'file-damaged';
  if (isDamaged) return false;
  return before.key !== after.key || !isUnsent(after) || after.phase.state !== 'waiting';
}
