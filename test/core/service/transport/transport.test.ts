import { randomUUID } from 'node:crypto';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../support/clock.ts';
import {
  createRig,
  createService,
  createTestLink,
  credentials,
  json,
  signedIn,
  type Handler,
  type Rig,
} from './service.ts';
import { saying } from '../../../support/messages.ts';

let rig: Rig;
afterEach(() => rig.close());

type Call = NonNullable<Parameters<Rig['link']['infrastructure']['listIncidents']>[1]>;
const list = (call: Call = {}): ReturnType<Rig['link']['infrastructure']['listIncidents']> =>
  rig.link.infrastructure.listIncidents({}, call);

const send =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

describe('requests', () => {
  it('carry the query, the token and what can be read', async () => {
    rig = await signedIn(await createRig());
    await rig.link.infrastructure.listIncidents({
      startTime: 1,
      endTime: 2,
      severity: 'high & low',
      status: 'open',
      limit: 0,
      cursor: 'a+b',
    });
    const [seen] = rig.service.seen;
    expect(Object.fromEntries(seen?.query ?? [])).toEqual({
      start_time: '1',
      end_time: '2',
      severity: 'high & low',
      status: 'open',
      limit: '0',
      cursor: 'a+b',
    });
    expect(seen?.headers).toMatchObject({ authorization: 'Bearer token-1', accept: 'application/json' });
  });

  it('keep the path of the base address', async () => {
    rig = await createRig();
    const link = createTestLink(rig.ports, {
      url: rig.service.url,
      serverTime: rig.serverTime,
      address: {
        infrastructureUrl: `${rig.service.url}/base/`,
        loginPath: '//elsewhere.example/login',
      },
    });
    await link.session.signIn(credentials.username, credentials.password);
    await link.infrastructure.health();
    await link.close();
    expect(rig.service.seen.map((seen) => seen.path)).toEqual([
      '/base//elsewhere.example/login',
      '/base/health',
    ]);
  });

  it.each(['http://service.example', 'ftp://127.0.0.1', 'http://127.0.0.1.example.org', 'http://10.0.0.1'])(
    'are not made to %s',
    async (infrastructureUrl) => {
      rig = await createRig();
      await expect(createRig({ address: { infrastructureUrl } })).rejects.toThrow(RangeError);
    },
  );

  it('answers carry the request id, the time it took and a cursor from a header', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', (_, response) =>
      json(response, 200, [], { link: '<https://x/i?cursor=c%2B1>; rel="next"' }),
    );
    expect(await list()).toMatchObject({
      ok: true,
      value: { body: [], requestId: 'req-2', linkCursor: 'c+1', responseMs: 0 },
    });
  });
});

