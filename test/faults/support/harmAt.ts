/**
 * Loaded first by a process and each of its threads: kills the process before the call of number `at` to the disk, of
 * the main thread after `arm`, or of one database's thread after its first transaction began.
 *
 * KILL_AT is `[thread, at]` in JSON, with `main` or the name of a thread.
 */
import fs, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { isMainThread, threadName } from 'node:worker_threads';

const [thread, at] = JSON.parse(process.env['KILL_AT'] ?? '["none",0]') as [string, number];
let armed = false;
let calls = 0;

export function arm(): void {
  armed = true;
}

function step(): void {
  if (!armed) return;
  calls += 1;
  if (calls === at) process.kill(process.pid, 'SIGKILL');
}

function patch(target: object, name: string, before: (first: unknown) => void): void {
  const call = Reflect.get(target, name) as (...given: unknown[]) => unknown;
  Reflect.set(target, name, function (this: unknown, ...given: unknown[]) {
    before(given[0]);
    return call.apply(this, given);
  });
}

if (isMainThread && thread === 'main') {
  const handle = await open(import.meta.filename);
  const files = Object.getPrototypeOf(handle) as object;
  await handle.close();
  for (const name of ['writeFile', 'write', 'sync', 'datasync']) patch(files, name, step);
  for (const name of ['open', 'rename', 'rm']) patch(fs, name, step);
  syncBuiltinESMExports();
}
if (!isMainThread && threadName === thread) {
  patch(DatabaseSync.prototype, 'exec', (sql) => {
    armed ||= sql === 'BEGIN IMMEDIATE';
    step();
  });
  patch(StatementSync.prototype, 'run', step);
}
