import fc from 'fast-check';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connections, mostConnections, type Trust } from '../../src-main/hosts/browser/connections.ts';
import { CountedWarnings } from '../../src-main/hosts/browser/countedWarnings.ts';
import type { BrowserHost } from '../../src-main/hosts/browser/server.ts';
import { StillClock, until } from '../support/clock.ts';
import { createRecordingLogger, type RecordingLogger } from '../support/ports.ts';
import { startHostUnderTest } from './support/browserHost.ts';
import type { FakeConsole } from './support/console.ts';
import { admit, openPage, originOf, PageSocket } from './support/page.ts';

/** More than the buffers of a loopback connection hold on both sides. */
const large = new Uint8Array(24 * 1024 * 1024).fill(65);
const id = '0123456789abcdef';

let host: BrowserHost;
let fake: FakeConsole;
let clock: StillClock;
let log: RecordingLogger;
let end: () => Promise<void>;
const opened: Socket[] = [];

beforeEach(async () => {
  ({ host, fake, clock, log, end } = await startHostUnderTest({
    'large.js': large,
    'script.js': large.subarray(0, 1024 * 1024),
  }));
});
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await end();
});

/** TCP connections that this process holds an end of, the host's and the test's. */
const handles = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

/** A connection that never closes by itself and reads only when it is told to. */
class Stranger {
  readonly socket: Socket;
  received = '';
  size = 0;
  over = false;

  constructor() {
    const port = Number(new URL(host.origin).port);
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    opened.push(this.socket);
    this.socket.on('error', () => undefined);
    for (const event of ['end', 'close']) this.socket.on(event, () => (this.over = true));
  }
  async connected(): Promise<this> {
    if (this.socket.connecting) await once(this.socket, 'connect');
    return this;
  }
  read(): this {
    this.socket.on('data', (bytes: Buffer) => {
      this.size += bytes.length;
      if (this.received.length < 200_000) this.received += bytes.toString('latin1');
    });
    return this;
  }
  write(words: string): this {
    this.socket.write(words);
    return this;
  }
}

