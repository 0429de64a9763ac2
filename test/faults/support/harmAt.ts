/**
 * Loaded first by a process and each of its threads: kills the process before the call of number `at` to the disk, or
 * fails that call once with `code`. Of the main thread from `arm` on, or of one database's thread from its first
 * transaction on. A failing disk fails reading too; a kill between two reads is one before the next write.
 *
 * HARM_AT is `[thread, at, code]` in JSON, with `main` or the name of a thread, and `kill` or the code of a system call.
 */
import fs, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread, threadName } from 'node:worker_threads';

const [thread, at, code] = JSON.parse(process.env['HARM_AT'] ?? '["none",0,"kill"]') as [
  string,
  number,
  string,
];
/** What SQLite makes of a system call that fails with the code. */
const results: Readonly<Record<string, number>> = { EIO: 10, ENOSPC: 13, EMFILE: 14, EROFS: 8 };
let armed = false;
let calls = 0;

export function arm(): void {
  armed = true;
}

/** Whether this call is the one to fail. */
function isHarmed(): boolean {
  if (!armed) return false;
  calls += 1;
  if (calls !== at) return false;
  if (code === 'kill') process.kill(process.pid, 'SIGKILL');
  return true;
}

function patch(target: object, name: string, fail: () => unknown, before?: (first: unknown) => void): void {
  const call = Reflect.get(target, name) as (...given: unknown[]) => unknown;
  Reflect.set(target, name, function (this: unknown, ...given: unknown[]) {
    before?.(given[0]);
    return isHarmed() ? fail() : call.apply(this, given);
  });
}

if (isMainThread && thread === 'main') {
  const handle = await open(import.meta.filename);
  const files = Object.getPrototypeOf(handle) as object;
  await handle.close();
  const reading = code === 'kill' ? [] : (['read', 'stat'] as const);
  const looking = code === 'kill' ? [] : (['stat', 'lstat', 'readdir', 'mkdir', 'chmod'] as const);
  const fail = (): unknown => Promise.reject(Object.assign(new Error('the disk failed'), { code }));
  for (const name of ['writeFile', 'write', 'sync', 'datasync', ...reading]) patch(files, name, fail);
  for (const name of ['open', 'rename', 'rm', ...looking]) patch(fs, name, fail);
  syncBuiltinESMExports();
}
if (!isMainThread && threadName === thread) {
  const fail = (): never => {
    throw Object.assign(new Error('the disk failed'), { errcode: results[code] });
  };
  patch(DatabaseSync.prototype, 'exec', fail, (sql) => (armed ||= sql === 'BEGIN IMMEDIATE'));
  patch(StatementSync.prototype, 'run', fail);
}
