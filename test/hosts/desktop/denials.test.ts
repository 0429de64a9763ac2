import type {
  AuthenticationResponseDetails,
  Certificate,
  DownloadItem,
  PermissionRequest,
  Session,
} from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noPolicy } from '../../../src-main/core/features/policy/policy.ts';
import { contentSecurityPolicy, securityHeaders } from '../../../src-main/hosts/csp.ts';
import { openExternal } from '../../../src-main/hosts/desktop/external.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';
import { FakeContents } from './fake/contents.ts';

let desktop: DesktopUnderTest;

beforeEach(async () => {
  desktop = await desktopUnderTest();
});
afterEach(() => desktop.end());

const deniedThings = (): unknown[] =>
  desktop.log.entries.filter(({ event }) => event === 'page-denied').map(({ fields }) => fields['what']);

describe('the page’s protocol', () => {
  it('serves the page with the browser host’s headers', async () => {
    await desktop.run();
    const answer = await desktop.electron.pageSession.fetch('console://app/');
    const nonce = /nonce="([^"]+)"/.exec(await answer.text())?.[1] ?? '';
    expect(answer.headers.get('content-security-policy')).toBe(contentSecurityPolicy(nonce));
    for (const [name, value] of Object.entries(securityHeaders(nonce))) {
      expect(answer.headers.get(name)).toBe(value);
    }
  });

  it('serves the page of a console that was given up, and assets', async () => {
    await desktop.run();
    const { pageSession } = desktop.electron;
    expect(await (await pageSession.fetch('console://app/stopped.html')).text()).toContain('stopped');
    expect((await pageSession.fetch('console://app/assets/a.js')).status).toBe(200);
  });

  it.each([
    ['POST', 405],
    ['PUT', 405],
    ['DELETE', 405],
    ['TRACE', 405],
    ['CONNECT', 405],
    ['OPTIONS', 405],
    ['get', 405],
    ['', 405],
    ['HEAD', 200],
  ])('answers %j with %i', async (method, status) => {
    await desktop.run();
    const answer = await desktop.electron.pageSession.fetch('console://app/', { method });
    expect(answer.status).toBe(status);
    if (method === 'HEAD') expect(await answer.text()).toBe('');
  });
});

describe('where a page may go', () => {
  it.each([
    ['will-navigate', 'https://evil.example/', true],
    ['will-navigate', 'file:///etc/passwd', true],
    ['will-navigate', 'console://other/', true],
    ['will-navigate', 'console://app/assets/a.js', true],
    ['will-navigate', 'console://user@app/', true],
    ['will-navigate', 'console://app:pass@app/', true],
    ['will-navigate', 'javascript:alert(1)', true],
    ['will-navigate', 'data:text/html,x', true],
    ['will-navigate', 'devtools://devtools/bundled/inspector.html', true],
    ['will-navigate', 'chrome://settings/', true],
    ['will-navigate', 'field-console://open/x', true],
    ['will-navigate', 'not an address', true],
    ['will-navigate', '', true],
    ['will-navigate', 'console://app/', false],
    ['will-navigate', 'console://app', false],
    ['will-navigate', 'console://app/index.html#x', false],
    ['will-navigate', 'console://app/stopped.html', false],
    ['will-frame-navigate', 'https://evil.example/', true],
    ['will-frame-navigate', 'console://app/', false],
    ['will-redirect', 'console://app/', true],
    ['will-redirect', 'https://evil.example/', true],
    ['will-attach-webview', '', true],
  ])('%s to %s: prevented %s', async (name, url, prevented) => {
    const { webContents } = await desktop.run();
    expect(webContents.happens(name, { url, isMainFrame: true })).toBe(prevented);
  });

  it('navigates no frame, not even to itself', async () => {
    const { webContents } = await desktop.run();
    for (const name of ['will-navigate', 'will-frame-navigate']) {
      expect(webContents.happens(name, { url: 'console://app/', isMainFrame: false })).toBe(true);
    }
  });

  it('opens no window, from any contents that come to be', async () => {
    const { webContents } = await desktop.run();
    expect(webContents.openWindow('console://app/')).toBe('deny');
    const later = new FakeContents();
    desktop.electron.app.emit('web-contents-created', {}, later);
    expect(later.openWindow('https://evil.example')).toBe('deny');
    expect(later.openWindow('about:blank')).toBe('deny');
    expect(later.happens('will-navigate', { url: 'https://evil.example/', isMainFrame: true })).toBe(true);
  });

  it('reaches no other address than its own', async () => {
    await desktop.run();
    const cancelled = desktop.electron.pageSession.beforeRequest;
    for (const url of [
      'https://tiles.example/1/2/3',
      'http://127.0.0.1:80/',
      'http://localhost/',
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      'ws://app/',
      'wss://evil.example',
      'ftp://app/',
      'console://app.evil.example/',
      'console://other/',
      'blobx:console://app/1',
      '',
    ]) {
      expect(cancelled?.(url), url).toBe(true);
    }
    for (const url of ['console://app/assets/a.js', 'blob:console://app/1', 'data:image/png;base64,AA==']) {
      expect(cancelled?.(url), url).toBe(false);
    }
  });

  it('reaches the socket of hot reload in development, and nothing else of its server', async () => {
    await desktop.run({ hotReload: 'ws://localhost:5173' });
    const cancelled = desktop.electron.pageSession.beforeRequest;
    expect(cancelled?.('ws://localhost:5173/?token=a')).toBe(false);
    expect(cancelled?.('console://app/')).toBe(false);
    expect(cancelled?.('ws://localhost:5174/')).toBe(true);
    expect(cancelled?.('ws://app/')).toBe(true);
    expect(cancelled?.('http://localhost:5173/x.ts')).toBe(true);
  });

  it('tells no peer an address of this computer', async () => {
    const { webContents } = await desktop.run();
    expect(webContents.webRtc).toBe('disable_non_proxied_udp');
  });
});

