import type {
  ExportFormat,
  PaperSize,
  SeverityScale,
  Wording,
} from '../../../../src-preload/contract/index.ts';
import type { ExportFacts, FindIncident } from './exportFacts.ts';
import type { SheetPress } from './sheet/sheetPress.ts';
import type { ExportTally } from './textFormat.ts';

/** What is to be written, as the operator chose it. */
export interface ExportOrder {
  readonly format: ExportFormat;
  readonly incidents: number;
  readonly filters: string;
  readonly byteOrderMark: boolean;
  readonly paper: PaperSize;
  /** In whose words a sheet is written; English without. */
  readonly wording?: Wording | undefined;
}

export interface ExportWriting {
  readonly order: ExportOrder;
  readonly facts: ExportFacts;
  readonly scale: SeverityScale;
  readonly keys: Uint32Array;
  /** The map as a PNG; null where there is none. */
  readonly picture: Uint8Array | null;
  readonly find: FindIncident;
  readonly press: SheetPress;
  /** Ends the drawing of a sheet. */
  readonly signal: AbortSignal;
  /** Hears of each piece before it leaves. */
  readonly onTally: (tally: ExportTally) => void;
}