describe('bodies', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('are decoded from %s', async (encoding, compress) => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', send(200, compress(Buffer.from('[1,2]')), { 'content-encoding': encoding }));
    expect(await list()).toMatchObject({ ok: true, value: { body: [1, 2] } });
  });

  it.each([
    ['an unknown encoding', send(200, '[]', { 'content-encoding': 'zstd' }), 'unreadable-answer'],
    ['a broken gzip', send(200, 'no gzip', { 'content-encoding': 'gzip' }), 'unreadable-answer'],
    [
      'a cut gzip',
      send(200, gzipSync('[1,2,3]').subarray(0, 20), { 'content-encoding': 'gzip' }),
      'unreadable-answer',
    ],
    ['garbage', send(200, Buffer.from([0xff, 0x00, 0x7b, 0x10])), 'unreadable-answer'],
    ['nothing', send(200, ''), 'unreadable-answer'],
    [
      'JSON that ends early',
      send(200, '[{"id":', { 'content-type': 'application/json' }),
      'unreadable-answer',
    ],
    [
      'a portal',
      send(200, '<!doctype html><title>Wi-Fi</title>', { 'content-type': 'text/html' }),
      'answered-by-something-else',
    ],
    [
      'a portal that says JSON',
      send(200, '\n <html>', { 'content-type': 'application/json' }),
      'answered-by-something-else',
    ],
    ['a 511', send(511, '<html>', { 'content-type': 'text/html' }), 'answered-by-something-else'],
  ])('%s fails at once, with the request id', async (_, handler, code) => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', handler);
    expect(await list()).toMatchObject({ ok: false, failure: { code, requestId: 'req-2' } });
    expect(rig.service.count('/incidents')).toBe(1);
  });

  it('a body cut by a lost connection is a lost connection, and is asked for again', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('[{"id":"1');
      setImmediate(() => response.destroy());
    });
    const result = await rig.ports.clock.drive(list());
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'unreachable', status: 200, requestId: 'req-4' },
    });
    expect(rig.service.count('/incidents')).toBe(3);
  });

  it('so is a compressed body that is cut by one', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', (_, response) => {
      const bytes = gzipSync(JSON.stringify('x'.repeat(1_000)));
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': String(bytes.byteLength) });
      response.write(bytes.subarray(0, 20));
      setImmediate(() => response.destroy());
    });
    const result = await rig.ports.clock.drive(list());
    expect(result).toMatchObject({ ok: false, failure: { code: 'unreachable', status: 200 } });
  });

  it('so is a compressed body that is cut before its first byte', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '1000' });
      response.flushHeaders();
      setImmediate(() => response.destroy());
    });
    const result = await rig.ports.clock.drive(list());
    expect(result).toMatchObject({ ok: false, failure: { code: 'unreachable', status: 200 } });
  });

  it('are cut at the cap, which counts decoded bytes', async () => {
    rig = await signedIn(await createRig({ link: { maxBodyBytes: 100_000 } }));
    const text = JSON.stringify('x'.repeat(99_998));
    rig.service.on('/incidents', send(200, text));
    expect((await list()).ok).toBe(true);
    rig.service.on('/incidents', send(200, `${text} `));
    expect(await list()).toMatchObject({
      ok: false,
      failure: { code: 'answer-too-large', requestId: 'req-3' },
    });
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    expect(bomb.byteLength).toBeLessThan(100_000);
    rig.service.on('/incidents', send(200, bomb, { 'content-encoding': 'gzip' }));
    expect(await list()).toMatchObject({ ok: false, failure: { code: 'answer-too-large' } });
    rig.service.on('/incidents', null);
    expect((await list()).ok).toBe(true);
  });

  it('are cut where they pass a bound of what they hold, and the next request goes on', async () => {
    rig = await signedIn(await createRig());
    const bomb = gzipSync(`[${'[],'.repeat(22_000_000)}[]]`);
    expect(bomb.byteLength).toBeLessThan(66_000);
    rig.service.on('/incidents', send(200, bomb, { 'content-encoding': 'gzip' }));
    expect(await list()).toMatchObject({
      ok: false,
      failure: {
        code: 'answer-too-large',
        sentence: saying('The answer lists too many entries.'),
        remedy: saying('Choose a shorter time range or a limit.'),
        status: 200,
        requestId: 'req-2',
      },
    });
    rig.service.on('/incidents', null);
    expect((await list()).ok).toBe(true);
  });

  it('of a sign-in and of the health are at most 1 MiB', async () => {
    rig = await createRig();
    const padded = (body: object, bytes: number): string => {
      const text = JSON.stringify({ ...body, more: ['x'.repeat(200_000), ''] });
      return text.slice(0, -1) + ' '.repeat(bytes - text.length) + '}';
    };
    const health = padded({ status: 'ok' }, 1_000_000);
    rig.service.on('/health', send(200, health));
    expect((await rig.link.infrastructure.health()).ok).toBe(true);
    rig.service.on('/health', send(200, padded({ status: 'ok' }, 1024 * 1024 + 1)));
    const failure = { code: 'answer-too-large', remedy: saying('Report this with its request id.') };
    expect(await rig.link.infrastructure.health()).toMatchObject({ ok: false, failure });
    const grant = { token: 'abc', expires_at: Math.floor(rig.service.now() / 1_000) + 3_600 };
    rig.service.on('/login', send(200, padded(grant, 1024 * 1024 + 1)));
    const signIn = () => rig.link.session.signIn(credentials.username, credentials.password);
    expect(await signIn()).toMatchObject({ ok: false, failure });
    rig.service.on('/login', send(200, padded(grant, 1_000_000)));
    expect((await signIn()).ok).toBe(true);
  });

  it('of failures are read for an envelope only, and the status counts without it', async () => {
    rig = await signedIn(await createRig());
    const words = { error: 'no', more: 'x'.repeat(60_000) };
    rig.service.on('/incidents', send(404, JSON.stringify(words)));
    expect(await list()).toMatchObject({ ok: false, failure: { code: 'not-found', words: 'no' } });
    for (const body of [`{"error":"no","more":"${'x'.repeat(70_000)}"}`, `[${'[],'.repeat(21_000)}[]]`]) {
      rig.service.on('/incidents', send(404, gzipSync(body), { 'content-encoding': 'gzip' }));
      expect(await list()).toMatchObject({ ok: false, failure: { code: 'not-found', words: null } });
    }
  });

  it('that are a page are known as one however long they are', async () => {
    rig = await signedIn(await createRig());
    const page = `<!doctype html>${'<p>Wi-Fi</p>'.repeat(200_000)}`;
    for (const type of ['text/html', 'application/json']) {
      rig.service.on('/incidents', send(200, page, { 'content-type': type }));
      expect(await list()).toMatchObject({ ok: false, failure: { code: 'answered-by-something-else' } });
    }
  });

  it('keep a __proto__ as a name like any other', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', send(200, '{"__proto__":{"polluted":1}}'));
    await list();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('other origins', () => {
  it.each([301, 302, 303, 307, 308])('a %d is not followed', async (status) => {
    rig = await signedIn(await createRig());
    const elsewhere = await createService(() => 0);
    const location = { location: `${elsewhere.url}/incidents` };
    for (const path of ['/incidents', '/login', '/health']) rig.service.on(path, send(status, '', location));
    const code = 'answered-by-something-else';
    expect(await list()).toMatchObject({ ok: false, failure: { code, status } });
    expect(await rig.link.infrastructure.health()).toMatchObject({ ok: false, failure: { code } });
    rig.link.session.signOut();
    const signIn = await rig.link.session.signIn(credentials.username, credentials.password);
    expect(signIn).toMatchObject({ ok: false, failure: { code } });
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.close();
  });

  it('the Date of a redirect or a portal is not the service time', async () => {
    rig = await createRig();
    rig.service.now = () => 0;
    rig.service.on('/health', send(302, '', { location: 'https://portal.example' }));
    await rig.link.infrastructure.health();
    rig.service.on('/health', send(200, '<html>', { 'content-type': 'text/html' }));
    await rig.link.infrastructure.health();
    expect(rig.serverTime.verified()).toBe(false);
  });
});

describe('403', () => {
  it('is remembered, and no request leaves until it is checked again', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', (_, response) =>
      json(response, 403, { error: 'scope incidents:read missing' }),
    );
    const refusal = {
      ok: false,
      failure: { code: 'not-granted', requestId: 'req-2', words: 'scope incidents:read missing' },
    };
    expect(await list()).toMatchObject(refusal);
    expect(await list()).toMatchObject(refusal);
    expect(await list({ interactive: true })).toMatchObject(refusal);
    expect(rig.service.count('/incidents')).toBe(1);
    expect((await rig.link.infrastructure.health()).ok).toBe(true);
    rig.service.on('/incidents', null);
    expect((await list({ recheck: true })).ok).toBe(true);
    expect((await list()).ok).toBe(true);
    expect(rig.service.count('/login')).toBe(0);
  });

  it('is forgotten with the next token', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', (_, response) => json(response, 403, {}));
    await list();
    rig.serverTime.wake();
    await list();
    expect(rig.service.count('/login')).toBe(1);
    expect(rig.service.count('/incidents')).toBe(2);
  });
});

