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
import type { VaultRecords } from '../../vault/records.ts';
import { storing } from '../../vault/storageFailure.ts';
import type { Deployment } from '../deployments/index.ts';
import type { Download, Downloads } from '../exports/index.ts';
import { AccountMissions } from './accountMissions.ts';
import type { Decision } from './decider.ts';
import type { DecisionRecord } from './decisionRecord.ts';
import { openDecisions, type Decisions } from './decisions.ts';
import { findingByList, findingOf, type ListedState } from './findings.ts';
import { cannotReject, listNotComplete, nothingKept, otherUnderWay } from './messages.ts';
import { ordered } from './missionBoard.ts';
import { readMissionEvent } from './missionEvent.ts';
import { missionsAtStart } from './missionsState.ts';
import { notGrantedFailure } from './outcome.ts';
import { readPendingMissions } from './pendingList.ts';

export interface MissionsOptions {
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
  #account: AccountMissions | null = null;
  #opening: Promise<void> = Promise.resolve();

  constructor(options: MissionsOptions) {
    this.#options = options;
  }

  /** `records` null: nothing can be kept, and so nothing can be decided. */
  async start(records: VaultRecords | null, username: string): Promise<void> {
    const account = this.#openAccount();
    this.#account = account;
    this.#opening = this.#open(account, records, username);
    await this.#opening;
    if (this.#account !== account) return;
    account.poller?.start();
    this.#tell();
  }

  /** Leaves requests under way as they are: at the next start their outcome is unknown. */
  async stop(): Promise<void> {
    const account = this.#account;
    this.#account = null;
    if (account !== null) {
      // Requests that wait for their answer are left before what they use is waited for.
      account.ending.abort();
      await this.#opening;
      await account.end();
    }
    if (this.#account === null) this.#options.store.set('missions', missionsAtStart);
  }

  /** Reads the pending list at the operator's command, also where the scope was missing before. */
  async refresh(): Promise<Result<null>> {
    const poller = this.#account?.poller;
    if (this.#account === null) return this.#fail({ code: 'signed-out' });
    if (poller) return poller.readAnew({ interactive: true, recheck: true });
    const sentence = message('mission.noList');
    return this.#fail({ code: 'not-found', sentence, remedy: message('mission.noListRemedy') });
  }

  /** Shows a mission whose id was typed. Whether there is one is known only when it is decided on. */
  lookUp(missionId: string): Result<null> {
    const account = this.#account;
    if (account === null) return this.#fail({ code: 'signed-out' });
    const seenAt = this.#now();
    account.board.add({ id: missionId, source: 'typed', seenAt }, [], (id) => account.keeps(id));
    this.#tell();
    return ok(null);
  }

  /**
   * Sends one decision, once. Calls for the same decision while it is under way share its answer, which
   * is a value whatever became of it; a failure says why nothing was sent. `again` sends the same one
   * again after an unknown outcome, under the same key and with the same bytes.
   */
  async decide({ missionId, decision, again }: Decision): Promise<Result<Decided>> {
    const account = this.#account;
    if (account === null) return this.#fail({ code: 'signed-out' });
    const running = account.running.get(missionId);
    if (running) return running.decision === decision ? running.answer : this.#fail(otherUnderWay);
    const refusal = this.#refusal(account, { missionId, decision, again });
    if (refusal !== null) return failed(refusal);
    const answer = this.#send(account, { missionId, decision, again }).finally(() => {
      account.running.delete(missionId);
      account.heard.delete(missionId);
      this.#tell();
    });
    account.running.set(missionId, { decision, answer });
    return answer;
  }

  /**
   * Reads the list of pending missions for a decision with an open outcome, and answers with what is known
   * then. Where only events can tell, nothing is read.
   */
  async check(missionId: string): Promise<Result<Decided>> {
    const account = this.#account;
    const decisions = account?.decisions;
    if (!account || !decisions) return this.#fail(account?.problem ? nothingKept : { code: 'signed-out' });
    const running = account.running.get(missionId);
    if (running) return running.answer;
    const record = decisions.repository.records.get(missionId);
    if (!record) {
      const sentence = message('mission.nothingDecided');
      return this.#fail({ code: 'not-found', sentence, remedy: null });
    }
    if (!isOutcomeOpen(record.outcome) || account.poller === null) return ok(account.decided(record));
    const answer = this.#checkByList(account, decisions, account.poller, missionId);
    return account.track(answer);
  }

  /** The HMAC of the latest entry of the audit list; null where there is none. */
  get auditHash(): string | null {
    return this.#account?.decisions?.audit.hash ?? null;
  }

  /** The audit list, the latest first. */
  readAudit(from: number, count: number): { readonly total: number; readonly entries: AuditEntry[] } {
    return this.#account?.decisions?.audit.read(from, count) ?? { total: 0, entries: [] };
  }

  /** Prepares the audit list as a file to be downloaded. */
  async exportAudit(): Promise<Result<Download>> {
    const account = this.#account;
    const audit = account?.decisions?.audit;
    if (!account || !audit) return this.#fail(account?.problem ? nothingKept : { code: 'signed-out' });
    const { logger, downloads } = this.#options;
    return account.track(
      storing({ what: 'audit-export', logger, now: () => this.#now() }, async () => {
        const bytes = await audit.export();
        const minute = new Date(this.#now()).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
        return ok(downloads.put(`audit-${minute}.jsonl`, bytes));
      }),
    );
  }

  /** An event names a mission: it joins the list, and may tell what became of a decision. */
  noteEvent(missionId: string, event: LiveEvent): void {
    const account = this.#account;
    if (account === null) return;
    const { decided, fields } = readMissionEvent(event);
    account.poller?.hint();
    if (decided === null) {
      const told = { id: missionId, source: 'event', seenAt: event.at } as const;
      account.board.add(told, fields, (id) => account.keeps(id));
    } else {
      this.#hear(account, missionId, decided);
      const isLoose = account.board.known.get(missionId)?.source === 'event';
      if (isLoose && !account.keeps(missionId)) account.board.remove(missionId);
    }
    this.#tellSoon(account);
  }

  /** Another token may have the scopes that were missing. */
  tokenChanged(): void {
    if (this.#account === null) return;
    this.#account.notGranted.clear();
    this.#account.poller?.tokenChanged();
    this.#tell();
  }

  connectionReturned(): void {
    this.#account?.poller?.connectionReturned();
    this.#tell();
  }

  /** Time has passed, or whether decisions can be sent has changed. */
  review(): void {
    const decisions = this.#account?.decisions;
    decisions?.repository.noteTime(decisions.decider.serviceNow);
    this.#tell();
  }

  wake(): void {
    this.#account?.poller?.wake();
    this.#tell();
  }

  #openAccount(): AccountMissions {
    const { clock, random, logger, serverTime, intervalMs, missions, hasEvents } = this.#options;
    const { pendingPath } = missions;
    const account = new AccountMissions({ checkable: pendingPath !== null || hasEvents });
    if (pendingPath === null) return account;
    account.poller = new ListPoller({
      clock,
      random,
      logger,
      serverTime,
      intervalMs,
      name: 'pending-missions',
      read: (mode) => this.#readList(account, pendingPath, mode),
      onChange: () => {
        this.#tell();
      },
    });
    return account;
  }

  async #open(account: AccountMissions, records: VaultRecords | null, username: string): Promise<void> {
    if (records === null) {
      account.problem = makeFailure({ ...nothingKept, at: this.#now() });
      return;
    }
    const { api, random, logger, serverTime, missions, onDecided } = this.#options;
    const opened = await openDecisions({
      ...(onDecided && { onDecided }),
      records,
      api,
      random,
      logger,
      serverTime,
      missions,
      username,
      readState: (missionId) => this.#readState(account, missionId),
      wasListed: (missionId) => account.board.wasListed(missionId),
      onChange: () => {
        this.#tell();
      },
      ending: account.ending.signal,
    });
    if (opened.ok) account.decisions = opened.value;
    else account.problem = opened.failure;
  }

  async #readList(account: AccountMissions, path: string, mode: PollMode): Promise<Failure | null> {
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
      account.board.takeList(reading, beganAt, (id) => account.keeps(id));
      account.lastReadAt = this.#now();
      return null;
    });
  }