type Permission = Parameters<NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>>[1];

describe('what a page may ask of the system', () => {
  const details = (requestingUrl: string, isMainFrame: boolean): PermissionRequest => ({
    requestingUrl,
    isMainFrame,
  });
  const ask = (permission: Permission, url: string, isMainFrame: boolean): [boolean, boolean] => {
    const { permissionRequest, permissionCheck } = desktop.electron.pageSession;
    const contents = new FakeContents().asContents();
    let asked: boolean | undefined;
    permissionRequest?.(contents, permission, (allowed) => (asked = allowed), details(url, isMainFrame));
    const checked = permissionCheck?.(contents, permission, url, {
      isMainFrame,
      requestingUrl: url,
      securityOrigin: url,
      mediaType: 'unknown',
    });
    if (asked === undefined || checked === undefined) throw new Error('Not answered');
    return [asked, checked];
  };

  it.each([
    ['clipboard-sanitized-write', 'console://app/', true, true],
    ['clipboard-sanitized-write', 'https://evil.example/', true, false],
    ['clipboard-sanitized-write', 'console://app/', false, false],
    ['clipboard-sanitized-write', '', true, false],
    ['notifications', 'console://app/', true, true],
    ['notifications', 'https://evil.example/', true, false],
    ['notifications', 'console://app/', false, false],
  ] as const)('%s from %j (top frame %s): %s', async (permission, url, isMainFrame, granted) => {
    await desktop.run();
    expect(ask(permission, url, isMainFrame)).toEqual([granted, granted]);
  });

  it('gets no other permission', async () => {
    await desktop.run();
    const others: Permission[] = [
      'ar',
      'automatic-fullscreen',
      'clipboard-read',
      'deprecated-sync-clipboard-read',
      'display-capture',
      'fileSystem',
      'fullscreen',
      'geolocation',
      'hid',
      'idle-detection',
      'keyboardLock',
      'local-fonts',
      'local-network-access',
      'media',
      'mediaKeySystem',
      'midi',
      'midiSysex',
      'openExternal',
      'pointerLock',
      'screen-wake-lock',
      'sensors',
      'serial',
      'speaker-selection',
      'storage-access',
      'top-level-storage-access',
      'usb',
      'web-printing',
      'window-management',
      'unknown',
    ];
    for (const permission of others) {
      expect(ask(permission, 'console://app/', true), permission).toEqual([false, false]);
    }
  });

  it('gets no permission that nobody named an address for', async () => {
    await desktop.run();
    const { permissionRequest } = desktop.electron.pageSession;
    let asked: boolean | undefined;
    const nameless: Partial<PermissionRequest> = { isMainFrame: true };
    permissionRequest?.(
      new FakeContents().asContents(),
      'notifications',
      (allowed) => (asked = allowed),
      nameless as PermissionRequest,
    );
    expect(asked).toBe(false);
  });

  it('gets no device', async () => {
    const { webContents } = await desktop.run();
    const { pageSession } = desktop.electron;
    const device = { deviceType: 'hid', origin: 'console://app' } as const;
    expect(
      pageSession.device?.({
        ...device,
        device: { name: 'key', vendorId: 1, productId: 1, deviceId: '1' } as never,
      }),
    ).toBe(false);
    const chosen: unknown[] = [];
    const choose = (...given: unknown[]): void => void chosen.push(...given, 'end');
    expect(pageSession.happens('select-hid-device', {}, { deviceList: [{}] }, choose)).toBe(true);
    expect(pageSession.happens('select-serial-port', {}, [{}], webContents, choose)).toBe(true);
    expect(pageSession.happens('select-usb-device', {}, { deviceList: [{}] }, choose)).toBe(true);
    expect(webContents.happens('select-bluetooth-device', {}, [{}], choose)).toBe(true);
    expect(chosen).toEqual([null, 'end', '', 'end', 'end', '', 'end']);
    pageSession.bluetooth?.({ deviceId: '1', pairingKind: 'confirm', frame: null }, choose);
    expect(chosen.slice(-2)).toEqual([{ confirmed: false }, 'end']);
    const classes = ['hid', 'mass-storage'] as never;
    expect(pageSession.usbClasses?.({ protectedClasses: classes })).toEqual(classes);
  });

  it('sees no screen', async () => {
    await desktop.run();
    const streams: unknown[] = [];
    const asked = {
      frame: null,
      securityOrigin: 'console://app',
      videoRequested: true,
      audioRequested: true,
    };
    desktop.electron.pageSession.displayMedia?.({ ...asked, userGesture: true }, (given) =>
      streams.push(given),
    );
    expect(streams).toEqual([null]);
  });

  it('has no spell checker, which would fetch dictionaries', async () => {
    await desktop.run();
    expect(desktop.electron.pageSession.spellChecker).toBe(false);
  });
});

