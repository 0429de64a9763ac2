import type { SeverityScale } from '../../../../src-preload/contract/index.ts';
import { towns, type Towns } from '../../base/places/towns.ts';
import { Yielding } from '../../base/yielding.ts';
import type { StoredIncident } from '../../state/incidentCache.ts';
import type { ExportFacts, FindIncident } from './exportFacts.ts';

/** The progress of an export. */
export interface ExportTally {
  readonly written: number;
  /** Incidents that the format cannot express. */
  readonly leftOut: number;
  /** Incidents that the console no longer had when their turn came. */
  readonly gone: number;
}

/** What a row needs beside the incident. */
export interface RowContext {
  readonly scale: SeverityScale;
  readonly towns: Towns;
}

/** The text format of a file: its start, the row of an incident, and its end. Pure functions. */
export interface TextFormat {
  readonly mediaType: string;
  head(facts: ExportFacts): string;
  /** Null for an incident that the format cannot express. `index` is the number of rows before it. */
  row(stored: StoredIncident, index: number, { scale, towns }: RowContext): string | null;
  foot(tally: ExportTally): string;
}

/** Characters in a piece. */
const pieceLength = 65_536;
const stride = 32;

/**
 * Writes incidents as UTF-8, one piece in memory at a time, and yields to the event loop between pieces. Each incident
 * is written as it is at that moment.
 *
 * @param onTally called for each piece before the reader gets it.
 */
export async function* writeText(options: {
  readonly format: TextFormat;
  readonly facts: ExportFacts;
  readonly scale: SeverityScale;
  readonly keys: Uint32Array;
  readonly find: FindIncident;
  readonly onTally: (tally: ExportTally) => void;
}): AsyncGenerator<Uint8Array, void, undefined> {
  const { format, facts, scale, keys, find, onTally } = options;
  const encoder = new TextEncoder();
  const yielding = new Yielding();
  const context: RowContext = { scale, towns };
  let [written, leftOut, gone] = [0, 0, 0];
  let text = format.head(facts);
  for (let at = 0; at < keys.length; at += 1) {
    if (text.length >= pieceLength) {
      onTally({ written, leftOut, gone });
      yield encoder.encode(text);
      text = '';
    }
    if (at % stride === 0 && yielding.over) await yielding.next();
    const stored = find(keys[at] as number);
    const row = stored === null ? null : format.row(stored, written, context);
    if (stored === null) gone += 1;
    else if (row === null) leftOut += 1;
    else {
      written += 1;
      text += row;
    }
  }
  const tally = { written, leftOut, gone };
  onTally(tally);
  yield encoder.encode(text + format.foot(tally));
}
