import {
  failed,
  ok,
  type Failure,
  type Result,
  type Upload,
  type UploadState,
} from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { VaultRecords } from '../../vault/records.ts';
import { admit } from './admission.ts';
import { Dispatch } from './dispatch.ts';
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
  storeFailure,
  undecided,
} from './messages.ts';
import { Progress } from './progress.ts';
import { Receiver, type Arrived } from './receiving.ts';
import { makeUploadKey, targetOf } from './uploadKey.ts';
import { UploadRepository } from './uploadRepository.ts';
import type { UploadsOptions } from './uploadsOptions.ts';

const idBytes = 8;

/** The options of an outbox that has records. */
export interface OutboxOptions extends UploadsOptions {
  readonly records: VaultRecords;
}

/** The stored uploads, from loading until the vault closes. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #repository: UploadRepository;
  readonly #progress: Progress;
  readonly #receiver: Receiver;
  readonly #dispatch: Dispatch;
  readonly #checking = new Set<string>();
  #loading: Promise<void> | null = null;

  constructor(options: OutboxOptions) {
    const { scope, store, clock, upload, records, username: account } = options;
    const now = (): number => this.#now();
    this.#options = options;
    this.#repository = new UploadRepository({
      ...options,
      now,
      publish: (change) => {
        store.patch('outbox', change);
      },
    });
    this.#progress = new Progress({
      clock,
      onChange: (moving) => {
        store.patch('outbox', { moving });
      },
    });
    this.#receiver = new Receiver({
      spool: records.spool,
      clock,
      now,
      onBegin: (id, bytes) => {
        this.#progress.begin(id, 'receiving', bytes);
      },
      onProgress: (id, received) => {
        this.#progress.note(id, received);
      },
      onEnd: (id, arrived) => this.#arrived(id, arrived),
    });
    this.#dispatch = new Dispatch({
      ...options,
      repository: this.#repository,
      spool: records.spool,
      progress: this.#progress,
      account,
      target: targetOf(upload),
      cidField: upload.cidField,
    });
    scope.defer(() => this.#repository.finish());
    scope.defer(() => {
      this.#progress.stop();
    });
    scope.closing(() =>
      Promise.allSettled([this.#loading, this.#receiver.stop(), this.#dispatch.stopAll('leave')]),
    );
  }

  /** Rejects with the error of the store. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { upload, username: account, onNotice } = this.#options;
    const { rebuilt, uncertain } = await this.#repository.load({ account, path: upload.path });
    if (rebuilt > 0) onNotice(rebuiltSentence(rebuilt, uncertain));
    this.#dispatch.restore();
    this.review();
  }

  review(): void {
    if (this.#options.scope.isOver) return;
    this.#options.store.patch('outbox', { uploadToken: this.#options.uploadToken() });
    this.#dispatch.review();
  }

  async begin(
    fileName: string,
    bytes: number,
    incidentId: string | null,
  ): Promise<Result<{ uploadId: string }>> {
    const { upload, random } = this.#options;
    const free = await this.#free();
    const room = free === null ? null : free - this.#receiver.outstanding;
    const unprovenBytes = room !== null && room < bytes ? this.#unprovenBytes() : 0;
    const admission = admit({ fileName, bytes, room, unprovenBytes, now: this.#now() });
    if (!admission.admitted) return failed(admission.failure);
    if (this.#options.scope.isOver) return this.#conflict(message('upload.closing'));
    const id = Buffer.from(random.bytes(idBytes)).toString('hex');
    const failure = await this.#repository.add((place) => ({
      id,
      fileName: admission.fileName,
      bytes,
      addedAt: this.#now(),
      incidentId: upload.incidentField === null ? null : incidentId,
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
    this.#receiver.announce(id, bytes);
    return ok({ uploadId: id });
  }

  knows(id: string): boolean {
    return this.#receiver.has(id);
  }

  receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    return this.#options.scope.isOver ? Promise.resolve('locked') : this.#receiver.receive(id, body);
  }

  read(from: number, count: number): { revision: number; total: number; items: Upload[] } {
    return this.#repository.read(from, count);
  }

  async pause(id: string | null, paused: UploadItem['paused']): Promise<Result<null>> {
    if (id === null) {
      const failure = await this.#repository.setPaused(paused !== false);
      if (paused !== false) await this.#dispatch.stopAll('pause');
      this.review();
      return done(failure);
    }
    const entry = this.#repository.entry(id);
    if (!entry) return this.#noSuch();
    if (entry.item.paused === paused) return ok(null);
    const step = await this.#repository.step(id, () => ({ kind: 'pause', paused }));
    if (paused !== false) await this.#dispatch.stopOne(id, 'pause');
    this.review();
    return step === null ? this.#conflict(message('upload.onlyUnsent')) : done(step.failure);
  }

  async move(id: string, to: number): Promise<Result<null>> {
    return this.#repository.entry(id) ? done(await this.#repository.move(id, to)) : this.#noSuch();
  }

  async cancel(id: string): Promise<Result<null>> {
    const entry = this.#repository.entry(id);
    if (!entry) return this.#noSuch();
    const wasComing = await this.#receiver.end(id, cancelledReceiving(this.#now()));
    // Its copying may have ended meanwhile.
    if (wasComing && entry.item.phase.state === 'failed') return ok(null);
    await this.#dispatch.stopOne(id, 'cancel');
    const { state } = entry.item.phase;
    const failure = cancelled(this.#now());
    const step = await this.#repository.step(id, () => ({ kind: 'stopped', failure, left: false }));
    if (step !== null) return done(step.failure);
    if (state === 'sent' || state === 'unproven') return this.#conflict(message('upload.sentAlready'));
    return ok(null);
  }

  async retry(id: string): Promise<Result<null>> {
    const entry = this.#repository.entry(id);
    if (!entry) return this.#noSuch();
    if (entry.item.sha256 === null) {
      return this.#conflict(message('upload.incomplete'));
    }
    const step = await this.#repository.step(id, () => ({ kind: 'retry', at: this.#now() }));
    if (step === null) return this.#conflict(message('upload.onlyFailed'));
    entry.due = entry.asked = entry.failures = 0;
    this.review();
    return done(step.failure);
  }

  async decide(id: string, decision: 'check' | 'send' | 'erase'): Promise<Result<null>> {
    const entry = this.#repository.entry(id);
    if (!entry) return this.#noSuch();
    if (this.#checking.has(id)) return this.#conflict(message('upload.beingChecked'));
    if (decision === 'check') return this.#check(entry.item);
    const kind = decision === 'send' ? 'send' : 'erased';
    const step = await this.#repository.step(id, () => ({ kind }));
    if (step === null) return this.#conflict(message('upload.nothingToDecide'));
    entry.due = entry.asked = entry.failures = 0;
    this.review();
    return done(step.failure);
  }

  async discard(id: string, state: UploadState): Promise<Result<null>> {
    const entry = this.#repository.entry(id);
    if (!entry) return this.#noSuch();
    const isComing = entry.item.phase.state === 'receiving' || entry.item.phase.state === 'sending';
    if (isComing) return this.#conflict(message('upload.moving'));
    const { done: isGone, failure } = await this.#repository.discard(id, (item) => {
      const isMoving = item.phase.state === 'receiving' || item.phase.state === 'sending';
      return (
        !isMoving &&
        !this.#checking.has(id) &&
        (state === item.phase.state || state === this.#repository.stateOf(item))
      );
    });
    if (isGone || failure !== null) return done(failure);
    return this.#conflict(message('upload.changedState'));
  }

  async discardSent(): Promise<Result<null>> {
    return done(await this.#repository.discardSent());
  }

  /** Looks for the upload in the list of evidence. Its absence proves nothing. */
  async #check(item: UploadItem): Promise<Result<null>> {
    const { phase } = item;
    const isKnown = phase.state !== 'needs-decision' || phase.decision === 'same-bytes';
    if (isKnown && phase.state !== 'unproven') {
      return this.#conflict(message('upload.nothingToFind'));
    }
    this.#checking.add(item.id);
    try {
      const cids = cidsOf(item);
      const found = cids.length === 0 ? 'unknown' : await this.#find(cids);
      if (this.#options.scope.isOver) return this.#conflict(message('upload.closing'));
      const step = await this.#repository.step(item.id, () => {
        if (found !== 'found') {
          return {
            kind: 'not-found',
            undecided: found === 'unknown' ? undecided.listUnread : undecided.notFound,
          };
        }
        return this.#found();
      });
      return done(step?.failure ?? null);
    } finally {
      this.#checking.delete(item.id);
    }
  }

  /** The list of evidence was read: proves those whose CID `holds` finds in it. */
  async prove(holds: (cids: readonly string[]) => boolean): Promise<void> {
    const proven = this.#repository.order.filter(
      ({ id, item }) => item.phase.state === 'unproven' && !this.#checking.has(id) && holds(cidsOf(item)),
    );
    for (const { id } of proven) await this.#repository.step(id, () => this.#found());
  }

  #found(): UploadEvent {
    const sent = { at: this.#now(), cid: null, verdict: 'match', profile: null, requestId: null } as const;
    return { kind: 'found', ...sent, note: notes.foundInList };
  }

  #unprovenBytes(): number {
    return this.#repository.order.reduce(
      (sum, { item }) => sum + (item.phase.state === 'unproven' ? item.bytes : 0),
      0,
    );
  }

  async #find(cids: readonly string[]): Promise<'found' | 'not-found' | 'unknown'> {
    try {
      return await this.#options.findEvidence(cids);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      this.#options.logger.error('outbox.evidence-fault', { detail });
      return 'unknown';
    }
  }

  async #arrived(id: string, arrived: Arrived): Promise<void> {
    this.#progress.end(id);
    await this.#repository.step(id, (item) => {
      if (arrived.kind === 'not-received') return arrived;
      const { facts } = arrived;
      const key = makeUploadKey({
        item: { ...item, sha256: facts.sha256 },
        account: this.#options.username,
        target: targetOf(this.#options.upload),
        random: this.#options.random,
      });
      const other = this.#repository.twinOf(facts.sha256, id);
      if (other === null) return { kind: 'received', facts, key, twin: null };
      const { fileName, phase } = other;
      const sentAt = phase.state === 'sent' || phase.state === 'unproven' ? phase.at : null;
      return { kind: 'received', facts, key, twin: { fileName, undecided: sameBytes(fileName, sentAt) } };
    });
    this.review();
  }

  async #free(): Promise<number | null> {
    try {
      return await this.#options.records.spool.free();
    } catch (error) {
      this.#options.logger.warn('outbox.free-unknown', { code: storeFailure(error, this.#now()).code });
      return null;
    }
  }

  #conflict(sentence: Message): Result<never> {
    return failed(notNow(sentence, this.#now()));
  }

  #noSuch(): Result<never> {
    return failed(noSuchUpload(this.#now()));
  }

  #now(): number {
    return this.#options.serverTime.serverNow();
  }
}

/** The CIDs that prove in the list of evidence that the service has an upload. One of other bytes proves nothing. */
function cidsOf({ computed, phase }: UploadItem): string[] {
  const claimed = phase.state === 'unproven' && phase.verdict === 'not-verifiable' ? phase.cid : null;
  return [...computed.map(({ cid }) => cid), ...(claimed === null ? [] : [claimed])];
}

const done = (failure: Failure | null): Result<null> => (failure === null ? ok(null) : failed(failure));
