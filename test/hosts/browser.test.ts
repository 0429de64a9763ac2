import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchFileName } from '../../src-main/hosts/browser/launchFile.ts';
import type { BrowserHost } from '../../src-main/hosts/browser/server.ts';
import { contentSecurityPolicy } from '../../src-main/hosts/csp.ts';
import { openPageFiles } from '../../src-main/hosts/pages.ts';
import { closeCodes, type Message } from '../../src-preload/contract/index.ts';
import { type StillClock } from '../support/clock.ts';
import { type RecordingLogger } from '../support/ports.ts';
import { startHostUnderTest } from './support/browserHost.ts';
import type { FakeConsole } from './support/console.ts';
import { admit, ask, codeOf, exchange, openPage, originOf, PageSocket } from './support/page.ts';
import { said } from '../support/messages.ts';

let folder: string;
let host: BrowserHost;
let fake: FakeConsole;
let log: RecordingLogger;
let clock: StillClock;
let launchUrls: string[];
let end: () => Promise<void>;

beforeEach(async () => {
  ({ folder, host, fake, log, clock, launchUrls, end } = await startHostUnderTest());
});
afterEach(() => end());

const hostName = (): string => new URL(host.origin).host;

describe('the page', () => {
  it('comes with the policy, the same nonce in header and page, and a new one each time', async () => {
    const first = await ask(host.origin, '/');
    const second = await ask(host.origin, '/');
    const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1] ?? '';
    expect(nonce).toHaveLength(24);
    expect(first.headers['content-security-policy']).toBe(contentSecurityPolicy(nonce));
    expect(second.body).not.toBe(first.body);
    expect(first.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(first.headers['permissions-policy']).toContain('geolocation=()');
    expect(first.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('serves assets to be kept, and no source map', async () => {
    const asset = await ask(host.origin, '/assets/index-abc.js');
    expect(asset.status).toBe(200);
    expect(asset.headers['content-type']).toContain('text/javascript');
    expect(asset.headers['cache-control']).toContain('immutable');
    expect(asset.headers['content-security-policy']).toContain(`default-src 'none'`);
    expect((await ask(host.origin, '/assets/index-abc.js.map')).status).toBe(404);
  });

  it('reads a file once, and all answers share its bytes', async () => {
    const root = join(folder, 'renderer');
    const pages = await openPageFiles({ root });
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => pages.answer('GET', '/assets/index-abc.js')),
    );
    await writeFile(join(root, 'assets', 'index-abc.js'), 'another');
    const later = await pages.answer('GET', '/assets/index-abc.js');
    for (const { body } of answers) expect(body).toBe(later.body);
    expect(Buffer.from(later.body).toString()).toBe('export {};');
  });

  it('reads a file again that could not be read', async () => {
    const root = join(folder, 'renderer');
    const pages = await openPageFiles({ root });
    await rm(join(root, 'assets', 'index-abc.js'));
    await expect(pages.answer('GET', '/assets/index-abc.js')).rejects.toThrow('ENOENT');
    await writeFile(join(root, 'assets', 'index-abc.js'), 'again');
    expect(Buffer.from((await pages.answer('GET', '/assets/index-abc.js')).body).toString()).toBe('again');
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/assets',
    '/assets/',
    '/index.html%00.js',
    '/%',
    'http://127.0.0.1/secret.txt',
  ])('has nothing at %s', async (path) => {
    const answer = await ask(host.origin, path);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('secret');
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST', 'TRACE'])('refuses the method %s', async (method) => {
    const answer = await ask(host.origin, '/', { method, headers: { origin: originOf(host.origin) } });
    expect(answer.status).toBe(405);
  });

  it('answers HEAD without a body', async () => {
    const answer = await ask(host.origin, '/', { method: 'HEAD' });
    expect([answer.status, answer.body]).toEqual([200, '']);
  });
});

describe('where a request comes from', () => {
  it.each([
    ['a foreign Host', { host: 'evil.example' }],
    ['a Host without the port', { host: '127.0.0.1' }],
    ['another port', { host: '127.0.0.1:1' }],
    ['a foreign Origin', { origin: 'http://evil.example' }],
    ['an opaque Origin', { origin: 'null' }],
    ['the Origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of the same site', { 'sec-fetch-site': 'same-site' }],
    ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
  ])('refuses %s', async (_name, headers: Record<string, string>) => {
    expect((await ask(host.origin, '/', { headers })).status).toBe(403);
    expect(log.events()).toContain('request-refused');
  });

  it('logs the first request of a kind that it refuses, then their count once a minute', async () => {
    const foreign = { headers: { host: 'evil.example' } };
    for (let count = 0; count < 20; count += 1) await ask(host.origin, '/', foreign);
    await ask(host.origin, '/', { headers: { 'sec-fetch-site': 'cross-site' } });
    const refused = (): unknown[] =>
      log.entries.filter(({ event }) => event === 'request-refused').map(({ fields }) => fields);
    expect(refused()).toEqual([{ reason: 'foreign-host' }, { reason: 'foreign-site' }]);
    clock.advance(60_000);
    expect(refused().slice(2)).toEqual([{ reason: 'foreign-host', count: 19 }]);
    clock.advance(60_000);
    await ask(host.origin, '/', foreign);
    expect(refused().slice(3), 'a quiet minute ends the count').toEqual([{ reason: 'foreign-host' }]);
    await ask(host.origin, '/', foreign);
    await host.close();
    expect(refused().slice(4), 'what was counted is not lost').toEqual([
      { reason: 'foreign-host', count: 1 },
    ]);
  });

  it('lets a navigation from the launch file reach the page and nothing else', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect((await ask(host.origin, '/', { headers })).status).toBe(200);
    expect((await ask(host.origin, '/assets/index-abc.js', { headers })).status).toBe(403);
  });

  it('takes localhost as well, with an Origin to match', async () => {
    const name = `localhost:${new URL(host.origin).port}`;
    expect((await ask(host.origin, '/', { headers: { host: name, origin: `http://${name}` } })).status).toBe(
      200,
    );
    expect(
      (await ask(host.origin, '/', { headers: { host: name, origin: originOf(host.origin) } })).status,
    ).toBe(403);
  });

  it('listens on loopback only', () => {
    expect(new URL(host.origin).hostname).toBe('127.0.0.1');
  });
});