const get = (path: string, headers: Record<string, string> = {}): string =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${new URL(host.origin).host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

/** The status of a request on a connection of its own, or the error's code. */
function askAnew(path: string, headers: Record<string, string> = {}): Promise<number | string> {
  const { port } = new URL(host.origin);
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}

/** Connections of strangers that say nothing, one after the other so that they come in this order. */
async function takePlaces(count: number): Promise<Stranger[]> {
  const strangers: Stranger[] = [];
  for (let index = 0; index < count; index += 1) strangers.push(await new Stranger().connected());
  return strangers.map((stranger) => stranger.read());
}

describe('answers', () => {
  it.each(['/assets/script.js', '/', '/nothing'])(
    'are not begun before the last one was taken: %s',
    async (path) => {
      const stranger = new Stranger().read().write(get(path).repeat(200));
      await until(() => stranger.over, 'the end of the connection');
      expect(stranger.received.split('HTTP/1.1 ').length - 1).toBeLessThanOrEqual(1);
      expect(stranger.size).toBeLessThan(1.1 * 1024 * 1024);
      expect(log.entries).toContainEqual({ event: 'connection-ended', fields: { reason: 'pipelined' } });
      expect(await askAnew('/')).toBe(200);
    },
  );

  it('are not begun either where the next request comes later', async () => {
    const stranger = await new Stranger().write(get('/assets/large.js')).connected();
    const answering = once(stranger.socket, 'readable');
    await answering;
    stranger.write(get('/'));
    await until(() => log.events().includes('connection-ended'), 'the end of the connection');
  });

  it('follow each other on a connection whose answers are taken', async () => {
    const stranger = new Stranger().read();
    for (let count = 1; count <= 20; count += 1) {
      stranger.write(get('/assets/index-abc.js'));
      await until(() => stranger.received.split('export {};').length === count + 1, 'the answer');
    }
    expect(stranger.over).toBe(false);
  });

  it('that nobody reads are given up after half a minute', async () => {
    const stranger = await new Stranger().write(get('/assets/large.js')).connected();
    await once(stranger.socket, 'readable');
    clock.advance(30_000);
    stranger.read();
    await until(() => stranger.over, 'the end of the connection');
    expect(stranger.size).toBeLessThan(large.length);
  });

  it.each([
    ['a whole one', () => (fake.tileAnswer = { kind: 'tile', type: 'png', bytes: large })],
    [
      'one that is made meanwhile',
      () => {
        const pieces = (async function* () {
          await nextTurn();
          yield large;
        })();
        const { signal } = new AbortController();
        fake.exports.set(id.repeat(2), { fileName: 'a.csv', mediaType: 'text/csv', pieces, signal });
      },
    ],
  ])('to an admitted page that reads nothing for a minute are given up: %s', async (name, offer) => {
    offer();
    const { cookie, proof } = await admit(host.issueUrl());
    const path = name === 'a whole one' ? `/tiles/${id}/0/0/0` : `/export/${id.repeat(2)}`;
    const stranger = new Stranger().write(get(path, { cookie, 'x-console-proof': proof }));
    await once(stranger.socket, 'readable');
    await nextTurn();
    clock.advance(60_000);
    stranger.read();
    await until(() => stranger.over, 'the end of the connection');
    expect(stranger.size).toBeLessThan(large.length);
  });

  it('to an admitted page may take any time to make', async () => {
    const { cookie, proof } = await admit(host.issueUrl());
    let goOn: () => void = () => undefined;
    const pieces = (async function* () {
      for (const piece of ['one', 'two', 'three']) {
        yield Buffer.from(piece);
        await new Promise<void>((resolve) => (goOn = resolve));
      }
    })();
    const { signal } = new AbortController();
    fake.exports.set(id.repeat(2), { fileName: 'a.csv', mediaType: 'text/csv', pieces, signal });
    const page = new Stranger().read();
    page.write(get(`/export/${id.repeat(2)}`, { cookie, 'x-console-proof': proof }));
    for (const piece of ['one', 'two', 'three']) {
      await until(() => page.received.includes(piece), piece);
      clock.advance(10 * 60_000);
      goOn();
    }
    await until(() => page.received.endsWith('0\r\n\r\n'), 'the end of the answer');
  });
});

describe('a connection that is not admitted', () => {
  it('goes after five seconds without a request, and does not wait for the other side', async () => {
    await takePlaces(1);
    await until(() => handles() === 2, 'both sides of the connection');
    clock.advance(5_000);
    await until(() => handles() === 1, 'the end of the connection');
  });

  it.each([
    ['what is no HTTP', () => 'hello\r\n\r\n', '400 '],
    ['a foreign socket', () => get('/socket', { connection: 'upgrade', upgrade: 'websocket' }), '403 '],
  ])('goes after %s, and does not wait for the other side', async (_name, bytes, status) => {
    const stranger = new Stranger().read().write(bytes());
    await until(() => stranger.received.includes(`HTTP/1.1 ${status}`), 'the answer');
    await until(() => handles() === 2, 'both sides of the connection');
    clock.advance(1_000);
    await until(() => handles() === 1, 'the end of the connection');
  });

  it('may not become a socket while an answer is on its way', async () => {
    const upgrade = get('/socket', { connection: 'upgrade', upgrade: 'websocket' });
    const stranger = new Stranger().write(get('/assets/large.js') + upgrade);
    await stranger.connected();
    stranger.read();
    await until(() => stranger.over, 'the end of the connection');
    expect(stranger.size).toBeLessThan(large.length);
  });
});

describe('where all places are taken', () => {
  it('an admitted page finds one, and the oldest silent stranger goes', async () => {
    const { cookie, proof } = await admit(host.issueUrl());
    const strangers = await takePlaces(mostConnections);
    expect(await askAnew('/', { cookie })).toBe(200);
    await until(() => strangers[0]?.over === true, 'the end of the oldest');
    const page = await new PageSocket(host.origin, { cookie }).opened();
    page.send({ kind: 'hello', proof });
    await page.message('push');
    expect(await askAnew(`/tiles/${id}/0/0/0`, { cookie, 'x-console-proof': proof })).toBe(204);
    expect(log.events()).toContain('connections-full');
    expect(strangers.at(-1)?.over).toBe(false);
    page.socket.terminate();
  });

  it('an admitted page finds one also among strangers that come in the same moment', async () => {
    const { cookie } = await admit(host.issueUrl());
    await takePlaces(mostConnections - 50);
    const before = Array.from({ length: 60 }, () => new Stranger());
    const answer = askAnew('/', { cookie });
    const after = Array.from({ length: mostConnections + 60 }, () => new Stranger().read());
    expect(await answer).toBe(200);
    await Promise.all([...before, ...after].map((stranger) => stranger.connected()));
    await until(() => after.filter(({ over }) => !over).length <= mostConnections, 'the end of some');
  });

  it('an admitted page keeps what it has: its socket and the file that it sends', async () => {
    let taken = '';
    fake.takeSpool = async (_id, body) => {
      for await (const bytes of body) taken += Buffer.from(bytes).toString();
      return 'kept';
    };
    const page = await openPage(host.issueUrl());
    const { cookie, proof } = await admit(host.issueUrl(), page.cookie);
    const sent = request({
      agent: false,
      host: '127.0.0.1',
      port: new URL(host.origin).port,
      path: `/spool/${id}`,
      method: 'PUT',
      headers: { cookie, 'x-console-proof': proof, origin: originOf(host.origin), 'content-length': '6' },
    });
    const answered = once(sent, 'response');
    sent.write('abc');
    await until(() => taken === 'abc', 'the first half');
    await takePlaces(2 * mostConnections);
    sent.end('def');
    const [response] = (await answered) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect([response.statusCode, taken]).toEqual([204, 'abcdef']);
    page.send({ kind: 'call', id: 1, verb: 'lock', request: {} });
    await page.message('reply');
    page.socket.terminate();
  });

  it('a connection with the cookie outlasts strangers', async () => {
    const { cookie } = await admit(host.issueUrl());
    const known = new Stranger().read().write(get('/assets/index-abc.js', { cookie }));
    await until(() => known.received.includes('export {};'), 'the answer');
    const strangers = await takePlaces(mostConnections + 20);
    expect(known.over).toBe(false);
    await until(() => strangers[10]?.over === true, 'the end of the oldest');
  });
});

/** A connection without anything behind it. */
class Line extends Duplex {
  override _read(): void {
    // Nothing ever comes.
  }
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

it('has never more connections than places, and none of an admitted page goes', async () => {
  const step = fc.record({
    trust: fc.constantFrom<Trust>('stranger', 'stranger', 'known', 'admitted'),
    closes: fc.nat({ max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 300, maxLength: 600 }), async (steps) => {
      const clock = new StillClock();
      const warnings = new CountedWarnings({ clock, logger: createRecordingLogger() });
      const connections = new Connections({ clock, warnings });
      const lines: { line: Line; trust: Trust; closed: boolean }[] = [];
      const alive = () => lines.filter(({ line }) => !line.destroyed);
      for (const [index, { trust, closes }] of steps.entries()) {
        const entry = { line: new Line(), trust, closed: false };
        const before = alive();
        connections.accept(entry.line);
        const full = before.length === mostConnections;
        const admittedOnly = before.every((other) => other.trust === 'admitted');
        expect(entry.line.destroyed).toBe(full && admittedOnly);
        lines.push(entry);
        connections.raise(entry.line, trust);
        expect(alive().length).toBeLessThanOrEqual(mostConnections);
        if (full && !admittedOnly) {
          // The one that went is the oldest of the least.
          const least = before.some((other) => other.trust === 'stranger') ? 'stranger' : 'known';
          const first = before.find((other) => other.trust === least);
          expect(before.filter(({ line }) => line.destroyed)).toEqual([first]);
        }
        if (closes === 0) lines[index % 50]?.line.destroy();
        await new Promise((resolve) => process.nextTick(resolve));
      }
    }),
    { numRuns: 15 },
  );
});
