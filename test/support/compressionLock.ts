/**
 * Loaded before the program of each thread that a test starts (vitest.config.ts).
 *
 * Node 24.21 aborts the whole process when a thread is terminated between the making of a compressor and its set-up
 * ("Assertion failed: init_done_ && "close before init"", node_zlib.cc). A test that kills threads at any moment
 * holds this lock meanwhile, and so strikes at every moment but that one.
 */
import { syncBuiltinESMExports } from 'node:module';
import { getEnvironmentData } from 'node:worker_threads';
import zlib, { type InputType, type ZstdOptions } from 'node:zlib';

/** Where a test hands the lock to its threads: one number, 1 while it is held. */
export const lockName = 'field-console-compression-lock';

/** A thread that was ended with the lock in its hand never releases it: after so long another one takes it. */
const longestHoldMs = 20_000;

/** Blocks this thread until it holds the lock. */
function takeLock(lock: Int32Array): void {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0)
    if (Atomics.wait(lock, 0, 1, longestHoldMs) === 'timed-out') return;
}

/** The same for the main thread, whose own release must be able to run meanwhile. */
export async function waitForLock(lock: Int32Array): Promise<void> {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0)
    if ((await Atomics.waitAsync(lock, 0, 1, longestHoldMs).value) === 'timed-out') return;
}

export function releaseLock(lock: Int32Array): void {
  Atomics.store(lock, 0, 0);
  Atomics.notify(lock, 0, 1);
}

const lock = getEnvironmentData(lockName);
if (lock instanceof Int32Array) {
  for (const name of ['zstdCompressSync', 'zstdDecompressSync'] as const) {
    const plain = zlib[name];
    zlib[name] = (bytes: InputType, options?: ZstdOptions) => {
      takeLock(lock);
      try {
        return plain(bytes, options);
      } finally {
        releaseLock(lock);
      }
    };
  }
  syncBuiltinESMExports();
}