describe('the exchange', () => {
  it('gives a strict cookie that names the instance, and a proof', async () => {
    const answer = await exchange(host.issueUrl());
    expect(answer.status).toBe(200);
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^field-console-[0-9a-f]{16}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(JSON.parse(answer.body)).toEqual({ admitted: true, proof: expect.stringMatching(/^[\w-]{43}$/) });
  });

  it('refuses a spent code, says so and logs it', async () => {
    const url = host.issueUrl();
    await admit(url);
    const again = await exchange(url);
    expect(again.status).toBe(403);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(JSON.parse(again.body)).toMatchObject({ admitted: false, reason: 'spent' });
    expect(said((JSON.parse(again.body) as { sentence: Message }).sentence)).toContain('already used');
    expect(log.entries).toContainEqual({ event: 'launch-code-refused', fields: { reason: 'spent' } });
  });

  it('takes a printed address for ten minutes, the launch file’s for as long as it stands', async () => {
    const [soon, late] = [host.issueUrl(), host.issueUrl()];
    clock.advance(599_999);
    await admit(soon);
    clock.advance(1);
    const answer = await exchange(late);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined]);
    expect(JSON.parse(answer.body)).toMatchObject({ admitted: false, reason: 'expired' });
    await admit(launchUrls[0] ?? '');
  });

  it('names the cookie after the data folder, so that a console started again replaces its own', async () => {
    const nameOf = async (dataDir: string): Promise<string> => {
      const started = await startHostUnderTest({}, dataDir);
      const { headers } = await exchange(started.host.issueUrl());
      await started.end();
      return String(headers['set-cookie']).split('=', 1)[0] ?? '';
    };
    const name = await nameOf('/data/one');
    expect(await nameOf('/data/one')).toBe(name);
    expect(await nameOf('/data/two')).not.toBe(name);
  });

  it('answers beside a hundred cookies of other local servers', async () => {
    const cookie = Array.from({ length: 100 }, (_, at) => `other${String(at)}=${'x'.repeat(400)}`).join('; ');
    expect((await ask(host.origin, '/', { headers: { cookie } })).status).toBe(200);
    expect((await ask(host.origin, '/', { headers: { cookie: cookie.repeat(2) } })).status).toBe(400);
  });

  it('admits one of two that come at once', async () => {
    const url = host.issueUrl();
    const answers = await Promise.all([exchange(url), exchange(url)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('refuses an unknown code', async () => {
    const answer = await exchange(`${host.origin}#launch=${'A'.repeat(43)}`);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ reason: 'unknown' });
  });

  it.each([
    ['no Origin', { origin: '' }],
    ['a foreign Origin', { origin: 'http://evil.example' }],
  ])('refuses %s without spending the code', async (_name, headers) => {
    const url = host.issueUrl();
    expect((await exchange(url, headers)).status).toBe(403);
    await admit(url);
  });

  it('refuses a request that has no Origin at all', async () => {
    const answer = await ask(host.origin, '/exchange', { method: 'POST', body: '{}' });
    expect(answer.status).toBe(403);
  });

  it.each([
    ['no JSON', '{', 'application/json'],
    ['another shape', '{"code":1}', 'application/json'],
    ['more than is asked', '{"code":"x","more":1}', 'application/json'],
    ['a form', 'code=x', 'application/x-www-form-urlencoded'],
    ['a body of a megabyte', `{"code":"${'x'.repeat(1_000_000)}"}`, 'application/json'],
  ])('answers %s with 400', async (_name, body, type) => {
    const answer = await exchange(host.origin, { 'content-type': type }, body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ reason: 'malformed' });
  });

  it('is no address to read', async () => {
    expect((await ask(host.origin, '/exchange')).status).toBe(405);
  });
});

