import {
  failed,
  ok,
  type Failure,
  type OutboxState,
  type Result,
  type Upload,
  type UploadState,
} from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { VaultRecords } from '../../vault/records.ts';
import { storeFailure } from '../../vault/storageFailure.ts';
import { admit } from './admission.ts';
import { Dispatch, type UploadSources } from './dispatch.ts';
import type { UploadItem } from './item.ts';
import type { UploadEvent } from './machine.ts';
import {
  cancelled,
  cancelledReceiving,
  noSuchUpload,
  notes,
  notNow,
  rebuiltSentence,
  sameBytes,
  unavailable,
  undecided,
} from './messages.ts';
import { Progress } from './progress.ts';
import { Receiver, type Arrived } from './receiving.ts';
import { makeUploadKey, targetOf } from './uploadKey.ts';
import type { Entry } from './uploadList.ts';
import { UploadRepository, type UploadsAccount } from './uploadRepository.ts';

export const outboxAtStart: OutboxState = {
  available: false,
  problem: null,
  revision: 0,
  counts: {
    receiving: 0,
    queued: 0,
    sending: 0,
    waiting: 0,
    sent: 0,
    unproven: 0,
    'needs-decision': 0,
    failed: 0,
  },
  unsent: 0,
  paused: false,
  moving: [],
  uploadToken: 'not-used',
  incidentField: false,
};

const idBytes = 8;
/** The wait before an outbox that could not be read is tried again, milliseconds. */
const reloadMs = 30_000;

/** What works on the stored uploads of an open vault. */
interface Outbox {
  readonly repository: UploadRepository;
  readonly progress: Progress;
  readonly receiver: Receiver;
  readonly dispatch: Dispatch;
  readonly spool: VaultRecords['spool'];
}

/**
 * Files to be uploaded to the service (interface: POST /storage), each exactly once. For the states of an upload see
 * machine.ts, for the order of sending dispatch.ts. Owns the slice `outbox`.
 */
export class Uploads {
  readonly #account: UploadsAccount;
  readonly #sources: UploadSources;
  /** Null where nothing can be stored. */
  readonly #stored: Outbox | null;
  /** Null until the stored uploads are read. */
  #outbox: Outbox | null = null;
  readonly #checking = new Set<string>();
  #loading: Promise<void> | null = null;

