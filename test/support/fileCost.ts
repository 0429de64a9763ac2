/**
 * Set-up of each test file: measures the processor seconds of its imports and tests, those of its process
 * and of what that started, or of its thread alone.
 */
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';
import { afterAll } from 'vitest';
import { countsProcessorTime, ProcessorTime } from './processorTime.ts';

const children = new ProcessorTime(process.pid);
const seconds = (): number => {
  if (isMainThread && countsProcessorTime) return children.look();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
};
const begun = seconds();

afterAll(({}, { file }) => {
  file.meta.processorSeconds = seconds() - begun;
});
