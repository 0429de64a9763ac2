import { afterEach, describe, expect, it } from 'vitest';
import type { RequestLine } from '../../../../src-preload/contract/index.ts';
import { createRig, credentials, json, signedIn, type Rig, type Seen } from './service.ts';

let rig: Rig;
let lines: RequestLine[];
afterEach(() => rig.close());

async function start(): Promise<void> {
  lines = [];
  rig = await createRig({ link: { onAttempt: (line) => lines.push(line) } });
}

const tokenOf = ({ headers }: Seen): string => (headers.authorization ?? '').replace('Bearer ', '');
/** All that the console keeps or tells of its requests. */
const told = (): string => JSON.stringify([rig.outcomes, lines, rig.ports.logger]);

describe('a secret that the service echoes', () => {
  it.each([200, 400, 404, 422])('as the id of an answer with %i is dropped: the token', async (status) => {
    await start();
    await signedIn(rig);
    rig.service.on('/incidents', (seen, response) => {
      const echoed = { error: `no incidents for ${tokenOf(seen)}` };
      json(response, status, status === 200 ? [] : echoed, { 'x-request-id': `req:${tokenOf(seen)}` });
    });
    const result = await rig.ports.clock.drive(rig.link.infrastructure.listIncidents({}));
    expect(result.ok ? result.value : result.failure).toMatchObject({ requestId: null });
    expect(told() + JSON.stringify(result)).not.toContain('token-1');
    expect(lines).toHaveLength(2);
  });

  it('is dropped from an answer whose token was replaced while it was under way', async () => {
    await start();
    await signedIn(rig);
    rig.service.on('/incidents', (seen, response) => {
      const old = tokenOf(seen) === 'token-1';
      json(response, old ? 401 : 200, [], { 'x-request-id': 'for-token-1' });
    });
    expect((await rig.ports.clock.drive(rig.link.infrastructure.listIncidents({}))).ok).toBe(true);
    expect(lines.filter(({ path }) => path === '/incidents').map(({ requestId }) => requestId)).toEqual([
      null,
      'for-token-1',
    ]);
  });

  it('is dropped from the answer that brings it', async () => {
    await start();
    rig.service.on('/login', (_, response) => {
      json(response, 200, { token: 'brand-new', expires_at: 4_000_000_000 }, { 'x-request-id': 'brand-new' });
    });
    await rig.link.session.signIn(credentials.username, credentials.password);
    expect(rig.link.session.snapshot().session.state).toBe('active');
    expect(lines).toMatchObject([{ path: '/login', requestId: null }]);
    expect(told()).not.toContain('brand-new');
  });

  it('is dropped from a refused sign-in: the password', async () => {
    await start();
    const password = 'battery-staple';
    rig.service.on('/login', (seen, response) => {
      json(response, 401, { error: `refused: ${seen.body}` }, { 'x-request-id': `x.${password}` });
    });
    const result = await rig.link.session.signIn(credentials.username, password);
    expect(result).toMatchObject({ ok: false, failure: { status: 401, requestId: null, words: null } });
    expect(told() + JSON.stringify(rig.link.session.snapshot())).not.toContain(password);
  });

  it('is dropped from words that would be cut within it', async () => {
    await start();
    const password = 'long-secret-'.repeat(60);
    rig.service.on('/login', (_, response) => json(response, 401, { error: `refused: ${password}` }));
    const result = await rig.link.session.signIn(credentials.username, password);
    expect(result).toMatchObject({ ok: false, failure: { status: 401, words: null } });
    expect(told()).not.toContain('long-secret');
  });

  it.each(['say "friend" & enter', 'back\\slash', 'ü % ß'])(
    'is dropped as JSON and as an address write it: %s',
    async (password) => {
      await start();
      for (const echo of [JSON.stringify({ password }), encodeURIComponent(password)]) {
        rig.service.on('/login', (_, response) => json(response, 401, { message: `sent: ${echo}` }));
        const result = await rig.link.session.signIn(credentials.username, password);
        expect(result).toMatchObject({ ok: false, failure: { status: 401, words: null } });
      }
    },
  );

  it('is the separate token of uploads too', async () => {
    await start();
    await rig.link.session.signIn(credentials.username, credentials.password, 'upload-secret');
    rig.service.on('/health', (_, response) => {
      json(response, 503, { message: 'upload-secret' }, { 'x-request-id': 'upload-secret' });
    });
    const result = await rig.ports.clock.drive(rig.link.probe('infrastructure'));
    expect(result).toMatchObject({ ok: false, failure: { requestId: null, words: null } });
    expect(told()).not.toContain('upload-secret');
  });
});

describe('the id of an answer', () => {
  it.each(['req-1', 'a', '01HZX:7.f_2-b', 'x'.repeat(128)])('is taken: %s', async (id) => {
    await start();
    rig.service.on('/health', (_, response) => json(response, 200, { status: 'ok' }, { 'x-request-id': id }));
    expect(await rig.ports.clock.drive(rig.link.probe('infrastructure'))).toMatchObject({
      value: { requestId: id },
    });
  });

  it.each(['', 'x'.repeat(129), 'two words', 'a/b', '"quoted"', 'a=b'])('is none: %s', async (id) => {
    await start();
    rig.service.on('/health', (_, response) => json(response, 200, { status: 'ok' }, { 'x-request-id': id }));
    expect(await rig.ports.clock.drive(rig.link.probe('infrastructure'))).toMatchObject({
      value: { requestId: null },
    });
  });
});
