import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OpenedContent } from '../../src-main/core/features/evidence/content/contents.ts';
import type { BrowserHost } from '../../src-main/hosts/browser/server.ts';
import { startHostUnderTest } from './support/browserHost.ts';
import type { FakeConsole } from './support/console.ts';
import { desktopUnderTest, type DesktopUnderTest } from './support/desktopHost.ts';
import { admit, ask, originOf } from './support/page.ts';

const ticket = '0123456789abcdef'.repeat(2);
const path = `/evidence/${ticket}`;
const text = 'The bytes of a picture.';

const opened = (change: Partial<OpenedContent> = {}): OpenedContent => ({
  bytes: text.length,
  mediaType: 'image/jpeg',
  isShown: true,
  signal: new AbortController().signal,
  async *pieces(start, end) {
    // In two pieces, as a large file comes.
    const part = Buffer.from(text).subarray(start, end);
    yield await Promise.resolve(part.subarray(0, 3));
    yield part.subarray(3);
  },
  ...change,
});

/** Ranges, and what of the text they are; null where there is nothing of them. */
const ranges = [
  ['bytes=0-2', 0, 3],
  ['bytes=4-', 4, text.length],
  ['bytes=-8', text.length - 8, text.length],
  ['bytes=4-999', 4, text.length],
  ['bytes=-999', 0, text.length],
  ['bytes=23-', null, null],
  ['bytes=9-4', null, null],
  ['bytes=0-1,3-4', null, null],
  ['bytes=a-b', null, null],
  ['bytes=-', null, null],
  ['lines=0-1', null, null],
] as const;
/** What is no ticket. */
const nowhere = [
  '/evidence/',
  `/evidence/${ticket}0`,
  `/evidence/${ticket.toUpperCase()}`,
  `/evidence/${ticket}/x`,
  '/evidence/..%2f..%2fetc',
];

interface Told {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly body: string;
}
type Get = (path: string, headers?: Record<string, string>, method?: string) => Promise<Told>;

function answersAlike(get: Get, fake: () => FakeConsole): void {
  it('gives a picture by the type that the console told, not to be stored or guessed at', async () => {
    fake().evidence.set(ticket, opened());
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([200, text]);
    expect(answer.header('content-type')).toBe('image/jpeg');
    expect(answer.header('content-disposition')).toBe('inline');
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    expect(answer.header('cache-control')).toBe('no-store');
    expect(answer.header('content-security-policy')).toContain(`default-src 'none'`);
    expect(answer.header('cross-origin-resource-policy')).toBe('same-origin');
    expect(answer.header('accept-ranges')).toBe('bytes');
  });

  it('gives anything else as bytes to be saved, whatever it is', async () => {
    fake().evidence.set(ticket, opened({ mediaType: 'text/html', isShown: false }));
    const answer = await get(path);
    expect(answer.header('content-type')).toBe('application/octet-stream');
    expect(answer.header('content-disposition')).toBe('attachment');
  });

  it.each(ranges)('answers the range %s', async (range, start, end) => {
    fake().evidence.set(ticket, opened());
    const answer = await get(path, { range });
    if (start === null || end === null) {
      expect([answer.status, answer.header('content-range')]).toEqual([
        416,
        `bytes */${String(text.length)}`,
      ]);
      return;
    }
    expect([answer.status, answer.body]).toEqual([206, text.slice(start, end)]);
    expect(answer.header('content-range')).toBe(
      `bytes ${String(start)}-${String(end - 1)}/${String(text.length)}`,
    );
    expect(answer.header('content-length')).toBe(String(end - start));
  });

  it('ends in the middle when the ticket is closed', async () => {
    const controller = new AbortController();
    fake().evidence.set(
      ticket,
      opened({
        signal: controller.signal,
        async *pieces() {
          yield await Promise.resolve(Buffer.from('The'));
          controller.abort();
          await new Promise(() => undefined);
        },
      }),
    );
    await expect(get(path)).rejects.toThrow();
  });

  it('has nothing under a ticket that is not open, and only answers GET', async () => {
    expect((await get(path)).status).toBe(404);
    fake().evidence.set(ticket, opened());
    for (const other of nowhere) expect((await get(other)).status, other).toBe(404);
    expect((await get(path, {}, 'POST')).status).toBe(405);
  });
}

describe('evidence in the browser host', () => {
  let host: BrowserHost;
  let fake: FakeConsole;
  let own: Record<string, string>;
  let end: () => Promise<void>;
  beforeEach(async () => {
    ({ host, fake, end } = await startHostUnderTest());
    const { cookie } = await admit(host.issueUrl());
    own = { cookie, origin: originOf(host.origin) };
  });
  afterEach(() => end());
  const get: Get = async (at, headers = {}, method = 'GET') => {
    const answer = await ask(host.origin, at, { method, headers: { ...own, ...headers } });
    const header = (name: string): string | null => {
      const value = answer.headers[name];
      return typeof value === 'string' ? value : null;
    };
    return { status: answer.status, header, body: answer.body };
  };

  answersAlike(
    (...asked) => get(...asked),
    () => fake,
  );

  // An element of the page sends no proof: the ticket is worth as much, and the cookie is asked for all the same.
  it.each([
    ['no cookie', { cookie: '' }, 401],
    ['another cookie', { cookie: 'field-console=x' }, 401],
    ['a foreign origin', { origin: 'http://evil.example' }, 403],
    ['a foreign site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a foreign host', { host: 'evil.example' }, 403],
  ])('refuses %s', async (_name, change: Record<string, string>, status) => {
    fake.evidence.set(ticket, opened());
    const answer = await get(path, change);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain(text);
  });
});

describe('evidence in the desktop host', () => {
  let desktop: DesktopUnderTest;
  let serve: (request: Request) => Promise<Response>;
  beforeEach(async () => {
    desktop = await desktopUnderTest();
    await desktop.run();
    const handler = desktop.electron.pageSession.schemes.get('console');
    if (!handler) throw new Error('The page is not served');
    serve = async (request) => handler(request);
  });
  afterEach(() => desktop.end());
  const get: Get = async (at, headers = {}, method = 'GET') => {
    const answer = await serve(new Request(`console://app${at}`, { method, headers }));
    return { status: answer.status, header: (name) => answer.headers.get(name), body: await answer.text() };
  };

  answersAlike(
    (...asked) => get(...asked),
    () => desktop.fake,
  );

  it.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['a foreign site', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s', async (_name, headers: Record<string, string>) => {
    desktop.fake.evidence.set(ticket, opened());
    expect((await get(path, headers)).status).toBe(403);
  });
});
