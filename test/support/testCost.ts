import type { TestInfo } from '@playwright/test';
import process from 'node:process';
import { countsProcessorTime, ProcessorTime } from './processorTime.ts';

/** The type of the annotation that says how many processor seconds a test took. */
export const processorAnnotation = 'processor seconds';

/** An automatic fixture: the processor seconds of a test, with its browser and all that it starts. */
export async function processorSeconds(
  {},
  use: () => Promise<void>,
  { annotations }: TestInfo,
): Promise<void> {
  const time = new ProcessorTime(process.pid);
  const begun = time.look();
  await use();
  if (countsProcessorTime)
    annotations.push({ type: processorAnnotation, description: (time.look() - begun).toFixed(2) });
}
