import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { exchangePath, proofKey } from '../../../../src-preload/contract/index.ts';
import { admit, takeLaunchCode } from '../../../../src-renderer/base/bridge/admission.ts';

const proof = 'p'.repeat(43);

class MemoryStorage implements Storage {
  readonly #items = new Map<string, string>();
  get length(): number {
    return this.#items.size;
  }
  key = (): null => null;
  clear = (): void => this.#items.clear();
  getItem = (name: string): string | null => this.#items.get(name) ?? null;
  setItem = (name: string, value: string): void => void this.#items.set(name, value);
  removeItem = (name: string): void => void this.#items.delete(name);
}

describe('the launch code', () => {
  const take = (hash: string) => {
    const replaced: unknown[] = [];
    const history = { state: null, replaceState: (...all: unknown[]) => replaced.push(all[2]) };
    const location = { hash, pathname: '/', search: '' };
    return { code: takeLaunchCode(location as Location, history as unknown as History), replaced };
  };
  it('is taken out of the address and the fragment removed', () => {
    expect(take('#launch=abc_-1')).toEqual({ code: 'abc_-1', replaced: ['/'] });
  });
  it('is absent on a reload', () => {
    expect(take('')).toEqual({ code: null, replaced: [] });
  });
});

describe('admission', () => {
  let server: Server;
  let answer: { status: number; body: string };
  const asked: string[] = [];
  const realFetch = globalThis.fetch;

  beforeEach(async () => {
    asked.length = 0;
    answer = { status: 200, body: JSON.stringify({ admitted: true, proof }) };
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        asked.push(`${request.method} ${request.url} ${body}`);
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    // A page's fetch resolves against its own origin; Node's has none.
    vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
      realFetch(new URL(path, `http://127.0.0.1:${port}`), init),
    );
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    await new Promise((closed) => server.close(closed));
  });

  it('exchanges a code once and keeps the proof for a reload', async () => {
    const storage = new MemoryStorage();
    expect(await admit('code', storage)).toEqual({ admitted: true, proof });
    expect(storage.getItem(proofKey)).toBe(proof);
    expect(await admit(null, storage)).toEqual({ admitted: true, proof });
    expect(asked).toEqual([`POST ${exchangePath} {"code":"code"}`]);
  });
  it('shows the host’s sentence when a code is refused', async () => {
    answer = {
      status: 403,
      body: JSON.stringify({ admitted: false, reason: 'spent', sentence: { text: 'Used already.' } }),
    };
    expect(await admit('code', new MemoryStorage())).toEqual({
      ...{ admitted: false, sentence: { text: 'Used already.' } },
    });
  });
  it('does not shut out a tab that was admitted before and carries its spent code', async () => {
    answer = {
      status: 403,
      body: JSON.stringify({ admitted: false, reason: 'spent', sentence: { text: 'Used already.' } }),
    };
    const storage = new MemoryStorage();
    storage.setItem(proofKey, proof);
    expect(await admit('code', storage)).toEqual({ admitted: true, proof });
  });
  it('refuses a page with neither code nor proof, without asking', async () => {
    expect(await admit(null, new MemoryStorage())).toMatchObject({ admitted: false });
    expect(asked).toEqual([]);
  });
  it('is undecided when the answer is not the protocol’s', async () => {
    answer = { status: 200, body: '<html>' };
    expect(await admit('code', new MemoryStorage())).toEqual({ admitted: null });
  });
});
