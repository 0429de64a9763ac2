import type { Random } from '../ports.ts';
import type { AuditList } from './auditList.ts';

const mostWaiting = 4;

/** Audit lists as files that wait to be fetched, each once. */
export class AuditExports {
  readonly #audit: AuditList;
  readonly #random: Random;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Uint8Array>();

  /** `now` is station time, Unix milliseconds. */
  constructor(options: { readonly audit: AuditList; readonly random: Random; readonly now: () => number }) {
    this.#audit = options.audit;
    this.#random = options.random;
    this.#now = options.now;
  }

  /** Rejects with a `StorageError` when the head of the list cannot be read. */
  async prepare(): Promise<{ readonly exportId: string; readonly fileName: string }> {
    const bytes = await this.#audit.export();
    const exportId = Buffer.from(this.#random.bytes(16)).toString('hex');
    this.#waiting.set(exportId, bytes);
    for (const id of [...this.#waiting.keys()].slice(0, -mostWaiting)) this.#waiting.delete(id);
    const minute = new Date(this.#now()).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
    return { exportId, fileName: `audit-${minute}.jsonl` };
  }

  /** The bytes, once; null when none of that id wait. */
  take(exportId: string): Uint8Array | null {
    const bytes = this.#waiting.get(exportId) ?? null;
    this.#waiting.delete(exportId);
    return bytes;
  }
}
