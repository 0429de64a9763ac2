import type { SeverityScale } from '../../../src-preload/contract/index.ts';
import { Dictionary } from '../store/dictionary.ts';
import { IdIndex } from '../store/idIndex.ts';
import { rose } from './severityOrder.ts';

export type SeverityChange =
  { readonly kind: 'new' | 'no-rise' } | { readonly kind: 'rose'; readonly before: string };

const isNew: SeverityChange = { kind: 'new' };
const noRise: SeverityChange = { kind: 'no-rise' };

/**
 * The severity that each incident had when it was last looked at: the store holds only what it is
 * now. A number for each id, whose text the store holds anyway, so that a million cost little.
 */
export class SeverityMemory {
  readonly #codes = new IdIndex();
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

  severityOf(id: string): string | null {
    const code = this.#codes.get(id);
    return code === undefined ? null : (this.#severities.values[code] ?? null);
  }

  /** Notes a severity; says what it is beside the one before. Spellings of one severity are no change. */
  take(id: string, severity: string): SeverityChange {
    const scale = this.#scale();
    const now = scale.classOf(severity);
    const code = this.#severities.indexOf(now.key);
    const before = this.#codes.get(id);
    if (before === code) return noRise;
    this.#codes.set(id, code);
    if (before === undefined) return isNew;
    const was = scale.classOf(this.#severities.values[before] ?? '');
    return rose(was, now) ? { kind: 'rose', before: was.name } : noRise;
  }

  forget(id: string): void {
    this.#codes.delete(id);
  }
}
