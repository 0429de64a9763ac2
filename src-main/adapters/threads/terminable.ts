import type { Compression } from '../../core/features/exports/sheet/sheetPress.ts';

const idle = 0;
const compressing = 1;
const ended = 2;

/**
 * Whether a thread may be terminated now. Node 24 aborts the whole process when a thread is terminated between the
 * making of a compressor and its set-up ("close before init", node_zlib.cc). So a thread says when it compresses, and
 * its owner then leaves it to end by itself after that.
 */
export class Terminable implements Compression {
  /** What the thread is handed, and both sides share. */
  readonly state: Int32Array;

  constructor(state: Int32Array = new Int32Array(new SharedArrayBuffer(4))) {
    this.state = state;
  }

  /** @throws Error where the thread is to end: it must not begin to compress. */
  begin(): void {
    if (Atomics.compareExchange(this.state, 0, idle, compressing) === ended) throw new Error(reason);
  }

  /** @throws Error where the thread is to end, and was left to itself until here. */
  end(): void {
    if (Atomics.compareExchange(this.state, 0, compressing, idle) === ended) throw new Error(reason);
  }

  /** The owner's side: true where the thread must be terminated, false where it ends by itself. Asked once. */
  stop(): boolean {
    return Atomics.exchange(this.state, 0, ended) === idle;
  }
}

const reason = 'it was cancelled';
