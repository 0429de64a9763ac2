import type { ExportJob } from '../../../../src-preload/contract/index.ts';
import type { ExportOrder } from './exportOrder.ts';

/** A file that is written while it is fetched. */
export interface ExportStream {
  readonly fileName: string;
  readonly mediaType: string;
  /** Once. Whoever stops asking for pieces calls `return`, which ends the export. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Aborted when the export is cancelled: what was fetched so far is no file. */
  readonly signal: AbortSignal;
}

/** One export and what it works with; `shown` is what pages see of it. */
export interface Job {
  shown: ExportJob;
  readonly order: ExportOrder;
  readonly controller: AbortController;
  keys: Uint32Array | null;
  /** What the page has made, of a format for people. */
  document: Uint8Array | null;
  receiving: boolean;
  stopWaiting: () => void;
  toldAt: number;
}

/** Ends the writing of an export that nobody wants any more. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export function makeJob(options: {
  readonly order: ExportOrder;
  readonly fileName: string;
  /** Makes an id of 16 hexadecimal digits. */
  readonly makeId: () => string;
  /** Of the clock, milliseconds. */
  readonly elapsed: number;
}): Job {
  const { order, fileName, makeId, elapsed } = options;
  return {
    shown: {
      id: makeId(),
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