describe('429', () => {
  const once = (header: Record<string, string>): Handler => {
    let asked = 0;
    return (_, response) => json(response, (asked += 1) === 1 ? 429 : 200, [], header);
  };

  it.each([
    ['seconds', (): string => '20'],
    ['a date', (): string => new Date(rig.service.now() + 20_000).toUTCString()],
  ])('is sent again, never before Retry-After in %s', async (_, header) => {
    rig = await signedIn(await createRig({ wallOffset: 86_400_000 }));
    rig.service.on('/incidents', once({ 'retry-after': header() }));
    const work = list();
    await until(() => rig.ports.clock.pending() === 2 && rig.service.count('/incidents') === 1);
    await rig.ports.clock.advance(19_000);
    expect(rig.service.count('/incidents')).toBe(1);
    await rig.ports.clock.advance(3_000);
    expect((await work).ok).toBe(true);
    expect(rig.service.count('/incidents')).toBe(2);
  });

  it('tells a waiting operator at once when to try again', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', once({ 'retry-after': '20' }));
    const result = await list({ interactive: true });
    expect(result).toMatchObject({ ok: false, failure: { code: 'too-many-requests', status: 429 } });
    const wait = (result.ok ? 0 : (result.failure.retryAt ?? 0)) - rig.serverTime.serverNow();
    expect(wait).toBeGreaterThanOrEqual(20_000);
    expect(wait).toBeLessThanOrEqual(22_000);
  });

  it('believes no more than 10 minutes, and does not wait past the deadline', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', once({ 'retry-after': '86400' }));
    const result = await list();
    const wait = (result.ok ? 0 : (result.failure.retryAt ?? 0)) - rig.serverTime.serverNow();
    expect(wait).toBeGreaterThanOrEqual(600_000);
    expect(wait).toBeLessThanOrEqual(602_000);
    expect(rig.service.count('/incidents')).toBe(1);
  });

  it.each(['-5', 'soon', '1e3', ''])('ignores the Retry-After %j', async (header) => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', once({ 'retry-after': header }));
    expect((await rig.ports.clock.drive(list())).ok).toBe(true);
  });
});

