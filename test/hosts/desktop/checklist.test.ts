import { FuseV1Options } from '@electron/fuses';
import type { WebPreferences } from 'electron';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fuses } from '../../../build/fuses.ts';
import { openExternal } from '../../../src-main/hosts/desktop/external.ts';
import { verbNames } from '../../../src-preload/contract/index.ts';
import { desktopUnderTest, senderOf, type DesktopUnderTest } from '../support/desktopHost.ts';
import { FakeContents, innerFrame } from './fake/contents.ts';
import type { FakeWindow } from './fake/window.ts';

/**
 * Electron's security checklist, point by point, under its own numbers. What only Electron's binary
 * could show is proven by the configuration that it follows from; docs/security-evidence.md says which.
 */

let desktop: DesktopUnderTest;
let window: FakeWindow;
let preferences: WebPreferences;

beforeEach(async () => {
  desktop = await desktopUnderTest();
  window = await desktop.run();
  preferences = window.options.webPreferences ?? {};
});
afterEach(() => desktop.end());

describe('Electron’s security checklist', () => {
  it('1. only load secure content', () => {
    expect(window.loaded).toEqual(['console://app/']);
    const { privileges } = desktop.electron.schemes[0] ?? {};
    expect(privileges).toMatchObject({ secure: true, standard: true });
    expect(privileges?.bypassCSP).toBeUndefined();
    expect(privileges?.allowServiceWorkers).toBeUndefined();
    expect(privileges?.corsEnabled).toBeUndefined();
    for (const url of [
      'http://example.org/',
      'ws://example.org/',
      'ftp://example.org/',
      'https://example.org/',
    ]) {
      expect(desktop.electron.pageSession.beforeRequest?.(url), url).toBe(true);
    }
  });

  it('2. do not enable Node.js integration for remote content', () => {
    expect(preferences).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
    });
  });

  it('3. enable context isolation', () => {
    expect(preferences.contextIsolation).toBe(true);
  });

  it('4. enable process sandboxing', () => {
    expect(preferences.sandbox).toBe(true);
    expect(desktop.electron.app.steps[0]).toBe('sandbox');
  });

  it('5. handle session permission requests from remote content', () => {
    const { permissionRequest, permissionCheck, device } = desktop.electron.pageSession;
    const answers: boolean[] = [];
    const details = { isMainFrame: true, requestingUrl: 'https://evil.example/' };
    const contents = new FakeContents().asContents();
    for (const permission of ['notifications', 'geolocation', 'media'] as const) {
      permissionRequest?.(contents, permission, (allowed) => answers.push(allowed), details);
      const asked = { ...details, securityOrigin: details.requestingUrl, mediaType: 'video' as const };
      answers.push(permissionCheck?.(contents, permission, details.requestingUrl, asked) ?? true);
    }
    expect(answers).toEqual([false, false, false, false, false, false]);
    expect(device).toBeTypeOf('function');
    // The session that no page of the console has is held as tightly.
    const { defaultSession } = desktop.electron;
    defaultSession.permissionRequest?.(contents, 'media', (allowed) => answers.push(allowed), details);
    expect(answers.at(-1)).toBe(false);
    expect(defaultSession.beforeRequest?.('https://evil.example/')).toBe(true);
  });

  it('6. do not disable webSecurity', () => {
    expect(preferences.webSecurity).toBe(true);
  });

  it('7. define a content security policy', async () => {
    for (const path of ['/', '/assets/a.js', '/nothing', '/tiles/x']) {
      const answer = await desktop.electron.pageSession.fetch(`console://app${path}`, {
        headers: { 'x-console-proof': 'desktop' },
      });
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy, path).toContain(`default-src 'none'; script-src 'self';`);
      expect(policy, path).not.toMatch(/unsafe|\*|https?:/);
    }
  });

  it('8. do not enable allowRunningInsecureContent', () => {
    expect(preferences.allowRunningInsecureContent).toBe(false);
  });

  it('9. do not enable experimental features', () => {
    expect(preferences.experimentalFeatures).toBe(false);
  });

  it('10. do not use enableBlinkFeatures', () => {
    expect('enableBlinkFeatures' in preferences).toBe(false);
  });

  it('11. do not use allowpopups for WebViews', async () => {
    expect(preferences.webviewTag).toBe(false);
    // In components ESLint refuses it: build/lint/restrictions.ts.
    const page = await readFile('src-renderer/index.html', 'utf8');
    expect(page).not.toMatch(/<webview|allowpopups/i);
  });

  it('12. verify WebView options before creation', () => {
    const later = new FakeContents();
    desktop.electron.app.emit('web-contents-created', {}, later);
    for (const contents of [window.webContents, later]) {
      const asked: WebPreferences = { nodeIntegration: true, preload: '/tmp/evil.js' };
      expect(contents.happens('will-attach-webview', {}, asked, { src: 'console://app/' })).toBe(true);
    }
  });

  it('13. disable or limit navigation', () => {
    const goes = (url: string): boolean =>
      !window.webContents.happens('will-navigate', { url, isMainFrame: true }) &&
      !window.webContents.happens('will-frame-navigate', { url, isMainFrame: true });
    expect(goes('console://app/')).toBe(true);
    for (const url of [
      'https://app/',
      'console://app.evil.example/',
      'console://app@evil.example/',
      'file:///',
    ]) {
      expect(goes(url), url).toBe(false);
    }
    expect(window.webContents.happens('will-redirect', { url: 'console://app/' })).toBe(true);
  });

  it('14. disable or limit creation of new windows', () => {
    expect(window.webContents.openWindow('console://app/')).toBe('deny');
    expect(desktop.electron.windows).toHaveLength(1);
  });

  it('15. do not use shell.openExternal with untrusted content', async () => {
    const { shell } = desktop.electron.asElectron();
    for (const url of ['file:///bin/sh', 'smb://x/y', 'http://x/', 'https://user:secret@x/']) {
      expect(await openExternal(shell, url)).toBe(false);
    }
    expect(desktop.electron.opened).toEqual([]);
    // That nothing goes around that look is a rule of ESLint: build/lint/restrictions.ts.
  });

  it('16. use a current version of Electron', async () => {
    const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    const installed = JSON.parse(await readFile('node_modules/electron/package.json', 'utf8')) as {
      version: string;
    };
    // Exactly one version, which is the one that all this was checked against.
    expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/);
    expect(installed.version).toBe(devDependencies['electron']);
    expect(Number(installed.version.split('.')[0])).toBeGreaterThanOrEqual(45);
  });

  it('17. validate the sender of all IPC messages', async () => {
    const { electron, fake } = desktop;
    const strangers = [null, innerFrame(), innerFrame('https://evil.example/')];
    expect(electron.handlers.size).toBe(verbNames.length);
    for (const frame of strangers) {
      const from = senderOf(window.webContents, frame);
      for (const channel of electron.handlers.keys()) {
        await expect(electron.invoke(channel, from, {})).resolves.toMatchObject({
          failure: { code: 'foreign-sender' },
        });
      }
      for (const channel of electron.ipc.eventNames()) electron.tell(String(channel), from);
    }
    expect(fake.calls).toEqual([]);
    expect(fake.subscribers).toEqual([]);
  });

  it('18. avoid usage of the file:// protocol and prefer usage of custom protocols', () => {
    expect([...desktop.electron.pageSession.schemes.keys()]).toEqual(['console']);
    expect(desktop.electron.pageSession.beforeRequest?.('file:///etc/passwd')).toBe(true);
    // That no source names such an address is a rule of ESLint: build/lint/restrictions.ts.
  });

  it('19. check which fuses you can change', () => {
    const all = Object.values(FuseV1Options).filter((option) => typeof option === 'string');
    // A fuse that Electron adds is a decision to make; the packaging tests read these back from the binary.
    expect(Object.keys(fuses).sort()).toEqual(all.sort());
    expect(fuses).toMatchObject({
      RunAsNode: false,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      GrantFileProtocolExtraPrivileges: false,
    });
  });

  it('20. do not expose Electron APIs to untrusted web content', () => {
    // What the preload may say is a rule of ESLint (build/lint/restrictions.ts); preload.test.ts calls each function.
    expect(
      desktop.electron.invoke('console:verb:evaluate', senderOf(window.webContents), '1'),
    ).toBeUndefined();
  });
});

