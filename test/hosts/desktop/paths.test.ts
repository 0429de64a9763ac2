import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHostUnderTest, type HostUnderTest } from '../support/browserHost.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';

/** Paths that lead out of the page's folder on one system or another, each as it would stand in a URL. */
const hostile = [
  '/../secret.txt',
  '/../../etc/passwd',
  '/assets/../../secret.txt',
  '/./../secret.txt',
  '/%2e%2e/secret.txt',
  '/%2e%2e%2fsecret.txt',
  '/..%2fsecret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/%252e%252e%252fsecret.txt',
  '/%25252e%25252e/secret.txt',
  '/%c0%ae%c0%ae/secret.txt',
  '/%uff0e%uff0e/secret.txt',
  '/..%5csecret.txt',
  '/..\\secret.txt',
  '/assets\\..\\..\\secret.txt',
  '/%5c%5cserver%5cshare%5cx.html',
  '/\\\\server\\share\\x.html',
  '//server/share/x.html',
  '//etc/passwd',
  '/etc/passwd',
  '/C:/Windows/win.ini',
  '/C:%5cWindows%5cwin.ini',
  '/%00',
  '/index.html%00.js',
  '/index.html%2500',
  '/assets/a.js%00.png',
  '/index.html/',
  '/index.html.',
  '/index.html%20',
  '/INDEX.HTML',
  '/index.html::$DATA',
  '/assets/',
  '/assets',
  '/assets/index-abc.js.map',
  '/.git/config',
  '/package.json',
  '/__proto__',
  '/constructor',
  '/%',
  '/%zz',
  '/%ff%fe',
  `/${'a/'.repeat(6_000)}`,
  `/${'%2e%2e%2f'.repeat(1_000)}etc/passwd`,
];

/** What no answer may hold: it lies beside the page's folder. */
const secret = 'secret';

describe('the desktop host', () => {
  let desktop: DesktopUnderTest;
  beforeAll(async () => {
    desktop = await desktopUnderTest();
    await desktop.run();
  });
  afterAll(() => desktop.end());

  it.each(hostile)('has nothing at %s', async (path) => {
    const answer = await desktop.electron.pageSession.fetch(`console://app${path}`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain(secret);
  });

  it.each([
    'console://other/index.html',
    'console://app.evil/index.html',
    'console://app:8080/index.html',
    'console://user@app/index.html',
    'console://:pass@app/index.html',
    'console:///index.html',
    'console:app/index.html',
    'file:///etc/passwd',
    'https://app/index.html',
    'console://APP/index.html',
    'console://%61pp/index.html',
    'not an address',
    '',
  ])('has nothing for %s', async (url) => {
    expect((await desktop.electron.pageSession.fetch(url)).status).toBe(404);
  });
});

describe('the browser host', () => {
  let under: HostUnderTest;
  beforeAll(async () => {
    under = await startHostUnderTest();
  });
  afterAll(() => under.end());

  const ask = (path: string): Promise<{ status: number; body: string }> =>
    new Promise((done, fail) => {
      const { hostname, port } = new URL(under.host.origin);
      // Node's client sends the path as it is, which no browser would.
      request({ hostname, port, path }, (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (text: string) => (body += text));
        answer.on('end', () => done({ status: answer.statusCode ?? 0, body }));
      })
        .on('error', fail)
        .end();
    });

  it.each(hostile)('has nothing at %s', async (path) => {
    const { status, body } = await ask(path);
    expect([400, 404, 431]).toContain(status);
    expect(body).not.toContain(secret);
  });
});
