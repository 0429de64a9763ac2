import { Packr } from 'msgpackr';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserHost } from '../../src-main/hosts/browser/server.ts';
import {
  closeCodes,
  largestMessage,
  packerOptions,
  socketProtocol,
} from '../../src-preload/contract/index.ts';
import { callWith, doublingReferences, extensions, sharedReferences } from '../faults/support/hostilePack.ts';
import { type StillClock } from '../support/clock.ts';
import { type RecordingLogger } from '../support/ports.ts';
import { startHostUnderTest } from './support/browserHost.ts';
import { snapshot, type FakeConsole } from './support/console.ts';
import { admit, ask, openPage, PageSocket } from './support/page.ts';

let host: BrowserHost;
let fake: FakeConsole;
let clock: StillClock;
let log: RecordingLogger;
let end: () => Promise<void>;

beforeEach(async () => {
  ({ host, fake, clock, log, end } = await startHostUnderTest());
});
afterEach(() => end());

interface Admitted {
  readonly cookie: string;
  readonly proof: string;
}

describe('the socket', () => {
  it('greets, sends a snapshot with its bytes, and carries verbs', async () => {
    fake.answer = (verb, request) => Promise.resolve({ ok: true, value: { verb, request } });
    const page = await openPage(host.issueUrl());
    expect(await page.message('welcome')).toEqual({ kind: 'welcome', version: '9.9.9' });
    const { push } = await page.message('push');
    expect({ ...push, incidents: [...(push.incidents ?? [])] }).toEqual({
      ...snapshot,
      incidents: [1, 2, 3, 4],
    });
    page.send({ kind: 'call', id: 7, verb: 'readIncident', request: { key: 3 } });
    expect(await page.message('reply')).toEqual({
      kind: 'reply',
      id: 7,
      result: { ok: true, value: { verb: 'readIncident', request: { key: 3 } } },
    });
  });

  it('hands link messages to this page’s subscription only, and ends it with the socket', async () => {
    const url = host.issueUrl();
    const one = await openPage(url);
    const two = await openPage(host.issueUrl(), one.cookie);
    expect(two.cookie).toBe(one.cookie);
    expect(fake.subscribers).toHaveLength(2);
    two.send({ kind: 'link', message: { kind: 'acknowledge', epoch: 'e1', revision: 1 } });
    two.send({ kind: 'call', id: 1, verb: 'lock', request: {} });
    await two.message('reply');
    expect(fake.subscribers.map(({ answers }) => answers)).toEqual([
      [],
      [{ kind: 'acknowledge', epoch: 'e1', revision: 1 }],
    ]);
    fake.subscribers[0]?.send({ ...snapshot, revision: 2 });
    await one.message('push', ({ push }) => push.revision === 2);
    expect(two.received.filter(({ kind }) => kind === 'push')).toHaveLength(1);
    one.socket.close();
    await expect.poll(() => fake.subscribers.map(({ closed }) => closed)).toEqual([true, false]);
  });

  it('answers a foreign verb itself', async () => {
    const page = await openPage(host.issueUrl());
    for (const [id, verb] of ['readFile', 'constructor', '__proto__', 'toString', ''].entries()) {
      page.send({ kind: 'call', id, verb, request: {} });
      const reply = await page.message('reply', (message) => message.id === id);
      expect(reply.result).toMatchObject({ ok: false, failure: { code: 'malformed-request' } });
    }
    expect(fake.calls).toEqual([]);
  });

  it('answers the call after the 64th unanswered one with `throttled`', async () => {
    const release: (() => void)[] = [];
    fake.answer = () => new Promise((resolve) => release.push(() => resolve({ ok: true, value: null })));
    const page = await openPage(host.issueUrl());
    for (let id = 0; id <= 64; id += 1) page.send({ kind: 'call', id, verb: 'checkHealth', request: {} });
    expect((await page.message('reply')).id).toBe(64);
    expect((await page.message('reply')).result).toMatchObject({ failure: { code: 'throttled' } });
    expect(fake.calls).toHaveLength(64);
    for (const go of release) go();
    await page.message('reply', ({ id }) => id === 63);
    page.send({ kind: 'call', id: 65, verb: 'checkHealth', request: {} });
    await expect.poll(() => fake.calls).toHaveLength(65);
  });

  it('turns a console that throws into a failure', async () => {
    fake.answer = () => Promise.reject(new Error('a secret'));
    const page = await openPage(host.issueUrl());
    page.send({ kind: 'call', id: 1, verb: 'lock', request: {} });
    const { result } = await page.message('reply');
    expect(result).toMatchObject({ ok: false, failure: { code: 'internal' } });
    expect(JSON.stringify(result)).not.toContain('a secret');
  });

  it.each([
    ['no cookie and a made-up proof', () => ({ proof: 'A'.repeat(43) })],
    ['a proof without its cookie', (admitted: Admitted) => ({ proof: admitted.proof })],
    [
      'a foreign cookie',
      (admitted: Admitted) => ({ ...admitted, cookie: `${admitted.cookie.split('=')[0]}=${'A'.repeat(43)}` }),
    ],
    ['a cookie without its proof', (admitted: Admitted) => ({ ...admitted, proof: 'A'.repeat(43) })],
    ['an empty proof', (admitted: Admitted) => ({ ...admitted, proof: '' })],
    [
      'the cookie of another instance',
      (admitted: Admitted) => ({ ...admitted, cookie: `field-console-0=${admitted.cookie.split('=')[1]}` }),
    ],
  ])('admits nobody with %s', async (_name, make: (admitted: Admitted) => Partial<Admitted>) => {
    const { cookie, proof } = make(await admit(host.issueUrl()));
    const page = await new PageSocket(host.origin, cookie === undefined ? {} : { cookie }).opened();
    page.send({ kind: 'hello', proof: proof ?? '' });
    expect(await page.closed).toBe(closeCodes.notAdmitted);
    expect(page.received).toEqual([]);
    expect(fake.subscribers).toEqual([]);
  });

  it('admits nobody with one browser’s cookie and another’s proof', async () => {
    const one = await admit(host.issueUrl());
    const two = await admit(host.issueUrl());
    const page = await new PageSocket(host.origin, { cookie: one.cookie }).opened();
    page.send({ kind: 'hello', proof: two.proof });
    expect(await page.closed).toBe(closeCodes.notAdmitted);
  });

  it.each([
    ['a foreign Origin', { origin: 'http://evil.example' }, undefined],
    ['a foreign Host', { host: 'evil.example' }, undefined],
    ['another site', { 'sec-fetch-site': 'cross-site' }, undefined],
    ['another protocol', {}, 'chat'],
  ])('is not opened with %s', async (_name, headers: Record<string, string>, protocol) => {
    const { cookie } = await admit(host.issueUrl());
    const page = new PageSocket(host.origin, { cookie, ...headers }, protocol);
    expect(await page.closed).toBe(1006);
    expect(log.events()).toContain('socket-refused');
  });

  it.each([
    ['no MessagePack', (page: PageSocket) => page.socket.send(Buffer.from([0xc1]))],
    ['a cut message', (page: PageSocket) => page.socket.send(Buffer.from([0x82, 0xa1]))],
    ['text', (page: PageSocket) => page.socket.send('{"kind":"hello"}')],
    ['nothing', (page: PageSocket) => page.socket.send(Buffer.alloc(0))],
    ['an unknown kind', (page: PageSocket) => page.sendValue({ kind: 'eval', code: '1' })],
    [
      'a field too many',
      (page: PageSocket) => page.sendValue({ kind: 'link', message: { kind: 'resync', x: 1 } }),
    ],
    ['a second hello', (page: PageSocket) => page.sendValue({ kind: 'hello', proof: 'x' })],
    [
      'a negative id',
      (page: PageSocket) => page.sendValue({ kind: 'call', id: -1, verb: 'lock', request: {} }),
    ],
    [
      'an array that claims 4 billion',
      (page: PageSocket) => page.socket.send(Buffer.from('ddffffffff', 'hex')),
    ],
    ['100,000 nested arrays', (page: PageSocket) => page.socket.send(Buffer.alloc(100_000, 0x91))],
  ])('is closed on %s', async (_name, send: (page: PageSocket) => void) => {
    const page = await openPage(host.issueUrl());
    send(page);
    expect(await page.closed).toBe(closeCodes.malformed);
    expect(fake.subscribers[0]?.answers).toEqual([]);
    await expect.poll(() => fake.subscribers[0]?.closed).toBe(true);
  });

  it('is closed on a message that is too large, and on a call before the hello', async () => {
    const page = await openPage(host.issueUrl());
    page.socket.send(Buffer.alloc(600_000));
    expect(await page.closed).toBe(1009);
    const { cookie } = await admit(host.issueUrl());
    const early = await new PageSocket(host.origin, { cookie }).opened();
    early.send({ kind: 'call', id: 1, verb: 'lock', request: {} });
    expect(await early.closed).toBe(closeCodes.malformed);
    expect(fake.calls).toEqual([]);
  });

  it.each([
    ...Object.entries(extensions).map(([name, bytes]): [string, Uint8Array] => [name, callWith(bytes)]),
    ['references that double 1,000 times', callWith(doublingReferences(1_000))],
    ['references that take hours to walk', sharedReferences(19_000, 23_000)],
  ])('is closed on %s, which reaches no verb', async (_name: string, bytes: Uint8Array) => {
    const page = await openPage(host.issueUrl());
    page.socket.send(bytes);
    expect(await page.closed).toBe(closeCodes.malformed);
    expect(fake.calls).toHaveLength(0);
    expect((await ask(host.origin, '/')).status).toBe(200);
  });

  it.each([
    ['references that take hours to walk', () => sharedReferences(19_000, 23_000)],
    ['references that double 20 times', () => doublingReferences(20)],
    ['a hello of 300 bytes', () => new Packr(packerOptions).pack({ kind: 'hello', proof: 'A'.repeat(280) })],
    ['500 nested arrays', () => Buffer.alloc(500, 0x91)],
    ['text', () => 'hello'],
  ])(
    'is closed on a first message of %s, without a cookie',
    async (_name: string, bytes: () => Uint8Array | string) => {
      const page = await new PageSocket(host.origin).opened();
      page.socket.send(bytes());
      await expect.poll(() => page.socket.readyState).not.toBe(page.socket.OPEN);
      // What is too much is left unread, the answer to the goodbye included.
      clock.advance(1_000);
      expect(await page.closed).toBe(closeCodes.malformed);
      expect((await ask(host.origin, '/')).status).toBe(200);
    },
  );

  it('gathers no message before the hello that is larger than one', async () => {
    const page = await new PageSocket(host.origin).opened();
    const { _socket: tcp } = page.socket as unknown as { readonly _socket: Socket };
    // The head of a masked frame of half a megabyte, of which 600 bytes come.
    const head = Buffer.from('82ff0000000000080000', 'hex');
    head.writeUInt32BE(largestMessage, 6);
    tcp.write(Buffer.concat([head, Buffer.alloc(600)]));
    await expect.poll(() => log.events()).toContain('page-cut');
    await expect.poll(() => page.socket.readyState).not.toBe(page.socket.OPEN);
    clock.advance(1_000);
    expect(await page.closed).toBe(closeCodes.malformed);
  });

  it('does not wait for the goodbye of a connection that never answers', async () => {
    const socket = connect({ port: Number(new URL(host.origin).port), host: '127.0.0.1' });
    const lines = [
      'GET /socket HTTP/1.1',
      `Host: ${new URL(host.origin).host}`,
      `Origin: ${new URL(host.origin).origin}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      `Sec-WebSocket-Protocol: ${socketProtocol}`,
    ];
    const received: Buffer[] = [];
    socket.on('data', (bytes) => received.push(bytes));
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await expect.poll(() => Buffer.concat(received).toString('latin1')).toContain('HTTP/1.1 101 ');
    clock.advance(5_000);
    await expect.poll(() => Buffer.concat(received).toString('latin1')).toContain('no hello');
    clock.advance(1_000);
    // ws gives up by itself after 30 s, which is too late.
    await expect.poll(() => socket.closed).toBe(true);
  });

  it('does not let `__proto__` through a request', async () => {
    const page = await openPage(host.issueUrl());
    const request = Buffer.concat([
      Buffer.from('84a46b696e64a463616c6ca2696401a476657262a46c6f636ba772657175657374', 'hex'),
      Buffer.from('81a95f5f70726f746f5f5f81a7706f6c6c75746501', 'hex'),
    ]);
    page.socket.send(request);
    await page.message('reply');
    expect((fake.calls[0]?.request as Record<string, unknown>)['pollute']).toBeUndefined();
    expect(({} as Record<string, unknown>)['pollute']).toBeUndefined();
  });

  it('is closed when no hello comes', async () => {
    const { cookie } = await admit(host.issueUrl());
    const page = await new PageSocket(host.origin, { cookie }).opened();
    clock.advance(5_000);
    expect(await page.closed).toBe(closeCodes.tooSlow);
  });

  it('is cut when the page stops answering, and kept while it answers', async () => {
    const page = await openPage(host.issueUrl());
    for (let round = 0; round < 3; round += 1) {
      const ping = new Promise((resolve) => page.socket.once('ping', resolve));
      clock.advance(20_000);
      await ping;
      // A reply proves that the pong before it has been read.
      page.send({ kind: 'call', id: round, verb: 'lock', request: {} });
      await page.message('reply', ({ id }) => id === round);
    }
    page.socket.pause();
    clock.advance(40_000);
    await expect.poll(() => fake.subscribers[0]?.closed).toBe(true);
    page.socket.terminate();
  });

  it('is told when the console ends', async () => {
    const page = await openPage(host.issueUrl());
    await host.close();
    expect(await page.closed).toBe(closeCodes.goingAway);
    expect(fake.subscribers[0]?.closed).toBe(true);
  });
});
