import type { Session, WebContents } from 'electron';
import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import type { LogFields, Logger } from '../../core/base/ports.ts';
import type { DesktopElectron } from './electron.ts';

/** Whether `url` belongs to the console's origin. */
export function isOwnUrl(url: string): boolean {
  return isOfOrigin(url, desktopOrigin);
}

function isOfOrigin(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const parsed = new URL(url);
  const other = new URL(origin);
  // A custom scheme's `origin` is "null" in Node, so this compares scheme and host.
  return (
    parsed.protocol === other.protocol &&
    parsed.host === other.host &&
    parsed.username === '' &&
    parsed.password === ''
  );
}

/** Whether `url` is a page of the console. A reload may only lead there. */
export function isOwnPage(url: string): boolean {
  return (
    isOwnUrl(url) &&
    ['/', '/index.html', '/stopped.html', '/not-loaded.html', ''].includes(new URL(url).pathname)
  );
}

/** Denies a page navigation, new windows and embedding. */
export function guardContents(options: { readonly contents: WebContents; readonly logger: Logger }): void {
  const { contents, logger } = options;
  const denied = (what: string): void => logger.warn('page-denied', { what });
  contents.on('will-navigate', (event) => {
    if (event.isMainFrame && isOwnPage(event.url)) return;
    event.preventDefault();
    denied('navigation');
  });
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && isOwnPage(event.url)) return;
    event.preventDefault();
    denied('frame-navigation');
  });
  contents.on('will-redirect', (event) => {
    event.preventDefault();
    denied('redirect');
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
    denied('webview');
  });
  contents.setWindowOpenHandler(() => {
    denied('window');
    return { action: 'deny' };
  });
  contents.on('select-bluetooth-device', (event, _devices, choose) => {
    event.preventDefault();
    denied('bluetooth');
    choose('');
  });
  // The console's pages use no WebRTC. A page that tries learns no address of this computer.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Denies the page's session every permission, device, download and address except those that it needs. */
export function guardSession(options: {
  readonly session: Session;
  /** Origin of hot reload's socket in development; null in every shipped build. */
  readonly hotReload: string | null;
  /** Whether the policy allows saving to files. */
  readonly exports: boolean;
  readonly logger: Logger;
}): void {
  const { session, hotReload, exports, logger } = options;
  const denied = (what: string, more: LogFields = {}): void => logger.warn('page-denied', { what, ...more });
  // The page may only copy to the clipboard and show notifications of alarms.
  const granted = (permission: string, url: string | undefined): boolean =>
    ['clipboard-sanitized-write', 'notifications'].includes(permission) && url !== undefined && isOwnUrl(url);
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const allow = details.isMainFrame && granted(permission, details.requestingUrl);
    if (!allow) denied('permission', { permission });
    answer(allow);
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin, details) => details.isMainFrame && granted(permission, origin),
  );
  guardDevices(session, denied);
  session.on('will-download', (event, item) => {
    // Files that the page made, such as an exported list, are saved where the operator chooses.
    const [, source] = /^blob:(.*)$/.exec(item.getURL()) ?? [];
    if (exports && source !== undefined && isOwnUrl(source)) return;
    event.preventDefault();
    denied('download');
  });
  session.setSpellCheckerEnabled(false);
  // With null, Chromium's own verification of certificates applies.
  session.setCertificateVerifyProc(null);
  session.webRequest.onBeforeRequest((details, answer) => {
    const scheme = details.url.slice(0, details.url.indexOf(':') + 1);
    // `data:` and `blob:` images are the page's own. The policy may still refuse them.
    const allow =
      ['data:', 'blob:', 'devtools:'].includes(scheme) ||
      isOwnUrl(details.url) ||
      (hotReload !== null && isOfOrigin(details.url, hotReload));
    if (!allow) denied('request');
    answer({ cancel: !allow });
  });
}

/** Denies all devices: without an answer Electron would choose one. */
function guardDevices(session: Session, denied: (what: string) => void): void {
  session.setDevicePermissionHandler(() => false);
  session.setBluetoothPairingHandler((_details, answer) => {
    denied('bluetooth');
    answer({ confirmed: false });
  });
  session.setDisplayMediaRequestHandler((_request, answer) => {
    denied('display-capture');
    answer(null);
  });
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => [...protectedClasses]);
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault();
    denied('hid');
    choose(null);
  });
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault();
    denied('serial');
    choose('');
  });
  session.on('select-usb-device', (event, _details, choose) => {
    event.preventDefault();
    denied('usb');
    choose();
  });
}

/**
 * Answers Electron's questions for the whole application: no untrusted certificate is accepted, no client certificate
 * is sent, and no proxy gets a password. The console's own connections are not concerned.
 */
export function guardApp(options: {
  readonly app: Pick<DesktopElectron['app'], 'on'>;
  readonly logger: Logger;
}): void {
  const { app, logger } = options;
  const denied = (what: string): void => logger.warn('page-denied', { what });
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, trust) => {
    event.preventDefault();
    denied('certificate');
    trust(false);
  });
  app.on('select-client-certificate', (event, _contents, _url, _certificates, choose) => {
    event.preventDefault();
    denied('client-certificate');
    choose();
  });
  app.on('login', (event, _contents, _details, _challenge, answer) => {
    event.preventDefault();
    denied('login');
    answer();
  });
  app.on('web-contents-created', (_event, contents) => {
    guardContents({ contents, logger });
  });
}
