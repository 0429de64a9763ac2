import type { App } from '../../../src-main/core/scopes/app.ts';
import {
  decodeIncidentFrame,
  incidentId,
  type ConsoleState,
  type Push,
} from '../../../src-preload/contract/index.ts';

interface PageRow {
  readonly id: string;
  readonly status: string | undefined;
  readonly evidenceCount: number | undefined;
}

/** One page: holds what the console told it, and acknowledges at once. */
export class Page {
  readonly slices: Partial<ConsoleState> = {};
  readonly #rows = new Map<number, PageRow>();
  #at: { readonly epoch: string; readonly revision: number } | null = null;

  constructor(console: App) {
    const subscription = console.subscribe((push) => {
      this.#take(push);
      subscription.answer({ kind: 'acknowledge', epoch: push.epoch, revision: push.revision });
    });
  }

  /** What is shown, by the incident's id. */
  rows(): ReadonlyMap<string, PageRow> {
    return new Map([...this.#rows.values()].map((row) => [row.id, row]));
  }

  #take({ epoch, revision, base, slices, incidents }: Push): void {
    if (base === null) this.#rows.clear();
    else if (epoch !== this.#at?.epoch || base !== this.#at.revision) {
      throw new Error('A push builds on something that this page was never told');
    }
    Object.assign(this.slices, slices);
    if (incidents) this.#takeRows(incidents);
    this.#at = { epoch, revision };
  }

  #takeRows(block: Uint8Array): void {
    const { complete, removed, columns, dictionaries } = decodeIncidentFrame(block);
    if (complete) this.#rows.clear();
    for (const key of removed) this.#rows.delete(key);
    for (let index = 0; index < columns.length; index += 1) {
      this.#rows.set(columns.key[index] ?? -1, {
        id: incidentId(columns, index),
        status: dictionaries.status[columns.status[index] ?? -1],
        evidenceCount: columns.evidenceCount[index],
      });
    }
  }
}
