import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';

const id = '0123456789abcdef';
const own = { 'x-console-proof': 'desktop' };

let desktop: DesktopUnderTest;
/** Answers a request as Electron hands it to the page's scheme. */
let serve: (path: string, init?: RequestInit & { duplex?: 'half' }) => Promise<Response>;

beforeEach(async () => {
  desktop = await desktopUnderTest();
  await desktop.run();
  const handler = desktop.electron.pageSession.schemes.get('console');
  serve = async (path, init) => {
    if (handler === undefined) throw new Error('The page is not served');
    return handler(new Request(`console://app${path}`, { headers: own, ...init }));
  };
});
afterEach(() => desktop.end());

/** Takes a file as the console does, and remembers what came. */
function takeAll(): string[] {
  const pieces: string[] = [];
  desktop.fake.takeSpool = async (_id, body) => {
    for await (const piece of body) pieces.push(Buffer.from(piece).toString());
    return 'kept';
  };
  return pieces;
}

describe('bytes over the page’s scheme', () => {
  it('hand a file on piece by piece', async () => {
    const pieces = takeAll();
    const body = new ReadableStream<Uint8Array>({
      start: (pipe) => {
        for (const text of ['one', 'two']) pipe.enqueue(new TextEncoder().encode(text));
        pipe.close();
      },
    });
    const answer = await serve(`/spool/${id}`, { method: 'PUT', body, duplex: 'half' });
    expect(answer.status).toBe(204);
    expect(answer.body).toBeNull();
    expect(pieces).toEqual(['one', 'two']);
  });

  it('take a file without bytes', async () => {
    const pieces = takeAll();
    expect((await serve(`/spool/${id}`, { method: 'PUT' })).status).toBe(204);
    expect(pieces).toEqual([]);
  });

  it('let go of a file that the console does not want to the end, even when letting go fails', async () => {
    let cancelled = false;
    desktop.fake.takeSpool = async (_id, body) => {
      for await (const _piece of body) return 'refused';
      return 'kept';
    };
    const body = new ReadableStream<Uint8Array>({
      pull: (pipe) => pipe.enqueue(new Uint8Array(8)),
      cancel: () => {
        cancelled = true;
        throw new Error('The page is gone');
      },
    });
    expect((await serve(`/spool/${id}`, { method: 'PUT', body, duplex: 'half' })).status).toBe(422);
    expect(cancelled).toBe(true);
  });

  it.each([
    ['no proof', {}],
    ['another proof', { 'x-console-proof': 'x' }],
    ['a foreign origin', { ...own, origin: 'https://evil.example' }],
    ['a foreign site', { ...own, 'sec-fetch-site': 'cross-site' }],
  ])('are refused with %s', async (_name, headers: Record<string, string>) => {
    for (const path of [`/tiles/${id}/0/0/0`, `/export/${id}${id}`]) {
      expect((await serve(path, { headers })).status).toBe(403);
    }
    expect((await serve(`/spool/${id}`, { method: 'PUT', headers, body: 'x' })).status).toBe(403);
    expect(desktop.fake.tiles).toEqual([]);
    expect(desktop.log.events()).toContain('request-refused');
  });

  it('go to the page’s own origin', async () => {
    const headers = { ...own, origin: 'console://app', 'sec-fetch-site': 'same-origin' };
    expect((await serve(`/tiles/${id}/0/0/0`, { headers })).status).toBe(204);
  });
});
