import process from 'node:process';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  RestartingWorker,
  type WorkerSettings,
} from '../../../src-main/adapters/threads/restartingWorker.ts';
import { StorageError } from '../../../src-main/core/vault/storage.ts';
import { createVirtualClock, turns, until, type VirtualClock } from '../../support/clock.ts';
import { watchThreads, type Threads } from '../../support/threads.ts';
import type { TrialMessages } from '../programs/answeringThread.ts';
import { afterwards } from '../support.ts';

const program = new URL('../programs/answeringThread.ts', import.meta.url);
const name = 'trial';
const failing = (reason: string): unknown => expect.objectContaining({ name: 'StorageError', reason });

let threads: Threads;
let clock: VirtualClock;
beforeEach(() => {
  clock = createVirtualClock();
  threads = watchThreads();
  afterwards(() => threads.stop());
});

function started(change: Partial<WorkerSettings> = {}) {
  let losses = 0;
  const onLost = (): void => void (losses += 1);
  const worker = new RestartingWorker<TrialMessages>({ program, name, clock, onLost, ...change });
  afterwards(() => worker.close());
  return { worker, losses: () => losses };
}

const kill = async (): Promise<void> => expect(await threads.kill(name)).toBe(true);

describe('what a thread is asked', () => {
  test('is answered in the order of asking, each with its own reply or failure', async () => {
    const { worker } = started();
    const answers = await Promise.allSettled([
      worker.ask('add', 2),
      worker.ask('refuse', null),
      worker.ask('add', 3),
    ]);
    expect(answers).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: failing('full') },
      { status: 'fulfilled', value: 5 },
    ]);
    expect(threads.started(name)).toBe(1);
  });

  test('is answered together where that is possible, and one by one where it fails', async () => {
    const { worker } = started();
    const askedTogether = (values: readonly number[]): Promise<PromiseSettledResult<number>[]> => {
      // Its piece is taken after this function, so the thread has all of `values` before it is free again.
      void worker.ask('count', 1, () => undefined);
      return Promise.allSettled(values.map((value) => worker.ask('together', value)));
    };
    expect(await askedTogether([1, 2, 3])).toMatchObject([{ value: 3 }, { value: 3 }, { value: 3 }]);
    const mixed = await askedTogether([1, -1, 3]);
    expect(mixed).toMatchObject([{ value: 1 }, { reason: failing('full') }, { value: 1 }]);
  });

  test('gives its pieces in turn before its reply, and ends when one is not taken', async () => {
    const { worker } = started();
    const taken: number[] = [];
    const counting = worker.ask('count', 9, async ([value = 0]) => {
      await turns(value % 3);
      taken.push(value);
    });
    await Promise.all([counting, worker.ask('echo', 1)]);
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);

    const refusal = new Error('no more');
    let come = 0;
    const refused = worker.ask('count', 200, () => {
      come += 1;
      if (come === 2) throw refusal;
    });
    await expect(refused).rejects.toBe(refusal);
    expect(come).toBe(2);
    expect(await worker.ask('echo', 7)).toBe(7);
  });
});

test('a thread that owes no answer does not keep the process alive', async () => {
  const { worker } = started();
  const alive = (): number =>
    process.getActiveResourcesInfo().filter((what) => what === 'MessagePort').length;
  const before = alive();
  worker.start();
  expect(alive()).toBe(before);
  const asked = worker.ask('echo', 1);
  expect(alive()).toBe(before + 1);
  await asked;
  expect(alive()).toBe(before);
});

