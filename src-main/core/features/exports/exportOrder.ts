import type { ExportFormat, SeverityScale } from '../../../../src-preload/contract/index.ts';
import type { ExportFacts, FindIncident } from './exportFacts.ts';
import type { ExportTally } from './textFormat.ts';

/** What is to be written, as the operator chose it. */
export interface ExportOrder {
  readonly format: ExportFormat;
  readonly incidents: number;
  readonly filters: string;
  readonly byteOrderMark: boolean;
}

export interface ExportWriting {
  readonly facts: ExportFacts;
  readonly scale: SeverityScale;
  readonly keys: Uint32Array;
  readonly find: FindIncident;
  /** Hears of each piece before it leaves. */
  readonly onTally: (tally: ExportTally) => void;
}
