import process from 'node:process';
import { setEnvironmentData, type Worker } from 'node:worker_threads';
import { lockName, releaseLock, waitForLock } from './compressionLock.ts';

/** The threads that this process starts, so that a test can kill one as the system would. */
export interface Threads {
  /** Kills the oldest or the youngest living thread of a name; false when there is none. */
  kill(name: string, which?: 'oldest' | 'youngest'): Promise<boolean>;
  /** How many of a name were started. */
  started(name: string): number;
  stop(): void;
}

export function watchThreads(): Threads {
  const started: { readonly name: string; readonly worker: Worker; isAlive: boolean }[] = [];
  const hear = (worker: Worker): void => {
    const thread = { name: worker.threadName ?? '', worker, isAlive: true };
    started.push(thread);
    worker.once('exit', () => {
      thread.isAlive = false;
    });
  };
  const lock = new Int32Array(new SharedArrayBuffer(4));
  setEnvironmentData(lockName, lock);
  process.on('worker', hear);
  return {
    kill: async (name, which = 'youngest') => {
      const living = started.filter((one) => one.name === name && one.isAlive);
      const thread = living.at(which === 'oldest' ? 0 : -1);
      if (thread === undefined) return false;
      await waitForLock(lock);
      await thread.worker.terminate().finally(() => releaseLock(lock));
      return true;
    },
    started: (name) => started.filter((one) => one.name === name).length,
    stop: () => {
      process.off('worker', hear);
      setEnvironmentData(lockName, undefined);
    },
  };
}
