import {
  failed,
  isOutcomeOpen,
  ok,
  type AuditEntry,
  type Decided,
  type Failure,
  type LiveEvent,
  type Mission,
  type MissionDecision,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { freshnessOf } from '../../base/freshness.ts';
import { message } from '../../base/messages/message.ts';
import type { ReadCall } from '../../base/readFailures.ts';
import { Timer } from '../../base/timer.ts';
import { ListPoller } from '../../service/listPoller.ts';
import { withPermit } from '../../service/transport/largeAnswers.ts';
import { pollMs } from '../../state/dataUse.ts';
import { storing } from '../../vault/storageFailure.ts';
import type { Download } from '../exports/index.ts';
import { Decider, type Decision, type MissionsAccount } from './decider.ts';
import { decidedOf, type DecisionRecord } from './decisionRecord.ts';
import { DecisionRepository } from './decisionRepository.ts';
import { findingByList, findingOf, type ListedState } from './findings.ts';
import { cannotReject, listNotComplete, nothingKept, otherUnderWay } from './messages.ts';
import { MissionBoard, missionView, ordered, stateOf, type LooseMission } from './missionBoard.ts';
import { missionsAtStart } from './missionsState.ts';
import { notGrantedFailure, readMissionEvent } from './outcome.ts';
import { readPendingMissions } from './pendingList.ts';

/** The shortest time between two updates of the page during a burst of events. */
const tellMs = 100;

/** A running request. */
interface Running {
  readonly decision: MissionDecision;
  readonly answer: Promise<Result<Decided>>;
}

/** What decisions need, after the stored ones are read. */
interface Decisions {
  readonly repository: DecisionRepository;
  readonly decider: Decider;
}

/**
 * Missions and the operators' decisions on them (interface: human-in-the-loop mission approval; design rule 8).
 * Decisions need the live service; the console never queues or repeats them. Each is stored before its request is sent.
 * For the states of a decision see decider.ts.
 */
export class Missions {
  readonly #account: MissionsAccount;
  readonly #blocked: () => Failure | null;
  readonly #board = new MissionBoard();
  readonly #running = new Map<string, Running>();
  /** Why the account may not decide on a mission, until the next token. */
  readonly #notGranted = new Map<string, Failure>();
  /** States that events named during a request. */
  readonly #heard = new Map<string, MissionDecision>();
  /** Null until the stored decisions are read, and when they cannot be: then `#problem` says why. */
  #decisions: Decisions | null = null;
  #problem: Failure | null = null;
  /** What uses the stored data: the end of the account waits for it. */
  readonly #work = new Set<Promise<unknown>>();
  /** Null without a configured list. */
  readonly #poller: ListPoller | null;
  #lastReadAt: number | null = null;
  readonly #tellTimer: Timer;

  /** `blocked`: why no decision can be sent now; null when one can. */
  constructor(account: MissionsAccount, blocked: () => Failure | null) {
    const { scope, store, deployment } = account;
    const { pendingPath } = deployment.missions;
    this.#account = account;
    this.#blocked = blocked;
    this.#tellTimer = new Timer(account.clock, () => this.#tell());
    scope.onEnd(() => {
      store.set('missions', missionsAtStart);
    });
    // Running requests are left as they are: at the next start their outcome is unknown.
    scope.defer(async () => {
      while (this.#work.size > 0) await Promise.allSettled(this.#work);
      await this.#decisions?.repository.settled();
    });
    this.#poller =
      pendingPath === null
        ? null
        : new ListPoller(account, {
            intervalMs: () => pollMs(store, deployment.pollIntervals.incidentsMs),
            name: 'pending-missions',
            read: (call) => this.#readList(pendingPath, call),
            onChange: () => {
              this.#tell();
            },
          });
  }

  /** Reads the stored decisions. */
  async load(): Promise<void> {
    await this.#track(this.#open());
    if (this.#account.scope.isOver) return;
    this.#poller?.start();
    this.#tell();
  }

  /** Reads the pending list at the operator's command, also after a missing scope. */
  async refresh(): Promise<Result<null>> {
    if (this.#poller) return this.#poller.readAnew({ interactive: true, recheck: true });
    const sentence = message('mission.noList');
    return this.#account.refuse({ code: 'not-found', sentence, remedy: message('mission.noListRemedy') });
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
    const underWay = this.#running.get(missionId);
    if (underWay)
      return underWay.decision === decision ? underWay.answer : this.#account.refuse(otherUnderWay);
    if (this.#decisions === null) return failed(this.#problem ?? this.#account.fail(nothingKept));
    const refusal = this.#refusal(this.#decisions, asked);
    if (refusal !== null) return failed(refusal);
    const sent = this.#send(this.#decisions, asked).finally(() => {
      this.#running.delete(missionId);
      this.#heard.delete(missionId);
      this.#tell();
    });
    const answer = this.#track(sent);
    this.#running.set(missionId, { decision, answer });
    return answer;
  }

  /**
   * Reads the list of pending missions because of a decision with an unknown outcome, and answers with what is known
   * then. Where only events can tell, nothing is read.
   */
  async check(missionId: string): Promise<Result<Decided>> {
    if (this.#decisions === null) return this.#account.refuse(nothingKept);
    const underWay = this.#running.get(missionId);
    if (underWay) return underWay.answer;
    const record = this.#records.get(missionId);
    if (!record) {
      const sentence = message('mission.nothingDecided');
      return this.#account.refuse({ code: 'not-found', sentence, remedy: null });
    }
    if (!isOutcomeOpen(record.outcome) || this.#poller === null) return ok(this.#decided(record));
    return this.#track(this.#checkByList(this.#decisions.decider, this.#poller, missionId));
  }

  /** The HMAC of the latest entry of the audit list; null where there is none. */
  get auditHash(): string | null {
    return this.#decisions?.repository.audit.hash ?? null;
  }

  /** The audit list, the latest first. */
  readAudit(from: number, count: number): { readonly total: number; readonly entries: AuditEntry[] } {
    return this.#decisions?.repository.audit.read(from, count) ?? { total: 0, entries: [] };
  }

  /** Prepares the audit list as a file to be downloaded. */
  async exportAudit(): Promise<Result<Download>> {
    const audit = this.#decisions?.repository.audit;
    if (!audit) return this.#account.refuse(nothingKept);
    const { downloads, serverNow } = this.#account;
    return this.#track(
      storing(this.#account, 'audit-export', async () => {
        const bytes = await audit.export();
        const minute = new Date(serverNow()).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
        return ok(downloads.put(`audit-${minute}.jsonl`, bytes));
      }),
    );
  }

  /** An event names a mission: it joins the list, and the outcome of a decision may be known now. */
  noteEvent(missionId: string, event: LiveEvent): void {
    const { decided, requestedAt, fields } = readMissionEvent(event);
    this.#poller?.requestRead();
    if (decided === null) {
      this.#board.add({ id: missionId, source: 'event', seenAt: event.at, requestedAt, fields }, this.#keeps);
    } else {
      // Of a mission that ended otherwise the list says whether it is still pending.
      if (decided !== 'other') this.#hear(missionId, decided);
      const isLoose = this.#board.known.get(missionId)?.source === 'event';
      if (isLoose && !this.#keeps(missionId)) this.#board.remove(missionId);
    }
    this.#tellSoon();
  }

  /** Another token may have the scopes that were missing. */
  tokenChanged(): void {
    this.#notGranted.clear();
    this.#poller?.tokenChanged();
    this.#tell();
  }

  connectionReturned(): void {
    this.#poller?.connectionReturned();
    this.#tell();
  }

  /** Time passed, or whether decisions can be sent has changed. */
  review(): void {
    this.#decisions?.repository.noteTime(this.#decisions.decider.serviceNow);
    this.#tell();
  }

  wake(): void {
    this.#poller?.wake();
    this.#tell();
  }

  /** Whether a mission stays listed because of a decision on it. */
  readonly #keeps = (id: string): boolean => this.#running.has(id) || this.#records.has(id);

  get #records(): ReadonlyMap<string, DecisionRecord> {
    return this.#decisions?.repository.records ?? new Map();
  }

  #track<T>(work: Promise<T>): Promise<T> {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
    return tracked;
  }

  #addTyped(missionId: string): void {
    this.#board.add(typed(missionId, this.#account.serverNow()), this.#keeps);
  }

  async #open(): Promise<void> {
    const { records } = this.#account;
    if (records === null) {
      this.#problem = this.#account.fail(nothingKept);
      return;
    }
    const repository = new DecisionRepository(this.#account, records);
    const opened = await storing(this.#account, 'decisions', async () => ok(await repository.open()));
    if (!opened.ok) {
      this.#problem = opened.failure;
      return;
    }
    const decider = new Decider(this.#account, {
      repository,
      readState: (missionId) => this.#readState(missionId),
      wasListed: (missionId) => this.#board.wasListed(missionId),
      onChange: () => {
        this.#tell();
      },
    });
    this.#decisions = { repository, decider };
  }

  async #readList(path: string, call: ReadCall): Promise<Failure | null> {
    const { coordination, deployment, serverNow } = this.#account;
    const beganAt = serverNow();
    return withPermit(async (permit) => {
      const answer = await coordination.pendingMissions(path, { ...call, permit });
      if (!answer.ok) return answer.failure;
      const { body, linkCursor, requestId } = answer.value;
      const reading = readPendingMissions(body, linkCursor, {
        idField: deployment.missions.idField,
        now: serverNow(),
      });
      if (reading === null) {
        const sentence = message('mission.notAList');
        return this.#account.fail({ code: 'unreadable-answer', sentence, requestId });
      }
      this.#board.takeList(reading, beganAt, this.#keeps);
      this.#lastReadAt = serverNow();
      return null;
    });
  }

  /** A mission's state in the list, which is read again. */
  async #readState(missionId: string): Promise<{ state: ListedState; at: number }> {
    const read = await this.#poller?.readAnew({ interactive: true, recheck: false });
    const state = read?.ok ? this.#board.listed(missionId) : 'unknown';
    return { state, at: this.#lastReadAt ?? this.#account.serverNow() };
  }

  #refusal({ decider }: Decisions, asked: Decision): Failure | null {
    const { missions } = this.#account.deployment;
    if (asked.decision === 'reject' && missions.rejectPath === null) {
      return this.#account.fail(cannotReject);
    }
    return (
      this.#blocked() ??
      this.#notGranted.get(asked.missionId) ??
      decider.refusal(asked) ??
      this.#settledBy(asked.missionId)
    );
  }

  async #send({ decider }: Decisions, asked: Decision): Promise<Result<Decided>> {
    const { logger } = this.#account;
    const { missionId, decision } = asked;
    this.#addTyped(missionId);
    const sent = await storing(this.#account, 'decision', async () => ok(await decider.send(asked)));
    if (!sent.ok) return sent;
    let record = sent.value;
    if (record === null) return this.#account.refuse({ code: 'outcome-unknown' });
    if (record.failure?.status === 403) this.#notGranted.set(missionId, notGrantedFailure(record.failure));
    const heard = this.#heard.get(missionId);
    if (record.outcome === 'unknown' && heard !== undefined) {
      record = await decider.learn(
        record,
        findingOf(record, heard, { basis: 'event', at: this.#account.serverNow() }),
      );
    }
    logger.info('decision-answered', {
      decision,
      outcome: record.outcome,
      requestId: record.requestId,
      code: record.failure?.code,
    });
    this.#poller?.requestRead();
    return ok(this.#decided(record));
  }

  async #checkByList(decider: Decider, poller: ListPoller, missionId: string): Promise<Result<Decided>> {
    const read = await poller.readAnew({ interactive: true, recheck: true });
    if (!read.ok) return read;
    // During the read, an event may have settled it, or the operator may have sent it again.
    const running = this.#running.get(missionId);
    if (running) return running.answer;
    const kept = this.#records.get(missionId);
    if (kept === undefined) return this.#account.refuse({ code: 'cancelled' });
    if (!isOutcomeOpen(kept.outcome)) return ok(this.#decided(kept));
    // It may have come into the list after the decision.
    const record = { ...kept, wasListed: kept.wasListed || this.#board.wasListed(missionId) };
    const readAt = this.#lastReadAt ?? this.#account.serverNow();
    const finding = findingByList(record, this.#board.listed(missionId), readAt);
    if (finding === null) return this.#account.refuse(listNotComplete);
    return ok(this.#decided(await decider.learn(record, finding)));
  }

  /** An event names a mission's state. */
  #hear(missionId: string, state: MissionDecision): void {
    if (this.#running.has(missionId)) {
      this.#heard.set(missionId, state);
      return;
    }
    const record = this.#records.get(missionId);
    if (this.#decisions === null || record === undefined || !isOutcomeOpen(record.outcome)) return;
    const finding = findingOf(record, state, { basis: 'event', at: this.#account.serverNow() });
    void this.#track(this.#decisions.decider.learn(record, finding));
  }

  #tellSoon(): void {
    this.#tellTimer.setOnce(tellMs);
  }

  #tell(): void {
    if (this.#account.scope.isOver) return;
    const { store, serverNow, connection, deployment } = this.#account;
    const { pendingPath, rejectPath, reasonField } = deployment.missions;
    const [poller, lastReadAt] = [this.#poller, this.#lastReadAt];
    store.set('missions', {
      hasList: pendingPath !== null,
      canReject: rejectPath !== null,
      takesReason: rejectPath !== null && reasonField !== null,
      blocked: this.#decisions === null ? this.#problem : this.#blocked(),
      missions: ordered(this.#missions()),
      withoutId: this.#board.withoutId,
      reading: poller?.reading ?? false,
      lastReadAt,
      failure: poller?.failure ?? null,
      freshness: freshnessOf({
        lastAt: lastReadAt,
        now: serverNow(),
        intervalMs: poller?.intervalMs ?? 0,
        connection: connection('coordination').state,
        failed: (poller?.failure ?? null) !== null,
        hasData: lastReadAt !== null,
      }),
      audit: this.#decisions?.repository.audit.state ?? missionsAtStart.audit,
    });
  }

  /** The known missions, and those that are known only because of a decision on them. */
  #missions(): Mission[] {
    const loose = [...this.#records.values()]
      .filter(({ missionId }) => !this.#board.known.has(missionId))
      .map(({ missionId, at }) => typed(missionId, at));
    return [...this.#board.known.values(), ...loose].map((known) => {
      const record = this.#records.get(known.id);
      const decided = record === undefined ? null : this.#decided(record);
      const notGranted = this.#notGranted.get(known.id) ?? null;
      return missionView(known, { record, state: this.#stateOf(known.id), notGranted, decided });
    });
  }

  #decided(record: DecisionRecord): Decided {
    const { missions, eventsPath } = this.#account.deployment;
    const now = this.#decisions?.decider.serviceNow ?? null;
    return decidedOf(record, { now, checkable: missions.pendingPath !== null || eventsPath !== null });
  }

  #stateOf(id: string): Mission['state'] {
    return stateOf(this.#records.get(id), this.#board.listed(id));
  }

  /** Why a mission that another operator settled cannot be decided on; null where nothing says so. */
  #settledBy(id: string): Failure | null {
    const record = this.#records.get(id);
    return record?.outcome === 'conflict' && this.#stateOf(id) !== 'pending' ? record.failure : null;
  }
}

/** A mission of which only the id is known. */
const typed = (id: string, seenAt: number): LooseMission => ({
  id,
  source: 'typed',
  seenAt,
  requestedAt: null,
  fields: [],
});