/** Every member of Electron's WebPreferences that is not set, and why its default stands. */
const leftAlone: Partial<Record<keyof WebPreferences, string>> = {
  accessibleTitle: 'The window’s title says the same.',
  additionalArguments: 'Nothing is passed to the preload by arguments.',
  defaultFontFamily: 'The page brings its fonts.',
  defaultFontSize: 'The page sets its sizes.',
  defaultMonospaceFontSize: 'The page sets its sizes.',
  enableBlinkFeatures: 'Point 10 of the checklist.',
  enablePreferredSizeMode: 'The window has a size.',
  imageAnimationPolicy: 'The page has no animated images.',
  minimumFontSize: 'The page sets its sizes.',
  partition: 'The session is handed over itself.',
  safeDialogsMessage: 'There are no dialogs.',
  textAreasAreResizable: 'The page styles its fields.',
};

describe('the page’s rights', () => {
  it('name every member of WebPreferences, or say why not', async () => {
    const types = await readFile('node_modules/electron/electron.d.ts', 'utf8');
    const [, members = ''] = /^ {2}interface WebPreferences \{(.*?)^ {2}\}/ms.exec(types) ?? [];
    const names = [...members.matchAll(/^ {4}(\w+)\?:/gm)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(40);
    const set = Object.keys(preferences);
    expect([...set, ...Object.keys(leftAlone)].sort()).toEqual([...names].sort());
    for (const name of Object.keys(leftAlone)) expect(set).not.toContain(name);
  });

  it('are these', () => {
    expect({ ...preferences, session: null }).toEqual({
      preload: '/preload.cjs',
      session: null,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      plugins: false,
      webviewTag: false,
      disableBlinkFeatures: 'Auxclick',
      navigateOnDragDrop: false,
      spellcheck: false,
      enableWebSQL: false,
      enableDeprecatedPaste: false,
      javascript: true,
      images: true,
      webgl: true,
      transparent: false,
      offscreen: false,
      defaultEncoding: 'UTF-8',
      zoomMode: 'isolated',
      zoomFactor: 1,
      v8CacheOptions: 'code',
      safeDialogs: true,
      disableDialogs: true,
      disableWakeLocks: true,
      disableHtmlFullscreenWindowResize: true,
      focusOnNavigation: true,
      scrollBounce: false,
      backgroundThrottling: false,
      autoplayPolicy: 'no-user-gesture-required',
      devTools: false,
    });
    expect(preferences.session).toBe(desktop.electron.pageSession);
  });
});
