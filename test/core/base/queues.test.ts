import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { KeyedQueue, SerialQueue } from '../../../src-main/core/base/queues.ts';

/** Work that ends when it is told to, and notes when it begins. */
function workOf(begun: string[]): { work(name: string): () => Promise<string>; end(name: string): void } {
  const ends = new Map<string, () => void>();
  return {
    work: (name) => () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name) => ends.get(name)?.(),
  };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a serial queue', () => {
  it('begins work when the work before has ended, and answers as the work does', async () => {
    const begun: string[] = [];
    const { work, end } = workOf(begun);
    const queue = new SerialQueue();
    const first = queue.run(work('first'));
    const second = queue.run(work('second'));
    await settle();
    expect(begun).toEqual(['first']);
    end('first');
    expect(await first).toBe('first');
    await settle();
    expect(begun).toEqual(['first', 'second']);
    end('second');
    expect(await second).toBe('second');
  });

  it('goes on after work that failed or threw', async () => {
    const queue = new SerialQueue();
    const rejected = queue.run(() => Promise.reject(new Error('refused')));
    const thrown = queue.run(() => {
      throw new Error('broken');
    });
    const after = queue.run(() => Promise.resolve('after'));
    await expect(rejected).rejects.toThrow('refused');
    await expect(thrown).rejects.toThrow('broken');
    expect(await after).toBe('after');
  });

  it('is settled when what was asked for until then is done, whatever came of it', async () => {
    const begun: string[] = [];
    const { work, end } = workOf(begun);
    const queue = new SerialQueue();
    const failed = queue.run(() => Promise.reject(new Error('refused')));
    const settled = queue.settled();
    void queue.run(work('later'));
    await expect(failed).rejects.toThrow('refused');
    await settled;
    await settle();
    expect(begun).toEqual(['later']);
    end('later');
  });

  it('does not hold what its last work resolved with', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const queue = new SerialQueue();
    const run = async (): Promise<WeakRef<object>> => new WeakRef(await queue.run(async () => ({ key: 1 })));
    const value = await run();
    await settle();
    collect();
    expect(value.deref()).toBeUndefined();
    await queue.settled();
  });
});

describe('a keyed queue', () => {
  it('lets work of other keys go on, and work of one key wait', async () => {
    const begun: string[] = [];
    const { work, end } = workOf(begun);
    const queue = new KeyedQueue();
    const first = queue.run('a', work('a1'));
    void queue.run('a', work('a2'));
    void queue.run('b', work('b1'));
    expect(begun).toEqual(['a1', 'b1']);
    end('a1');
    await first;
    await settle();
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    end('a2');
    end('b1');
    await queue.idle();
  });

  it('goes on after work that failed, and is idle when all has ended', async () => {
    const begun: string[] = [];
    const { work, end } = workOf(begun);
    const queue = new KeyedQueue();
    const failed = queue.run('a', () => Promise.reject(new Error('refused')));
    const after = queue.run('a', work('after'));
    await expect(failed).rejects.toThrow('refused');
    await settle();
    let idle = false;
    const done = queue.idle().then(() => {
      idle = true;
    });
    await settle();
    expect(idle).toBe(false);
    end('after');
    expect(await after).toBe('after');
    await done;
    expect(idle).toBe(true);
  });
});
