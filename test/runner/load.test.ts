import process from 'node:process';
import { expect, it } from 'vitest';
import { ProcessorTime, countsProcessorTime } from '../support/processorTime.ts';
import { startLoad } from './load.ts';

it.runIf(countsProcessorTime)(
  'loads the machine until it is stopped, and its processes are counted',
  async () => {
    const time = new ProcessorTime(process.pid);
    const { stop } = startLoad(2);
    const begun = time.look();
    await expect.poll(() => time.look() - begun).toBeGreaterThan(0.3);
    expect(stop()).toMatch(/^Loaded by 2 processes: load [\d.]+ to [\d.]+, median [\d.]+\n$/);
  },
);
