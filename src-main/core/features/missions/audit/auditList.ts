/* eslint-disable words/literal-text -- English in every language: damage of the audit list, and its export. */
import type { AuditEntry, MissionsState } from '../../../../../src-preload/contract/index.ts';
import { SerialQueue } from '../../../base/queues.ts';
import type { RecordRow, VaultRecords } from '../../../vault/records.ts';
import type { LocalAccount } from '../../context.ts';
import { readChain, type BrokenStretch } from './auditChain.ts';
import {
  bodyOf,
  chainStart,
  eventOf,
  headText,
  makeRow,
  readHead,
  rowId,
  rowText,
  type AuditBody,
  type AuditFacts,
  type AuditRow,
} from './auditEntry.ts';

/** What is stored of the list. */
type AuditRecords = Pick<VaultRecords, 'store' | 'auditKey' | 'lost' | 'rollback'>;
/** The operator who is signed in names the entries about damage. */
type AuditAccount = Pick<LocalAccount, 'logger' | 'serverNow' | 'username'>;

/**
 * The list of operators' decisions. Each entry has an HMAC over the one before, and the separate head says where the
 * list ends (design: audit). Entries are only added. A damaged list is continued: an entry records the damage, the
 * chain begins again there, and the entries before stay marked.
 */
export class AuditList {
  readonly #account: AuditAccount;
  readonly #stored: AuditRecords;
  #entries = new Map<number, AuditRow>();
  #last = 0;
  #lastHmac = chainStart;
  #headBehind = false;
  #broken: readonly BrokenStretch[] = [];
  /** Damage that no entry records yet. */
  #unrecorded: { readonly from: number; readonly what: string } | null = null;
  #unreadable = 0;
  #problem: string | null = null;
  #opened = false;
  /** Appends run one after another, each after the one before is on the disk. */
  readonly #queue = new SerialQueue();

  constructor(account: AuditAccount, records: AuditRecords) {
    this.#account = account;
    this.#stored = records;
  }

  get state(): MissionsState['audit'] {
    if (!this.#opened) return { count: 0, state: 'unknown', problem: null };
    const damaged = this.#problem !== null;
    return { count: this.#last, state: damaged ? 'damaged' : 'intact', problem: this.#problem };
  }

  /** The HMAC of the latest entry, which an export shows; null while the list is not open or empty. */
  get hash(): string | null {
    return this.#entries.get(this.#last)?.hmac ?? null;
  }

  /** Reads and checks the whole list. Rejects with a `StorageError` when it cannot be read. */
  async open(): Promise<void> {
    const { logger } = this.#account;
    const { store, auditKey: key, lost, rollback } = this.#stored;
    const [rows, head, anchor] = await Promise.all([
      store.rows('audit'),
      store.readHead(),
      store.readAnchor().catch(() => null),
    ]);
    const chain = await readChain({ key, rows, head, anchor, lost, rollback });
    this.#entries = new Map(chain.entries);
    this.#last = chain.last;
    this.#lastHmac = chain.lastHmac;
    this.#headBehind = chain.headBehind;
    this.#broken = chain.recorded;
    this.#unrecorded = chain.found;
    this.#unreadable = chain.unreadable;
    this.#problem = problemOf(chain.found, chain.recorded, this.#restarts());
    this.#opened = true;
    if (chain.found !== null) {
      logger.error('audit-damaged', { from: chain.found.from, what: chain.found.what });
      // Now, because the next start may not see the cause any longer, such as a missing database.
      await this.#inTurn(() => this.#tellDamage()).catch(() => undefined);
    } else if (chain.headBehind) {
      await this.#inTurn(() => this.#writeHead()).catch(() => undefined);
    }
  }

  /**
   * Adds an entry and writes `rows` with it: both or neither, safe from a power cut when it resolves. Rejects with a
   * `StorageError`; then nothing was written.
   */
  append(facts: AuditFacts, rows: readonly RecordRow[] = []): Promise<void> {
    return this.#inTurn(async () => {
      await this.#tellDamage();
      await this.#write(bodyOf(facts, null), rows);
    });
  }

