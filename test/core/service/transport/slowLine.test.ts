import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServerTime } from '../../../../src-main/core/base/serverTime.ts';
import { createTestPorts } from '../../../support/ports.ts';
import { fieldLine, leastMs, type LineOptions } from '../../../support/line/line.ts';
import { openLineRig } from '../../../support/line/rig.ts';
import { createService, createTestLink, credentials, json } from './service.ts';

async function openRig(change: Partial<LineOptions> = {}) {
  const rig = await openLineRig(change);
  onTestFinished(() => rig.close());
  return rig;
}

describe('on 64 kbit/s', () => {
  it.each([
    ['plain', 60_000, 2],
    ['packed', 9_000, 4],
  ])('a list shows the rate, the round trip and how many to read at once: %s', async (_, size, atOnce) => {
    const { clock, service, link, drive } = await openRig();
    const { line } = link;
    const seen = (): unknown => line.meters.infrastructure.bytesPerSecond;
    expect([seen(), line.readsAtOnce(4)]).toEqual([null, 4]);
    service.on('/incidents', (__, response) => json(response, 200, ['x'.repeat(size)]));
    for (let lists = 0; lists < 3; lists += 1) await drive(link.infrastructure.listIncidents({}));
    const { bytesPerSecond, roundTripMs } = line.meters.infrastructure;
    expect(bytesPerSecond).toBeGreaterThan(0.9 * fieldLine.bytesPerSecond);
    expect(bytesPerSecond).toBeLessThan(1.1 * fieldLine.bytesPerSecond);
    expect(roundTripMs).toBeGreaterThanOrEqual(700);
    expect(roundTripMs).toBeLessThan(1_600);
    expect(line.readsAtOnce(4)).toBe(atOnce);
    await clock.advance(601_000);
    expect([seen(), line.readsAtOnce(4)]).toEqual([null, 4]);
  });

  it('where answers are cut, as much less is asked for, and it is known how often', async () => {
    const { service, link, drive } = await openRig({ resets: 1 });
    const { infrastructure } = link.line.meters;
    service.on('/incidents', (_, response) => json(response, 200, ['x'.repeat(20_000)]));
    for (let lists = 0; lists < 12; lists += 1) await drive(link.infrastructure.listIncidents({}));
    const { loss, lastRate, bytesPerSecond } = infrastructure;
    expect(loss).toBeGreaterThan(0.1);
    expect(lastRate).toBeCloseTo((bytesPerSecond ?? 0) * (1 - (loss ?? 0)));
    expect(link.line.state(0).loss).toBe(loss);
    expect(link.line.meters.coordination.loss).toBeNull();
    // Alone it takes 2.5 s, and with what is lost of it longer than two at once may.
    expect(link.line.readsAtOnce(4)).toBe(2);
  });

  it('a line that gets quick is known to be quick after some lists', async () => {
    const { service, link, drive } = await openRig();
    service.on('/incidents', (_, response) => json(response, 200, ['x'.repeat(60_000)]));
    await drive(link.infrastructure.listIncidents({}));
    expect(link.line.readsAtOnce(4)).toBe(2);
    const { line } = link;
    for (let lists = 0; lists < 5; lists += 1) {
      const watch = line.meters.infrastructure.watch(() => 'plain');
      for (const bytes of [0, 16_384, 16_384, 16_384, 10_848]) watch.take(bytes);
      watch.end();
    }
    expect(line.meters.infrastructure.bytesPerSecond).toBeGreaterThan(1_000_000);
    expect(line.readsAtOnce(4)).toBe(4);
  });

  it('four pages that are read at once all come, and each is asked for once', async () => {
    const { clock, service, line, link, drive } = await openRig();
    const page = Array.from({ length: 200 }, (_, at) => ({
      id: `inc-${String(at)}`,
      words: 'x'.repeat(280),
    }));
    service.on('/incidents', (_, response) => json(response, 200, page));
    const began = clock.elapsed();
    const pages = [1, 2, 3, 4].map((startTime) => link.infrastructure.listIncidents({ startTime }));
    const answers = await drive(Promise.all(pages));
    expect(answers.map((answer) => answer.ok && (answer.value.body as unknown[]).length)).toEqual(
      pages.map(() => 200),
    );
    expect(service.count('/incidents')).toBe(4);
    const least = leastMs(line.options, { bytes: 4 * JSON.stringify(page).length, roundTrips: 2 });
    expect(least).toBeGreaterThan(30_000);
    expect(clock.elapsed() - began).toBeLessThan(1.2 * least);
  });

  it.each(['fair', 'single'] as const)(
    'an upload comes in one attempt, through a queue that is %s',
    async (queue) => {
      const { clock, service, link, drive } = await openRig({ queue });
      service.on('/storage', (_, response) => json(response, 201, { cid: 'c' }));
      const [pieces, piece] = [10, Buffer.alloc(64 * 1024)];
      const progress: { readonly at: number; readonly bytes: number }[] = [];
      const began = clock.elapsed();
      const { result } = await drive(
        link.coordination.upload({
          path: '/storage',
          key: 'key-1',
          contentType: 'application/octet-stream',
          contentLength: pieces * piece.byteLength,
          async *body() {
            for (let at = 0; at < pieces; at += 1) yield await Promise.resolve(piece);
          },
          separateToken: false,
          signal: new AbortController().signal,
          onProgress: (bytes) => progress.push({ at: clock.elapsed() - began, bytes }),
        }),
      );
      expect(result.ok).toBe(true);
      expect(service.count('/storage')).toBe(1);
      // More than the line has carried is never shown, but for a piece.
      const ahead = progress.map(({ at, bytes }) => bytes - (at / 1_000) * fieldLine.bytesPerSecond);
      expect(Math.max(...ahead)).toBeLessThan(piece.byteLength);
    },
  );

  it('a small answer behind a large one is waited for, and not asked for again', async () => {
    const { clock, service, link, drive } = await openRig({ queue: 'single' });
    service.on('/incidents', (_, response) => json(response, 200, ['x'.repeat(120_000)]));
    await clock.advance(15_000);
    const list = link.infrastructure.listIncidents({});
    await clock.advance(300);
    const began = clock.elapsed();
    expect((await drive(link.infrastructure.health())).ok).toBe(true);
    expect(clock.elapsed() - began).toBeGreaterThan(5_000);
    expect((await drive(list)).ok).toBe(true);
    expect([service.count('/health'), service.count('/incidents')]).toEqual([1, 1]);
  });

  it('a line that is off is noticed after the silence', async () => {
    const { clock, service, line, link, drive } = await openRig();
    service.on('/incidents', (_, response) => json(response, 200, []));
    line.isOff = true;
    const began = clock.elapsed();
    const answer = await drive(link.infrastructure.listIncidents({}));
    expect(answer).toMatchObject({ ok: false, failure: { code: 'timed-out' } });
    expect(clock.elapsed() - began).toBeLessThan(50_000);
  });
});