describe('a second window', () => {
  it('is let in once, with a code of its own, and is a subscriber of its own', async () => {
    const first = await openPage(host.issueUrl());
    const url = host.issueWindowUrl('map');
    expect(new URL(url).search).toBe('?pane=map');
    expect(url.startsWith(host.origin)).toBe(true);
    const second = await openPage(url, first.cookie);
    // One browser, one cookie; but each page has a proof and a subscription.
    expect(second.cookie).toBe(first.cookie);
    expect(fake.subscribers).toHaveLength(2);
    expect(JSON.parse((await exchange(url, { cookie: first.cookie })).body)).toMatchObject({
      admitted: false,
      reason: 'spent',
    });
    expect(codeOf(host.issueWindowUrl('map'))).not.toBe(codeOf(url));
    expect(new URL(host.issueWindowUrl('list')).search).toBe('?pane=list');
    expect(launchUrls, 'the launch file keeps its code').toHaveLength(1);
  });

  it('is not let in by the first one’s cookie alone, nor from elsewhere', async () => {
    const { cookie } = await admit(host.issueUrl());
    const url = host.issueWindowUrl('list');
    expect((await ask(host.origin, '/?pane=list', { headers: { cookie } })).status).toBe(200);
    const socket = await new PageSocket(host.origin, { cookie }).opened();
    socket.send({ kind: 'hello', proof: 'A'.repeat(43) });
    expect(await socket.closed).toBe(closeCodes.notAdmitted);
    expect((await exchange(url, { cookie, origin: 'http://evil.example' })).status).toBe(403);
    expect((await exchange(url, { cookie, host: 'evil.example' })).status).toBe(403);
    // What was refused for where it came from has not spent the code.
    await admit(url, cookie);
  });

  it('comes within a minute or not at all', async () => {
    const [soon, late] = [host.issueWindowUrl('map'), host.issueWindowUrl('list')];
    clock.advance(59_999);
    await admit(soon);
    clock.advance(1);
    const answer = await exchange(late);
    expect(answer.status).toBe(403);
    // Nobody used it: to say that it was used already would send an operator after somebody else.
    expect(JSON.parse(answer.body)).toMatchObject({ admitted: false, reason: 'expired' });
    expect(fake.subscribers).toEqual([]);
  });
});

describe('the launch file', () => {
  const read = async (): Promise<string> => readFile(join(folder, launchFileName), 'utf8');

  it('is 0600 and leads to the page', async () => {
    expect((await stat(join(folder, launchFileName))).mode & 0o777).toBe(0o600);
    expect(await read()).toContain(`content="0; url=${launchUrls[0]}"`);
  });

  it('gets a fresh code before the page that used the last one is answered', async () => {
    const first = launchUrls[0] ?? '';
    await admit(first);
    expect(launchUrls).toHaveLength(2);
    expect(await read()).toContain(launchUrls[1]);
    expect(await read()).not.toContain(codeOf(first));
    await openPage(launchUrls[1] ?? '');
  });

  it('keeps its code when another one is used', async () => {
    await admit(host.issueUrl());
    expect(launchUrls).toHaveLength(1);
  });
});

describe('byte routes', () => {
  it.each(['/tiles/a/0/0/0', '/spool/1', '/export/1'])('%s needs cookie and proof', async (path) => {
    const { cookie, proof } = await admit(host.issueUrl());
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await ask(host.origin, path, { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ cookie })).toBe(401);
    expect(await status({ 'x-console-proof': proof })).toBe(401);
    expect(await status({ cookie, 'x-console-proof': 'A'.repeat(43) })).toBe(401);
    expect(await status({ cookie, 'x-console-proof': proof })).toBe(404);
  });
});

describe('hostile connections', () => {
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = '';
      const socket = connect(Number(new URL(host.origin).port), '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (data) => (answer += data.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(answer));
    });

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['headers of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    [
      'two lengths',
      'POST /exchange HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('answers %s with 400 and closes', async (_name, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await ask(host.origin, '/')).status).toBe(200);
  });

  it('refuses two Host headers', async () => {
    const answer = await raw(
      `GET / HTTP/1.1\r\nHost: ${hostName()}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('cuts a client that never ends its headers', async () => {
    expect(await raw('GET / HTTP/1.1\r\nHost:')).not.toContain('200');
  });
});
