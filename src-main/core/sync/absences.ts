import type { IncidentRecord } from '../domain/incident.ts';
import type { IncidentHarvest } from './incidentReader.ts';

interface KnownIncidents {
  ids(): Iterable<string>;
  recordOf(id: string): IncidentRecord | undefined;
}

/**
 * Decides which incidents the service no longer returns. One read without a row proves little (a
 * replica that lags, an order that shifted under a page), so a row goes only when it was missing in
 * two complete reads that covered its creation time, at least `apartMs` apart.
 */
export class AbsenceCount {
  readonly #apartMs: number;
  /** Since which complete read an id has been missing, station time. */
  #missing = new Map<string, number>();

  constructor({ apartMs }: { readonly apartMs: number }) {
    this.#apartMs = apartMs;
  }

  /** Takes a read at station time `now`; returns the ids to drop. */
  afterRead(
    harvest: Pick<
      IncidentHarvest,
      'rows' | 'baseCut' | 'rangeIgnored' | 'sentStart' | 'unreadable' | 'failure'
    >,
    known: KnownIncidents,
    now: number,
  ): string[] {
    const unreadable = new Set(harvest.unreadable.map((record) => record.id));
    // A record without a readable id may be any of those that seem to be missing.
    const proves =
      !harvest.baseCut && !harvest.rangeIgnored && harvest.failure === null && !unreadable.has(null);
    for (const id of harvest.rows.keys()) this.#missing.delete(id);
    if (!proves) return [];
    const gone: string[] = [];
    const missing = new Map<string, number>();
    for (const id of known.ids()) {
      // A record that cannot be read any more is still returned.
      if (harvest.rows.has(id) || unreadable.has(id)) continue;
      const before = this.#missing.get(id);
      const createdAt = known.recordOf(id)?.createdAt ?? 0;
      if (harvest.sentStart !== null && createdAt < harvest.sentStart) {
        if (before !== undefined) missing.set(id, before);
      } else if (before !== undefined && now - before >= this.#apartMs) gone.push(id);
      else missing.set(id, before ?? now);
    }
    this.#missing = missing;
    return gone;
  }
}