/** A link to a service of raw sockets, which a test can leave dead or break. */
async function openBareRig() {
  const ports = createTestPorts();
  const { clock } = ports;
  const service = await createService(() => clock.wallNow());
  const open = new Set<{ readonly near: Socket; readonly far: Socket }>();
  let connections = 0;
  const front = createServer((near) => {
    connections += 1;
    const far = connect(Number(new URL(service.url).port), '127.0.0.1');
    const pair = { near, far };
    open.add(pair);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.on('close', () => far.destroy());
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const link = createTestLink(ports, {
    url: `http://127.0.0.1:${String((front.address() as AddressInfo).port)}`,
    serverTime: createServerTime({ clock }),
    address: { attemptTimeoutMs: 15_000, totalTimeoutMs: 45_000 },
  });
  onTestFinished(async () => {
    await link.close();
    for (const { near, far } of open) [near, far].forEach((socket) => socket.destroy());
    front.close();
    await service.close();
  });
  const drive = <T>(work: Promise<T>): Promise<T> => clock.drive(work, { stepMs: 500, mostMs: 600_000 });
  expect((await drive(link.session.signIn(credentials.username, credentials.password))).ok).toBe(true);
  return {
    clock,
    service,
    link,
    drive,
    connections: () => connections,
    /** What is sent on a connection of now leads nowhere, without a word. */
    strand: () => open.forEach(({ near, far }) => near.unpipe(far).resume()),
    /** A connection of now is reset at its next byte. */
    spoil: () =>
      open.forEach(({ near, far }) => {
        near.unpipe(far);
        near.on('data', () => near.resetAndDestroy()).resume();
      }),
  };
}

describe('a connection from the poll before', () => {
  it('serves the next poll', async () => {
    const { clock, link, drive, connections } = await openBareRig();
    for (let polls = 0; polls < 4; polls += 1) {
      expect((await drive(link.infrastructure.listIncidents({}))).ok).toBe(true);
      await clock.advance(15_000);
    }
    expect(connections()).toBe(1);
  });

  it.each(['strand', 'spoil'] as const)('that is dead costs a GET some seconds: %s', async (way) => {
    const rig = await openBareRig();
    const { clock, link, drive, service } = rig;
    expect((await drive(link.infrastructure.listIncidents({}))).ok).toBe(true);
    await clock.advance(15_000);
    rig[way]();
    const began = clock.elapsed();
    expect((await drive(link.infrastructure.listIncidents({}))).ok).toBe(true);
    expect(clock.elapsed() - began).toBeLessThanOrEqual(6_000);
    expect([rig.connections(), service.count('/incidents')]).toEqual([2, 2]);
  });

  it('that is dead is not found by a decision', async () => {
    const rig = await openBareRig();
    const { clock, link, drive, service } = rig;
    service.on('/approve', (_, response) => json(response, 200, {}));
    await clock.advance(15_000);
    rig.strand();
    const call = { path: '/approve', missionId: 'm', key: 'k', body: '{}' } as const;
    const { result } = await drive(link.coordination.decide({ ...call, operation: 'approve_mission' }));
    expect([result.ok, service.count('/approve')]).toEqual([true, 1]);
  });

  it('that breaks under a decision leaves it unknown: it is not sent twice', async () => {
    const rig = await openBareRig();
    const { clock, link, drive, service } = rig;
    service.on('/approve', (_, response) => json(response, 200, {}));
    await clock.advance(3_000);
    rig.spoil();
    const call = { path: '/approve', missionId: 'm', key: 'k', body: '{}' } as const;
    const { result, left } = await drive(link.coordination.decide({ ...call, operation: 'approve_mission' }));
    expect([result.ok, left, service.count('/approve'), rig.connections()]).toEqual([false, true, 0, 1]);
  });

  it('is not used after a change of network', async () => {
    const { link, drive, connections } = await openBareRig();
    link.dropConnections();
    expect((await drive(link.infrastructure.listIncidents({}))).ok).toBe(true);
    expect(connections()).toBe(2);
  });

  it('that breaks is tried once more, in an outage too', async () => {
    const rig = await openBareRig();
    const { clock, link, drive, service } = rig;
    service.on('/incidents', (_, response) => response.destroy());
    await clock.advance(15_000);
    const answer = await drive(link.infrastructure.health());
    expect(answer.ok).toBe(true);
    const broken = await drive(link.infrastructure.listIncidents({}));
    expect(broken.ok).toBe(false);
    // Three attempts, of which the first had a kept connection.
    expect(service.count('/incidents')).toBe(4);
  });
});
