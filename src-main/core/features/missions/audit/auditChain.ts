import { Yielding } from '../../../base/yielding.ts';
import type { RecordRows, VaultRecords } from '../../../vault/records.ts';
import {
  chainStart,
  entryHmac,
  numberOf,
  readHead,
  readRow,
  same,
  type AuditHead,
  type AuditRow,
} from './auditEntry.ts';

export interface ChainInput {
  readonly key: Uint8Array;
  readonly rows: RecordRows;
  readonly head: { readonly text: string | null; readonly damaged: boolean };
  /** The head as stored outside of the vault; null where there is none. */
  readonly anchor: string | null;
  /** Why a new database was made in place of the expected one. */
  readonly lost: 'missing' | 'unreadable' | null;
  /** The finding about the whole vault. */
  readonly rollback: VaultRecords['rollback'];
}

/** A range of numbers for which the chain is broken, both ends included. */
export interface BrokenStretch {
  readonly from: number;
  readonly to: number;
}

export interface ChainReading {
  /** Entries that can be read, by number. */
  readonly entries: ReadonlyMap<number, AuditRow>;
  /** The highest number that was given, as far as known. */
  readonly last: number;
  /** The HMAC that the next entry is chained to. */
  readonly lastHmac: string;
  /** The head has to be written again: it is missing, or a crash interrupted an append before it. */
  readonly headBehind: boolean;
  /** Broken ranges that a later entry already records. */
  readonly recorded: readonly BrokenStretch[];
  /** Damage that no entry records yet: its first number, and what was found. */
  readonly found: { readonly from: number; readonly what: string } | null;
  /** Rows in the table that are not entries, or whose seal is broken. */
  readonly unreadable: number;
}

/**
 * Checks the whole list: that it has every number, that each entry is chained to the one before, and that the list ends
 * where the separate head says.
 *
 * An edit, a removal, a swap and a damaged row break the chain at their place. A list that was cut at its end is
 * shorter than the head says. A head that is missing, changed, or older than the list proves no end. One valid entry
 * beyond the head is an append that a crash interrupted.
 */
export async function readChain({
  key,
  rows,
  head,
  anchor,
  lost,
  rollback,
}: ChainInput): Promise<ChainReading> {
  const walk = new Walk(key);
  const yielding = new Yielding();
  for (const { id, text } of rows.rows) {
    if (yielding.over) await yielding.next();
    walk.take(id, text);
  }
  const readHeadText = head.text === null || head.damaged ? null : readHead(key, head.text);
  walk.end({ head: readHeadText, damaged: head.damaged || head.text !== null, rows, lost });
  walk.meetAnchor(anchor === null ? null : readHead(key, anchor));
  if (rollback !== null) walk.meetRollback(rollback);
  return walk.reading();
}

