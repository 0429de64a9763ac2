import process from 'node:process';
import { parentPort, Worker } from 'node:worker_threads';
import type { FromThread, ToThread } from './messages.ts';

/** The way from a program to its owner. */
export interface OwnerPort {
  /** A thread's `moved` buffers are transferred, a process's are copied. */
  post(message: FromThread, moved?: readonly ArrayBuffer[]): void;
  hear(listener: (message: ToThread) => void): void;
}

/** Electron's name for it in a utility process. */
interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** Null outside of a thread. */
export const threadPort = (): OwnerPort | null =>
  parentPort && {
    post: (message, moved = []) => parentPort?.postMessage(message, moved),
    hear: (listener) => void parentPort?.on('message', listener),
  };

/** Reads until the owner's end of the pipe is closed, which is when the owner has ended. The pipe may not block. */
const endsWithOwner = `
  const { readSync } = require('node:fs');
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  for (let isOpen = true; isOpen; ) {
    try {
      isOpen = readSync(0, Buffer.alloc(1)) > 0;
    } catch (error) {
      isOpen = error.code === 'EAGAIN';
      Atomics.wait(asleep, 0, 0, 500);
    }
  }
  process.kill(process.pid, 'SIGKILL');
`;

/** In a process that `forkProgram` or Electron started. Electron ends its processes with the console. */
export function processPort(): OwnerPort {
  const utility = (process as { readonly parentPort?: UtilityPort }).parentPort;
  if (utility) {
    return {
      post: (message) => utility.postMessage(message),
      hear: (listener) => utility.on('message', ({ data }) => listener(data as ToThread)),
    };
  }
  new Worker(endsWithOwner, { eval: true });
  return {
    post: (message) => void process.send?.(message),
    hear: (listener) => void process.on('message', listener),
  };
}