describe('faults', () => {
  it('a single 503 and a single lost connection are got over', async () => {
    rig = await signedIn(await createRig());
    let asked = 0;
    rig.service.on('/incidents', (_, response) => {
      asked += 1;
      if (asked === 1) json(response, 503, {});
      else if (asked === 2) response.destroy();
      else json(response, 200, []);
    });
    expect((await rig.ports.clock.drive(list())).ok).toBe(true);
    expect(asked).toBe(3);
    // A kept connection that breaks says nothing about the service.
    expect(rig.outcomes.map((outcome) => outcome.outcome)).toEqual(['troubled', 'answered']);
  });

  it.each([
    ['503', (): Handler => (_, response) => json(response, 503, {})],
    ['lost connections', (): Handler => (_, response) => response.destroy()],
    ['429', (): Handler => (_, response) => json(response, 429, {})],
  ])('a storm of %s costs at most 1.1 requests per operation', async (_, storm) => {
    rig = await signedIn(await createRig());
    for (let warm = 0; warm < 100; warm += 1) await list();
    rig.service.seen.length = 0;
    rig.service.on('/incidents', storm());
    for (let operation = 0; operation < 40; operation += 1) {
      expect((await rig.ports.clock.drive(list())).ok).toBe(false);
    }
    expect(rig.service.count('/incidents')).toBeLessThanOrEqual(44);
    expect(rig.service.count('/incidents')).toBeGreaterThanOrEqual(41);
    expect(rig.service.count('/login')).toBe(0);
  });

  it('408 is sent again once, 501 never', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', (_, response) => json(response, 408, {}));
    expect(await rig.ports.clock.drive(list())).toMatchObject({
      ok: false,
      failure: { code: 'timed-out', status: 408 },
    });
    expect(rig.service.count('/incidents')).toBe(2);
    rig.service.on('/incidents', (_, response) => json(response, 501, {}));
    expect(await list()).toMatchObject({ ok: false, failure: { code: 'service-error', status: 501 } });
    expect(rig.service.count('/incidents')).toBe(3);
  });

  it.each([
    [400, 'bad-request'],
    [404, 'not-found'],
    [409, 'conflict'],
    [418, 'refused-by-service'],
  ])('%d is %s and not sent again', async (status, code) => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', (_, response) => json(response, status, { message: 'why' }));
    expect(await list()).toMatchObject({
      ok: false,
      failure: { code, status, requestId: 'req-2', words: 'why' },
    });
    expect(rig.service.count('/incidents')).toBe(1);
  });

  it('a hanging service is timed out by the clock, attempt by attempt', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', () => undefined);
    const work = list();
    await until(() => rig.service.count('/incidents') === 1);
    await rig.ports.clock.advance(9_999);
    expect(rig.outcomes).toEqual([]);
    await rig.ports.clock.advance(1);
    await until(() => rig.outcomes.length === 1);
    expect(rig.outcomes[0]).toMatchObject({ outcome: 'unreachable', failure: { code: 'timed-out' } });
    expect(await rig.ports.clock.drive(work)).toMatchObject({
      ok: false,
      failure: { code: 'timed-out', status: null },
    });
    expect(rig.service.count('/incidents')).toBe(3);
  });

  it('without an answer the total deadline ends it', async () => {
    rig = await signedIn(await createRig({ address: { totalTimeoutMs: 5_000 } }));
    rig.service.on('/incidents', () => undefined);
    const work = list();
    await until(() => rig.service.count('/incidents') === 1);
    await rig.ports.clock.advance(5_000);
    expect(await work).toMatchObject({ ok: false, failure: { code: 'timed-out' } });
    expect(rig.ports.clock.pending()).toBe(0);
  });

  it('a body that stands still is timed out, and not asked for again after the total', async () => {
    rig = await signedIn(await createRig({ address: { totalTimeoutMs: 5_000 } }));
    rig.service.on('/incidents', (_, response) => {
      response.writeHead(200);
      response.write('[');
    });
    const work = list();
    await until(() => rig.service.count('/incidents') === 1);
    await rig.ports.clock.advance(10_000);
    expect(await work).toMatchObject({ ok: false, failure: { code: 'timed-out' } });
    expect([rig.ports.clock.pending(), rig.service.count('/incidents')]).toEqual([0, 1]);
  });

  it('a body that comes slowly is not cut, whatever it takes', async () => {
    rig = await signedIn(await createRig());
    const { clock } = rig.ports;
    const entry = `${JSON.stringify({ id: 'x'.repeat(6_000) })},`;
    rig.service.on('/incidents', (_, response) => {
      response.writeHead(200);
      response.write('[');
      const more = (left: number): void => {
        if (left === 0) response.end('{"id":"last"}]');
        else clock.schedule(9_000, () => response.write(entry, () => more(left - 1)));
      };
      more(20);
    });
    const answer = await clock.drive(list(), { stepMs: 1_000 });
    if (!answer.ok) throw new Error(answer.failure.code);
    expect(answer.value.body).toHaveLength(21);
    expect(answer.value.responseMs).toBeGreaterThan(170_000);
    expect([clock.pending(), rig.service.count('/incidents')]).toEqual([0, 1]);
  });

  it('a body that drips is cut by the floor', async () => {
    rig = await signedIn(await createRig());
    const { clock } = rig.ports;
    rig.service.on('/incidents', (_, response) => {
      response.writeHead(200);
      response.write('["');
      const drip = (): void => void clock.schedule(5_000, () => response.write('x', drip));
      drip();
    });
    const began = clock.elapsed();
    const answer = await clock.drive(list(), { stepMs: 1_000 });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'timed-out' } });
    expect(clock.elapsed() - began).toBeLessThan(75_000);
    expect(rig.service.count('/incidents')).toBe(1);
  });

  describe('a list that is cut keeps its whole records', () => {
    const rows = Array.from({ length: 40 }, (_, at) => ({ id: `inc-${String(at)}`, words: 'x'.repeat(20) }));
    const text = JSON.stringify(rows);
    const wrapped = JSON.stringify({ total: 40, data: rows, next_cursor: 'more' });
    const cutAfter = (bytes: Buffer, length: number, headers: Record<string, string> = {}) =>
      rig.service.on('/incidents', (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers });
        // A reset would lose what is still between the sockets.
        response.write(bytes.subarray(0, length), () => response.socket?.end());
      });

    it.each([
      ['behind a comma', text, text.indexOf('"inc-7"') - 6],
      ['within a record', text, text.indexOf('"inc-7"') + 12],
      ['in an object', wrapped, wrapped.indexOf('"inc-7"') + 12],
    ])('%s', async (_, sent, length) => {
      rig = await signedIn(await createRig());
      cutAfter(Buffer.from(sent), length);
      const answer = await list();
      if (!answer.ok) throw new Error(answer.failure.code);
      const { body, cut } = answer.value;
      const kept = Array.isArray(body) ? body : (body as { readonly data: unknown[] }).data;
      expect(kept).toEqual(rows.slice(0, 7));
      expect(cut).toMatchObject({ code: 'unreachable' });
      expect(rig.outcomes).toMatchObject([{ outcome: 'unreachable' }]);
      expect(rig.service.count('/incidents')).toBe(1);
    });

    it('of a compressed one too, and after the list has ended', async () => {
      rig = await signedIn(await createRig());
      const many = JSON.stringify(Array.from({ length: 3_000 }, (_, at) => ({ id: randomUUID(), at })));
      const packed = gzipSync(many);
      cutAfter(packed, packed.byteLength >> 1, { 'content-encoding': 'gzip' });
      const half = await list();
      expect(half).toMatchObject({ ok: true, value: { cut: { code: 'unreachable' } } });
      const kept = half.ok ? (half.value.body as readonly unknown[]) : [];
      expect(kept).toEqual((JSON.parse(many) as unknown[]).slice(0, kept.length));
      expect(kept.length).toBeGreaterThan(500);
      cutAfter(Buffer.from(wrapped), wrapped.length - 10);
      expect(await list()).toMatchObject({ ok: true, value: { body: { data: rows } } });
    });

    it('by its silence', async () => {
      rig = await signedIn(await createRig());
      rig.service.on('/incidents', (_, response) => {
        response.writeHead(200);
        response.write(text.slice(0, text.indexOf('"inc-3"')));
      });
      const answer = await rig.ports.clock.drive(list(), { stepMs: 1_000 });
      expect(answer).toMatchObject({
        ok: true,
        value: { body: rows.slice(0, 3), cut: { code: 'timed-out' } },
      });
    });

    it('but not for what needs the whole answer, nor for a caller that gave up', async () => {
      rig = await signedIn(await createRig());
      rig.service.on('/missions', (_, response) => {
        response.writeHead(200);
        response.write(text.slice(0, 300), () => response.socket?.resetAndDestroy());
      });
      const missions = rig.link.coordination.pendingMissions('/missions');
      expect(await rig.ports.clock.drive(missions)).toMatchObject({
        ok: false,
        failure: { code: 'unreachable' },
      });
      rig.service.on('/incidents', (_, response) => {
        response.writeHead(200);
        response.write(text.slice(0, 300));
      });
      const giveUp = new AbortController();
      const work = list({ signal: giveUp.signal });
      await until(() => rig.service.count('/incidents') === 1);
      await rig.ports.clock.advance(1_000);
      giveUp.abort();
      expect(await work).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    });
  });

  it('a caller that gives up is answered at once and not counted as an outage', async () => {
    rig = await signedIn(await createRig());
    rig.service.on('/incidents', () => undefined);
    const giveUp = new AbortController();
    const work = list({ signal: giveUp.signal });
    await until(() => rig.service.count('/incidents') === 1);
    giveUp.abort();
    expect(await work).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    expect(rig.outcomes).toEqual([]);
    expect(rig.ports.clock.pending()).toBe(0);
  });

  it('a service that is gone is unreachable, and back without a restart', async () => {
    rig = await signedIn(await createRig());
    const port = Number(new URL(rig.service.url).port);
    await rig.service.close();
    const result = await rig.ports.clock.drive(list());
    expect(result).toMatchObject({ ok: false, failure: { code: 'unreachable', requestId: null } });
    const back = createTcpServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]'));
    });
    await new Promise<void>((resolve) => back.listen(port, '127.0.0.1', resolve));
    expect((await list()).ok).toBe(true);
    await new Promise((resolve) => back.close(resolve));
  });

  it('what is not HTTP is unreadable', async () => {
    rig = await signedIn(await createRig());
    const server = createTcpServer((socket) =>
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9\r\n')),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const other = await createRig({ address: { infrastructureUrl: url } });
    expect(await other.link.infrastructure.health()).toMatchObject({
      ok: false,
      failure: { code: 'unreadable-answer' },
    });
    await other.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('an outcome that throws does not reject', async () => {
    rig = await createRig({
      link: {
        onOutcome: () => {
          throw new Error('bug');
        },
      },
    });
    expect(await rig.link.infrastructure.health()).toMatchObject({
      ok: false,
      failure: { code: 'internal' },
    });
    expect(rig.ports.logger.lines.some((line) => line.event === 'request.broken')).toBe(true);
  });
});
