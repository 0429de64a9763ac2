import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../../src-main/hosts/csp.ts';
import {
  createDevelopmentPages,
  type DevelopmentPages,
} from '../../../src-main/hosts/desktop/developmentPages.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';

let root: string;
let vite: ViteDevServer;
let pages: DevelopmentPages;
let desktop: DesktopUnderTest;
let serve: (path: string, init?: RequestInit) => Promise<Response>;

// A Vite server as `npm run dev` starts one, before a page of two files.
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'field-console-development-'));
  await writeFile(
    join(root, 'index.html'),
    '<html><head><meta property="csp-nonce" nonce="__CSP_NONCE__"></head></html>',
  );
  await writeFile(join(root, 'a.ts'), 'export const a: number = 1;');
  vite = await createServer({
    configFile: false,
    root,
    cacheDir: join(root, '.cache'),
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0 },
  });
  await vite.listen();
  const { port } = vite.httpServer?.address() as { port: number };
  pages = createDevelopmentPages(`http://127.0.0.1:${String(port)}`);
  desktop = await desktopUnderTest();
  await desktop.run({ pages, hotReload: pages.socket });
  const handler = desktop.electron.pageSession.schemes.get('console');
  serve = async (path, init) => {
    if (handler === undefined) throw new Error('The page is not served');
    return handler(new Request(`console://app${path}`, init));
  };
});
afterAll(async () => {
  await vite.close();
  await desktop.end();
  await rm(root, { recursive: true, force: true });
});

const policyOf = (answer: Response): string => answer.headers.get('content-security-policy') ?? '';

describe('the page of a development server at console://app/', () => {
  it('is what Vite makes of the sources, with the answer’s nonce', async () => {
    const answer = await serve('/?window=map');
    const text = await answer.text();
    expect(text).toContain('<script type="module" src="/@vite/client">');
    const [, nonce] = /nonce="([^"]+)"/.exec(text) ?? [];
    expect(nonce).not.toBe('__CSP_NONCE__');
    expect(policyOf(answer)).toContain(`'nonce-${String(nonce)}'`);
  });

  it('asks for a source with its query, which says what it is made into', async () => {
    const source = await serve('/a.ts');
    expect(source.headers.get('content-type')).toContain('text/javascript');
    expect(await source.text()).not.toContain('number');
    expect(await (await serve('/a.ts?raw')).text()).toContain('export default "export const a: number');
  });

  it('widens the shipped policy by hot reload’s socket, and by nothing else', async () => {
    const answer = await serve('/');
    const policy = policyOf(answer);
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect(policy).toBe(
      contentSecurityPolicy(nonce).replace(
        `connect-src 'self'`,
        `connect-src 'self' ws://app ${pages.socket}`,
      ),
    );
    expect(pages.socket).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
    const denies = desktop.electron.pageSession.beforeRequest;
    expect(denies?.(`${pages.socket}/?token=a`)).toBe(false);
    expect(denies?.('ws://app/?token=a')).toBe(true);
  });

  it('answers byte routes itself', async () => {
    desktop.fake.takeSpool = async () => 'kept';
    const init = { method: 'PUT', headers: { 'x-console-proof': 'desktop' } };
    expect((await serve('/spool/0123456789abcdef', init)).status).toBe(204);
    expect((await serve('/spool/0123456789abcdef', { method: 'PUT' })).status).toBe(403);
  });
});
