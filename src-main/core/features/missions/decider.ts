import type { ApiConnection, Failure, MissionDecision } from '../../../../src-preload/contract/index.ts';
import { nameOf } from '../../base/errors.ts';
import { message } from '../../base/messages/message.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { ActionAnswer, CoordinationApi } from '../../service/api/coordination.ts';
import type { LocalAccount } from '../context.ts';
import type { Deployment } from '../deployments/index.ts';
import type { Attempted } from './answerState.ts';
import { sameAgainUntil, type DecisionRecord, type ServiceTime } from './decisionRecord.ts';
import type { DecisionRepository } from './decisionRepository.ts';
import { findingByList, type Finding, type ListedState } from './findings.ts';
import {
  alreadyDone,
  answered,
  asked,
  conflictNow,
  leftTheList,
  notSameAgain,
  notUnknown,
  stillUnknown,
} from './messages.ts';
import { attemptedBy } from './outcome.ts';

/** What missions need of the account. */
export interface MissionsAccount extends LocalAccount {
  readonly coordination: Pick<CoordinationApi, 'decide' | 'pendingMissions'>;
  readonly deployment: Pick<Deployment, 'missions' | 'eventsPath' | 'pollIntervals'>;
  readonly serverTime: Pick<ServerTime, 'verified'>;
  readonly connection: (api: 'coordination') => Pick<ApiConnection, 'state'>;
}

export interface DeciderSources {
  readonly repository: DecisionRepository;
  /** Reads the list again, if there is one: the mission's state in it, and the time of the answer. */
  readonly readState: (missionId: string) => Promise<{ readonly state: ListedState; readonly at: number }>;
  /** Whether the mission was ever seen in the pending list. */
  readonly wasListed: (missionId: string) => boolean;
  /** Called after each change of a record. */
  readonly onChange: () => void;
}

export interface Decision {
  readonly missionId: string;
  readonly decision: MissionDecision;
  readonly again: boolean;
  /** Why it is rejected; empty or absent where the operator said nothing. */
  readonly reason?: string | undefined;
}

/** The shift ended during the request. */
const left = Symbol('left');

/**
 * Sends one decision, once: stores the intention, sends it, and stores the outcome.
 *
 *   (new) --written--> sending --answer--> done | refused | conflict | unknown where it contradicts itself
 *                         |  \--never left--> not-sent
 *                         |  \--cut, 5xx, console ended--> unknown --named by an event or the list--> done | conflict
 *                         ^----- sent again, same key and bytes, within 23 h ----/   \--not listed / listed--> no-longer-listed
 *
 * refused, not-sent and conflict end the key: another decision gets a new one. An outcome stays unknown while the
 * mission is in the pending list, because the list may lag. No request is repeated automatically.
 */
export class Decider {
  readonly #account: MissionsAccount;
  readonly #sources: DeciderSources;

  constructor(account: MissionsAccount, sources: DeciderSources) {
    this.#account = account;
    this.#sources = sources;
  }

  /** The service's time; null while it is not verified. */
  get serviceNow(): ServiceTime {
    const { serverTime, serverNow } = this.#account;
    return serverTime.verified() ? serverNow() : null;
  }

  /** Why the stored decisions forbid this one; null when they do not. */
  refusal({ missionId, decision, again }: Decision): Failure | null {
    const before = this.#sources.repository.records.get(missionId);
    const { fail } = this.#account;
    if (before?.outcome === 'done') return fail(alreadyDone(before.decision));
    if (before?.outcome === 'no-longer-listed') return fail(leftTheList(before.decision));
    const isUnknown = before?.outcome === 'unknown' || before?.outcome === 'sending';
    if (!isUnknown) {
      if (again) return fail(notUnknown);
      const retryAt = before?.failure?.status === 429 ? (before.failure.retryAt ?? 0) : 0;
      return retryAt > this.#account.serverNow() ? (before?.failure ?? null) : null;
    }
    if (!again || before.decision !== decision) return fail(stillUnknown(before.decision));
    return sameAgainUntil(before, this.serviceNow) === null ? fail(notSameAgain) : null;
  }