class Walk {
  readonly #key: Uint8Array;
  readonly #entries = new Map<number, AuditRow>();
  readonly #recorded: BrokenStretch[] = [];
  #expected = 1;
  #before = chainStart;
  #broken: { from: number; what: string } | null = null;
  /** Damage before a restart that did not record it. */
  #unrecorded: { from: number; what: string } | null = null;
  #headBehind = false;
  #strays = 0;
  /** Numbers without a row. */
  #gaps = 0;
  /** How many unreadable rows the entries already record. */
  #recordedUnreadable = 0;
  #unreadable = 0;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  take(id: string, text: string): void {
    const number = numberOf(id);
    if (number === null) {
      this.#strays += 1;
      return;
    }
    if (number > this.#expected) this.#gap(number - 1);
    this.#expected = number + 1;
    const row = readRow(text);
    if (row === null || row.body.number !== number) {
      this.#break(number, `entry ${String(number)} is damaged or in the wrong place`);
      return;
    }
    this.#entries.set(number, row);
    const { restart } = row.body;
    const start = restart === null ? this.#before : chainStart;
    const holds = same(row.hmac, entryHmac(this.#key, start, row.text));
    if (restart === null) {
      if (this.#broken !== null) return;
      if (holds) this.#before = row.hmac;
      else this.#break(number, `entry ${String(number)} was changed, or the one before it was`);
      return;
    }
    if (!holds) {
      this.#break(number, `entry ${String(number)} was changed`);
      return;
    }
    this.#restart(number, restart.from);
    this.#recordedUnreadable = Math.max(this.#recordedUnreadable, restart.unreadable);
    this.#before = row.hmac;
  }

  end({
    head,
    damaged,
    rows,
    lost,
  }: {
    readonly head: AuditHead | null;
    /** There is a head file: without a `head` it is damaged. */
    readonly damaged: boolean;
    readonly rows: RecordRows;
    readonly lost: ChainInput['lost'];
  }): void {
    const last = this.#expected - 1;
    if (head !== null && head.count > last) this.#gap(head.count);
    this.#unreadable = rows.damaged + this.#strays;
    // A row with a broken seal is not delivered. It is either missing above, or one too many.
    if (this.#unreadable > Math.max(this.#gaps, this.#recordedUnreadable)) {
      this.#break(this.#expected, 'something that cannot be read lies in the list');
    }
    if (head === null) {
      this.#endWithoutHead(last, damaged, lost);
      return;
    }
    if (head.count > last) return;
    const at = this.#entries.get(head.count);
    const agrees = head.count === 0 || (at !== undefined && same(at.hmac, head.hmac));
    this.#headBehind = head.count < last;
    if (head.count === last) {
      if (!agrees) this.#break(last, `entry ${String(last)} is not the one that the list ended with`);
      return;
    }
    const onlyOne = head.count === last - 1 && (agrees || this.#entries.get(last)?.body.restart !== null);
    if (!onlyOne) {
      this.#break(last + 1, 'what says where the list ends is older than the list');
    }
  }

  /** An older copy of the vault is consistent in itself. The head outside of the vault shows what it lacks. */
  meetAnchor(anchor: AuditHead | null): void {
    if (anchor === null || anchor.count === 0) return;
    const last = this.#expected - 1;
    if (anchor.count > last) {
      this.#break(last + 1, `an older copy was put back, ${missing(last + 1, anchor.count)}`);
      this.#expected = anchor.count + 1;
      return;
    }
    const at = this.#entries.get(anchor.count);
    if (at !== undefined && !same(at.hmac, anchor.hmac)) {
      this.#break(anchor.count, `entry ${String(anchor.count)} is not the one that was written there`);
    }
  }

  /** The list may be complete while another part of the vault is older. */
  meetRollback(rollback: NonNullable<VaultRecords['rollback']>): void {
    this.#break(
      this.#expected,
      rollback === 'older'
        ? 'an older copy of the vault was put back'
        : 'something in the vault was damaged, removed, or exchanged for an older version',
    );
  }

  reading(): ChainReading {
    const found = earlier(this.#unrecorded, this.#broken);
    return {
      entries: this.#entries,
      last: this.#expected - 1,
      lastHmac: this.#before,
      headBehind: this.#headBehind,
      recorded: this.#recorded,
      found,
      unreadable: this.#unreadable,
    };
  }

  #endWithoutHead(last: number, isThere: boolean, lost: ChainInput['lost']): void {
    this.#headBehind = true;
    if (isThere) {
      this.#break(last + 1, 'what says where the list ends is damaged');
    } else if (last > 0) {
      this.#break(last + 1, 'what says where the list ends is missing');
    } else if (lost !== null) {
      this.#break(1, lost === 'missing' ? 'the whole list is missing' : 'the whole list could not be read');
    }
  }

  #restart(number: number, from: number): void {
    // A later restart may record damage that an earlier one did not.
    if (this.#unrecorded !== null && this.#unrecorded.from >= from) this.#unrecorded = null;
    if (this.#broken !== null && this.#broken.from < from) {
      this.#unrecorded = earlier(this.#unrecorded, this.#broken);
    }
    const start = Math.min(from, this.#broken?.from ?? from);
    if (start < number) this.#recorded.push({ from: start, to: number - 1 });
    this.#broken = null;
  }

  /** The numbers up to `to` have no row. */
  #gap(to: number): void {
    this.#break(this.#expected, missing(this.#expected, to));
    this.#gaps += to - this.#expected + 1;
    this.#expected = to + 1;
  }

  /** Only the first break counts: nothing after it is proven. */
  #break(from: number, what: string): void {
    this.#broken ??= { from, what };
  }
}

function earlier<T extends { readonly from: number }>(a: T | null, b: T | null): T | null {
  if (a === null || b === null) return a ?? b;
  return b.from < a.from ? b : a;
}

const missing = (from: number, to: number): string =>
  from === to ? `entry ${String(from)} is missing` : `entries ${String(from)} to ${String(to)} are missing`;
