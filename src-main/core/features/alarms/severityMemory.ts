import type { SeverityScale } from '../../../../src-preload/contract/index.ts';
import { Dictionary } from '../../state/dictionary.ts';
import { IdTable } from '../../state/idTable.ts';
import { grown } from '../../state/packedBytes.ts';
import { rose } from '../incidents/index.ts';

export type SeverityChange =
  | { readonly kind: 'new' | 'no-rise' | 'opened' }
  | { readonly kind: 'rose'; readonly before: string };

const isNew: SeverityChange = { kind: 'new' };
const noRise: SeverityChange = { kind: 'no-rise' };
const opened: SeverityChange = { kind: 'opened' };
/** In place of a severity where the incident is over. No severity is spelt so once it is folded. */
const over = ' over ';

/**
 * The severity that each incident had when it was last looked at: the store holds only what it is
 * now. A number for each id, so that a million cost little.
 */
export class SeverityMemory {
  readonly #ids = new IdTable();
  /** By the slot of the id. */
  #codes = new Uint16Array(1024);
  readonly #severities = new Dictionary();
  readonly #scale: () => SeverityScale;

  constructor(scale: () => SeverityScale) {
    this.#scale = scale;
  }

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Null for one that is not known or is over. */
  severityOf(id: string): string | null {
    const slot = this.#ids.slotOf(id);
    const severity = slot < 0 ? undefined : this.#severities.values[this.#codes[slot] ?? -1];
    return severity === over ? null : (severity ?? null);
  }

  /**
   * Notes a severity, null for that of an incident that is over; says what it is beside the one before.
   * Spellings of one severity are no change.
   */
  take(id: string, severity: string | null): SeverityChange {
    const scale = this.#scale();
    const now = severity === null ? null : scale.classOf(severity);
    const code = this.#severities.indexOf(now?.key ?? over);
    const known = this.#ids.slotOf(id);
    const slot = known < 0 ? this.#ids.add(id) : known;
    if (slot >= this.#codes.length) this.#codes = grown(this.#codes, new Uint16Array(slot * 2));
    const before = this.#codes[slot] as number;
    if (known >= 0 && before === code) return noRise;
    this.#codes[slot] = code;
    if (known < 0) return isNew;
    if (now === null) return noRise;
    if (this.#severities.values[before] === over) return opened;
    const was = scale.classOf(this.#severities.values[before] ?? '');
    return rose(was, now) ? { kind: 'rose', before: was.name } : noRise;
  }

  forget(id: string): void {
    this.#ids.remove(id);
  }
}
