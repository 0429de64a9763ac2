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
import { failedNow, failureNow } from '../../base/failure.ts';
import { freshnessOf } from '../../base/freshness.ts';
import { message } from '../../base/messages/message.ts';
import type { ReadCall } from '../../base/readFailures.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import { Timer } from '../../base/timer.ts';
import type { CoordinationApi } from '../../service/api/coordination.ts';
import { ListPoller } from '../../service/listPoller.ts';
import { withPermit } from '../../service/transport/largeAnswers.ts';
import { pollMs } from '../../state/dataUse.ts';
import type { Account, FeatureOptions } from '../../vault/account.ts';
import { storing } from '../../vault/storageFailure.ts';
import type { Deployment } from '../deployments/index.ts';
import type { Download, Downloads } from '../exports/index.ts';
import type { Decision } from './decider.ts';
import type { DecisionRecord } from './decisionRecord.ts';
import { openDecisions, type Decisions } from './decisions.ts';
import { findingByList, findingOf, type ListedState } from './findings.ts';
import { cannotReject, listNotComplete, nothingKept, otherUnderWay } from './messages.ts';
import { ordered } from './missionBoard.ts';
import { missionsAtStart } from './missionsState.ts';
import { MissionWork } from './missionWork.ts';
import { notGrantedFailure, readMissionEvent } from './outcome.ts';
import { readPendingMissions } from './pendingList.ts';

export interface MissionsOptions extends Account, FeatureOptions {
  readonly api: Pick<CoordinationApi, 'decide' | 'pendingMissions'>;
  readonly downloads: Pick<Downloads, 'put'>;
  readonly serverTime: Pick<ServerTime, 'serverNow' | 'verified'>;
  readonly missions: Deployment['missions'];
  /** Whether the deployment may send events about missions. */
  readonly hasEvents: boolean;
  /** The usual time between two reads of the pending list, milliseconds. */
  readonly intervalMs: number;
  /** The connection to the Coordination API. */
  readonly connection: () => ApiConnection['state'];
  /** Why no decision can be sent now; null when one can. */
  readonly blocked: () => Failure | null;
  /** The outcome of a decision changed, or it was sent again with the same outcome. */
  readonly onDecided?: (record: DecisionRecord) => void;
}

/** The shortest time between two updates of the page during a burst of events. */
const tellMs = 100;

/**
 * Missions and the operators' decisions on them (interface: human-in-the-loop mission approval; design rule 8).
 * Decisions need the live service; the console never queues or repeats them. Each is stored before its request is sent.
 * For the states of a decision see decider.ts.
 */
export class Missions {
  readonly #options: MissionsOptions;
  readonly #work: MissionWork;
  /** Null without a configured list. */
  readonly #poller: ListPoller | null;
  #lastReadAt: number | null = null;
  #opening: Promise<void> = Promise.resolve();
  readonly #tellTimer: Timer;