  /**
   * Sends it and returns the record with the outcome; null when the shift ended meanwhile. Rejects with a
   * `StorageError` when the intention could not be written; then nothing was sent.
   */
  async send({ missionId, decision, again, reason }: Decision): Promise<DecisionRecord | null> {
    const { scope, coordination, deployment } = this.#account;
    const { repository, onChange } = this.#sources;
    const { missions } = deployment;
    const before = repository.records.get(missionId);
    const repeated = again && before !== undefined;
    const about = { missionId, idField: missions.idField };
    const { reasonField } = missions;
    const why = decision === 'reject' && reasonField !== null ? (reason ?? '').trim() : '';
    const stated = reasonField === null || why === '' ? {} : { [reasonField]: why };
    const record = repeated ? this.#renewed(before) : this.#fresh(missionId, decision, stated);
    await repository.begin(record, asked(decision, again, why));
    onChange();
    if (scope.isOver) {
      const sentence = message('mission.sessionEnded');
      const failure = this.#account.fail({ code: 'cancelled', sentence, remedy: null });
      return this.#take(
        record,
        attemptedBy(
          { result: { ok: false, failure }, left: false },
          { decision, about, repeated, at: this.#account.serverNow() },
        ),
      );
    }
    const path = decision === 'approve' ? missions.approvePath : (missions.rejectPath ?? '');
    const operation = `${decision}_mission` as const;
    const call = coordination.decide({ path, operation, missionId, key: record.key, body: record.body });
    const answer = await this.#unlessEnded(call.catch((error: unknown) => this.#broken(error)));
    if (answer === left) return null;
    const attempted = attemptedBy(answer, { decision, about, repeated, at: this.#account.serverNow() });
    const taken = await this.#take(record, attempted);
    return attempted.failure?.status === 409 ? this.#afterConflict(taken, repeated) : taken;
  }

  /** Stores a finding about a decision whose outcome is unknown. */
  async learn(record: DecisionRecord, { change, said }: Finding): Promise<DecisionRecord> {
    const { repository, onChange } = this.#sources;
    const next: DecisionRecord = { ...record, ...change };
    await repository.settle(next, said);
    onChange();
    return next;
  }

  /** After a 409 the list is read again: it may show the present state. */
  async #afterConflict(taken: DecisionRecord, repeated: boolean): Promise<DecisionRecord> {
    const { repository, onChange, readState, wasListed } = this.#sources;
    const { state, at } = await readState(taken.missionId);
    const record = { ...taken, wasListed: taken.wasListed || wasListed(taken.missionId) };
    const { failure } = record;
    if (failure === null || (state === 'unknown' && record.found === null)) return record;
    if (repeated) {
      // The first attempt may have caused the conflict, so a 409 alone does not settle the outcome.
      const found = findingByList(record, state, at);
      return found === null ? record : this.learn(record, found);
    }
    // The answer is newer than a list. A mission that was never listed may not be in the list yet.
    const proves = state !== 'unknown' && (state !== 'gone' || record.wasListed);
    const found = record.found ?? (proves ? { state, word: null } : null);
    const next = { ...record, found, failure: conflictNow(failure, found) };
    await repository.settle(next, null);
    onChange();
    return next;
  }

  async #take(record: DecisionRecord, attempted: Attempted): Promise<DecisionRecord> {
    const { repository, onChange } = this.#sources;
    const { outcome, requestId, failure, answer, found } = attempted;
    const at = this.#account.serverNow();
    const seen = this.serviceNow ?? record.seen;
    const next: DecisionRecord = {
      ...record,
      outcome,
      answeredAt: at,
      seen,
      requestId,
      failure,
      answer,
      found,
      basis: 'answer',
    };
    await repository.settle(next, answered(record.decision, attempted));
    onChange();
    return next;
  }

  /** `stated`: what the request says beside the mission's id. */
  #fresh(missionId: string, decision: MissionDecision, stated: Record<string, string>): DecisionRecord {
    const { random, deployment, username } = this.#account;
    return {
      version: 1,
      missionId,
      decision,
      key: Buffer.from(random.bytes(16)).toString('hex'),
      body: JSON.stringify({ ...stated, [deployment.missions.idField]: missionId }),
      username,
      at: this.#account.serverNow(),
      anchor: this.serviceNow,
      seen: this.serviceNow,
      outcome: 'sending',
      answeredAt: null,
      requestId: null,
      failure: null,
      answer: null,
      basis: 'answer',
      wasListed: this.#sources.wasListed(missionId),
      listCheck: null,
      found: null,
    };
  }

  #renewed(before: DecisionRecord): DecisionRecord {
    return { ...before, outcome: 'sending', seen: this.serviceNow ?? before.seen, failure: null };
  }

  #broken(error: unknown): ActionAnswer {
    const detail = nameOf(error);
    const sentence = message('mission.fault', { detail });
    const failure = this.#account.fail({ code: 'internal', sentence });
    return { result: { ok: false, failure }, left: true };
  }

  #unlessEnded(call: Promise<ActionAnswer>): Promise<ActionAnswer | typeof left> {
    const ending = this.#account.scope.signal;
    return new Promise((resolve) => {
      const leave = (): void => {
        resolve(left);
      };
      ending.addEventListener('abort', leave, { once: true });
      void call.then((answer) => {
        ending.removeEventListener('abort', leave);
        resolve(answer);
      });
    });
  }
}
