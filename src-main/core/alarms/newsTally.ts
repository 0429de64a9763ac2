import type { IncidentRecord } from '../domain/incident.ts';
import { weightOf } from './severityOrder.ts';

/** An incident that is new, or whose severity rose. */
export interface IncidentNews {
  readonly kind: 'incident' | 'escalation';
  readonly record: IncidentRecord;
  /** The severity before a rise; null for one that is new. */
  readonly before: string | null;
}

const sampleLimit = 20;
const identityLimit = 1000;

/** An incident alarms once for each severity that it has. */
export const identityOf = (id: string, severity: string): string => `${severity.trim().toLowerCase()} ${id}`;

/** What one change of rows brought, counted; of many thousands only the worst are kept by name. */
export class NewsTally {
  /** The worst first, of those the first that came. */
  readonly #samples: { readonly news: IncidentNews; readonly weight: number }[] = [];
  readonly #identities: string[] = [];
  #worst: string | null = null;
  #worstCount = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The worst severity among them, and how many have it; null when there is none. */
  get worst(): { readonly severity: string; readonly count: number } | null {
    return this.#worst === null ? null : { severity: this.#worst, count: this.#worstCount };
  }

  /** At most 20 of them, the worst first; all of them where there are no more. */
  get samples(): readonly IncidentNews[] {
    return this.#samples.map(({ news }) => news);
  }

  /** What must not alarm again; at most 1,000, since all are known to the store as well. */
  get identities(): readonly string[] {
    return this.#identities;
  }

  add(news: IncidentNews): void {
    const { id, severity } = news.record;
    const weight = weightOf(severity);
    this.#count += 1;
    if (this.#identities.length < identityLimit) this.#identities.push(identityOf(id, severity));
    if (this.#worst === null || weight > (this.#samples[0]?.weight ?? -1)) {
      this.#worst = severity;
      this.#worstCount = 0;
    }
    if (severity === this.#worst) this.#worstCount += 1;
    const last = this.#samples.at(-1);
    if (last && this.#samples.length >= sampleLimit) {
      if (weight <= last.weight) return;
      this.#samples.pop();
    }
    const at = this.#samples.findIndex((other) => other.weight < weight);
    this.#samples.splice(at < 0 ? this.#samples.length : at, 0, { news, weight });
  }
}
