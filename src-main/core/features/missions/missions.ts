import {
  failed,
  isOutcomeOpen,
  ok,
  type ApiConnection,
  type AuditEntry,
  type Decided,
  type Failure,
  type LiveEvent,
  type MissionDecision,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import type { VaultRecords } from '../../vault/records.ts';
import type { CoordinationApi } from '../../service/api/coordination.ts';
import { withHold } from '../../service/transport/largeAnswers.ts';
import type { Deployment } from '../deployments/index.ts';
import { makeFailure, type FailureParts } from '../../base/failure.ts';
import { freshnessOf } from '../../base/freshness.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import { ListPoller, type PollMode } from '../../service/listPoller.ts';
import type { Downloads, Download } from '../exports/index.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import { storing } from '../../vault/storageFailure.ts';
import { message } from '../../base/messages/message.ts';
import type { Decision } from './decider.ts';
import type { DecisionRecord } from './decisionRecord.ts';
import { findingByList, findingOf, type ListedState } from './findings.ts';
import { ordered } from './missionBoard.ts';
import { readMissionEvent } from './missionEvent.ts';
import { AccountMissions } from './accountMissions.ts';
import { missionsAtStart } from './missionsState.ts';
import { openDecisions, type Decisions } from './decisions.ts';
import { notGrantedFailure } from './outcome.ts';
import { readPendingMissions } from './pendingList.ts';
import { cannotReject, listNotComplete, nothingKept, otherUnderWay } from './messages.ts';

export interface MissionsOptions {
  readonly api: Pick<CoordinationApi, 'decide' | 'pendingMissions'>;
  readonly store: ConsoleStore;
  readonly shelf: Pick<Downloads, 'put'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow' | 'verified'>;
  readonly missions: Deployment['missions'];
  /** Whether events of missions may come. */
  readonly hasEvents: boolean;
  /** The usual time between two reads of the pending list, milliseconds. */
  readonly intervalMs: number;
  /** Of the Coordination API. */
  readonly connection: () => ApiConnection['state'];
  /** Why no decision can be sent now; null when one can. */
  readonly blocked: () => Failure | null;
  /** A decision has another outcome, or was sent again and has the same. */
  readonly onDecided?: (record: DecisionRecord) => void;
}

/** A burst of events changes what is shown this often at most. */
const tellMs = 100;

/**
 * Missions and what operators decide on them (interface: human-in-the-loop mission approval; design
 * rule 8). Decisions need the live service, are never queued and never repeated by themselves; each is
 * written down before its request leaves. See decider.ts for the states of one.
 */
export class Missions {
  readonly #options: MissionsOptions;
  #shift: AccountMissions | null = null;
  #opening: Promise<void> = Promise.resolve();

  constructor(options: MissionsOptions) {
    this.#options = options;
  }

  /** `actions` null: nothing can be kept, and so nothing can be decided. */
  async start(actions: VaultRecords | null, username: string): Promise<void> {
    const shift = this.#makeShift();
    this.#shift = shift;
    this.#opening = this.#open(shift, actions, username);
    await this.#opening;
    if (this.#shift !== shift) return;
    shift.poller?.start();
    this.#tell();
  }

  /** Leaves requests under way as they are: at the next start their outcome is unknown. */
  async stop(): Promise<void> {
    const shift = this.#shift;
    this.#shift = null;
    if (shift !== null) {
      // Requests that wait for their answer are left before what they use is waited for.
      shift.ending.abort();
      await this.#opening;
      await shift.end();
    }
    if (this.#shift === null) this.#options.store.set('missions', missionsAtStart);
  }

  /** Reads the pending list at the operator's command, also where the scope was missing before. */
  async refresh(): Promise<Result<null>> {
    const poller = this.#shift?.poller;
    if (this.#shift === null) return this.#fail({ code: 'signed-out' });
    if (poller) return poller.readAnew({ interactive: true, recheck: true });
    const sentence = message('mission.noList');
    return this.#fail({ code: 'not-found', sentence, remedy: message('mission.noListRemedy') });
  }

  /** Shows a mission whose id was typed. Whether there is one is known only when it is decided on. */
  lookUp(missionId: string): Result<null> {
    const shift = this.#shift;
    if (shift === null) return this.#fail({ code: 'signed-out' });
    const seenAt = this.#now();
    shift.board.add({ id: missionId, source: 'typed', seenAt }, [], (id) => shift.keeps(id));
    this.#tell();
    return ok(null);
  }

  /**
   * Sends one decision, once. Calls for the same decision while it is under way share its answer, which
   * is a value whatever became of it; a failure says why nothing was sent. `again` sends the same one
   * again after an unknown outcome, under the same key and with the same bytes.
   */
  async decide({ missionId, decision, again }: Decision): Promise<Result<Decided>> {
    const shift = this.#shift;
    if (shift === null) return this.#fail({ code: 'signed-out' });
    const running = shift.running.get(missionId);
    if (running) return running.decision === decision ? running.answer : this.#fail(otherUnderWay);
    const refusal = this.#refusal(shift, { missionId, decision, again });
    if (refusal !== null) return failed(refusal);
    const answer = this.#send(shift, { missionId, decision, again }).finally(() => {
      shift.running.delete(missionId);
      shift.heard.delete(missionId);
      this.#tell();
    });
    shift.running.set(missionId, { decision, answer });
    return answer;
  }

  /**
   * Reads the list of pending missions for a decision with an open outcome, and answers with what is known
   * then. Where only events can tell, nothing is read.
   */
  async check(missionId: string): Promise<Result<Decided>> {
    const shift = this.#shift;
    const office = shift?.office;
    if (!shift || !office) return this.#fail(shift?.problem ? nothingKept : { code: 'signed-out' });
    const running = shift.running.get(missionId);
    if (running) return running.answer;
    const record = office.book.records.get(missionId);
    if (!record) {
      const sentence = message('mission.nothingDecided');
      return this.#fail({ code: 'not-found', sentence, remedy: null });
    }
    if (!isOutcomeOpen(record.outcome) || shift.poller === null) return ok(shift.decided(record));
    const answer = this.#checkByList(shift, office, shift.poller, missionId);
    return shift.track(answer);
  }

  /** The HMAC of the latest entry of the audit list; null where there is none. */
  get auditHash(): string | null {
    return this.#shift?.office?.audit.hash ?? null;
  }

  /** The audit list, the latest first. */
  readAudit(from: number, count: number): { readonly total: number; readonly entries: AuditEntry[] } {
    return this.#shift?.office?.audit.read(from, count) ?? { total: 0, entries: [] };
  }

  /** Prepares the audit list as a file that waits on the shelf. */
  async exportAudit(): Promise<Result<Download>> {
    const shift = this.#shift;
    const audit = shift?.office?.audit;
    if (!shift || !audit) return this.#fail(shift?.problem ? nothingKept : { code: 'signed-out' });
    const { logger, shelf } = this.#options;
    return shift.track(
      storing({ what: 'audit-export', logger, now: () => this.#now() }, async () => {
        const bytes = await audit.export();
        const minute = new Date(this.#now()).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
        return ok(shelf.put(`audit-${minute}.jsonl`, bytes));
      }),
    );
  }

  /** An event names a mission: it joins the list, and may tell what became of a decision. */
  noteEvent(missionId: string, event: LiveEvent): void {
    const shift = this.#shift;
    if (shift === null) return;
    const { decided, fields } = readMissionEvent(event);
    shift.poller?.hint();
    if (decided === null) {
      const told = { id: missionId, source: 'event', seenAt: event.at } as const;
      shift.board.add(told, fields, (id) => shift.keeps(id));
    } else {
      this.#hear(shift, missionId, decided);
      const isLoose = shift.board.known.get(missionId)?.source === 'event';
      if (isLoose && !shift.keeps(missionId)) shift.board.remove(missionId);
    }
    this.#tellSoon(shift);
  }

  /** Another token may have the scopes that were missing. */
  tokenChanged(): void {
    if (this.#shift === null) return;
    this.#shift.notGranted.clear();
    this.#shift.poller?.tokenChanged();
    this.#tell();
  }

  connectionReturned(): void {
    this.#shift?.poller?.connectionReturned();
    this.#tell();
  }

  /** Time has passed, or whether decisions can be sent has changed. */
  review(): void {
    const office = this.#shift?.office;
    office?.book.noteTime(office.decider.serviceNow);
    this.#tell();
  }

  wake(): void {
    this.#shift?.poller?.wake();
    this.#tell();
  }

  #makeShift(): AccountMissions {
    const { clock, random, logger, serverTime, intervalMs, missions, hasEvents } = this.#options;
    const { pendingPath } = missions;
    const shift = new AccountMissions({ checkable: pendingPath !== null || hasEvents });
    if (pendingPath === null) return shift;
    shift.poller = new ListPoller({
      clock,
      random,
      logger,
      serverTime,
      intervalMs,
      name: 'pending-missions',
      read: (mode) => this.#readList(shift, pendingPath, mode),
      onChange: () => {
        this.#tell();
      },
    });
    return shift;
  }

  async #open(shift: AccountMissions, actions: VaultRecords | null, username: string): Promise<void> {
    if (actions === null) {
      shift.problem = makeFailure({ ...nothingKept, at: this.#now() });
      return;
    }
    const { api, random, logger, serverTime, missions, onDecided } = this.#options;
    const opened = await openDecisions({
      ...(onDecided && { onDecided }),
      actions,
      api,
      random,
      logger,
      serverTime,
      missions,
      username,
      readState: (missionId) => this.#readState(shift, missionId),
      wasListed: (missionId) => shift.board.wasListed(missionId),
      onChange: () => {
        this.#tell();
      },
      ending: shift.ending.signal,
    });
    if (opened.ok) shift.office = opened.value;
    else shift.problem = opened.failure;
  }

  async #readList(shift: AccountMissions, path: string, mode: PollMode): Promise<Failure | null> {
    const { api, missions } = this.#options;
    const beganAt = this.#now();
    return withHold(async (hold) => {
      const answer = await api.pendingMissions(path, { ...mode, hold });
      if (!answer.ok) return answer.failure;
      const { body, linkCursor, requestId } = answer.value;
      const reading = readPendingMissions(body, linkCursor, missions.idField);
      if (reading === null) {
        const sentence = message('mission.notAList');
        return makeFailure({ code: 'unreadable-answer', at: this.#now(), sentence, requestId });
      }
      shift.board.takeList(reading, beganAt, (id) => shift.keeps(id));
      shift.lastReadAt = this.#now();
      return null;
    });
  }

  /** What the list, read again, says of one mission. */
  async #readState(shift: AccountMissions, missionId: string): Promise<{ state: ListedState; at: number }> {
    const read = await shift.poller?.readAnew({ interactive: true, recheck: false });
    const state = read?.ok ? shift.board.listed(missionId) : 'unknown';
    return { state, at: shift.lastReadAt ?? this.#now() };
  }

  #refusal(shift: AccountMissions, asked: Decision): Failure | null {
    const { missions, blocked } = this.#options;
    const message = (parts: Omit<FailureParts, 'at'>): Failure => makeFailure({ ...parts, at: this.#now() });
    if (shift.office === null) return shift.problem ?? message({ code: 'signed-out' });
    if (asked.decision === 'reject' && missions.rejectPath === null) return message(cannotReject);
    return blocked() ?? shift.notGranted.get(asked.missionId) ?? shift.office.decider.refusal(asked);
  }

  async #send(shift: AccountMissions, asked: Decision): Promise<Result<Decided>> {
    const { logger } = this.#options;
    const { missionId, decision } = asked;
    if (shift.office === null) return this.#fail({ code: 'signed-out' });
    const { decider } = shift.office;
    const seenAt = this.#now();
    shift.board.add({ id: missionId, source: 'typed', seenAt }, [], (id) => shift.keeps(id));
    const sent = await storing({ what: 'decision', logger, now: () => this.#now() }, async () =>
      ok(await decider.send(asked)),
    );
    if (!sent.ok) return sent;
    let record = sent.value;
    if (record === null) return this.#fail({ code: 'outcome-unknown' });
    if (record.failure?.status === 403) shift.notGranted.set(missionId, notGrantedFailure(record.failure));
    const heard = shift.heard.get(missionId);
    if (record.outcome === 'unknown' && heard !== undefined) {
      record = await decider.learn(record, findingOf(record, heard, { basis: 'event', at: this.#now() }));
    }
    logger.info('decision-answered', {
      decision,
      outcome: record.outcome,
      requestId: record.requestId,
      code: record.failure?.code,
    });
    shift.poller?.hint();
    return ok(shift.decided(record));
  }

  async #checkByList(
    shift: AccountMissions,
    { book, decider }: Decisions,
    poller: ListPoller,
    missionId: string,
  ): Promise<Result<Decided>> {
    const read = await poller.readAnew({ interactive: true, recheck: true });
    if (!read.ok) return read;
    // While the list was read, an event may have told it, or the operator may have sent it again.
    const running = shift.running.get(missionId);
    if (running) return running.answer;
    const kept = book.records.get(missionId);
    if (kept === undefined) return this.#fail({ code: 'cancelled' });
    if (!isOutcomeOpen(kept.outcome)) return ok(shift.decided(kept));
    // It may have joined the list since it was decided on.
    const record = { ...kept, wasListed: kept.wasListed || shift.board.wasListed(missionId) };
    const readAt = shift.lastReadAt ?? this.#now();
    const finding = findingByList(record, shift.board.listed(missionId), readAt);
    if (finding === null) return this.#fail(listNotComplete);
    return ok(shift.decided(await decider.learn(record, finding)));
  }

  /** An event names what a mission has become. */
  #hear(shift: AccountMissions, missionId: string, state: MissionDecision): void {
    if (shift.running.has(missionId)) {
      shift.heard.set(missionId, state);
      return;
    }
    const office = shift.office;
    const record = office?.book.records.get(missionId);
    if (!office || record === undefined || !isOutcomeOpen(record.outcome)) return;
    const finding = findingOf(record, state, { basis: 'event', at: this.#now() });
    void shift.track(office.decider.learn(record, finding));
  }

  #tellSoon(shift: AccountMissions): void {
    shift.cancelTell ??= this.#options.clock.schedule(tellMs, () => {
      shift.cancelTell = null;
      this.#tell();
    });
  }

  #tell(): void {
    const shift = this.#shift;
    if (shift === null) return;
    const { store, serverTime, connection, missions, blocked } = this.#options;
    const { poller, lastReadAt, office } = shift;
    store.set('missions', {
      hasList: missions.pendingPath !== null,
      canReject: missions.rejectPath !== null,
      blocked: office === null ? shift.problem : blocked(),
      missions: ordered(shift.missions()),
      reading: poller?.reading ?? false,
      lastReadAt,
      failure: poller?.failure ?? null,
      freshness: freshnessOf({
        lastAt: lastReadAt,
        now: serverTime.serverNow(),
        intervalMs: poller?.intervalMs ?? 0,
        connection: connection(),
        failed: (poller?.failure ?? null) !== null,
        hasData: lastReadAt !== null,
      }),
      audit: office?.audit.state ?? missionsAtStart.audit,
    });
  }

  #now(): number {
    return this.#options.serverTime.serverNow();
  }

  #fail(parts: Omit<FailureParts, 'at'>): Result<never> {
    return failed(makeFailure({ ...parts, at: this.#now() }));
  }
}
