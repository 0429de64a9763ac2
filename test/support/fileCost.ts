/**
 * Set-up of each test file: measures the processor seconds of its imports and tests, its thread's own where it runs
 * in a thread, else those of its process and of what that started.
 */
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';
import { afterAll } from 'vitest';
import { ProcessorTime } from './processorTime.ts';

const children = new ProcessorTime(process.pid);
const seconds = (): number => {
  if (isMainThread) return children.look();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
};
const begun = seconds();

afterAll(({}, { file }) => {
  file.meta.processorSeconds = seconds() - begun;
});
