import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { createServerTime } from '../../../../src-main/core/base/serverTime.ts';
import { createTestPorts } from '../../../support/ports.ts';
import { casesOf } from '../../../support/campaign.ts';
import { fieldLine, Line, type LineOptions } from '../../../support/line/line.ts';
import { openLineRelay } from '../../../support/line/relay.ts';
import { createService, createTestLink, credentials, json } from './service.ts';

async function openRig(change: Partial<LineOptions> = {}) {
  const ports = createTestPorts();
  const { clock } = ports;
  const service = await createService(() => clock.wallNow());
  const line = new Line({ clock, ...fieldLine, resets: 0, ...change });
  const relay = await openLineRelay(line, service.url);
  const link = createTestLink(ports, {
    url: relay.url,
    serverTime: createServerTime({ clock }),
    address: { attemptTimeoutMs: 15_000, totalTimeoutMs: 45_000 },
  });
  const close = async (): Promise<void> => {
    await link.close();
    await relay.close();
    await service.close();
  };
  const stop = new AbortController();
  const drive = <T>(work: Promise<T>): Promise<T> => clock.drive(work, { stepMs: 250, mostMs: 3_600_000 });
  service.on('/incidents', (_, response) => json(response, 200, ['x'.repeat(9_000)]));
  service.on('/approve', (_, response) => json(response, 200, {}));
  service.on('/storage', (_, response) => json(response, 201, { cid: 'c' }));
  expect((await drive(link.session.signIn(credentials.username, credentials.password))).ok).toBe(true);
  return {
    clock,
    service,
    line,
    drive,
    close: async () => {
      stop.abort();
      await close();
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
      const call = { path: '/approve', missionId: 'm', key: 'k', body: '{}' } as const;
      const { result } = await drive(link.coordination.decide({ ...call, operation: 'approve_mission' }));
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
      expect(await decide()).toBeLessThan(2 * 700 + 2_000);
    }
    // The uploads get most of the line.
    const before = line.carried.up;
    await clock.advance(60_000);
    expect(line.carried.up - before).toBeGreaterThan(0.5 * 60 * fieldLine.bytesPerSecond);
    void uploads;
  },
);

it('a random mix of work starves no decision', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        queue: fc.constantFrom('fair' as const, 'single' as const),
        lists: fc.nat(40),
        uploads: fc.array(fc.integer({ min: 1, max: 400_000 }), { maxLength: 2 }),
        waits: fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 3 }),
      }),
      async ({ queue, lists, uploads, waits }) => {
        const { clock, drive, list, upload, decide, close } = await openRig({ queue });
        try {
          await drive(list());
          const work = [...uploads.map(upload), ...Array.from({ length: lists }, list)];
          for (const wait of waits) {
            await clock.advance(wait);
            expect(await decide()).toBeLessThan(15_000);
          }
          void Promise.allSettled(work);
        } finally {
          await close();
        }
      },
    ),
    { numRuns: casesOf({ part: 6, whole: 60 }), seed: 37 },
  );
});

it('a decision finds a place however many lists run, and each list comes', async () => {
  const { service, drive, list, decide, close } = await openRig({ bytesPerSecond: 1_000_000 });
  onTestFinished(close);
  const held: (() => void)[] = [];
  service.on('/incidents', (_, response) => void held.push(() => json(response, 200, [])));
  const lists = Array.from({ length: 30 }, list);
  expect(await decide()).toBeLessThan(2_200);
  expect(held).toHaveLength(12);
  service.on('/incidents', (_, response) => json(response, 200, []));
  for (const answer of held) answer();
  expect((await drive(Promise.all(lists))).filter(({ ok }) => ok)).toHaveLength(30);
});
