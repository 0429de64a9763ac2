import { afterEach, expect, test } from 'vitest';
import { json, type TrainingAnswer } from '../../src-main/training/answer.ts';
import { ApiServer } from '../../src-main/training/apiServer.ts';
import { admission } from '../../src-main/training/faults.ts';
import { IdempotencyCache } from '../../src-main/training/idempotency.ts';
import { initialSwitches } from '../../src-main/training/service.ts';
import type { TrainingSwitches } from '../../src-preload/contract/index.ts';
import { StillClock } from '../support/clock.ts';
import { scene } from './support.ts';

const hour = 3_600_000;
let opened: ApiServer | null = null;
afterEach(async () => {
  await opened?.shut();
  opened = null;
});

/** An API with one route that changes something, as the next ones of the service will. */
async function mutable() {
  const clock = new StillClock();
  let effects = 0;
  const state = { fault: 'none' as TrainingSwitches['fault'], hold: Promise.resolve(), fail: false };
  const switches = () => ({ ...initialSwitches, fault: state.fault });
  const bytes = (length: number) => new Uint8Array(length);
  const server = new ApiServer({
    serverNow: () => clock.wallNow(),
    bytes,
    switches,
    admit: admission({ clock, switches, noise: bytes }),
    accountOf: (authorization) => authorization?.slice('Bearer '.length) ?? null,
    idempotency: new IdempotencyCache<TrainingAnswer>(() => clock.elapsed()),
    port: 0,
    routes: [
      {
        method: 'POST',
        path: '/things',
        access: 'bearer',
        idempotent: true,
        handle: async () => {
          effects += 1;
          await state.hold;
          if (state.fail) throw new Error('broken');
          return json(201, { number: effects });
        },
      },
    ],
  });
  await server.open();
  opened = server;
  const send = async (
    key: string | null,
    body = 'a',
    account = 'one',
    query = '',
  ): Promise<[number, unknown]> => {
    const response = await fetch(`${server.url}/things${query}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${account}`, ...(key === null ? {} : { 'idempotency-key': key }) },
    });
    return [response.status, await response.json()];
  };
  return { clock, state, send, effects: () => effects };
}

test('the same key gives the original result and no second effect', async () => {
  const { send, effects } = await mutable();
  expect(await send('k1')).toEqual([201, { number: 1 }]);
  expect(await send('k1')).toEqual([201, { number: 1 }]);
  expect(effects()).toBe(1);
  expect(await send('k2')).toEqual([201, { number: 2 }]);
  expect(await send(null)).toEqual([201, { number: 3 }]);
  expect(await send(null)).toEqual([201, { number: 4 }]);
});

test('the same key with another body or target is refused, and by another account is another key', async () => {
  const { send, effects } = await mutable();
  await send('k1');
  expect((await send('k1', 'b'))[0]).toBe(422);
  expect((await send('k1', 'a', 'one', '?x=1'))[0]).toBe(422);
  expect(effects()).toBe(1);
  expect(await send('k1', 'b', 'two')).toEqual([201, { number: 2 }]);
  expect((await send('x'.repeat(256)))[0]).toBe(400);
});

test('a retry while the first is still being worked on waits for its result', async () => {
  const { send, state, effects } = await mutable();
  let go = (): void => undefined;
  state.hold = new Promise((resolve) => (go = resolve));
  const both = [send('k1'), send('k1')];
  await expect.poll(effects).toBe(1);
  go();
  expect(await Promise.all(both)).toEqual([
    [201, { number: 1 }],
    [201, { number: 1 }],
  ]);
});

test('a result is kept for 24 hours', async () => {
  const { send, clock } = await mutable();
  await send('k1');
  clock.advance(24 * hour - 1);
  expect(await send('k1')).toEqual([201, { number: 1 }]);
  clock.advance(1);
  expect(await send('k1')).toEqual([201, { number: 2 }]);
});

test('an answer lost on its way has had its effect; one never worked on, or failed, has none to repeat', async () => {
  const { send, state, effects } = await mutable();
  state.fault = 'truncated';
  await expect(send('k1')).rejects.toThrow();
  state.fault = 'none';
  expect(await send('k1')).toEqual([201, { number: 1 }]);
  state.fault = 'storm-503';
  expect((await send('k2'))[0]).toBe(503);
  expect(effects()).toBe(1);
  state.fault = 'none';
  state.fail = true;
  expect((await send('k2'))[0]).toBe(500);
  state.fail = false;
  expect(await send('k2')).toEqual([201, { number: 3 }]);
});

test('login is never answered from the cache', async () => {
  const { server, ask } = await scene();
  const request = {
    method: 'POST',
    body: JSON.stringify(server.credentials),
    headers: { 'idempotency-key': 'k' },
  };
  const tokens = [await ask('/login', request), await ask('/login', request)].map((response) =>
    response.json(),
  );
  const [one, other] = await Promise.all(tokens);
  expect(one).not.toEqual(other);
});
