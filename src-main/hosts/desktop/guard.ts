import type { Session, WebContents } from 'electron';
import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import type { LogFields, Logger } from '../../core/base/ports.ts';
import type { DesktopElectron } from './electron.ts';

/** Whether `url` lies in the console's own origin. */
export function isOwnUrl(url: string): boolean {
  return isOfOrigin(url, desktopOrigin);
}

function isOfOrigin(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const parsed = new URL(url);
  const other = new URL(origin);
  // A custom scheme's `origin` is "null" in Node, so scheme and host are compared themselves.
  return (
    parsed.protocol === other.protocol &&
    parsed.host === other.host &&
    parsed.username === '' &&
    parsed.password === ''
  );
}

/** Whether `url` is a page of the console: a reload may lead there, nothing else. */
export function isOwnPage(url: string): boolean {
  return (
    isOwnUrl(url) &&
    ['/', '/index.html', '/stopped.html', '/not-loaded.html', ''].includes(new URL(url).pathname)
  );
}

/** Denies a page everything but being the console: leaving, opening windows, embedding. */
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
  // A page of the console speaks to no peer; should one try, it learns no address of this computer.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Denies the page's session every permission, device, download and address but what it needs of its own. */
export function guardSession(options: {
  readonly session: Session;
  /** Origin of hot reload's socket in development; null in every build that is shipped. */
  readonly hotReload: string | null;
  /** Whether the policy lets anything be saved to a file. */
  readonly exports: boolean;
  readonly logger: Logger;
}): void {
  const { session, hotReload, exports, logger } = options;
  const denied = (what: string, more: LogFields = {}): void => logger.warn('page-denied', { what, ...more });
  // Copying a request id or a coordinate and notifying of an alarm are all the page may do with the system.
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
    // What the page made itself, such as an exported list, is saved where the operator chooses.
    const [, source] = /^blob:(.*)$/.exec(item.getURL()) ?? [];
    if (exports && source !== undefined && isOwnUrl(source)) return;
    event.preventDefault();
    denied('download');
  });
  session.setSpellCheckerEnabled(false);
  // Chromium's own verdict on a certificate stands; null is what says so.
  session.setCertificateVerifyProc(null);
  session.webRequest.onBeforeRequest((details, answer) => {
    const scheme = details.url.slice(0, details.url.indexOf(':') + 1);
    // `data:` and `blob:` images are the page's own; what the policy says of them stays its business.
    const allow =
      ['data:', 'blob:', 'devtools:'].includes(scheme) ||
      isOwnUrl(details.url) ||
      (hotReload !== null && isOfOrigin(details.url, hotReload));
    if (!allow) denied('request');
    answer({ cancel: !allow });
  });
}

/** Nothing that is plugged in or near is the page's: an unanswered chooser would be Electron's own choice. */
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
 * Answers what Electron asks of the whole application: no untrusted certificate is taken, none of this
 * computer's is shown, and no proxy is told a password. The console's own connections do not come here.
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
