import { describe, expect, test } from 'vitest';
import { testStart } from '../support/clock.ts';
import { scene } from './support.ts';

const post = (body: string): RequestInit => ({ method: 'POST', body });

test('login gives a token that opens the list until expires_at and not longer', async () => {
  const { clock, ask, login } = await scene({ switches: { tokenLifetimeSeconds: 90 } });
  const { expires_at } = (await (await login()).json()) as { expires_at: number };
  expect(expires_at).toBe(testStart / 1000 + 90);
  clock.advance(89_999);
  expect((await ask('/incidents?limit=1')).status).toBe(200);
  clock.advance(1);
  expect((await ask('/incidents?limit=1')).status).toBe(401);
  expect((await login()).status).toBe(200);
  expect((await ask('/incidents?limit=1')).status).toBe(200);
});

test('wrong credentials are refused with an error text, and both parts count', async () => {
  const { server, ask } = await scene();
  const { username, password } = server.credentials;
  for (const wrong of [
    { username, password: `${password}x` },
    { username: 'someone', password },
  ]) {
    const response = await ask('/login', post(JSON.stringify(wrong)));
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: expect.any(String) as string });
  }
});

test.each(['', 'text', '[]', 'null', '{"username":"a"}', '{"username":1,"password":"b"}'])(
  'the login body %j is refused as malformed',
  async (body) => {
    const { ask } = await scene();
    expect((await ask('/login', post(body))).status).toBe(400);
  },
);

test('credentials and tokens differ from start to start, with the same seed too', async () => {
  const [one, other] = [await scene(), await scene()];
  expect(one.server.credentials.password).not.toBe(other.server.credentials.password);
  const tokens = await Promise.all(
    [one, one].map(async ({ login }) => (await (await login()).json()) as { token: string }),
  );
  expect(tokens[0]?.token).not.toBe(tokens[1]?.token);
});

test('no token, another word or an unknown token: 401; both lists are protected, health is not', async () => {
  const { server } = await scene();
  for (const authorization of ['', 'Bearer', 'Bearer unknown', 'Basic YTpi']) {
    for (const path of ['/incidents', '/evidence']) {
      const response = await fetch(`${server.infrastructureUrl}${path}`, { headers: { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  }
  expect((await fetch(`${server.infrastructureUrl}/health`)).status).toBe(200);
  expect((await fetch(`${server.coordinationUrl}/health`)).status).toBe(200);
});

test('a revoked account loses its tokens and its login; a restored one logs in anew', async () => {
  const { server, ask, login } = await scene();
  await server.set({ accountRevoked: true });
  expect((await ask('/incidents')).status).toBe(401);
  expect((await login()).status).toBe(401);
  await server.set({ accountRevoked: false });
  expect((await ask('/incidents')).status).toBe(401);
  await login();
  expect((await ask('/incidents?limit=1')).status).toBe(200);
});

test('revokeTokens ends tokens before their time', async () => {
  const { server, ask } = await scene();
  server.revokeTokens();
  expect((await ask('/incidents')).status).toBe(401);
});

test('without the scope the list is 403 and the evidence is not', async () => {
  const { server, ask } = await scene();
  await server.set({ incidentScope: false });
  const response = await ask('/incidents');
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({ error: expect.any(String) as string });
  expect((await ask('/evidence')).status).toBe(200);
});

describe.each([86_400_000, -86_400_000])('a clock offset of %d ms', (clockOffsetMs) => {
  test('moves Date, expires_at, creation times and bounds together', async () => {
    const { ask, login, list, server } = await scene({
      switches: { clockOffsetMs, tokenLifetimeSeconds: 60 },
    });
    const now = testStart + clockOffsetMs;
    const health = await ask('/health');
    expect(Date.parse(health.headers.get('date') ?? '')).toBe(now);
    expect(await (await login()).json()).toMatchObject({ expires_at: now / 1000 + 60 });
    const recent = await list(`?start_time=${now / 1000 - 3600}`);
    expect(Date.parse(recent[0]?.created_at ?? '')).toBe(now);
    await server.set({ clockOffsetMs: 0 });
    const same = await list(`?start_time=${testStart / 1000 - 3600}`);
    expect(same.map((row) => row.id)).toEqual(recent.map((row) => row.id));
    expect(Date.parse(same[0]?.created_at ?? '')).toBe(testStart);
  });
});

test('the counts name what was asked and answered', async () => {
  const { server, ask } = await scene();
  server.resetCounts();
  await ask('/incidents?limit=1');
  await ask('/incidents?limit=2');
  await ask('/nowhere');
  await ask('/login', post('{}'));
  expect(server.counts).toEqual({
    total: 4,
    requests: { 'GET /incidents': 2, 'GET (unknown)': 1, 'POST /login': 1 },
    logins: 1,
    byStatus: { '200': 2, '404': 1, '400': 1 },
  });
});
