import { beforeEach, describe, expect, it } from 'vitest';
import { WriteBehind } from '../../../src-main/core/vault/writeBehind.ts';
import { createVirtualClock, flush, type VirtualClock } from '../../support/clock.ts';

let clock: VirtualClock;
/** What the keys stand for. */
let values: Map<string, number>;
/** Each write that was begun; `end` ends it. */
let writes: { readonly change: readonly string[]; readonly end: (problem: string | null) => void }[];

beforeEach(() => {
  clock = createVirtualClock();
  values = new Map();
  writes = [];
});

function createBehind(options: { readonly gatherMs?: number; readonly pauseMs?: number } = {}) {
  return new WriteBehind<readonly string[], string>({
    clock,
    ...options,
    take: (keys) => keys.map((key) => `${key} ${String(values.get(key))}`),
    put: (change) =>
      new Promise((resolve) => {
        writes.push({ change, end: resolve });
      }),
  });
}

const changes = (): readonly (readonly string[])[] => writes.map(({ change }) => change);

async function end(problem: string | null = null): Promise<void> {
  writes.at(-1)?.end(problem);
  await flush();
}

describe('writing behind', () => {
  it('writes what a key stands for when the write begins, and once more what changed meanwhile', async () => {
    const behind = createBehind({ pauseMs: 1_000 });
    values.set('a', 1);
    behind.note(['a']);
    values.set('a', 2);
    behind.note(['a']);
    await end();
    await clock.advance(999);
    expect(changes()).toEqual([['a 1']]);
    await clock.advance(1);
    expect(changes()).toEqual([['a 1'], ['a 2']]);
    await end();
    await clock.advance(60_000);
    expect(writes).toHaveLength(2);
  });

  it('repeats a failed write every 30 s, with what was noted meanwhile, and not earlier', async () => {
    const behind = createBehind();
    values.set('a', 1);
    behind.note(['a']);
    await end('full');
    behind.note(['b']);
    await clock.advance(29_999);
    expect(writes).toHaveLength(1);
    values.set('a', 2);
    await clock.advance(1);
    expect([...(changes()[1] ?? [])].sort()).toEqual(['a 2', 'b undefined']);
    await end();
    expect(clock.pending()).toBe(0);
  });

  it('answers a flush when its keys are on the disk, and lets no two writes overlap', async () => {
    const behind = createBehind();
    values.set('a', 1);
    behind.note(['a']);
    const answers: (string | null)[] = [];
    for (const key of ['b', 'c']) void behind.flush([key]).then((answer) => answers.push(answer));
    await flush();
    expect(writes).toHaveLength(1);
    await end();
    expect(changes()[1]).toEqual(['b undefined', 'c undefined']);
    expect(answers).toEqual([]);
    await end();
    expect(answers).toEqual([null, null]);
    expect(writes).toHaveLength(2);
  });

  it('answers a flush with the failure, and tries again later', async () => {
    const behind = createBehind();
    const answer = behind.flush(['a']);
    await end('full');
    expect(await answer).toBe('full');
    await clock.advance(30_000);
    expect(writes).toHaveLength(2);
    await end();
    expect(clock.pending()).toBe(0);
  });

  it('takes at the end what is noted, also of a flush that waits, and repeats a running write that fails', async () => {
    const behind = createBehind();
    values.set('a', 1).set('b', 2);
    behind.note(['a']);
    const answer = behind.flush(['b']);
    let isFinished = false;
    const finished = behind.finish().then(() => (isFinished = true));
    values.clear();
    behind.note(['late']);
    await end('full');
    expect(changes()).toEqual([['a 1'], ['a 1']]);
    expect(isFinished).toBe(false);
    await end();
    expect(changes()[2]).toEqual(['b 2']);
    await end();
    await finished;
    expect(await answer).toBeNull();
    await clock.advance(60_000);
    expect(writes).toHaveLength(3);
    expect(clock.pending()).toBe(0);
  });
});
