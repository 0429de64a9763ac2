import type { IncidentDictionaries, IncidentFrame } from '../../../src-preload/contract/index.ts';

export interface ModelRow {
  readonly key: number;
  readonly id: string;
  readonly severity: string;
  readonly status: string;
  readonly type: string;
  readonly createdAt: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly arrivedAt: number;
  readonly evidenceCount: number;
  readonly anchorCount: number;
  readonly notReturned: number;
}

/** Dictionaries that grow across the frames of one epoch, as the console's do. */
export class FrameMaker {
  readonly #dictionaries = { severity: [] as string[], status: [] as string[], type: [] as string[] };

  frame(rows: readonly ModelRow[], complete: boolean, removed: readonly number[] = []): IncidentFrame {
    const ids = rows.map((row) => new TextEncoder().encode(row.id));
    const idOffsets = new Uint32Array(rows.length + 1);
    ids.forEach((id, at) => {
      idOffsets[at + 1] = (idOffsets[at] ?? 0) + id.length;
    });
    const idBytes = new Uint8Array(idOffsets[rows.length] ?? 0);
    ids.forEach((id, at) => {
      idBytes.set(id, idOffsets[at] ?? 0);
    });
    const index = (name: keyof IncidentDictionaries, text: string): number => {
      const known = this.#dictionaries[name].indexOf(text);
      return known < 0 ? this.#dictionaries[name].push(text) - 1 : known;
    };
    const columns = {
      length: rows.length,
      key: Uint32Array.from(rows, (row) => row.key),
      createdAt: Float64Array.from(rows, (row) => row.createdAt),
      latitude: Float64Array.from(rows, (row) => row.latitude),
      longitude: Float64Array.from(rows, (row) => row.longitude),
      arrivedAt: Float64Array.from(rows, (row) => row.arrivedAt),
      evidenceCount: Uint32Array.from(rows, (row) => row.evidenceCount),
      anchorCount: Uint32Array.from(rows, (row) => row.anchorCount),
      severity: Uint16Array.from(rows, (row) => index('severity', row.severity)),
      status: Uint16Array.from(rows, (row) => index('status', row.status)),
      type: Uint16Array.from(rows, (row) => index('type', row.type)),
      notReturned: Uint8Array.from(rows, (row) => row.notReturned),
      idOffsets,
      idBytes,
    };
    const { severity, status, type } = this.#dictionaries;
    return {
      complete,
      removed: Uint32Array.from(removed),
      dictionaries: { severity: [...severity], status: [...status], type: [...type] },
      columns,
    };
  }
}