  constructor(options: MissionsOptions) {
    const { scope, random, logger, serverTime, intervalMs, missions, hasEvents, store } = options;
    const { pendingPath } = missions;
    this.#options = options;
    this.#tellTimer = new Timer(options.clock, () => this.#tell());
    this.#work = new MissionWork({ checkable: pendingPath !== null || hasEvents });
    scope.onEnd(() => {
      store.set('missions', missionsAtStart);
    });
    // Running requests are left as they are: at the next start their outcome is unknown.
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
            intervalMs: () => pollMs(store, intervalMs),
            name: 'pending-missions',
            read: (call) => this.#readList(pendingPath, call),
            onChange: () => {
              this.#tell();
            },
          });
  }

  /** Reads the stored decisions. */
  async load(): Promise<void> {
    this.#opening = this.#open();
    await this.#opening;
    if (this.#options.scope.isOver) return;
    this.#poller?.start();
    this.#tell();
  }

  /** Reads the pending list at the operator's command, also after a missing scope. */
  async refresh(): Promise<Result<null>> {
    if (this.#poller) return this.#poller.readAnew({ interactive: true, recheck: true });
    const sentence = message('mission.noList');
    return failedNow(this.#options, { code: 'not-found', sentence, remedy: message('mission.noListRemedy') });
  }

  /** Shows a mission whose id an operator typed. Only a decision can find out whether it exists. */
  lookUp(missionId: string): Result<null> {
    this.#addTyped(missionId);
    this.#tell();
    return ok(null);
  }

  /**
   * Sends one decision, once. Calls for the same decision during its request share the answer, which is always a value;
   * a failure says why nothing was sent. `again` sends it again after an unknown outcome, with the same key and the
   * same bytes.
   */
  async decide(asked: Decision): Promise<Result<Decided>> {
    const { missionId, decision } = asked;
    const { running, heard } = this.#work;
    const underWay = running.get(missionId);
    if (underWay)
      return underWay.decision === decision ? underWay.answer : failedNow(this.#options, otherUnderWay);
    const { decisions } = this.#work;
    if (decisions === null) return this.#noDecisions();
    const refusal = this.#refusal(decisions, asked);
    if (refusal !== null) return failed(refusal);
    const answer = this.#send(decisions, asked).finally(() => {
      running.delete(missionId);
      heard.delete(missionId);
      this.#tell();
    });
    running.set(missionId, { decision, answer });
    return answer;
  }

  /**
   * Reads the list of pending missions because of a decision with an unknown outcome, and answers with what is known
   * then. Where only events can tell, nothing is read.
   */
  async check(missionId: string): Promise<Result<Decided>> {
    const { decisions, running } = this.#work;
    if (decisions === null) return failedNow(this.#options, nothingKept);
    const underWay = running.get(missionId);
    if (underWay) return underWay.answer;
    const record = decisions.repository.records.get(missionId);
    if (!record) {
      const sentence = message('mission.nothingDecided');
      return failedNow(this.#options, { code: 'not-found', sentence, remedy: null });
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
    if (!audit) return failedNow(this.#options, nothingKept);
    const { logger, downloads } = this.#options;
    return this.#work.track(
      storing({ what: 'audit-export', logger, now: () => this.#now() }, async () => {
        const bytes = await audit.export();
        const minute = new Date(this.#now()).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
        return ok(downloads.put(`audit-${minute}.jsonl`, bytes));
      }),
    );
  }

  /** An event names a mission: it joins the list, and the outcome of a decision may be known now. */
  noteEvent(missionId: string, event: LiveEvent): void {
    const { board } = this.#work;
    const { decided, requestedAt, fields } = readMissionEvent(event);
    this.#poller?.hint();
    if (decided === null) {
      board.add({ id: missionId, source: 'event', seenAt: event.at, requestedAt, fields }, this.#keeps);
    } else {
      // Of a mission that ended otherwise the list says whether it is still pending.
      if (decided !== 'other') this.#hear(missionId, decided);
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

  /** Time passed, or whether decisions can be sent has changed. */
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
    const typed = { id: missionId, source: 'typed', seenAt: this.#now() } as const;
    this.#work.board.add({ ...typed, requestedAt: null, fields: [] }, this.#keeps);
  }

  async #open(): Promise<void> {
    const { records } = this.#options;
    if (records === null) {
      this.#work.problem = failureNow(this.#options, nothingKept);
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

  async #readList(path: string, call: ReadCall): Promise<Failure | null> {
    const { api, missions } = this.#options;
    const beganAt = this.#now();
    return withPermit(async (permit) => {
      const answer = await api.pendingMissions(path, { ...call, permit });
      if (!answer.ok) return answer.failure;
      const { body, linkCursor, requestId } = answer.value;
      const reading = readPendingMissions(body, linkCursor, {
        idField: missions.idField,
        now: this.#now(),
      });
      if (reading === null) {
        const sentence = message('mission.notAList');
        return failureNow(this.#options, { code: 'unreadable-answer', sentence, requestId });
      }
      this.#work.board.takeList(reading, beganAt, this.#keeps);
      this.#lastReadAt = this.#now();
      return null;
    });
  }

  /** A mission's state in the list, which is read again. */
  async #readState(missionId: string): Promise<{ state: ListedState; at: number }> {
    const read = await this.#poller?.readAnew({ interactive: true, recheck: false });
    const state = read?.ok ? this.#work.board.listed(missionId) : 'unknown';
    return { state, at: this.#lastReadAt ?? this.#now() };
  }

  #refusal({ decider }: Decisions, asked: Decision): Failure | null {
    const { missions, blocked } = this.#options;
    if (asked.decision === 'reject' && missions.rejectPath === null) {
      return failureNow(this.#options, cannotReject);
    }
    return (
      blocked() ??
      this.#work.notGranted.get(asked.missionId) ??
      decider.refusal(asked) ??
      this.#work.settledBy(asked.missionId)
    );
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
    if (record === null) return failedNow(this.#options, { code: 'outcome-unknown' });
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
    // During the read, an event may have settled it, or the operator may have sent it again.
    const running = this.#work.running.get(missionId);
    if (running) return running.answer;
    const kept = repository.records.get(missionId);
    if (kept === undefined) return failedNow(this.#options, { code: 'cancelled' });
    if (!isOutcomeOpen(kept.outcome)) return ok(this.#work.decided(kept));
    // It may have come into the list after the decision.
    const record = { ...kept, wasListed: kept.wasListed || this.#work.board.wasListed(missionId) };
    const readAt = this.#lastReadAt ?? this.#now();
    const finding = findingByList(record, this.#work.board.listed(missionId), readAt);
    if (finding === null) return failedNow(this.#options, listNotComplete);
    return ok(this.#work.decided(await decider.learn(record, finding)));
  }

  /** An event names a mission's state. */
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
    this.#tellTimer.setOnce(tellMs);
  }

  #tell(): void {
    if (this.#options.scope.isOver) return;
    const { store, serverTime, connection, missions, blocked } = this.#options;
    const { decisions, problem } = this.#work;
    const [poller, lastReadAt] = [this.#poller, this.#lastReadAt];
    store.set('missions', {
      hasList: missions.pendingPath !== null,
      canReject: missions.rejectPath !== null,
      takesReason: missions.rejectPath !== null && missions.reasonField !== null,
      blocked: decisions === null ? problem : blocked(),
      missions: ordered(this.#work.missions()),
      withoutId: this.#work.board.withoutId,
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

  /** No decision is possible: the earlier ones could not be read, or nothing can be stored. */
  #noDecisions(): Result<never> {
    return failed(this.#work.problem ?? failureNow(this.#options, nothingKept));
  }

  #now(): number {
    return this.#options.serverTime.serverNow();
  }
}
