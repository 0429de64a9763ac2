import type { SeverityScale } from '../../../../src-preload/contract/index.ts';
import { towns, type Towns } from '../../base/places/towns.ts';
import { Yielding } from '../../base/yielding.ts';
import type { StoredIncident } from '../../state/incidentCache.ts';
import type { ExportFacts, FindIncident } from './exportFacts.ts';

/** How far an export is. */
export interface ExportTally {
  readonly written: number;
  /** Incidents that the format has no place for. */
  readonly leftOut: number;
  /** Incidents that were not known any more when their turn came. */
  readonly gone: number;
}

/** What a row says besides the incident itself. */
export interface RowContext {
  readonly scale: SeverityScale;
  readonly towns: Towns;
}

/** A file of incidents as text: what stands before, for each, and after. Pure. */
export interface TextFormat {
  readonly mediaType: string;
  head(facts: ExportFacts): string;
  /** Null for an incident that the format has no place for. `index` counts what was written before. */
  row(stored: StoredIncident, index: number, { scale, towns }: RowContext): string | null;
  foot(tally: ExportTally): string;
}

/** Characters that are gathered before they leave as a piece. */
const pieceLength = 65_536;
const stride = 32;

/**
 * Writes incidents as UTF-8, piece by piece: one piece is in memory at a time, and the event loop gets its
 * turn between them. An incident is written as it is known at that moment.
 *
 * @param onTally hears of each piece before it leaves.
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
