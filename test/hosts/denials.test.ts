import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentSecurityPolicy, securityHeaders } from '../../src-main/hosts/csp.ts';
import { desktopUnderTest, type DesktopUnderTest } from './support/desktopHost.ts';
import { event, FakeContents } from './support/electron.ts';

let electron: DesktopUnderTest['electron'];
let run: DesktopUnderTest['run'];
let end: () => Promise<void>;

beforeEach(async () => {
  ({ electron, run, end } = await desktopUnderTest());
});
afterEach(() => end());

describe('the page’s protocol', () => {
  const fetched = async (url: string, method = 'GET'): Promise<Response> => {
    const handler = electron.pageSession.schemes.get('console');
    if (handler === undefined) throw new Error('No handler');
    return handler({ url, method } as Request);
  };

  it('serves the page with the browser host’s headers', async () => {
    await run();
    const answer = await fetched('console://app/');
    const nonce = /nonce="([^"]+)"/.exec(await answer.text())?.[1] ?? '';
    expect(answer.headers.get('content-security-policy')).toBe(contentSecurityPolicy(nonce));
    for (const [name, value] of Object.entries(securityHeaders(nonce))) {
      expect(answer.headers.get(name)).toBe(value);
    }
  });

  it.each([
    ['console://other/', 404],
    ['console://app/../../etc/passwd', 404],
    ['console://app/%2e%2e/%2e%2e/etc/passwd', 404],
    ['console://app/assets/a.js', 200],
    ['console://user@app/', 404],
  ])('answers %s with %i', async (url, status) => {
    await run();
    expect((await fetched(url)).status).toBe(status);
  });

  it('answers only GET and HEAD', async () => {
    await run();
    expect((await fetched('console://app/', 'POST')).status).toBe(405);
    expect(await (await fetched('console://app/', 'HEAD')).text()).toBe('');
  });
});

describe('what a page may not do', () => {
  it.each([
    ['will-navigate', 'https://evil.example/', true],
    ['will-navigate', 'file:///etc/passwd', true],
    ['will-navigate', 'console://other/', true],
    ['will-navigate', 'console://app/assets/a.js', true],
    ['will-navigate', 'javascript:alert(1)', true],
    ['will-navigate', 'console://app/', false],
    ['will-navigate', 'console://app/index.html#x', false],
    ['will-frame-navigate', 'https://evil.example/', true],
    ['will-frame-navigate', 'console://app/', false],
    ['will-redirect', 'console://app/', true],
    ['will-attach-webview', '', true],
  ])('%s to %s: prevented %s', async (name, url, prevented) => {
    const { webContents } = await run();
    const happening = event({ url, isMainFrame: true });
    webContents.emit(name, happening);
    expect(happening.prevented).toBe(prevented);
  });

  it('navigates no frame, not even to itself', async () => {
    const { webContents } = await run();
    const happening = event({ url: 'console://app/', isMainFrame: false });
    webContents.emit('will-frame-navigate', happening);
    expect(happening.prevented).toBe(true);
  });

  it('opens no window, from any contents that come to be', async () => {
    const window = await run();
    expect(window.webContents.windowOpen?.({ url: 'console://app/' })).toEqual({ action: 'deny' });
    const later = new FakeContents();
    electron.appEvents.emit('web-contents-created', {}, later);
    expect(later.windowOpen?.({ url: 'https://evil.example' })).toEqual({ action: 'deny' });
  });

  it.each([
    ['clipboard-sanitized-write', 'console://app/', true, true],
    ['clipboard-sanitized-write', 'https://evil.example/', true, false],
    ['clipboard-sanitized-write', 'console://app/', false, false],
    ['clipboard-read', 'console://app/', true, false],
    ['geolocation', 'console://app/', true, false],
    ['media', 'console://app/', true, false],
    ['notifications', 'console://app/', true, true],
    ['notifications', 'https://evil.example/', true, false],
    ['notifications', 'console://app/', false, false],
    ['openExternal', 'console://app/', true, false],
    ['fileSystem', 'console://app/', true, false],
  ])('asks for %s from %s (top frame %s): %s', async (permission, url, isMainFrame, granted) => {
    await run();
    const answers: boolean[] = [];
    const request = electron.pageSession.requestHandler as unknown as (...args: unknown[]) => void;
    request({}, permission, (allow: boolean) => answers.push(allow), { requestingUrl: url, isMainFrame });
    expect(answers).toEqual([granted]);
    const check = electron.pageSession.checkHandler as unknown as (...args: unknown[]) => boolean;
    expect(check({}, permission, url, { isMainFrame })).toBe(granted);
  });

  it('gets no device, spell checker, foreign download or foreign address', async () => {
    await run();
    const { pageSession } = electron;
    expect((pageSession.deviceHandler as unknown as () => boolean)()).toBe(false);
    expect(pageSession.spellChecker).toBe(false);
    for (const [url, prevented] of [
      ['https://evil.example/a.exe', true],
      ['console://app/assets/a.js', true],
      ['blob:https://evil.example/1', true],
      ['blob:console://app/1', false],
    ] as const) {
      const download = event({});
      pageSession.emit('will-download', download, { getURL: () => url });
      expect(download.prevented, url).toBe(prevented);
    }
    const cancelled = (url: string): boolean => {
      let cancel = false;
      const handler = pageSession.beforeRequest as unknown as (...args: unknown[]) => void;
      handler({ url }, (answer: { cancel: boolean }) => (cancel = answer.cancel));
      return cancel;
    };
    expect(cancelled('https://tiles.example/1/2/3')).toBe(true);
    expect(cancelled('http://127.0.0.1:80/')).toBe(true);
    expect(cancelled('file:///etc/passwd')).toBe(true);
    expect(cancelled('wss://evil.example')).toBe(true);
    expect(cancelled('console://app/assets/a.js')).toBe(false);
    expect(cancelled('blob:console://app/1')).toBe(false);
  });
});