  /** The latest first. A number whose entry cannot be read is marked as such. */
  read(from: number, count: number): { readonly total: number; readonly entries: AuditEntry[] } {
    const entries: AuditEntry[] = [];
    for (let number = this.#last - from; number > 0 && entries.length < count; number -= 1) {
      entries.push(this.#shown(number));
    }
    return { total: this.#last, entries };
  }

  /** The last entry about each mission. */
  latestByMission(): ReadonlyMap<string, AuditBody> {
    const latest = new Map<string, AuditBody>();
    for (const { body } of this.#entries.values()) {
      if (body.missionId !== null && body.decision !== null) latest.set(body.missionId, body);
    }
    return latest;
  }

  /**
   * The list as JSON Lines, oldest first. The first line describes the list and its end. Each other line has an entry's
   * exact signed text, its HMAC, and whether the chain is intact up to it.
   */
  async export(): Promise<Uint8Array> {
    const { store, auditKey } = this.#stored;
    const { text, damaged } = await this.#inTurn(() => store.readHead());
    const head = text === null || damaged ? null : readHead(auditKey, text);
    const { count, state, problem } = this.state;
    const first = {
      what: 'audit list of decisions on missions',
      version: 1,
      exportedAt: new Date(this.#account.serverNow()).toISOString(),
      entries: count,
      state,
      problem,
      head: head && { count: head.count, hmac: head.hmac },
      chain: 'hmac = HMAC-SHA-256(key of the vault, bytes of the hmac before + UTF-8 text of entry)',
    };
    const lines = [JSON.stringify(first)];
    for (let number = 1; number <= this.#last; number += 1) {
      const row = this.#entries.get(number);
      if (row === undefined) {
        // One line for a whole gap: a damaged head may claim any length.
        const next = this.#nextKnown(number);
        lines.push(JSON.stringify({ missing: { from: number, to: next - 1 } }));
        number = next - 1;
        continue;
      }
      const rest = JSON.stringify({ hmac: row.hmac, intact: this.#isIntact(number) });
      lines.push(`{"entry":${row.text},${rest.slice(1)}`);
    }
    return new TextEncoder().encode(`${lines.join('\n')}\n`);
  }

  /** Resolves when no write is running. */
  async settled(): Promise<void> {
    await this.#queue.settled();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  async #tellDamage(): Promise<void> {
    if (this.#unrecorded === null) return;
    const { from, what } = this.#unrecorded;
    const { serverNow, username } = this.#account;
    const event = {
      text: `The list was found damaged: the chain is broken from entry ${String(from)} on (${what}). A new chain begins here.`,
    };
    const about = { missionId: null, decision: null, outcome: null, requestId: null, key: null };
    const restart = { from, unreadable: this.#unreadable };
    await this.#write(bodyOf({ at: serverNow(), username, event, ...about }, restart), []);
  }

  async #write(facts: Omit<AuditBody, 'number'>, rows: readonly RecordRow[]): Promise<void> {
    const { logger } = this.#account;
    const { store, auditKey: key } = this.#stored;
    // A list two entries ahead of its head would look as if an old head had been restored.
    if (this.#headBehind && facts.restart === null) await this.#writeHead();
    const number = this.#last + 1;
    const row = makeRow(key, facts.restart === null ? this.#lastHmac : chainStart, { number, ...facts });
    await store.write([...rows, { table: 'audit', id: rowId(number), text: rowText(row) }]);
    if (facts.restart !== null) {
      const { from } = facts.restart;
      if (from < number) this.#broken = [...this.#broken, { from, to: number - 1 }];
      this.#unrecorded = null;
    }
    this.#entries.set(number, row);
    this.#last = number;
    this.#lastHmac = row.hmac;
    this.#headBehind = true;
    // The entry is written, even if its head is not. The next append writes the head first.
    await this.#writeHead().catch((error: unknown) => {
      logger.warn('audit-head-not-written', { detail: error instanceof Error ? error.message : 'unknown' });
    });
  }

  async #writeHead(): Promise<void> {
    const { logger } = this.#account;
    const { store, auditKey } = this.#stored;
    const text = headText(auditKey, this.#last, this.#lastHmac);
    await store.writeHead(text);
    this.#headBehind = false;
    // An outdated head still detects an older copy of the vault, unless it lacks only the latest entries.
    await store.writeAnchor(text).catch((error: unknown) => {
      logger.warn('audit-anchor-not-written', { detail: error instanceof Error ? error.message : 'unknown' });
    });
  }

  #shown(number: number): AuditEntry {
    const row = this.#entries.get(number);
    const intact = this.#isIntact(number);
    if (row === undefined) {
      const before = this.#entries.get(number - 1)?.body.at ?? this.#account.serverNow();
      return { ...unreadableEntry, number, at: before, intact: false };
    }
    const { key: _key, restart: _restart, phrase: _phrase, ...shown } = row.body;
    return { ...shown, event: eventOf(row.body), intact };
  }

  #isIntact(number: number): boolean {
    if (this.#unrecorded !== null && number >= this.#unrecorded.from) return false;
    return this.#entries.has(number) && !this.#broken.some(({ from, to }) => number >= from && number <= to);
  }

  #nextKnown(after: number): number {
    let next = this.#last + 1;
    for (const number of this.#entries.keys()) if (number > after && number < next) next = number;
    return next;
  }

  #restarts(): number {
    return [...this.#entries.values()].filter(({ body }) => body.restart !== null).length;
  }
}

const unreadableEntry = {
  username: '',
  event: { text: 'This entry is missing or cannot be read.' },
  missionId: null,
  decision: null,
  outcome: null,
  requestId: null,
} satisfies Partial<AuditEntry>;

function problemOf(
  found: { readonly from: number; readonly what: string } | null,
  recorded: readonly BrokenStretch[],
  restarts: number,
): string | null {
  if (found !== null) {
    return `The list does not hold from entry ${String(found.from)} on: ${found.what}.`;
  }
  const [first] = recorded;
  if (first) {
    return `The list does not hold from entry ${String(first.from)} to ${String(first.to)}, as was found before.`;
  }
  return restarts === 0 ? null : 'The list was found damaged before; an entry says what was found.';
}