describe('downloads', () => {
  const download = (url: string): boolean => {
    const item: Pick<DownloadItem, 'getURL'> = { getURL: () => url };
    return desktop.electron.pageSession.happens('will-download', {}, item);
  };

  it.each([
    ['https://evil.example/a.exe', true],
    ['console://app/assets/a.js', true],
    ['blob:https://evil.example/1', true],
    ['blob:null/1', true],
    ['data:text/html,x', true],
    ['file:///etc/passwd', true],
    ['blob:console://app/1', false],
  ])('%s: refused %s', async (url, refused) => {
    await desktop.run();
    expect(download(url)).toBe(refused);
  });

  it('refuses every one where the policy allows no export', async () => {
    await desktop.run({ policy: { ...noPolicy, exports: false } });
    expect(download('blob:console://app/1')).toBe(true);
    expect(deniedThings()).toEqual(['download']);
  });
});

describe('certificates and passwords that Electron asks for', () => {
  const certificate: Partial<Certificate> = { subjectName: 'evil' };

  it('trusts no certificate that Chromium does not', async () => {
    await desktop.run();
    const { app, pageSession } = desktop.electron;
    expect(pageSession.certificates).toBeNull();
    const trusted: boolean[] = [];
    const answer = (trust: boolean): void => void trusted.push(trust);
    const asked = app.happens('certificate-error', {}, {}, 'https://x/', 'ERR', certificate, answer, true);
    expect(asked).toBe(true);
    expect(trusted).toEqual([false]);
    expect(deniedThings()).toEqual(['certificate']);
  });

  it('shows no certificate of this computer', async () => {
    await desktop.run();
    const shown: unknown[][] = [];
    const choose = (...given: unknown[]): void => void shown.push(given);
    const asked = desktop.electron.app.happens(
      'select-client-certificate',
      {},
      {},
      'https://x/',
      [certificate],
      choose,
    );
    expect(asked).toBe(true);
    expect(shown).toEqual([[]]);
  });

  it('tells no proxy a password', async () => {
    await desktop.run();
    const told: unknown[][] = [];
    const details: Pick<AuthenticationResponseDetails, 'url'> = { url: 'https://x/' };
    const answer = (...given: unknown[]): void => void told.push(given);
    expect(desktop.electron.app.happens('login', {}, {}, details, { isProxy: true }, answer)).toBe(true);
    expect(told).toEqual([[]]);
  });
});

describe('addresses for the system’s browser', () => {
  it.each([
    'http://gateway.example/ipfs/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ms-msdt:/id PCWDiagnostic',
    'smb://evil.example/share',
    'field-console://open/x',
    'console://app/',
    'https://user@gateway.example/',
    'https://user:secret@gateway.example/',
    'vbscript:x',
    ' ',
    '',
    `https://gateway.example/${'x'.repeat(4_096)}`,
  ])('does not open %s', async (url) => {
    const { shell } = desktop.electron.asElectron();
    expect(await openExternal(shell, url)).toBe(false);
    expect(desktop.electron.opened).toEqual([]);
  });

  it('opens https, and says so when there is no browser', async () => {
    const { shell } = desktop.electron.asElectron();
    expect(await openExternal(shell, 'https://gateway.example/ipfs/x')).toBe(true);
    desktop.electron.opens = false;
    expect(await openExternal(shell, 'https://gateway.example/ipfs/y')).toBe(false);
    expect(desktop.electron.opened).toEqual([
      'https://gateway.example/ipfs/x',
      'https://gateway.example/ipfs/y',
    ]);
  });
});
