import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a program of the bench in a process of its own, as it has in life. */
export const startProgram = (program: string, ...args: readonly string[]): ChildProcess =>
  fork(fileURLToPath(new URL(`programs/${program}.ts`, import.meta.url)), args, {
    stdio: ['ignore', 2, 2, 'ipc'],
  });

/** The program's next message; rejects when it ends instead. */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const gone = once(child, 'exit', { signal: ended.signal }).then(
    () => Promise.reject(new Error('A program of the bench ended by itself')),
    () => new Promise<never>(() => undefined),
  );
  try {
    const [message] = (await Promise.race([once(child, 'message'), gone])) as [T];
    return message;
  } finally {
    ended.abort();
  }
}

export function askProgram<T>(child: ChildProcess, message: unknown): Promise<T> {
  const answer = nextMessage<T>(child);
  child.send(message as object);
  return answer;
}

export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}
