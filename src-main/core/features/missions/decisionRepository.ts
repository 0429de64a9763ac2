import { isOutcomeOpen } from '../../../../src-preload/contract/index.ts';
import type { Message } from '../../base/messages/message.ts';
import type { Logger } from '../../base/ports.ts';
import { SerialQueue } from '../../base/queues.ts';
import type { RecordRow, VaultRecords } from '../../vault/records.ts';
import type { AuditBody } from './audit/auditEntry.ts';
import { AuditList } from './audit/auditList.ts';
import { decisionRowId, readDecision, type DecisionRecord, type ServiceTime } from './decisionRecord.ts';
import { interrupted } from './messages.ts';

/** Beyond this many, decisions with a known outcome are removed, the oldest first. */
const mostKept = 5_000;
/** How often the service's time is stored beside an unknown outcome. */
const seenEveryMs = 600_000;

export interface DecisionRepositoryOptions {
  readonly records: VaultRecords;
  readonly logger: Logger;
  readonly username: string;
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  /** The outcome of a decision changed, or it was sent again with the same outcome. */
  readonly onDecided?: (record: DecisionRecord) => void;
}

/**
 * The latest decision on each mission, as stored. Each change is written to the disk together with its entry in the
 * audit list, before anything that depends on it.
 */
export class DecisionRepository {
  readonly audit: AuditList;
  readonly #options: DecisionRepositoryOptions;
  readonly #records = new Map<string, DecisionRecord>();
  readonly #queue = new SerialQueue();

  constructor(options: DecisionRepositoryOptions) {
    this.#options = options;
    this.audit = new AuditList(options);
  }

  get records(): ReadonlyMap<string, DecisionRecord> {
    return this.#records;
  }

  /**
   * Reads the audit list and the stored decisions. A request that was running when the console ended has an unknown outcome, and so has a
   * decision that only the audit list still has. Rejects with a `StorageError`.
   */
  async open(): Promise<void> {
    const { records, logger } = this.#options;
    // First: it has the decisions whose row is lost.
    await this.audit.open();
    const { rows, damaged } = await records.store.rows('decisions');
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
    const { records, logger, onDecided } = this.#options;
    const before = this.#records.get(record.missionId)?.outcome;
    this.#records.set(record.missionId, record);
    if (before !== record.outcome) onDecided?.(record);
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
      await records.store.write([rowOf(record)]);
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
    const { now, username } = this.#options;
    const { missionId, decision, outcome, requestId, key } = record;
    const about = { missionId, decision, outcome, requestId, key };
    return this.audit.append({ at: now(), username, event, ...about }, [rowOf(record)]);
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
    await this.#options.records.store.write(
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
