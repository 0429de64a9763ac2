import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVirtualClock, StillClock } from '../clock.ts';
import { fieldLine, leastMs, Line, type End, type LineOptions } from './line.ts';
import { openLineRelay } from './relay.ts';

interface Taken {
  readonly bytes: number[];
  /** When each piece came. */
  readonly at: number[];
  readonly end: End;
  isReset: boolean;
  isEnded: boolean;
  drained: number;
}

function taker(clock: StillClock, takes = true): Taken {
  const taken: Taken = {
    bytes: [],
    at: [],
    isReset: false,
    isEnded: false,
    drained: 0,
    end: {
      receive: (bytes, acknowledge) => {
        taken.bytes.push(...bytes);
        taken.at.push(clock.elapsed());
        if (takes) acknowledge();
      },
      ended: () => (taken.isEnded = true),
      drained: () => (taken.drained += 1),
      reset: () => (taken.isReset = true),
    },
  };
  return taken;
}

const quiet: Partial<LineOptions> = { resets: 0 };

function rig(change: Partial<LineOptions> = quiet) {
  const clock = new StillClock();
  const line = new Line({ clock, ...fieldLine, ...change });
  const open = (takes = true) => {
    const near = taker(clock);
    const far = taker(clock, takes);
    let openedAt: number | null = null;
    const way = line.connect({
      near: near.end,
      far: far.end,
      opened: () => (openedAt = clock.elapsed()),
    });
    return { near, far, way, openedAt: () => openedAt };
  };
  return { clock, line, open };
}

const numbered = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at % 251);

describe('a slow line', () => {
  it('takes a round trip to connect, and a byte half of one more', () => {
    const { clock, open } = rig();
    const one = open();
    clock.advance(700);
    expect(one.openedAt()).toBeNull();
    clock.advance(20);
    expect(one.openedAt()).toBe(710);
    one.way.near.send(Uint8Array.of(7));
    clock.advance(340);
    expect(one.far.bytes).toEqual([]);
    clock.advance(20);
    expect(one.far.bytes).toEqual([7]);
  });

  it('carries 8 kB a second each way, in order and whole', () => {
    const { clock, line, open } = rig();
    const one = open();
    const sent = numbered(40_000);
    one.way.near.send(sent);
    one.way.far.send(sent);
    one.way.far.end();
    clock.advance(60_000);
    expect([one.far.bytes, one.near.bytes]).toEqual([[...sent], [...sent]]);
    expect([one.near.isEnded, one.far.isEnded]).toEqual([true, false]);
    const least = leastMs(line.options, { bytes: 40_000, roundTrips: 1.5 });
    expect(one.far.at.at(-1)).toBeGreaterThan(least);
    expect(one.far.at.at(-1)).toBeLessThan(least * 1.05);
  });

  it('holds a sender back whose bytes are not acknowledged', () => {
    const { clock, open } = rig({ ...quiet, bufferBytes: 4_200 });
    const one = open(false);
    clock.advance(1_000);
    expect(one.way.near.send(numbered(4_200))).toBe(true);
    expect(one.way.near.send(numbered(1_400))).toBe(false);
    clock.advance(60_000);
    expect([one.far.bytes.length, one.near.drained]).toEqual([4_200, 0]);
    const other = open();
    clock.advance(1_000);
    expect(other.way.near.send(numbered(8_400))).toBe(false);
    clock.advance(60_000);
    expect([other.far.bytes.length, other.near.drained]).toEqual([8_400, 1]);
  });

  it.each([
    ['fair', 2_000],
    ['single', 7_000],
  ] as const)('lets a small one through a large one by its queue: %s', (queue, about) => {
    const { clock, open } = rig({ ...quiet, queue });
    const [large, small] = [open(), open()];
    clock.advance(1_000);
    large.way.near.send(numbered(100_000));
    clock.advance(1_000);
    const from = clock.elapsed();
    small.way.near.send(Uint8Array.of(1));
    clock.advance(20_000);
    const waited = (small.far.at[0] ?? Infinity) - from;
    expect(waited).toBeLessThan(about);
    expect(waited).toBeGreaterThan(about - 1_700);
  });

  it('resets the share of connections that it is to, both ends at once', () => {
    const { clock, line, open } = rig({ resets: 0.25 });
    const all = Array.from({ length: 40 }, () => open());
    clock.advance(2_000);
    for (const { way } of all) {
      way.near.send(numbered(70_000));
      clock.advance(20_000);
    }
    const reset = all.filter(({ near, far }) => near.isReset && far.isReset);
    expect(reset.length).toBe(line.carried.resets);
    expect(reset.length).toBeGreaterThan(4);
    expect(reset.length).toBeLessThan(18);
    expect(all.filter(({ far }) => far.isReset).length).toBe(reset.length);
    for (const { far } of reset) expect(far.bytes.length).toBeLessThan(70_000);
  });

  it('brings nothing while it is off, and all of it later', () => {
    const { clock, line, open } = rig();
    const one = open();
    clock.advance(1_000);
    line.isOff = true;
    one.way.near.send(numbered(10));
    clock.advance(10_000);
    expect(one.far.bytes).toEqual([]);
    line.isOff = false;
    clock.advance(2_000);
    expect(one.far.bytes).toHaveLength(10);
  });

  it('keeps the order of every connection, whatever is sent and however it waits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 5_000 }), fc.nat(2_000)), { maxLength: 30 }),
        fc.constantFrom('fair' as const, 'single' as const),
        (sends, queue) => {
          const { clock, open } = rig({ ...quiet, queue, bufferBytes: 3_000 });
          const all = Array.from({ length: 4 }, () => ({ ...open(), sent: [] as number[] }));
          for (const [index, size, wait] of sends) {
            const bytes = numbered(size);
            all[index]?.way.near.send(bytes);
            all[index]?.sent.push(...bytes);
            clock.advance(wait);
          }
          clock.advance(1_000_000);
          expect(all.map(({ far }) => far.bytes)).toEqual(all.map(({ sent }) => sent));
        },
      ),
      { numRuns: 30 },
    );
  });
});

it('carries requests of a socket on the virtual clock', async () => {
  const server = createServer((_, response) => response.end('x'.repeat(16_000)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const clock = createVirtualClock();
  const line = new Line({ clock, ...fieldLine, ...quiet });
  const relay = await openLineRelay(
    line,
    `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
  );
  onTestFinished(() => relay.close());
  const from = clock.elapsed();
  const text = await clock.drive(fetch(relay.url).then((answer) => answer.text()));
  expect(text).toHaveLength(16_000);
  expect(clock.elapsed() - from).toBeGreaterThan(leastMs(line.options, { bytes: 16_000, roundTrips: 2 }));
  expect(line.carried).toMatchObject({ connections: 1, resets: 0 });
});
