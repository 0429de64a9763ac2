import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { LineMeter } from '../../../../src-main/core/service/transport/lineMeter.ts';
import { WireOrder } from '../../../../src-main/core/service/transport/wireOrder.ts';
import { casesOf } from '../../../support/campaign.ts';
import { createVirtualClock } from '../../../support/clock.ts';
import { fieldLine, type LineOptions } from '../../../support/line/line.ts';
import { openLineRig } from '../../../support/line/rig.ts';
import { json } from './service.ts';

const listBytes = 9_000;
/** How long one takes on the line, with its head and packets. */
const listMs = 1_250;
/** So many requests run at once beside a decision, and on a slow line. */
const [mostAtOnce, fewestAtOnce] = [12, 4];

/** So many bytes of bulk and requests may be on their way: the line has them in 2 s. */
const mostAhead = 2 * fieldLine.bytesPerSecond;

const decision = {
  ...{ path: '/approve', missionId: 'm', key: 'k', body: '{}' },
  operation: 'approve_mission',
} as const;

async function openRig({
  listSize = listBytes,
  ...change
}: Partial<LineOptions> & { readonly listSize?: number } = {}) {
  const rig = await openLineRig(change, 250);
  const { clock, service, line, link, drive } = rig;
  const stop = new AbortController();
  service.on('/incidents', (_, response) => json(response, 200, ['x'.repeat(listSize)]));
  service.on('/approve', (_, response) => json(response, 200, {}));
  service.on('/storage', (_, response) => json(response, 201, { cid: 'c' }));
  return {
    clock,
    service,
    line,
    drive,
    link,
    close: async () => {
      stop.abort();
      await rig.close();
    },
    list: () => link.infrastructure.listIncidents({}, { signal: stop.signal }),
    upload: (bytes: number) =>
      link.coordination.upload({
        path: '/storage',
        key: `key-${String(bytes)}`,
        contentType: 'application/octet-stream',
        contentLength: bytes,
        async *body() {
          yield await Promise.resolve(Buffer.alloc(bytes));
        },
        separateToken: false,
        signal: stop.signal,
        onProgress: () => undefined,
      }),
    /** Milliseconds until a decision is answered. */
    async decide() {
      const began = clock.elapsed();
      const { result } = await drive(link.coordination.decide(decision));
      expect(result.ok).toBe(true);
      return clock.elapsed() - began;
    },
  };
}

it.each(['fair', 'single'] as const)(
  'beside two uploads a decision takes two round trips and 2 s, through a queue that is %s',
  async (queue) => {
    const { clock, line, drive, list, upload, decide, close } = await openRig({ queue });
    onTestFinished(close);
    for (let polls = 0; polls < 3; polls += 1) await drive(list());
    const uploads = Promise.all([upload(2_000_000), upload(1_900_000)]);
    for (let polls = 0; polls < 8; polls += 1) {
      await clock.advance(15_000);
      await drive(list());
      await clock.advance(5_000);
      expect(line.backlog.up).toBeLessThan(mostAhead);
      expect(await decide()).toBeLessThan(2 * 700 + 2_000);
    }
    // The uploads get most of the line.
    const before = line.carried.up;
    await clock.advance(60_000);
    expect(line.carried.up - before).toBeGreaterThan(0.5 * 60 * fieldLine.bytesPerSecond);
    void uploads;
  },
);

it.each([
  [16, 3],
  [48, 3],
  [128, 3],
  [16, 0],
  [48, 0],
  [128, 0],
])(
  'where answers are too short to show a rate, bulk of a far line with a queue of %i KB, after %i polls, finds its pace with care',
  async (kilobytes, pollsBefore) => {
    const queue = { queue: 'single', bufferBytes: kilobytes * 1_024 } as const;
    const { clock, line, drive, list, upload, decide, close } = await openRig({ ...queue, listSize: 100 });
    onTestFinished(close);
    for (let polls = 0; polls < pollsBefore; polls += 1) await drive(list());
    const waits: number[] = [];
    void upload(5_000_000);
    for (let polls = 0; polls < 16; polls += 1) {
      await clock.advance(15_000);
      await drive(list());
      waits.push(await decide());
    }
    expect(Math.max(...waits)).toBeLessThan(2 * 700 + 2_000);
    expect(line.carried.up).toBeGreaterThan(0.5 * 16 * 15 * fieldLine.bytesPerSecond);
  },
);

it('a near line whose sign-in was slow has no pace from its first round trip on', () => {
  const clock = createVirtualClock();
  const meter = new LineMeter(clock);
  const order = new WireOrder(clock, meter);
  const answerAfter = (ms: number, kind: 'plain' | 'handshake'): void => {
    const watch = meter.watch(() => kind);
    clock.sleep(ms);
    watch.take(0);
    watch.end();
  };
  const unpaced = order.pieceBytes;
  answerAfter(1_000, 'handshake');
  expect(order.pieceBytes).toBeLessThan(unpaced / 10);
  answerAfter(100, 'plain');
  expect(order.pieceBytes).toBe(unpaced);
});

