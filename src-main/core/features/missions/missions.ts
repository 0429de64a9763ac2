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
import { makeFailure, type FailureParts } from '../../base/failure.ts';
import { freshnessOf } from '../../base/freshness.ts';
import { message } from '../../base/messages/message.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { CoordinationApi } from '../../service/api/coordination.ts';
import { ListPoller, type PollMode } from '../../service/listPoller.ts';
import { withHold } from '../../service/transport/largeAnswers.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { Account } from '../../vault/account.ts';
import { storing } from '../../vault/storageFailure.ts';
import type { Deployment } from '../deployments/index.ts';
import type { Download, Downloads } from '../exports/index.ts';
import type { Decision } from './decider.ts';
import type { DecisionRecord } from './decisionRecord.ts';
import { openDecisions, type Decisions } from './decisions.ts';
import { findingByList, findingOf, type ListedState } from './findings.ts';
import { cannotReject, listNotComplete, nothingKept, otherUnderWay } from './messages.ts';
import { ordered } from './missionBoard.ts';
import { readMissionEvent } from './missionEvent.ts';
import { missionsAtStart } from './missionsState.ts';
import { MissionWork } from './missionWork.ts';
import { notGrantedFailure } from './outcome.ts';
import { readPendingMissions } from './pendingList.ts';

export interface MissionsOptions extends Account {
  readonly api: Pick<CoordinationApi, 'decide' | 'pendingMissions'>;
  readonly store: ConsoleStore;
  readonly downloads: Pick<Downloads, 'put'>;
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
  readonly #work: MissionWork;
  /** Null without a configured list. */
  readonly #poller: ListPoller | null;
  #lastReadAt: number | null = null;
  #opening: Promise<void> = Promise.resolve();
  #cancelTell: (() => void) | null = null;

  constructor(options: MissionsOptions) {
    const { scope, random, logger, serverTime, intervalMs, missions, hasEvents, store } = options;
    const { pendingPath } = missions;
    this.#options = options;
    this.#work = new MissionWork({ checkable: pendingPath !== null || hasEvents });
    scope.onEnd(() => {
      store.set('missions', missionsAtStart);
    });
    // Requests under way are left as they are: at the next start their outcome is unknown.
    scope.defer(async () => {
      await this.#opening;
      await this.#work.settled();
    });
    this.#poller =
      pendingPath === null
        ? null
        : new ListPoller({
            scope,
            random,
            logger,
            serverTime,
            intervalMs,
            name: 'pending-missions',
            read: (mode) => this.#readList(pendingPath, mode),
            onChange: () => {
              this.#tell();
            },
          });
  }

  /** Takes up what was decided before. */
  async load(): Promise<void> {
    this.#opening = this.#open();
    await this.#opening;
    if (this.#options.scope.isOver) return;
    this.#poller?.start();
    this.#tell();
  }

  /** Reads the pending list at the operator's command, also where the scope was missing before. */
  async refresh(): Promise<Result<null>> {
    if (this.#poller) return this.#poller.readAnew({ interactive: true, recheck: true });
    const sentence = message('mission.noList');
    return this.#fail({ code: 'not-found', sentence, remedy: message('mission.noListRemedy') });
  }

  /** Shows a mission whose id was typed. Whether there is one is known only when it is decided on. */
  lookUp(missionId: string): Result<null> {
    this.#addTyped(missionId);
    this.#tell();
    return ok(null);
  }

  /**
   * Sends one decision, once. Calls for the same decision while it is under way share its answer, which
   * is a value whatever became of it; a failure says why nothing was sent. `again` sends the same one
   * again after an unknown outcome, under the same key and with the same bytes.
   */
  async decide({ missionId, decision, again }: Decision): Promise<Result<Decided>> {
    const { running, heard } = this.#work;
    const underWay = running.get(missionId);
    if (underWay) return underWay.decision === decision ? underWay.answer : this.#fail(otherUnderWay);
    const { decisions } = this.#work;
    if (decisions === null) return this.#noDecisions();
    const refusal = this.#refusal(decisions, { missionId, decision, again });
    if (refusal !== null) return failed(refusal);
    const answer = this.#send(decisions, { missionId, decision, again }).finally(() => {
      running.delete(missionId);
      heard.delete(missionId);
      this.#tell();
    });
    running.set(missionId, { decision, answer });
    return answer;
  }

