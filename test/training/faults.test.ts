import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { trainingFaults } from '../../src-preload/contract/index.ts';
import { flush, testStart } from '../support/clock.ts';
import { scene, type Scene } from './support.ts';

/** The code of the system or of undici with which a request failed. */
async function failureOf(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return 'answered';
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause;
    return cause?.code ?? String(error);
  }
}

/** What the system says to a new connection: a pooled one may not have heard yet that it was closed. */
function connecting(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
      resolve('connected');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** What a server says to bytes that are no proper request. */
function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

test.each(['infrastructureUrl', 'coordinationUrl'] as const)(
  'refused, and back on the same port (%s)',
  async (api) => {
    const { server } = await scene();
    const url = `${server[api]}/health`;
    expect((await fetch(url)).status).toBe(200);
    await server.set({ fault: 'refuse' });
    expect(await connecting(url)).toBe('ECONNREFUSED');
    expect(await failureOf(fetch(url))).not.toBe('answered');
    await server.set({ fault: 'none' });
    await expect.poll(async () => (await fetch(url)).status).toBe(200);
    expect(`${server[api]}/health`).toBe(url);
  },
);

test('it can start refused', async () => {
  const { server } = await scene({ switches: { fault: 'refuse' } });
  expect(await connecting(server.infrastructureUrl)).toBe('ECONNREFUSED');
  await server.set({ fault: 'none' });
  expect((await fetch(`${server.infrastructureUrl}/health`)).status).toBe(200);
});

test('switches set at the same time are applied one after another', async () => {
  const { server } = await scene();
  await Promise.all((['refuse', 'none', 'refuse', 'none'] as const).map((fault) => server.set({ fault })));
  expect((await fetch(`${server.infrastructureUrl}/health`)).status).toBe(200);
});

test('reset cuts the connection without an answer', async () => {
  const { server, ask } = await scene({});
  await server.set({ fault: 'reset' });
  expect(await failureOf(ask('/incidents'))).toBe('ECONNRESET');
});

test('a hanging request gets no answer, and ends when the service closes', async () => {
  const { server, ask } = await scene();
  await server.set({ fault: 'hang' });
  const abort = new AbortController();
  const aborted = ask('/incidents', { signal: abort.signal });
  const hanging = failureOf(ask('/incidents'));
  await expect.poll(() => server.counts.byStatus['none']).toBe(2);
  abort.abort();
  await expect(aborted).rejects.toThrow();
  await server.close();
  expect(await hanging).not.toBe('answered');
});

test.each([
  ['error-500', 500, null],
  ['storm-503', 503, null],
  ['too-many-requests', 429, '2'],
] as const)('%s answers %d with an error text', async (fault, status, retryAfter) => {
  const { server, ask } = await scene();
  await server.set({ fault });
  for (const path of ['/incidents', '/health']) {
    const response = await ask(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
    expect(await response.json()).toEqual({ error: expect.any(String) as string });
  }
});

test('a truncated body ends before its length', async () => {
  const { server, ask } = await scene();
  await server.set({ fault: 'truncated' });
  const response = await ask('/incidents');
  expect(response.status).toBe(200);
  expect(await failureOf(response.text())).toBe('UND_ERR_SOCKET');
});

test('garbage says it is JSON and is not', async () => {
  const { server, ask } = await scene();
  await server.set({ fault: 'garbage' });
  const response = await ask('/incidents');
  expect(response.headers.get('content-type')).toBe('application/json');
  await expect(response.json()).rejects.toThrow(SyntaxError);
});

test('wrong types keep the rows and change every field', async () => {
  const { server, ask, login } = await scene();
  await server.set({ fault: 'wrong-types' });
  const rows = (await (await ask('/incidents?limit=3')).json()) as Record<string, unknown>[];
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({
    id: true,
    evidence_count: expect.any(String) as string,
    blockchain_records: 'none',
  });
  expect(await (await login()).json()).toMatchObject({ expires_at: expect.any(String) as string });
  expect(await (await ask('/health')).json()).toMatchObject({ ai_analysis: 1, status: true });
});

test('a captive portal answers 200 with a page', async () => {
  const { server, ask } = await scene();
  await server.set({ fault: 'captive-portal' });
  const response = await ask('/health');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await response.text()).toContain('<!doctype html>');
});

test('refused tokens: login and health answer, and no token is accepted', async () => {
  const { server, ask, login } = await scene();
  await server.set({ fault: 'tokens-refused' });
  expect((await login()).status).toBe(200);
  expect((await ask('/health')).status).toBe(200);
  expect((await ask('/incidents')).status).toBe(401);
});

test('failNext hits the named number of requests, on the named path only', async () => {
  const { server, ask } = await scene();
  server.failNext(2, 'storm-503', '/incidents');
  const statuses = [];
  for (const path of ['/health', '/incidents', '/health', '/incidents', '/incidents']) {
    statuses.push((await ask(path)).status);
  }
  expect(statuses).toEqual([200, 503, 200, 503, 200]);
});

test('latency holds the answer until the clock has moved, and is given up with the client', async () => {
  const { clock, server, ask } = await scene();
  await server.set({ latencyMs: 5_000 });
  let answered = false;
  const slow = ask('/health').then((response) => {
    answered = true;
    return response.status;
  });
  await expect.poll(() => clock.waiting).toBe(1);
  clock.advance(4_999);
  await flush();
  expect(answered).toBe(false);
  clock.advance(1);
  expect(await slow).toBe(200);
  await expect.poll(() => clock.waiting).toBe(0);
});

describe("X-Request-Id and the service's Date are on every answer", () => {
  const ask = async ({ ask: request, server }: Scene): Promise<Response[]> => [
    await request('/health'),
    await request('/incidents?limit=1'),
    await request('/incidents?limit=x'),
    await request('/incidents', { method: 'DELETE' }),
    await request('/evidence'),
    await request('/evidence', { headers: { authorization: 'Bearer none' } }),
    await request('/nowhere'),
    await request('/login', { method: 'POST', body: JSON.stringify(server.credentials) }),
    await request('/login', { method: 'POST', body: '{}' }),
    await request('/login', { method: 'POST', body: '{"username":"a","password":"b"}' }),
    await request('/login', { method: 'POST', body: 'x'.repeat(2_000_000) }),
    await fetch(`${server.coordinationUrl}/health`),
    await fetch(`${server.coordinationUrl}/login`, { method: 'POST', body: '{}' }),
  ];
  const check = (responses: readonly Response[], clockOffsetMs: number): void => {
    const found = responses.map((response) => response.headers.get('x-request-id'));
    expect(found.every((id) => id !== null && /^[\x21-\x7e]+$/.test(id))).toBe(true);
    expect(new Set(found).size).toBe(found.length);
    for (const response of responses) {
      expect(Date.parse(response.headers.get('date') ?? '')).toBe(testStart + clockOffsetMs);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  };

  test('of every route', async () => {
    const clockOffsetMs = -86_400_000;
    const responses = await ask(await scene({ switches: { clockOffsetMs } }));
    check(responses, clockOffsetMs);
    expect(responses.map((response) => response.status)).toEqual([
      200, 200, 400, 405, 200, 401, 404, 200, 400, 401, 413, 200, 404,
    ]);
  });

  test('of a missing scope and a revoked account', async () => {
    const it = await scene();
    await it.server.set({ incidentScope: false });
    const denied = await it.ask('/incidents');
    await it.server.set({ accountRevoked: true });
    check([denied, await it.login(), await it.ask('/incidents')], 0);
  });

  const silent = new Set(['refuse', 'reset', 'hang']);
  test.each(trainingFaults.filter((fault) => !silent.has(fault)))('under the fault %s', async (fault) => {
    const it = await scene();
    await it.server.set({ fault });
    const responses = await ask(it);
    check(responses, 0);
    await Promise.all(responses.map(async (response) => response.text().catch(() => undefined)));
  });

  test.each([
    ['no request at all', 'NONSENSE\r\n\r\n', 400],
    ['headers without end', `GET /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['an absolute target', 'GET http://a/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['an expectation', 'GET /health HTTP/1.1\r\nHost: a\r\nExpect: pigs\r\nConnection: close\r\n\r\n', 417],
  ])('to %s', async (_name, bytes, status) => {
    const { server } = await scene();
    const answer = await raw(server.infrastructureUrl, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\nX-Request-Id: \S+\r\n/);
    expect(answer).toContain(`\r\nDate: ${new Date(testStart).toUTCString()}\r\n`);
  });
});