it('an answer on a new connection is compared with others that had a handshake in front', async () => {
  const { drive, link, list, close } = await openRig({ bytesPerSecond: 64_000, listSize: 100 });
  onTestFinished(close);
  const meter = link.line.meters.infrastructure;
  for (let polls = 0; polls < 3; polls += 1) await drive(list());
  const before = meter.lastWait!;
  expect(before.ms).toBeLessThan(1_000);
  // Some of them need a new connection.
  await drive(Promise.all([list(), list(), list(), list()]));
  const { ms, usualMs, from } = meter.lastWait!;
  expect(from).toBeGreaterThan(before.from);
  expect(ms).toBeGreaterThan(1_300);
  expect(usualMs).toBeGreaterThan(1_300);
  expect(meter.roundTripMs).toBeLessThan(1_000);
});

it('waits that began before the pace was cut do not cut it again', () => {
  const clock = createVirtualClock();
  const meter = new LineMeter(clock);
  const order = new WireOrder(clock, meter);
  const ask = (): (() => void) => {
    const watch = meter.watch(() => 'plain');
    return () => {
      watch.take(0);
      watch.end();
    };
  };
  const first = ask();
  clock.sleep(700);
  first();
  const careful = order.pieceBytes;
  clock.sleep(1);
  const together = [ask(), ask(), ask()];
  clock.sleep(5_000);
  for (const answer of together) {
    answer();
    expect(order.pieceBytes).toBeGreaterThan(careful / 2);
    expect(order.pieceBytes).toBeLessThan(careful);
    clock.sleep(500);
  }
});

it('a random mix of work starves no decision', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        queue: fc.constantFrom('fair' as const, 'single' as const),
        lists: fc.oneof(fc.constant(0), fc.nat(40)),
        uploads: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 2 }),
        waits: fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 3 }),
      }),
      async ({ queue, lists, uploads, waits }) => {
        const { clock, line, drive, list, upload, decide, close } = await openRig({ queue });
        // In a single queue the handshake and the answer come after the lists that were asked for.
        const most = 2 * 700 + 2_000 + 2 * Math.min(lists, fewestAtOnce) * listMs;
        try {
          await drive(list());
          const work = [...uploads.map(upload), ...Array.from({ length: lists }, list)];
          for (const wait of waits) {
            await clock.advance(wait);
            // A fair queue hides from a decision what bulk has put on the line; another network may not.
            expect(line.backlog.up).toBeLessThan(mostAhead);
            expect(await decide()).toBeLessThan(most);
          }
          void Promise.allSettled(work);
        } finally {
          await close();
        }
      },
    ),
    {
      numRuns: casesOf({ part: 6, whole: 60 }),
      seed: 37,
      examples: [
        [{ queue: 'single', lists: 12, uploads: [], waits: [0] }],
        [{ queue: 'single', lists: 0, uploads: [1_000_000, 900_000], waits: [20_000, 5_000] }],
        [{ queue: 'fair', lists: 0, uploads: [1_000_000, 900_000], waits: [20_000, 5_000] }],
      ],
    },
  );
});

it('a decision finds a place however many lists run, and each list comes', async () => {
  const { service, drive, list, decide, close } = await openRig({ bytesPerSecond: 1_000_000 });
  onTestFinished(close);
  const held: (() => void)[] = [];
  service.on('/incidents', (_, response) => void held.push(() => json(response, 200, [])));
  const lists = Array.from({ length: 30 }, list);
  expect(await decide()).toBeLessThan(2_200);
  expect(held).toHaveLength(mostAtOnce);
  service.on('/incidents', (_, response) => json(response, 200, []));
  for (const answer of held) answer();
  expect((await drive(Promise.all(lists))).filter(({ ok }) => ok)).toHaveLength(30);
});

it('while a decision runs no upload hands over a byte, and then it continues', async () => {
  const { clock, service, line, link, drive, list, upload, close } = await openRig();
  onTestFinished(close);
  await drive(list());
  let answer: () => void = () => undefined;
  service.on('/approve', (_, response) => (answer = () => json(response, 200, {})));
  void upload(1_000_000);
  await clock.advance(20_000);
  const up = async (ms: number): Promise<number> => {
    const before = line.carried.up;
    await clock.advance(ms);
    return line.carried.up - before;
  };
  expect(await up(5_000)).toBeGreaterThan(10_000);
  const deciding = link.coordination.decide(decision);
  // What was handed over before leaves.
  await clock.advance(4_000);
  expect(await up(5_000)).toBe(0);
  answer();
  expect((await drive(deciding)).result.ok).toBe(true);
  expect(await up(5_000)).toBeGreaterThan(10_000);
});