describe('when the thread dies', () => {
  test('what was not answered is asked again, in a thread that was brought to the state of the one before', async () => {
    const { worker } = started();
    const found = await worker.open(
      (first) => first.ask('add', 1),
      (next) => next.ask('add', 100),
    );
    expect(found).toBe(1);
    await kill();
    expect(await worker.ask('add', 1)).toBe(101);
    const asked = [worker.ask('add', 1), worker.ask('hang', null).catch((error: unknown) => error)];
    await until(() => threads.started(name) === 2, 'the second thread');
    expect(await asked[0]).toBe(102);
  });

  test('what waits for the next thread keeps its order, with what is asked meanwhile', async () => {
    const { worker } = started();
    const gate = Promise.withResolvers<void>();
    await worker.open(
      (first) => first.ask('add', 0),
      () => gate.promise,
    );
    const asked = (times: number) => Array.from({ length: times }, () => worker.ask('add', 1));
    const before = asked(6);
    await kill();
    await until(() => threads.started(name) === 2, 'the second thread');
    const meanwhile = asked(100);
    gate.resolve();
    const reached = await Promise.all([...before, ...meanwhile]);
    const again = reached.slice(reached.lastIndexOf(1));
    expect(again).toEqual(again.map((_, index) => index + 1));
    expect(again.length).toBeGreaterThanOrEqual(100);
  });

  test('what throws in the thread and what ends it are deaths, too', async () => {
    const { worker, losses } = started();
    void worker.ask('throwOutside', null).catch(() => undefined);
    await until(() => threads.started(name) === 2, 'a second thread');
    await worker.close();
    expect(losses()).toBe(0);
  });

  test('it is started again three times in five minutes, each time later, and then it is said', async () => {
    const { worker, losses } = started();
    expect(await worker.ask('echo', 1)).toBe(1);
    for (const waitMs of [0, 1_000, 5_000]) {
      await kill();
      const asked = worker.ask('echo', waitMs);
      if (waitMs > 0) {
        await until(() => clock.pending() === 1, 'the wait before a start');
        await clock.advance(waitMs - 1);
        expect(clock.pending()).toBe(1);
        await clock.advance(1);
      }
      expect(await asked).toBe(waitMs);
    }
    await kill();
    await expect(worker.ask('echo', 1)).rejects.toEqual(failing('interrupted'));
    expect({ losses: losses(), started: threads.started(name) }).toEqual({ losses: 1, started: 4 });
    await clock.advance(5 * 60_000);
    expect(await worker.ask('echo', 2)).toBe(2);
  });

  test('pieces that were taken are not given again, and are waited for', async () => {
    const { worker } = started();
    const taken: number[] = [];
    const reply = await worker.ask('count', 6, async ([value = 0]) => {
      if (value === 6) {
        await kill();
        // Long enough for another thread to start and to reply.
        await until(() => threads.started(name) === 2, 'the second thread');
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      taken.push(value);
    });
    expect(reply).toBe(0);
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    expect(threads.started(name)).toBe(2);
  });

  test('a taker that failed meanwhile is given no more', async () => {
    const { worker } = started();
    let come = 0;
    const counting = worker.ask('count', 6, async () => {
      come += 1;
      if (come < 2) return;
      await kill();
      throw new Error('no more');
    });
    await expect(counting).rejects.toThrow('no more');
    expect(come).toBe(2);
  });

  test('no thread is started after the state is lost, and none waits for an answer', async () => {
    const gone = new StorageError('interrupted', 'it is gone');
    const { worker, losses } = started();
    await worker.open(
      (first) => first.ask('echo', 1),
      () => Promise.reject(gone),
    );
    await kill();
    await expect(worker.ask('echo', 1)).rejects.toBe(gone);
    await clock.advance(60 * 60_000);
    await expect(worker.ask('echo', 1)).rejects.toEqual(failing('interrupted'));
    expect({ losses: losses(), started: threads.started(name) }).toEqual({ losses: 3, started: 2 });
  });

  test('work of many messages fails with its thread, and the next has another one at once', async () => {
    const { worker } = started();
    const first = worker.living();
    await first.ask('add', 1);
    const hanging = first.ask('hang', null).catch((error: unknown) => error);
    await kill();
    expect(await hanging).toEqual(failing('interrupted'));
    await expect(first.ask('add', 1)).rejects.toEqual(failing('interrupted'));
    expect(await worker.living().ask('add', 1)).toBe(1);
    await kill();
    expect(await worker.living().ask('add', 1)).toBe(1);
    expect(clock.pending()).toBe(0);
    expect(threads.started(name)).toBe(3);
  });
});

describe('when it is closed', () => {
  test('a last message is asked of a thread that lives, and what comes later is refused', async () => {
    const { worker } = started();
    await worker.ask('add', 1);
    const last: number[] = [];
    await worker.close(async (thread) => void last.push(await thread.ask('add', 1)));
    expect(last).toEqual([2]);
    await expect(worker.ask('echo', 1)).rejects.toEqual(failing('broken'));
    expect(() => worker.living()).toThrow(StorageError);
    expect(await threads.kill(name)).toBe(false);
  });

  test('what is under way is refused', async () => {
    const { worker } = started();
    const hanging = worker.ask('hang', null).catch((error: unknown) => error);
    await worker.close();
    expect(await hanging).toEqual(failing('broken'));
    expect(await threads.kill(name)).toBe(false);
  });

  test('it does not wait for the next start', async () => {
    const { worker } = started();
    await worker.ask('echo', 1);
    await kill();
    await worker.ask('echo', 1);
    await kill();
    const asked = worker.ask('echo', 1).catch((error: unknown) => error);
    await until(() => clock.pending() === 1, 'the wait before a start');
    await worker.close();
    expect(await asked).toEqual(failing('broken'));
    expect({ pending: clock.pending(), started: threads.started(name) }).toEqual({ pending: 0, started: 2 });
  });
});

describe('a program that is not trusted', () => {
  test('is over for good when it takes too long', async () => {
    const { worker } = started({ distrustAfterMs: 20_000 });
    const asked = [worker.ask('hang', null), worker.ask('echo', 1)];
    const settled = Promise.allSettled(asked);
    await until(() => threads.started(name) === 1, 'the thread');
    // `advance` would wait for the answer.
    expect(clock.runNext(clock.elapsed() + 20_000)).toBe(true);
    expect(await settled).toMatchObject([{ reason: failing('broken') }, { reason: failing('broken') }]);
    await expect(worker.ask('echo', 1)).rejects.toEqual(failing('broken'));
    expect({ pending: clock.pending(), started: threads.started(name) }).toEqual({ pending: 0, started: 1 });
  });

  test('is over for good when it throws, and started again when the system ends it', async () => {
    const first = started({ distrustAfterMs: 20_000 }).worker;
    await expect(first.ask('throwOutside', null)).rejects.toEqual(failing('broken'));
    await expect(first.ask('echo', 1)).rejects.toEqual(failing('broken'));
    const second = started({ distrustAfterMs: 20_000 }).worker;
    await second.ask('echo', 1);
    await kill();
    expect(await second.ask('echo', 2)).toBe(2);
  });
});
