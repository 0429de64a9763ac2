import type { ExportFormat, ExportJob, ExportSubject } from '../../../../src-preload/contract/index.ts';

/** The operator's choice of what to write. */
export interface ExportOrder {
  readonly subject: ExportSubject;
  readonly format: ExportFormat;
  readonly incidents: number;
  readonly filters: string;
  readonly byteOrderMark: boolean;
}

/** A file that is written while a reader fetches it. */
export interface ExportStream {
  readonly fileName: string;
  readonly mediaType: string;
  /** Can be read once. A reader that stops early calls `return`, which ends the export. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Aborted when the export is cancelled: then the bytes so far are no valid file. */
  readonly signal: AbortSignal;
}

/** One export and its working data. `shown` is the part for pages. */
export interface Job {
  shown: ExportJob;
  readonly order: ExportOrder;
  readonly controller: AbortController;
  keys: Uint32Array | null;
  /** The document that the page made, in a format for people. */
  document: Uint8Array | null;
  receiving: boolean;
  stopWaiting: () => void;
  toldAt: number;
}

/** Ends the writing of an export that is no longer wanted. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export function makeJob(options: {
  readonly order: ExportOrder;
  readonly fileName: string;
  /** Makes an id of 16 hexadecimal digits. */
  readonly makeId: () => string;
  /** `Clock.elapsed()`, milliseconds. */
  readonly elapsed: number;
}): Job {
  const { order, fileName, makeId, elapsed } = options;
  return {
    shown: {
      id: makeId(),
      subject: order.subject,
      format: order.format,
      fileName,
      state: 'rows',
      incidents: order.incidents,
      written: 0,
      leftOut: 0,
      gone: 0,
      bytes: 0,
      exportId: null,
      failure: null,
    },
    order,
    controller: new AbortController(),
    keys: null,
    document: null,
    receiving: false,
    stopWaiting: () => undefined,
    toldAt: elapsed,
  };
}

export const isUnderWay = ({ shown: { state } }: Job): boolean =>
  state === 'rows' || state === 'asking' || state === 'ready' || state === 'writing';
