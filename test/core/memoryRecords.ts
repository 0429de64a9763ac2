import {
  recordTables,
  type RecordRow,
  type RecordStore,
  type RecordTable,
  type Spool,
  type VaultRecords,
} from '../../src-main/core/vault/records.ts';
import { StorageError } from '../../src-main/core/vault/storage.ts';

/** Actions in memory, whose content a test may change as a thief or a bad disk would. */
export class MemoryRecords implements VaultRecords {
  readonly tables: Record<RecordTable, Map<string, string>>;
  head: string | null = null;
  headDamaged = false;
  anchor: string | null = null;
  /** Rows whose seal does not hold, by table. */
  damaged: Partial<Record<RecordTable, number>> = {};
  lost: VaultRecords['lost'] = null;
  rollback: VaultRecords['rollback'] = null;
  auditKey: Uint8Array = Uint8Array.from({ length: 32 }, (_, index) => index);
  /** Makes a write fail by what it writes; `head` for the head. */
  refuses: (rows: readonly RecordRow[] | 'head') => boolean = () => false;
  /** Reads of rows wait for it. */
  ready: Promise<void> = Promise.resolve();
  /** Delays each write until it resolves. */
  gate: (rows: readonly RecordRow[] | 'head') => Promise<void> = () => Promise.resolve();
  /** Calls that were made, in their order. */
  readonly calls: string[] = [];
  /** Calls under way. */
  using = 0;

  readonly spool = null as unknown as Spool;
  readonly contents = null as unknown as Spool;

  readonly store: RecordStore = {
    rows: (table) =>
      this.#use(`rows ${table}`, async () => {
        await this.ready;
        return {
          rows: [...this.tables[table]]
            .map(([id, text]) => ({ id, text }))
            .sort((a, b) => (a.id < b.id ? -1 : 1)),
          damaged: this.damaged[table] ?? 0,
        };
      }),
    write: (rows) =>
      this.#use(`write ${rows.map(({ table }) => table).join(' ')}`, async () => {
        await this.gate(rows);
        if (this.refuses(rows)) throw new StorageError('full', 'no space in the test');
        for (const { table, id, text } of rows) {
          if (text === null) this.tables[table].delete(id);
          else this.tables[table].set(id, text);
        }
      }),
    readHead: () => this.#use('readHead', () => ({ text: this.head, damaged: this.headDamaged })),
    writeHead: (text) =>
      this.#use('writeHead', async () => {
        await this.gate('head');
        if (this.refuses('head')) throw new StorageError('broken', 'no head in the test');
        this.head = text;
        this.headDamaged = false;
      }),
    readAnchor: () => Promise.resolve(this.anchor),
    writeAnchor: (text) => {
      this.anchor = text;
      return Promise.resolve();
    },
  };

  constructor(documents = new Map<string, string>()) {
    this.tables = {
      uploads: new Map(),
      decisions: new Map(),
      audit: new Map(),
      documents,
      alarms: new Map(),
      notes: new Map(),
      pins: new Map(),
      shift: new Map(),
    };
  }

  get documents(): Map<string, string> {
    return this.tables.documents;
  }

  /** Writes that were asked for, also those that were refused. */
  get writes(): number {
    return this.calls.filter((call) => call.startsWith('write ')).length;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The same disk at a later start. */
  copy(): MemoryRecords {
    const other = new MemoryRecords();
    for (const table of recordTables) {
      for (const [id, text] of this.tables[table]) other.tables[table].set(id, text);
    }
    other.head = this.head;
    other.anchor = this.anchor;
    other.headDamaged = this.headDamaged;
    other.damaged = { ...this.damaged };
    other.auditKey = this.auditKey;
    return other;
  }

  async #use<T>(call: string, work: () => T | Promise<T>): Promise<T> {
    this.calls.push(call);
    this.using += 1;
    try {
      await Promise.resolve();
      return await work();
    } finally {
      this.using -= 1;
    }
  }
}