  /**
   * Reads the list of pending missions for a decision with an open outcome, and answers with what is known
   * then. Where only events can tell, nothing is read.
   */
  async check(missionId: string): Promise<Result<Decided>> {
    const { decisions, running } = this.#work;
    if (decisions === null) return this.#fail(nothingKept);
    const underWay = running.get(missionId);
    if (underWay) return underWay.answer;
    const record = decisions.repository.records.get(missionId);
    if (!record) {
      const sentence = message('mission.nothingDecided');
      return this.#fail({ code: 'not-found', sentence, remedy: null });
    }
    if (!isOutcomeOpen(record.outcome) || this.#poller === null) return ok(this.#work.decided(record));
    return this.#work.track(this.#checkByList(decisions, this.#poller, missionId));
  }

  /** The HMAC of the latest entry of the audit list; null where there is none. */
  get auditHash(): string | null {
    return this.#work.decisions?.audit.hash ?? null;
  }

  /** The audit list, the latest first. */
  readAudit(from: number, count: number): { readonly total: number; readonly entries: AuditEntry[] } {
    return this.#work.decisions?.audit.read(from, count) ?? { total: 0, entries: [] };
  }

  /** Prepares the audit list as a file to be downloaded. */
  async exportAudit(): Promise<Result<Download>> {
    const audit = this.#work.decisions?.audit;
    if (!audit) return this.#fail(nothingKept);
    const { logger, downloads } = this.#options;
    return this.#work.track(
      storing({ what: 'audit-export', logger, now: () => this.#now() }, async () => {
        const bytes = await audit.export();
        const minute = new Date(this.#now()).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
        return ok(downloads.put(`audit-${minute}.jsonl`, bytes));
      }),
    );
  }

  /** An event names a mission: it joins the list, and may tell what became of a decision. */
  noteEvent(missionId: string, event: LiveEvent): void {
    const { board } = this.#work;
    const { decided, fields } = readMissionEvent(event);
    this.#poller?.hint();
    if (decided === null) {
      const told = { id: missionId, source: 'event', seenAt: event.at } as const;
      board.add(told, fields, this.#keeps);
    } else {
      this.#hear(missionId, decided);
      const isLoose = board.known.get(missionId)?.source === 'event';
      if (isLoose && !this.#keeps(missionId)) board.remove(missionId);
    }
    this.#tellSoon();
  }

  /** Another token may have the scopes that were missing. */
  tokenChanged(): void {
    this.#work.notGranted.clear();
    this.#poller?.tokenChanged();
    this.#tell();
  }

  connectionReturned(): void {
    this.#poller?.connectionReturned();
    this.#tell();
  }

  /** Time has passed, or whether decisions can be sent has changed. */
  review(): void {
    const { decisions } = this.#work;
    decisions?.repository.noteTime(decisions.decider.serviceNow);
    this.#tell();
  }

  wake(): void {
    this.#poller?.wake();
    this.#tell();
  }

  readonly #keeps = (id: string): boolean => this.#work.keeps(id);

  #addTyped(missionId: string): void {
    this.#work.board.add({ id: missionId, source: 'typed', seenAt: this.#now() }, [], this.#keeps);
  }

  async #open(): Promise<void> {
    const { records } = this.#options;
    if (records === null) {
      this.#work.problem = makeFailure({ ...nothingKept, at: this.#now() });
      return;
    }
    const { scope, api, random, logger, serverTime, missions, username, onDecided } = this.#options;
    const opened = await openDecisions({
      ...(onDecided && { onDecided }),
      records,
      api,
      random,
      logger,
      serverTime,
      missions,
      username,
      readState: (missionId) => this.#readState(missionId),
      wasListed: (missionId) => this.#work.board.wasListed(missionId),
      onChange: () => {
        this.#tell();
      },
      ending: scope.signal,
    });
    if (opened.ok) this.#work.decisions = opened.value;
    else this.#work.problem = opened.failure;
  }

  async #readList(path: string, mode: PollMode): Promise<Failure | null> {
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
      this.#work.board.takeList(reading, beganAt, this.#keeps);
      this.#lastReadAt = this.#now();
      return null;
    });
  }

  /** What the list, read again, says of one mission. */
  async #readState(missionId: string): Promise<{ state: ListedState; at: number }> {
    const read = await this.#poller?.readAnew({ interactive: true, recheck: false });
    const state = read?.ok ? this.#work.board.listed(missionId) : 'unknown';
    return { state, at: this.#lastReadAt ?? this.#now() };
  }

  #refusal({ decider }: Decisions, asked: Decision): Failure | null {
    const { missions, blocked } = this.#options;
    if (asked.decision === 'reject' && missions.rejectPath === null) {
      return makeFailure({ ...cannotReject, at: this.#now() });
    }
    return blocked() ?? this.#work.notGranted.get(asked.missionId) ?? decider.refusal(asked);
  }

  async #send({ decider }: Decisions, asked: Decision): Promise<Result<Decided>> {
    const { logger } = this.#options;
    const { missionId, decision } = asked;
    this.#addTyped(missionId);
    const sent = await storing({ what: 'decision', logger, now: () => this.#now() }, async () =>
      ok(await decider.send(asked)),
    );
    if (!sent.ok) return sent;
    let record = sent.value;
    if (record === null) return this.#fail({ code: 'outcome-unknown' });
    if (record.failure?.status === 403)
      this.#work.notGranted.set(missionId, notGrantedFailure(record.failure));
    const heard = this.#work.heard.get(missionId);
    if (record.outcome === 'unknown' && heard !== undefined) {
      record = await decider.learn(record, findingOf(record, heard, { basis: 'event', at: this.#now() }));
    }
    logger.info('decision-answered', {
      decision,
      outcome: record.outcome,
      requestId: record.requestId,
      code: record.failure?.code,
    });
    this.#poller?.hint();
    return ok(this.#work.decided(record));
  }

  async #checkByList(
    { repository, decider }: Decisions,
    poller: ListPoller,
    missionId: string,
  ): Promise<Result<Decided>> {
    const read = await poller.readAnew({ interactive: true, recheck: true });
    if (!read.ok) return read;
    // While the list was read, an event may have told it, or the operator may have sent it again.
    const running = this.#work.running.get(missionId);
    if (running) return running.answer;
    const kept = repository.records.get(missionId);
    if (kept === undefined) return this.#fail({ code: 'cancelled' });
    if (!isOutcomeOpen(kept.outcome)) return ok(this.#work.decided(kept));
    // It may have joined the list since it was decided on.
    const record = { ...kept, wasListed: kept.wasListed || this.#work.board.wasListed(missionId) };
    const readAt = this.#lastReadAt ?? this.#now();
    const finding = findingByList(record, this.#work.board.listed(missionId), readAt);
    if (finding === null) return this.#fail(listNotComplete);
    return ok(this.#work.decided(await decider.learn(record, finding)));
  }

  /** An event names what a mission has become. */
  #hear(missionId: string, state: MissionDecision): void {
    const { running, heard, decisions } = this.#work;
    if (running.has(missionId)) {
      heard.set(missionId, state);
      return;
    }
    const record = decisions?.repository.records.get(missionId);
    if (!decisions || record === undefined || !isOutcomeOpen(record.outcome)) return;
    const finding = findingOf(record, state, { basis: 'event', at: this.#now() });
    void this.#work.track(decisions.decider.learn(record, finding));
  }

  #tellSoon(): void {
    this.#cancelTell ??= this.#options.clock.schedule(tellMs, () => {
      this.#cancelTell = null;
      this.#tell();
    });
  }

  #tell(): void {
    if (this.#options.scope.isOver) return;
    const { store, serverTime, connection, missions, blocked } = this.#options;
    const { decisions, problem } = this.#work;
    const [poller, lastReadAt] = [this.#poller, this.#lastReadAt];
    store.set('missions', {
      hasList: missions.pendingPath !== null,
      canReject: missions.rejectPath !== null,
      blocked: decisions === null ? problem : blocked(),
      missions: ordered(this.#work.missions()),
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
      audit: decisions?.audit.state ?? missionsAtStart.audit,
    });
  }

  /** Nothing can be decided: what was decided before could not be read, or nothing can be stored. */
  #noDecisions(): Result<never> {
    return failed(this.#work.problem ?? makeFailure({ ...nothingKept, at: this.#now() }));
  }

  #now(): number {
    return this.#options.serverTime.serverNow();
  }

  #fail(parts: Omit<FailureParts, 'at'>): Result<never> {
    return failed(makeFailure({ ...parts, at: this.#now() }));
  }
}
