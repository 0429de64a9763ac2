import type { Clock } from '../../../core/base/ports.ts';
import { carriedUpload, isRefused, type Carried } from './pageScripts.ts';
import type { PageWatch } from './pageWatch.ts';
import type { StepList } from './stepList.ts';

const megabyte = 1_048_576;
/** An upload that some part holds in memory as a whole takes more than this, in megabytes. */
const mostGrowth = 256;
/** The size of the first upload, in megabytes: enough to load all code that an upload needs. */
const small = 64;
const sampleEveryMs = 100;
/** The time limit for the largest upload, encrypted onto a slow disk, in milliseconds. */
const carryWithinMs = 20 * 60_000;

export interface UploadSteps {
  readonly list: StepList;
  readonly page: PageWatch;
  readonly shown: { readonly clock: Pick<Clock, 'schedule'>; readonly console: { call: CallVerb } };
  readonly megabytes: number;
  readonly memory: () => number;
}
type CallVerb = (verb: 'pauseUpload', request: { id: null; paused: boolean }) => Promise<unknown>;

/** Uploads 64 MB and the largest file, measuring the memory of this process, and cancels one in the middle. */
export async function uploadSteps({ list, page, shown, megabytes, memory }: UploadSteps): Promise<void> {
  // The test measures the way into the outbox, not the way to the service.
  await shown.console.call('pauseUpload', { id: null, paused: true });
  const carry = async (
    count: number,
    cancelAt: number | null,
  ): Promise<Exclude<Carried, { refused: string }>> => {
    const question = carriedUpload(count, cancelAt);
    const carried = await page.until(question, () => true, 'The upload did not end.', carryWithinMs);
    if (isRefused(carried)) throw new Error(`The console refused it: ${carried.refused}.`);
    return carried;
  };
  for (const count of new Set([small, megabytes])) {
    await list.step(`upload-${String(count)}`, `${String(count)} MB go to the outbox`, async () => {
      const stop = watchMemory(shown.clock, memory);
      const { status, taken, milliseconds } = await carry(count, null).finally(stop);
      const growth = Math.round(stop() / megabyte);
      if (status !== 204 || taken !== count * megabyte) throw new Error(`The answer was ${String(status)}.`);
      const seen = `${(milliseconds / 1_000).toFixed(1)} s; the memory of the main process grew by ${String(growth)} MB at most`;
      if (growth > mostGrowth) throw new Error(`${seen}: parts of the file stay in it.`);
      return `${seen}.`;
    });
  }
  await list.step('upload-cancelled', 'An upload that is cancelled ends before it was read', async () => {
    const { taken, endedAfter } = await carry(megabytes, Math.min(small, megabytes / 4));
    if (endedAfter === null || taken >= megabytes * megabyte) throw new Error('All of it was read.');
    return `It ended ${String(Math.round(endedAfter))} ms after it was cancelled, with ${String(Math.round(taken / megabyte))} of ${String(megabytes)} MB read.`;
  });
}

/** Samples the memory. The returned function ends that, and returns the largest growth in bytes. */
function watchMemory(clock: Pick<Clock, 'schedule'>, memory: () => number): () => number {
  const before = memory();
  let most = before;
  let cancel = (): void => undefined;
  const sample = (): void => {
    most = Math.max(most, memory());
    cancel = clock.schedule(sampleEveryMs, sample);
  };
  sample();
  return () => {
    cancel();
    most = Math.max(most, memory());
    return most - before;
  };
}
