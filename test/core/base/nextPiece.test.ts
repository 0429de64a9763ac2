import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { nextPiece, silenceMs, takeBody, type BodyEnd } from '../../../src-main/core/base/nextPiece.ts';
import { createVirtualClock } from '../../support/clock.ts';

async function* pieces(count: number, size = 1): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += 1) yield await Promise.resolve(Buffer.alloc(size, at));
}

const never = (): AsyncIterator<Uint8Array> => ({ next: () => new Promise(() => undefined) });

/** The collector, which tests of memory must be able to call. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

describe('the next piece of a body', () => {
  it('comes, and after the last one the end', async () => {
    const clock = createVirtualClock();
    const iterator = pieces(2);
    const { signal } = new AbortController();
    const next = () => nextPiece({ iterator, clock, silenceMs, signal });
    expect(await next()).toMatchObject({ done: false, value: Buffer.of(0) });
    expect(await next()).toMatchObject({ done: false, value: Buffer.of(1) });
    expect(await next()).toMatchObject({ done: true });
    expect(clock.pending()).toBe(0);
  });

  it('is not waited for longer than the silence, nor after the end', async () => {
    const clock = createVirtualClock();
    const controller = new AbortController();
    const { signal } = controller;
    const silent = nextPiece({ iterator: never(), clock, silenceMs, signal });
    await clock.advance(silenceMs);
    expect(await silent).toBe('silent');
    const ended = nextPiece({ iterator: never(), clock, silenceMs, signal });
    controller.abort();
    expect(await ended).toBe('ended');
    expect(await nextPiece({ iterator: never(), clock, silenceMs, signal })).toBe('ended');
    expect(clock.pending()).toBe(0);
  });

  it('passes on what the body fails with', async () => {
    const iterator: AsyncIterator<Uint8Array> = { next: () => Promise.reject(new Error('cut')) };
    const { signal } = new AbortController();
    await expect(nextPiece({ iterator, clock: createVirtualClock(), silenceMs, signal })).rejects.toThrow(
      'cut',
    );
  });

  it('is let go once it was taken, however long the transfer lasts', async () => {
    const collect = collector();
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    const iterator = pieces(256, 1_048_576);
    collect();
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    for (let at = 0; at < 256; at += 1) {
      await nextPiece({ iterator, clock, silenceMs, signal });
      if (at % 64 !== 63) continue;
      await pause(0);
      collect();
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(most).toBeLessThan(192 * 1_048_576);
  });
});

describe('an announced body', () => {
  const clock = createVirtualClock();
  const controller = new AbortController();
  const take = (body: AsyncIterable<Uint8Array>, bytes: number, taken: number[] = []): Promise<BodyEnd> =>
    takeBody({
      body,
      bytes,
      clock,
      signal: controller.signal,
      take: (_, received) => void taken.push(received),
    });
  const stalled = { [Symbol.asyncIterator]: never };

  it.each([
    ['whole', 3, 3, [1, 2, 3]],
    ['short', 4, 3, [1, 2, 3]],
    ['larger', 2, 3, [1, 2]],
  ] as const)('is %s where %i bytes were announced and 3 come', async (kind, bytes, received, counts) => {
    const taken: number[] = [];
    expect(await take(pieces(3), bytes, taken)).toEqual({ kind, received });
    expect(taken).toEqual(counts);
  });

  it('is broken when it fails, silent when nothing comes, and ended by the signal', async () => {
    const cut = (async function* () {
      yield await Promise.resolve(Buffer.of(1));
      throw new Error('cut');
    })();
    expect(await take(cut, 3)).toEqual({ kind: 'broken', received: 1 });
    const silent = take(stalled, 3);
    await clock.advance(silenceMs);
    expect(await silent).toEqual({ kind: 'silent', received: 0 });
    const ended = take(stalled, 3);
    controller.abort();
    expect(await ended).toEqual({ kind: 'ended', received: 0 });
  });

  it('is closed, and rejects, when a piece cannot be taken', async () => {
    let closed = false;
    const body = (async function* () {
      try {
        yield await Promise.resolve(Buffer.of(1));
      } finally {
        closed = true;
      }
    })();
    const { signal } = new AbortController();
    const refuse = () => Promise.reject(new Error('full'));
    await expect(takeBody({ body, bytes: 1, clock, signal, take: refuse })).rejects.toThrow('full');
    expect(closed).toBe(true);
  });
});
