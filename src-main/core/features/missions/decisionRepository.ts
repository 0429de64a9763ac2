import { isOutcomeOpen } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import { SerialQueue } from '../../base/queues.ts';
import type { RecordRow, VaultRecords } from '../../vault/records.ts';
import type { LocalAccount } from '../context.ts';
import type { AuditBody } from './audit/auditEntry.ts';
import { AuditList } from './audit/auditList.ts';
import { decisionRowId, readDecision, type DecisionRecord, type ServiceTime } from './decisionRecord.ts';
import { interrupted } from './messages.ts';

/** Beyond this many, decisions with a known outcome are removed, the oldest first. */
const mostKept = 5_000;
/** How often the service's time is stored beside an unknown outcome. */
const seenEveryMs = 600_000;

/**
 * The latest decision on each mission, as stored. Each change is written to the disk together with its entry in the
 * audit list, before anything that depends on it.
 */
export class DecisionRepository {
  readonly audit: AuditList;
  readonly #account: LocalAccount;
  readonly #store: VaultRecords['store'];
  readonly #records = new Map<string, DecisionRecord>();
  readonly #queue = new SerialQueue();

  constructor(account: LocalAccount, records: VaultRecords) {
    this.#account = account;
    this.#store = records.store;
    this.audit = new AuditList(account, records);
  }

  get records(): ReadonlyMap<string, DecisionRecord> {
    return this.#records;
  }

  /**
   * Reads the audit list and the stored decisions. A request that was running when the console ended has an unknown outcome, and so has a
   * decision that only the audit list still has. Rejects with a `StorageError`.
   */
  async open(): Promise<void> {
    const { logger } = this.#account;
    // First: it has the decisions whose row is lost.
    await this.audit.open();
    const { rows, damaged } = await this.#store.rows('decisions');
    const kept = rows.map(({ text }) => readDecision(text)).filter((record) => record !== null);
    const unread = rows.length - kept.length + damaged;
    if (unread > 0) logger.error('decisions-not-read', { count: unread });
    for (const record of kept) this.#records.set(record.missionId, record);
    for (const body of this.audit.latestByMission().values()) this.#recall(body);
    for (const record of [...this.#records.values()]) {
      if (record.outcome === 'sending') await this.#interrupted(record);
    }
    await this.#forget();
  }

  /** Writes the intention to send a decision. Rejects with a `StorageError`; then it must not be sent. */
  async begin(record: DecisionRecord, event: Message): Promise<void> {
    const before = this.#records.get(record.missionId);
    this.#records.set(record.missionId, record);
    try {
      await this.#append(record, event);
    } catch (error) {
      if (before === undefined) this.#records.delete(record.missionId);
      else this.#records.set(record.missionId, before);
      throw error;
    }
  }

  /** Writes the outcome of a decision. `event` null: the audit list has its entry already. */
  async settle(record: DecisionRecord, event: Message | null): Promise<void> {
    const { logger, emit } = this.#account;
    const before = this.#records.get(record.missionId)?.outcome;
    this.#records.set(record.missionId, record);
    if (before !== record.outcome) {
      const { missionId: subject, decision, outcome } = record;
      emit('shift-line', { kind: 'mission-decided', subject, outcome: `${decision}-${outcome}` });
    }
    try {
      if (event !== null) {
        await this.#append(record, event);
        return;
      }
    } catch (error) {
      // The outcome matters more than its entry in the audit list.
      logger.error('audit-not-written', { detail: detailOf(error) });
    }
    try {
      await this.#store.write([rowOf(record)]);
    } catch (error) {
      // The next start takes it for an unknown outcome, which is safe.
      logger.error('decision-not-written', { detail: detailOf(error) });
    }
  }

  /** Stores the service's time beside unknown outcomes, so that a clock that goes back is noticed. */
  noteTime(now: ServiceTime): void {
    if (now === null) return;
    for (const record of this.#records.values()) {
      const { outcome, anchor, seen, missionId } = record;
      if (!isOutcomeOpen(outcome) || anchor === null || now < (seen ?? anchor) + seenEveryMs) continue;
      const next = { ...record, seen: now };
      this.#records.set(missionId, next);
      void this.#queue.run(() => this.settle(this.#records.get(missionId) ?? next, null));
    }
  }

  /** Resolves when no write is running. */
  async settled(): Promise<void> {
    await this.#queue.settled();
    await this.audit.settled();
  }

  #append(record: DecisionRecord, event: Message): Promise<void> {
    const { serverNow, username } = this.#account;
    const { missionId, decision, outcome, requestId, key } = record;
    const about = { missionId, decision, outcome, requestId, key };
    return this.audit.append({ at: serverNow(), username, event, ...about }, [rowOf(record)]);
  }

  /** A row that cannot be read must not allow sending a decision that may have been sent. */
  #recall(body: AuditBody): void {
    const { missionId, decision, outcome, key, at, username, requestId } = body;
    if (missionId === null || decision === null || this.#records.has(missionId)) return;
    if (outcome === null || (outcome !== 'sending' && !isOutcomeOpen(outcome))) return;
    this.#records.set(missionId, {
      version: 1,
      missionId,
      decision,
      key: key ?? '',
      body: '',
      username,
      at,
      anchor: null,
      seen: null,
      outcome,
      answeredAt: null,
      requestId,
      failure: null,
      answer: null,
      basis: 'answer',
      wasListed: false,
      listCheck: null,
      found: null,
    });
  }

  async #interrupted(record: DecisionRecord): Promise<void> {
    await this.settle({ ...record, outcome: 'unknown', failure: null }, interrupted(record.decision));
  }

  async #forget(): Promise<void> {
    const known = [...this.#records.values()].filter(({ outcome }) => !isOutcomeOpen(outcome));
    const over = known.toSorted((a, b) => b.at - a.at).slice(mostKept);
    if (over.length === 0) return;
    for (const { missionId } of over) this.#records.delete(missionId);
    await this.#store.write(
      over.map(({ missionId }) => ({ table: 'decisions', id: decisionRowId(missionId), text: null })),
    );
  }
}

const rowOf = (record: DecisionRecord): RecordRow => ({
  table: 'decisions',
  id: decisionRowId(record.missionId),
  text: JSON.stringify(record),
});

const detailOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
