import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flush, until } from '../support/clock.ts';
import { startHostUnderTest } from './support/browserHost.ts';
import type { FakeConsole } from './support/console.ts';
import { desktopUnderTest, type DesktopUnderTest } from './support/desktopHost.ts';
import { admit, ask, originOf } from './support/page.ts';

const id = '0123456789abcdef'.repeat(2);

/** A file that is made while it is fetched, and what became of it. */
class Made {
  readonly controller = new AbortController();
  made = 0;
  left = false;
  /** Fails when so many pieces were made; none ever for null. */
  failsAfter: number | null = null;
  readonly #pieces: number;
  readonly #size: number;

  constructor({ pieces, size }: { pieces: number; size: number }) {
    this.#pieces = pieces;
    this.#size = size;
  }

  async *#make(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (let piece = 0; piece < this.#pieces; piece += 1) {
        if (piece === this.failsAfter) throw new Error('The disk is gone');
        this.made += 1;
        yield new Uint8Array(this.#size).fill(48 + (piece % 10));
      }
    } finally {
      this.left = true;
    }
  }

  stream(fileName = 'harbour.csv') {
    return {
      fileName,
      mediaType: 'text/csv; charset=utf-8',
      pieces: this.#make(),
      signal: this.controller.signal,
    };
  }
}

describe('the browser host', () => {
  let fake: FakeConsole;
  let origin: string;
  let headers: Record<string, string>;
  let end: () => Promise<void>;
  beforeEach(async () => {
    const started = await startHostUnderTest();
    ({ fake, end } = started);
    origin = started.host.origin;
    const { cookie, proof } = await admit(started.host.issueUrl());
    headers = { cookie, 'x-console-proof': proof, origin: originOf(origin) };
  });
  afterEach(() => end());

  const offer = (made: Made, fileName?: string): void => void fake.exports.set(id, made.stream(fileName));
  /** Fetches and reads nothing by itself. */
  const open = (): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(origin);
      const sent = request({ host: '127.0.0.1', port, path: `/export/${id}`, headers }, resolve);
      sent.on('error', reject);
      sent.end();
    });

  it('hands a file out while it is made, under its name', async () => {
    offer(new Made({ pieces: 3, size: 2 }));
    const answer = await ask(origin, `/export/${id}`, { headers });
    expect(answer).toMatchObject({ status: 200, body: '001122' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="harbour.csv"',
      'cache-control': 'no-store',
    });
  });

  it('lets no name out of its quotes', async () => {
    offer(new Made({ pieces: 1, size: 1 }), 'a"; filename="evil.exe\r\nx: y.csv');
    const answer = await ask(origin, `/export/${id}`, { headers });
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+"$/);
  });

  it('makes no more than is taken', async () => {
    const made = new Made({ pieces: 1_000, size: 65_536 });
    offer(made);
    const response = await open();
    response.pause();
    await flush();
    expect(made.made).toBeGreaterThan(0);
    expect(made.made).toBeLessThan(500);
    let taken = 0;
    for await (const piece of response as AsyncIterable<Buffer>) taken += piece.byteLength;
    expect(taken).toBe(65_536_000);
    expect(made.left).toBe(true);
  });

  it('stops making a file when the page leaves', async () => {
    const made = new Made({ pieces: 1_000_000, size: 65_536 });
    offer(made);
    const response = await open();
    response.destroy();
    await until(() => made.left, 'the file to be left');
    expect(made.made).toBeLessThan(1_000_000);
  });

  it.each(['cancelled', 'failed'])('cuts the connection when a file is %s in the middle', async (how) => {
    const made = new Made({ pieces: 1_000_000, size: 65_536 });
    if (how === 'failed') made.failsAfter = 200;
    offer(made);
    const response = await open();
    let broken = false;
    try {
      for await (const _piece of response as AsyncIterable<Buffer>) made.controller.abort();
    } catch {
      broken = true;
    }
    expect(broken || !response.complete).toBe(true);
    await until(() => made.left, 'the file to be left');
  });
});

describe('the desktop host', () => {
  let desktop: DesktopUnderTest;
  let serve: () => Promise<Response>;
  beforeEach(async () => {
    desktop = await desktopUnderTest();
    await desktop.run();
    const handler = desktop.electron.pageSession.schemes.get('console');
    if (!handler) throw new Error('The page is not served');
    serve = async () =>
      handler(new Request(`console://app/export/${id}`, { headers: { 'x-console-proof': 'desktop' } }));
  });
  afterEach(() => desktop.end());

  it('hands a file out while it is made', async () => {
    const made = new Made({ pieces: 3, size: 2 });
    desktop.fake.exports.set(id, made.stream());
    const answer = await serve();
    expect(made.made).toBe(0);
    expect(await answer.text()).toBe('001122');
  });

  it('stops making it when the page lets go', async () => {
    const made = new Made({ pieces: 1_000, size: 2 });
    desktop.fake.exports.set(id, made.stream());
    const reader = (await serve()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(made.left).toBe(true);
    expect(made.made).toBeLessThan(3);
  });
});
