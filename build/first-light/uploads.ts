import type { PageWatch } from '../../src-main/hosts/desktop/selfTest/pageWatch.ts';
import type { MainProcess } from './inspector.ts';
import { limits } from './limits.ts';
import { called, carriedUpload, isRefused, type Carried } from './pageScripts.ts';
import type { StepList } from './stepList.ts';

const megabyte = 1_048_576;
/** An upload that some part holds in memory as a whole takes more than this, in megabytes. */
const mostGrowth = 256;
/** The size of the first upload, in megabytes: enough to load all code that an upload needs. */
const small = 64;
const sampleEveryMs = 100;

/** Uploads 64 MB and the largest file, measuring the memory of the main process, and cancels one in the middle. */
export async function uploadSteps(given: {
  readonly list: StepList;
  readonly main: MainProcess;
  readonly page: PageWatch;
  readonly pause: (ms: number) => Promise<void>;
  readonly megabytes: number;
}): Promise<void> {
  const { list, main, page, pause, megabytes } = given;
  const carry = async (
    count: number,
    cancelAt: number | null,
  ): Promise<Exclude<Carried, { refused: string }>> => {
    const question = carriedUpload(count, cancelAt);
    const carried = await page.until(question, () => true, 'The upload did not end.', limits.work);
    if (isRefused(carried)) throw new Error(`The console refused it: ${carried.refused}.`);
    return carried;
  };
  for (const count of new Set([small, megabytes])) {
    await list.step(`upload-${String(count)}`, `${String(count)} MB go to the outbox`, async () => {
      // These steps measure the way into the outbox, not the way to the service.
      await page.until(
        called('pauseUpload', { id: null, paused: true }),
        ({ failed }) => failed === null,
        'Uploads were not paused.',
      );
      const growthOf = await watchMemory(main, pause);
      const { status, taken, milliseconds } = await carry(count, null).finally(() => void growthOf());
      const growth = Math.round((await growthOf()) / megabyte);
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

/** Samples the memory. The returned function ends that, and resolves to the largest growth in bytes. */
async function watchMemory(
  main: MainProcess,
  pause: (ms: number) => Promise<void>,
): Promise<() => Promise<number>> {
  const sample = (): Promise<number> => main.evaluate(() => process.memoryUsage.rss(), null);
  const before = await sample();
  let most = before;
  let going = true;
  const sampling = (async () => {
    while (going) {
      most = Math.max(most, await sample());
      await pause(sampleEveryMs);
    }
  })().catch(() => undefined);
  return async () => {
    going = false;
    await sampling;
    most = Math.max(most, await sample());
    return most - before;
  };
}
