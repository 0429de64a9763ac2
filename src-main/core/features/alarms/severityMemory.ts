import type { SeverityScale } from '../../../../src-preload/contract/index.ts';
import { Dictionary } from '../../state/dictionary.ts';
import { IdNumbers } from '../../state/idNumbers.ts';
import { rose } from '../incidents/index.ts';

export type SeverityChange =
  | { readonly kind: 'new' | 'no-rise' | 'opened' }
  | { readonly kind: 'rose'; readonly before: string };

const isNew: SeverityChange = { kind: 'new' };
const noRise: SeverityChange = { kind: 'no-rise' };
const opened: SeverityChange = { kind: 'opened' };
/** Stands for the severity of a closed incident. No folded severity is spelt like this. */
const over = ' over ';

/**
 * The severity of each incident at the last look, since the store holds only the present one. One number for each id,
 * so that a million incidents take little memory.
 */
export class SeverityMemory {
  readonly #codes = new IdNumbers();
  readonly #severities = new Dictionary();
  readonly #scale: () => SeverityScale;

  constructor(scale: () => SeverityScale) {
    this.#scale = scale;
  }

  get size(): number {
    return this.#codes.size;
  }

  has(id: string): boolean {
    return this.#codes.has(id);
  }

  /** Null for an incident that is unknown or closed. */
  severityOf(id: string): string | null {
    const code = this.#codes.get(id);
    const severity = code === undefined ? undefined : this.#severities.values[code];
    return severity === over ? null : (severity ?? null);
  }

  /**
   * Notes a severity (null for a closed incident) and compares it with the one before. Another spelling of the same
   * severity is no change.
   */
  take(id: string, severity: string | null): SeverityChange {
    const scale = this.#scale();
    const now = severity === null ? null : scale.classOf(severity);
    const code = this.#severities.indexOf(now?.key ?? over);
    const before = this.#codes.get(id);
    if (before === code) return noRise;
    this.#codes.set(id, code);
    if (before === undefined) return isNew;
    if (now === null) return noRise;
    if (this.#severities.values[before] === over) return opened;
    const was = scale.classOf(this.#severities.values[before] ?? '');
    return rose(was, now) ? { kind: 'rose', before: was.name } : noRise;
  }

  forget(id: string): void {
    this.#codes.delete(id);
  }
}
