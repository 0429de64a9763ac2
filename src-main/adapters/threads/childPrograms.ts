import { fork } from 'node:child_process';
import process from 'node:process';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { ChildProgram, ForkProgram } from '../../core/base/ports.ts';

export function threadOf(file: URL, options: WorkerOptions): ChildProgram {
  const worker = new Worker(file, options);
  let how: 'killed' | 'broken' = 'killed';
  worker.on('error', () => (how = 'broken'));
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on('message', listener),
    onGone: (listener) => worker.on('exit', () => listener(how)),
    hold: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
    kill: () => void worker.terminate(),
  };
}

/**
 * Starts a process of Node that ends with this one: its standard input is a pipe that ends then (ownerPort.ts). An
 * untrusted file must not reach this process's environment; Windows starts no process without its own folder's name.
 */
export const forkProgram: ForkProgram = (file, args) => {
  const { SystemRoot } = process.env;
  const child = fork(file, args, {
    env: SystemRoot === undefined ? {} : { SystemRoot },
    execArgv: ['--max-old-space-size=128'],
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
  });
  // A message to a process that has just ended fails here, and `exit` tells it.
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  return {
    post: (message) => void child.send(message as object, () => undefined),
    onMessage: (listener) => child.on('message', listener),
    onGone: (listener) => {
      child.once('exit', (_code, signal) => {
        listener(signal === 'SIGKILL' || signal === 'SIGTERM' ? 'killed' : 'broken');
      });
    },
    hold: (isNeeded) => {
      const reference = isNeeded ? 'ref' : 'unref';
      child[reference]();
      child.channel?.[reference]();
      if (!isNeeded) (child.stdin as { unref?: () => void } | null)?.unref?.();
    },
    kill: () => void child.kill('SIGKILL'),
  };
};
