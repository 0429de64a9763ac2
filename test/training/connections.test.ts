import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mostConnections } from '../../src-main/training/listener.ts';
import { until } from '../support/clock.ts';
import { scene } from './support.ts';

/** A connection of one's own that asks for the health again and again. */
async function line(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let heard = '';
  const seen = { closed: false };
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  socket.on('error', () => undefined).on('close', () => (seen.closed = true));
  await new Promise<void>((resolve) => void socket.once('connect', resolve));
  return {
    seen,
    say: () => socket.write('GET /health HTTP/1.1\r\nHost: training\r\n\r\n'),
    answers: () => heard.split('HTTP/1.1 200').length - 1,
    end: () => socket.destroy(),
  };
}

describe('connections', () => {
  test('that are cut are gone, and new ones are taken', async () => {
    const { server } = await scene();
    const old = await line(server.infrastructureUrl);
    old.say();
    await until(() => old.answers() === 1, 'an answer');
    await server.cutConnections();
    await until(() => old.seen.closed, 'the end of the connection');
    expect((await fetch(`${server.infrastructureUrl}/health`)).status).toBe(200);
  });

  test('that are stranded stay open and get no answer, and new ones get theirs', async () => {
    const { server } = await scene();
    const old = await line(server.infrastructureUrl);
    old.say();
    await until(() => old.answers() === 1, 'an answer');
    server.strandConnections();
    server.resetCounts();
    old.say();
    await until(() => server.held === 1, 'the request');
    const fresh = await line(server.infrastructureUrl);
    fresh.say();
    await until(() => fresh.answers() === 1, 'an answer');
    expect({ ...old.seen, answers: old.answers(), total: server.counts.total }).toEqual({
      closed: false,
      answers: 1,
      total: 1,
    });
    old.end();
    fresh.end();
    await until(() => server.held === 0, 'the end of the held request');
  });
});

/** A connection that sends `text` and reads nothing. Resolves when it is open. */
async function stranger(url: string, text: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const seen = { closed: false };
  socket.on('close', () => (seen.closed = true));
  await new Promise<void>((resolve) => void socket.once('connect', resolve));
  socket.write(text);
  return { socket, seen };
}

describe('any process of the computer', () => {
  const endless = 'GET /health HTTP/1.1\r\nX-Endless: ';

  test('holds no more connections than there are places, and the console gets one', async () => {
    const { server } = await scene();
    const urls = [server.infrastructureUrl, server.coordinationUrl, server.gatewayUrl];
    for (const url of urls) {
      const held: Awaited<ReturnType<typeof stranger>>[] = [];
      for (let count = 0; count < mostConnections + 8; count += 1) held.push(await stranger(url, endless));
      await until(() => held.filter(({ seen }) => seen.closed).length >= 8, 'the end of the oldest ones');
      expect((await fetch(url, { redirect: 'manual' })).status).toBeGreaterThan(0);
      for (const { socket } of held) socket.destroy();
    }
  });

  test('ends its connection by a request before the last answer was received', async () => {
    const { server } = await scene();
    await server.set({ gatewayFault: 'hang' });
    const request = 'GET /ipfs/x HTTP/1.1\r\nHost: training\r\n\r\n';
    const many = await stranger(server.gatewayUrl, request.repeat(40));
    await until(() => many.seen.closed, 'the end of the connection');
  });
});

test('a service that went down refuses, also when a switch is set, and comes back with its data', async () => {
  const { server, ask, list, login } = await scene();
  const added = server.addIncident();
  const known = (await list()).map(({ id }) => id).sort();
  await server.goDown();
  await server.set({ latencyMs: 0 });
  await expect(fetch(`${server.infrastructureUrl}/health`)).rejects.toThrow();
  await server.comeUp();
  await expect
    .poll(async () => (await fetch(`${server.infrastructureUrl}/health`).catch(() => null))?.status)
    .toBe(200);
  // Its tokens were in memory.
  expect((await ask('/incidents?limit=1')).status).toBe(401);
  await login();
  expect((await list()).map(({ id }) => id).sort()).toEqual(known);
  expect(server.incidents().get(added.id)).toEqual(added);
});

test('requests are held while they wait for the clock, and for ever when they hang', async () => {
  const { clock, server } = await scene();
  await server.set({ latencyMs: 1_000 });
  const late = fetch(`${server.infrastructureUrl}/health`);
  await until(() => server.held === 1, 'the late request');
  clock.advance(1_000);
  expect((await late).status).toBe(200);
  expect(server.held).toBe(0);
  await server.set({ latencyMs: 0 });
  const takeBack = server.failNext(9, 'hang');
  const giveUp = new AbortController();
  const hung = fetch(`${server.infrastructureUrl}/health`, { signal: giveUp.signal }).catch(() => 'given up');
  await until(() => server.held === 1, 'the request that hangs');
  clock.advance(86_400_000);
  expect(server.held).toBe(1);
  giveUp.abort();
  expect(await hung).toBe('given up');
  await until(() => server.held === 0, 'its end');
  takeBack();
  expect((await fetch(`${server.infrastructureUrl}/health`)).status).toBe(200);
});
