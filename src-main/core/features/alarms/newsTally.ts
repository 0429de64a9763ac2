import type { SeverityClass, SeverityScale } from '../../../../src-preload/contract/index.ts';
import type { IncidentRecord } from '../../state/incident.ts';
import { comparedTo } from '../incidents/index.ts';

/** An incident that is new, or whose severity rose. */
export interface IncidentNews {
  readonly kind: 'incident' | 'escalation';
  readonly record: IncidentRecord;
  readonly severity: SeverityClass;
  /** The severity before a rise; null for one that is new. */
  readonly before: string | null;
}

const sampleLimit = 20;
const identityLimit = 1000;
const idLimit = 10_000;

/** An incident alarms once for each severity, whatever the spelling of that. */
export const identityOf = (id: string, { key }: SeverityClass): string => `${key} ${id}`;

/** The counted news of one change. Of many thousands only the worst are stored by name. */
export class NewsTally {
  /** The worst first; equal ones in the order in which they came. */
  readonly #samples: IncidentNews[] = [];
  readonly #identities: string[] = [];
  readonly #ids: string[] = [];
  readonly #scale: SeverityScale;
  #worst: SeverityClass | null = null;
  #worstCount = 0;
  #count = 0;

  constructor(scale: SeverityScale) {
    this.#scale = scale;
  }

  get count(): number {
    return this.#count;
  }

  /** The worst severity among them, and how many have it; null when there is none. */
  get worst(): { readonly severity: SeverityClass; readonly count: number } | null {
    return this.#worst === null ? null : { severity: this.#worst, count: this.#worstCount };
  }

  /** At most 20, the worst first; all of them when there are no more. */
  get samples(): readonly IncidentNews[] {
    return this.#samples;
  }

  /** The incidents themselves, at most 10,000. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** What must not alarm again. At most 1,000, since the store knows all of them too. */
  get identities(): readonly string[] {
    return this.#identities;
  }

  /** Counts an incident whose severity is no longer known. */
  addUnknown(): void {
    this.#count += 1;
  }

  add(found: Omit<IncidentNews, 'severity'>): void {
    const severity = this.#scale.classOf(found.record.severity);
    const news: IncidentNews = { ...found, severity };
    this.#count += 1;
    if (this.#ids.length < idLimit) this.#ids.push(found.record.id);
    if (this.#identities.length < identityLimit) this.#identities.push(identityOf(found.record.id, severity));
    if (this.#worst === null || comparedTo(severity, this.#worst) > 0) {
      this.#worst = severity;
      this.#worstCount = 0;
    }
    if (severity.key === this.#worst.key) this.#worstCount += 1;
    const last = this.#samples.at(-1);
    if (last && this.#samples.length >= sampleLimit) {
      if (comparedTo(severity, last.severity) <= 0) return;
      this.#samples.pop();
    }
    const at = this.#samples.findIndex((other) => comparedTo(other.severity, severity) < 0);
    this.#samples.splice(at < 0 ? this.#samples.length : at, 0, news);
  }
}
