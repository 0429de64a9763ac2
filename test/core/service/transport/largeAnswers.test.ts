import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallOptions } from '../../../../src-main/core/service/api/infrastructure.ts';
import {
  LargeAnswerPermit,
  largeBytes,
  largeValues,
  withPermit,
} from '../../../../src-main/core/service/transport/largeAnswers.ts';
import { flush, until } from '../../../support/clock.ts';
import { createRig, signedIn, type Handler, type Rig } from './service.ts';

const text = 'x'.repeat(200_000);
const many = JSON.stringify(Array.from({ length: 25 }, () => text));
const largeBody = gzipSync(many);
const small = '[1]';
const numerous = `[${`[${'1,'.repeat(9_999)}1],`.repeat(largeValues / 10_000)}1]`;

const send =
  (body: string | Uint8Array): Handler =>
  (_, response) => {
    response.writeHead(200, typeof body === 'string' ? {} : { 'content-encoding': 'gzip' });
    response.end(body);
  };

let rig: Rig;
beforeEach(async () => {
  expect(many.length).toBeGreaterThan(largeBytes);
  rig = await signedIn(await createRig());
  rig.service.on('/incidents', send(largeBody));
  rig.service.on('/evidence', send(largeBody));
  rig.service.on('/missions', send(largeBody));
});
afterEach(() => rig.close());

/** An answer that is asked for, and whether it has come. */
interface Asked {
  readonly permit: LargeAnswerPermit;
  readonly work: Promise<unknown>;
  code: string | null;
}

function watched(
  call: (options: CallOptions) => Promise<Awaited<ReturnType<typeof list>>>,
  signal?: AbortSignal,
): Asked {
  const permit = new LargeAnswerPermit();
  const work = call({ permit, signal }).then((result) => {
    asked.code = result.ok ? 'ok' : result.failure.code;
  });
  const asked: Asked = { permit, work, code: null };
  return asked;
}
const list = (options: CallOptions = {}) => rig.link.infrastructure.listIncidents({}, options);
const evidence = (options: CallOptions = {}) => rig.link.infrastructure.listEvidence({}, options);
const missions = (options: CallOptions = {}) => rig.link.coordination.pendingMissions('/missions', options);

/** Asks for a large answer, and comes back once it waits: the time of its attempt is then stopped, the operation's is not. */
async function waiting(call: typeof list, path: string, signal?: AbortSignal): Promise<Asked> {
  const requests = rig.service.count(path);
  const timers = rig.ports.clock.pending();
  const asked = watched(call, signal);
  await until(
    () => rig.service.count(path) > requests && rig.ports.clock.pending() === timers + 1,
    `an answer of ${path} that waits`,
  );
  // It could be parsed by now.
  await flush();
  expect(asked.code).toBeNull();
  return asked;
}

it('large answers of all operations come one after the other, as their holds are released', async () => {
  const first = watched(list);
  await first.work;
  expect(first.code).toBe('ok');
  const second = await waiting(evidence, '/evidence');
  const third = await waiting(missions, '/missions');
  first.permit.release();
  await second.work;
  await flush();
  expect([second.code, third.code]).toEqual(['ok', null]);
  second.permit.release();
  await third.work;
  expect(third.code).toBe('ok');
});

it('an answer of few bytes and many values is large', async () => {
  expect(numerous.length).toBeLessThan(largeBytes);
  rig.service.on('/evidence', send(numerous));
  const first = watched(list);
  await first.work;
  const second = await waiting(evidence, '/evidence');
  first.permit.release();
  await second.work;
  expect(second.code).toBe('ok');
});

it('small answers do not wait', async () => {
  const first = watched(list);
  await first.work;
  rig.service.on('/evidence', send(small));
  expect(await evidence()).toMatchObject({ ok: true, value: { body: [1] } });
  expect(await rig.link.infrastructure.health()).toMatchObject({ ok: true });
});

it('the next page of a large answer is read with the same permit', async () => {
  const permit = new LargeAnswerPermit();
  expect(await list({ permit })).toMatchObject({ ok: true });
  expect(await list({ permit })).toMatchObject({ ok: true });
  const other = await waiting(evidence, '/evidence');
  permit.release();
  await other.work;
  expect(other.code).toBe('ok');
});

it('without a permit of the caller it lasts until the answer is parsed', async () => {
  expect(await list()).toMatchObject({ ok: true });
  expect(await evidence()).toMatchObject({ ok: true });
});

it('the wait is outside of the time of the attempt', async () => {
  const first = watched(list);
  await first.work;
  const second = await waiting(evidence, '/evidence');
  await rig.ports.clock.advance(30_000);
  expect(second.code).toBeNull();
  expect(rig.service.count('/evidence')).toBe(1);
  first.permit.release();
  await second.work;
  expect(second.code).toBe('ok');
});

it('and within that of the operation, whose end gives up the place in the queue', async () => {
  const first = watched(list);
  await first.work;
  const second = await waiting(evidence, '/evidence');
  await rig.ports.clock.advance(20_000);
  const third = await waiting(missions, '/missions');
  await rig.ports.clock.advance(40_000);
  await second.work;
  expect([second.code, third.code]).toEqual(['timed-out', null]);
  first.permit.release();
  await third.work;
  expect(third.code).toBe('ok');
});

it('a caller that gives up while it waits is answered at once', async () => {
  const first = watched(list);
  await first.work;
  const giveUp = new AbortController();
  const second = await waiting(evidence, '/evidence', giveUp.signal);
  const third = await waiting(missions, '/missions');
  giveUp.abort();
  await second.work;
  expect(second.code).toBe('cancelled');
  first.permit.release();
  await third.work;
  expect(third.code).toBe('ok');
});

it.each([
  ['exceeds a bound', `[${`[${'[],'.repeat(9_000)}1],`.repeat(80)}1]`],
  ['is no JSON', many.slice(0, -1)],
])('an answer that %s lets the next one be read', async (_, body) => {
  rig.service.on('/incidents', send(gzipSync(body)));
  expect(await withPermit((permit) => list({ permit }))).toMatchObject({ ok: false });
  const second = watched(evidence);
  await second.work;
  expect(second.code).toBe('ok');
});

describe('an answer that came only in part', () => {
  let cut: () => void;
  let before: Asked;
  let first: Asked;
  let second: Asked;
  const begin = async (call: typeof list, path: string): Promise<void> => {
    rig.service.on(path, (_, response) => {
      response.writeHead(200);
      response.write(many);
      cut = () => void response.destroy();
    });
    before = watched(call === list ? missions : list);
    await before.work;
    first = await waiting(call, path);
    second = await waiting(evidence, '/evidence');
    before.permit.release();
  };

  it('lets the next one be read when its connection is cut, and not only after its last attempt', async () => {
    await begin(missions, '/missions');
    cut();
    await second.work;
    expect([first.code, second.code]).toEqual([null, 'ok']);
  });

  it('lets the next one be read when the time of its attempt is over', async () => {
    await begin(missions, '/missions');
    await rig.ports.clock.advance(10_000);
    await second.work;
    expect(second.code).toBe('ok');
  });

  it('of a list that keeps its records lasts until the caller has stored them', async () => {
    await begin(list, '/incidents');
    cut();
    await first.work;
    await flush();
    expect([first.code, second.code]).toEqual(['ok', null]);
    first.permit.release();
    await second.work;
    expect(second.code).toBe('ok');
  });
});