  constructor(account: UploadsAccount, sources: UploadSources) {
    const { scope, records, deployment, store } = account;
    this.#account = account;
    this.#sources = sources;
    store.set('outbox', {
      ...outboxAtStart,
      problem: records === null ? unavailable(this.#account.serverNow()) : null,
      uploadToken: sources.uploadToken(),
      incidentField: deployment.upload.incidentField !== null,
    });
    // Last: until then the running uploads report their outcome.
    scope.defer(() => {
      store.set('outbox', outboxAtStart);
    });
    this.#stored = records && this.#createOutbox(records);
  }

  /** Reads the stored uploads. Tries again later when they cannot be read. Never rejects. */
  async load(): Promise<void> {
    if (this.#stored === null) return;
    this.#loading = this.#load(this.#stored);
    await this.#loading;
  }

  /** Session, connection or upload token changed, or the computer woke up: uploads may continue. */
  review(): void {
    const { scope, store } = this.#account;
    if (this.#outbox === null || scope.isOver) return;
    store.patch('outbox', { uploadToken: this.#sources.uploadToken() });
    this.#outbox.dispatch.review();
  }

  /** Announces a file. Its bytes follow through `receive`. */
  async begin(
    fileName: string,
    bytes: number,
    incidentId: string | null,
  ): Promise<Result<{ uploadId: string }>> {
    const outbox = this.#outbox;
    if (outbox === null) return this.#unavailable();
    const { deployment, random, scope } = this.#account;
    const free = await this.#free(outbox);
    const room = free === null ? null : free - outbox.receiver.outstanding;
    const unprovenBytes = room !== null && room < bytes ? bytesOfUnproven(outbox.repository) : 0;
    const admission = admit({ fileName, bytes, room, unprovenBytes, now: this.#account.serverNow() });
    if (!admission.admitted) return failed(admission.failure);
    if (scope.isOver) return this.#conflict(message('upload.closing'));
    const id = Buffer.from(random.bytes(idBytes)).toString('hex');
    const failure = await outbox.repository.add((place) => ({
      id,
      fileName: admission.fileName,
      bytes,
      addedAt: this.#account.serverNow(),
      incidentId: deployment.upload.incidentField === null ? null : incidentId,
      place,
      step: 0,
      paused: false,
      sha256: null,
      computed: [],
      key: null,
      endedKeys: [],
      phase: { state: 'receiving' },
    }));
    if (failure !== null) return failed(failure);
    outbox.receiver.announce(id, bytes);
    return ok({ uploadId: id });
  }

  /** Whether bytes of this file are expected. */
  knows(id: string): boolean {
    return this.#outbox?.receiver.has(id) ?? false;
  }

  /** Takes the bytes of an announced file. Never rejects. */
  async receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    if (this.#outbox === null) return 'unknown';
    return this.#account.scope.isOver ? 'locked' : this.#outbox.receiver.receive(id, body);
  }

  /** A page of the list, in the order of sending. */
  read(from: number, count: number): { revision: number; total: number; items: Upload[] } {
    return this.#outbox?.repository.read(from, count) ?? { revision: 0, total: 0, items: [] };
  }

  /** Pauses or continues one upload or, with `id` null, all. */
  async pause(id: string | null, paused: UploadItem['paused']): Promise<Result<null>> {
    if (id === null) return this.#pauseAll(paused !== false);
    return this.#change(id, async ({ item }, { repository, dispatch }) => {
      if (item.paused === paused) return ok(null);
      const step = await repository.step(id, () => ({ kind: 'pause', paused }));
      if (paused !== false) await dispatch.stopOne(id, 'pause');
      this.review();
      return step === null ? this.#conflict(message('upload.onlyUnsent')) : done(step.failure);
    });
  }

  move(id: string, to: number): Promise<Result<null>> {
    return this.#change(id, async (_entry, { repository }) => done(await repository.move(id, to)));
  }

  cancel(id: string): Promise<Result<null>> {
    return this.#change(id, async (entry, { repository, receiver, dispatch }) => {
      const wasComing = await receiver.end(id, cancelledReceiving(this.#account.serverNow()));
      // Its copying may have ended meanwhile.
      if (wasComing && entry.item.phase.state === 'failed') return ok(null);
      await dispatch.stopOne(id, 'cancel');
      const { state } = entry.item.phase;
      const failure = cancelled(this.#account.serverNow());
      const step = await repository.step(id, () => ({ kind: 'stopped', failure, left: false }));
      if (step !== null) return done(step.failure);
      if (state === 'sent' || state === 'unproven') return this.#conflict(message('upload.sentAlready'));
      return ok(null);
    });
  }

  retry(id: string): Promise<Result<null>> {
    return this.#change(id, async (entry, outbox) => {
      if (entry.item.sha256 === null) return this.#conflict(message('upload.incomplete'));
      return this.#again(
        entry,
        outbox,
        { kind: 'retry', at: this.#account.serverNow() },
        message('upload.onlyFailed'),
      );
    });
  }

  decide(id: string, decision: 'check' | 'send' | 'erase'): Promise<Result<null>> {
    return this.#change(id, async (entry, outbox) => {
      if (this.#checking.has(id)) return this.#conflict(message('upload.beingChecked'));
      if (decision === 'check') return this.#check(entry.item, outbox);
      const kind = decision === 'send' ? 'send' : 'erased';
      return this.#again(entry, outbox, { kind }, message('upload.nothingToDecide'));
    });
  }

  /** Destroys an upload. `state` is the one that the operator saw. */
  discard(id: string, state: UploadState): Promise<Result<null>> {
    return this.#change(id, async (entry, { repository }) => {
      const isMoving = ({ phase }: UploadItem): boolean =>
        phase.state === 'receiving' || phase.state === 'sending';
      if (isMoving(entry.item)) return this.#conflict(message('upload.moving'));
      const { done: isGone, failure } = await repository.discard(
        id,
        (item) =>
          !isMoving(item) &&
          !this.#checking.has(id) &&
          (state === item.phase.state || state === repository.stateOf(item)),
      );
      if (isGone || failure !== null) return done(failure);
      return this.#conflict(message('upload.changedState'));
    });
  }

  async discardSent(): Promise<Result<null>> {
    return this.#outbox === null ? this.#unavailable() : done(await this.#outbox.repository.discardSent());
  }

  /** The list of evidence was read: proves those whose CID `holds` finds in it. */
  async prove(holds: (cids: readonly string[]) => boolean): Promise<void> {
    const repository = this.#outbox?.repository;
    const proven = repository?.order.filter(
      ({ id, item }) => item.phase.state === 'unproven' && !this.#checking.has(id) && holds(cidsOf(item)),
    );
    for (const { id } of proven ?? []) await repository?.step(id, () => this.#found());
  }

  #createOutbox(records: VaultRecords): Outbox {
    const { scope } = this.#account;
    const { spool } = records;
    const repository = new UploadRepository(this.#account, records);
    const progress = new Progress(this.#account);
    const receiver = new Receiver(this.#account, spool, progress, (id, arrived) =>
      this.#arrived(id, arrived),
    );
    const dispatch = new Dispatch(this.#account, { ...this.#sources, repository, spool, progress });
    scope.defer(() => repository.finish());
    scope.defer(() => {
      progress.stop();
    });
    scope.closing(() => Promise.allSettled([this.#loading, receiver.stop(), dispatch.stopAll('leave')]));
    return { repository, progress, receiver, dispatch, spool };
  }

  async #load(outbox: Outbox): Promise<void> {
    const { scope, store, logger, vault } = this.#account;
    try {
      const { rebuilt, uncertain } = await outbox.repository.load();
      if (rebuilt > 0) vault.note(rebuiltSentence(rebuilt, uncertain));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      logger.warn('outbox.not-loaded', { detail });
      store.patch('outbox', { problem: storeFailure(error, this.#account.serverNow()) });
      scope.clock.schedule(reloadMs, () => void this.load());
      return;
    }
    if (scope.isOver) return;
    this.#outbox = outbox;
    store.patch('outbox', { available: true });
    outbox.dispatch.restore();
    this.review();
  }

  async #change(
    id: string,
    change: (entry: Entry, outbox: Outbox) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    if (this.#outbox === null) return this.#unavailable();
    const entry = this.#outbox.repository.entry(id);
    return entry ? change(entry, this.#outbox) : failed(noSuchUpload(this.#account.serverNow()));
  }

  async #pauseAll(paused: boolean): Promise<Result<null>> {
    if (this.#outbox === null) return this.#unavailable();
    const failure = await this.#outbox.repository.setPaused(paused);
    if (paused) await this.#outbox.dispatch.stopAll('pause');
    this.review();
    return done(failure);
  }

  /** A step after which the upload is due at once. */
  async #again(
    entry: Entry,
    { repository }: Outbox,
    event: UploadEvent,
    otherwise: Message,
  ): Promise<Result<null>> {
    const step = await repository.step(entry.id, () => event);
    if (step === null) return this.#conflict(otherwise);
    entry.due = entry.asked = entry.failures = 0;
    this.review();
    return done(step.failure);
  }

  /** Looks for the upload in the list of evidence. Its absence proves nothing. */
  async #check(item: UploadItem, { repository }: Outbox): Promise<Result<null>> {
    const { phase } = item;
    const isKnown = phase.state !== 'needs-decision' || phase.decision === 'same-bytes';
    if (isKnown && phase.state !== 'unproven') {
      return this.#conflict(message('upload.nothingToFind'));
    }
    this.#checking.add(item.id);
    try {
      const cids = cidsOf(item);
      const found = cids.length === 0 ? 'unknown' : await this.#find(cids);
      if (this.#account.scope.isOver) return this.#conflict(message('upload.closing'));
      const step = await repository.step(item.id, () => {
        if (found === 'found') return this.#found();
        return {
          kind: 'not-found',
          undecided: found === 'unknown' ? undecided.listUnread : undecided.notFound,
        };
      });
      return done(step?.failure ?? null);
    } finally {
      this.#checking.delete(item.id);
    }
  }

  #found(): UploadEvent {
    const sent = {
      at: this.#account.serverNow(),
      cid: null,
      verdict: 'match',
      profile: null,
      requestId: null,
    } as const;
    return { kind: 'found', ...sent, note: notes.foundInList };
  }

  async #find(cids: readonly string[]): Promise<'found' | 'not-found' | 'unknown'> {
    try {
      return await this.#sources.findEvidence(cids);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      this.#account.logger.error('outbox.evidence-fault', { detail });
      return 'unknown';
    }
  }

  async #arrived(id: string, arrived: Arrived): Promise<void> {
    const outbox = this.#outbox;
    outbox?.progress.end(id);
    await outbox?.repository.step(id, (item) => {
      if (arrived.kind === 'not-received') return arrived;
      const { facts } = arrived;
      const key = makeUploadKey({
        item: { ...item, sha256: facts.sha256 },
        account: this.#account.username,
        target: targetOf(this.#account.deployment.upload),
        random: this.#account.random,
      });
      const other = outbox.repository.twinOf(facts.sha256, id);
      if (other === null) return { kind: 'received', facts, key, twin: null };
      const { fileName, phase } = other;
      const sentAt = phase.state === 'sent' || phase.state === 'unproven' ? phase.at : null;
      return { kind: 'received', facts, key, twin: { fileName, undecided: sameBytes(fileName, sentAt) } };
    });
    this.review();
  }

  async #free({ spool }: Outbox): Promise<number | null> {
    try {
      return await spool.free();
    } catch (error) {
      this.#account.logger.warn('outbox.free-unknown', {
        code: storeFailure(error, this.#account.serverNow()).code,
      });
      return null;
    }
  }

  #conflict(sentence: Message): Result<never> {
    return failed(notNow(sentence, this.#account.serverNow()));
  }

  #unavailable(): Result<never> {
    return failed(unavailable(this.#account.serverNow()));
  }
}

const bytesOfUnproven = ({ order }: UploadRepository): number =>
  order.reduce((sum, { item }) => sum + (item.phase.state === 'unproven' ? item.bytes : 0), 0);

/** The CIDs that prove in the list of evidence that the service has an upload. One of other bytes proves nothing. */
function cidsOf({ computed, phase }: UploadItem): string[] {
  const claimed = phase.state === 'unproven' && phase.verdict === 'not-verifiable' ? phase.cid : null;
  return [...computed.map(({ cid }) => cid), ...(claimed === null ? [] : [claimed])];
}

const done = (failure: Failure | null): Result<null> => (failure === null ? ok(null) : failed(failure));