  /** What the list, read again, says of one mission. */
  async #readState(account: AccountMissions, missionId: string): Promise<{ state: ListedState; at: number }> {
    const read = await account.poller?.readAnew({ interactive: true, recheck: false });
    const state = read?.ok ? account.board.listed(missionId) : 'unknown';
    return { state, at: account.lastReadAt ?? this.#now() };
  }

  #refusal(account: AccountMissions, asked: Decision): Failure | null {
    const { missions, blocked } = this.#options;
    const message = (parts: Omit<FailureParts, 'at'>): Failure => makeFailure({ ...parts, at: this.#now() });
    if (account.decisions === null) return account.problem ?? message({ code: 'signed-out' });
    if (asked.decision === 'reject' && missions.rejectPath === null) return message(cannotReject);
    return blocked() ?? account.notGranted.get(asked.missionId) ?? account.decisions.decider.refusal(asked);
  }

  async #send(account: AccountMissions, asked: Decision): Promise<Result<Decided>> {
    const { logger } = this.#options;
    const { missionId, decision } = asked;
    if (account.decisions === null) return this.#fail({ code: 'signed-out' });
    const { decider } = account.decisions;
    const seenAt = this.#now();
    account.board.add({ id: missionId, source: 'typed', seenAt }, [], (id) => account.keeps(id));
    const sent = await storing({ what: 'decision', logger, now: () => this.#now() }, async () =>
      ok(await decider.send(asked)),
    );
    if (!sent.ok) return sent;
    let record = sent.value;
    if (record === null) return this.#fail({ code: 'outcome-unknown' });
    if (record.failure?.status === 403) account.notGranted.set(missionId, notGrantedFailure(record.failure));
    const heard = account.heard.get(missionId);
    if (record.outcome === 'unknown' && heard !== undefined) {
      record = await decider.learn(record, findingOf(record, heard, { basis: 'event', at: this.#now() }));
    }
    logger.info('decision-answered', {
      decision,
      outcome: record.outcome,
      requestId: record.requestId,
      code: record.failure?.code,
    });
    account.poller?.hint();
    return ok(account.decided(record));
  }

  async #checkByList(
    account: AccountMissions,
    { repository, decider }: Decisions,
    poller: ListPoller,
    missionId: string,
  ): Promise<Result<Decided>> {
    const read = await poller.readAnew({ interactive: true, recheck: true });
    if (!read.ok) return read;
    // While the list was read, an event may have told it, or the operator may have sent it again.
    const running = account.running.get(missionId);
    if (running) return running.answer;
    const kept = repository.records.get(missionId);
    if (kept === undefined) return this.#fail({ code: 'cancelled' });
    if (!isOutcomeOpen(kept.outcome)) return ok(account.decided(kept));
    // It may have joined the list since it was decided on.
    const record = { ...kept, wasListed: kept.wasListed || account.board.wasListed(missionId) };
    const readAt = account.lastReadAt ?? this.#now();
    const finding = findingByList(record, account.board.listed(missionId), readAt);
    if (finding === null) return this.#fail(listNotComplete);
    return ok(account.decided(await decider.learn(record, finding)));
  }

  /** An event names what a mission has become. */
  #hear(account: AccountMissions, missionId: string, state: MissionDecision): void {
    if (account.running.has(missionId)) {
      account.heard.set(missionId, state);
      return;
    }
    const decisions = account.decisions;
    const record = decisions?.repository.records.get(missionId);
    if (!decisions || record === undefined || !isOutcomeOpen(record.outcome)) return;
    const finding = findingOf(record, state, { basis: 'event', at: this.#now() });
    void account.track(decisions.decider.learn(record, finding));
  }

  #tellSoon(account: AccountMissions): void {
    account.cancelTell ??= this.#options.clock.schedule(tellMs, () => {
      account.cancelTell = null;
      this.#tell();
    });
  }

  #tell(): void {
    const account = this.#account;
    if (account === null) return;
    const { store, serverTime, connection, missions, blocked } = this.#options;
    const { poller, lastReadAt, decisions } = account;
    store.set('missions', {
      hasList: missions.pendingPath !== null,
      canReject: missions.rejectPath !== null,
      blocked: decisions === null ? account.problem : blocked(),
      missions: ordered(account.missions()),
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

  #now(): number {
    return this.#options.serverTime.serverNow();
  }

  #fail(parts: Omit<FailureParts, 'at'>): Result<never> {
    return failed(makeFailure({ ...parts, at: this.#now() }));
  }
}
