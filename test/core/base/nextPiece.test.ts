import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { nextPiece } from '../../../src-main/core/base/nextPiece.ts';
import { createVirtualClock } from '../../support/clock.ts';

const silenceMs = 60_000;

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
