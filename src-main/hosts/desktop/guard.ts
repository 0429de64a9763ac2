import type { Session, WebContents } from 'electron';
import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import type { Logger } from '../../core/ports.ts';

/** Whether `url` lies in the console's own origin. `developmentUrl`: the page server of `npm run dev`. */
export function isOwnUrl(url: string, developmentUrl: string | null): boolean {
  if (!URL.canParse(url)) return false;
  const parsed = new URL(url);
  // A custom scheme's `origin` is "null" in Node, so scheme and host are compared themselves.
  const own = (other: URL): boolean =>
    parsed.protocol === other.protocol &&
    parsed.host === other.host &&
    parsed.username === '' &&
    parsed.password === '';
  return own(new URL(developmentUrl ?? desktopOrigin));
}

/** Whether `url` is the console's one page: a reload may lead there, nothing else. */
export function isOwnPage(url: string, developmentUrl: string | null): boolean {
  return isOwnUrl(url, developmentUrl) && ['/', '/index.html', ''].includes(new URL(url).pathname);
}

/** Denies a page everything but being the console: leaving, opening windows, embedding. */
export function guardContents(options: {
  readonly contents: WebContents;
  readonly developmentUrl: string | null;
  readonly logger: Logger;
}): void {
  const { contents, developmentUrl, logger } = options;
  const denied = (what: string): void => logger.warn('page-denied', { what });
  contents.on('will-navigate', (event) => {
    if (event.isMainFrame && isOwnPage(event.url, developmentUrl)) return;
    event.preventDefault();
    denied('navigation');
  });
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && isOwnPage(event.url, developmentUrl)) return;
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
}

/** Denies the page's session every permission, device, download and address but what it needs of its own. */
export function guardSession(options: {
  readonly session: Session;
  readonly developmentUrl: string | null;
  readonly logger: Logger;
}): void {
  const { session, developmentUrl, logger } = options;
  // Copying a request id or a coordinate and notifying of an alarm are all the page may do with the system.
  const granted = (permission: string, url: string | undefined): boolean =>
    ['clipboard-sanitized-write', 'notifications'].includes(permission) &&
    url !== undefined &&
    isOwnUrl(url, developmentUrl);
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const allow = details.isMainFrame && granted(permission, details.requestingUrl);
    if (!allow) logger.warn('page-denied', { what: 'permission', permission });
    answer(allow);
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin, details) => details.isMainFrame && granted(permission, origin),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // What the page made itself, such as an exported list, is saved where the operator chooses.
    const [, source] = /^blob:(.*)$/.exec(item.getURL()) ?? [];
    if (source !== undefined && isOwnUrl(source, developmentUrl)) return;
    event.preventDefault();
    logger.warn('page-denied', { what: 'download' });
  });
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest((details, answer) => {
    const scheme = details.url.slice(0, details.url.indexOf(':') + 1);
    // `data:` and `blob:` images are the page's own; what the policy says of them stays its business.
    const allow =
      ['data:', 'blob:', 'devtools:'].includes(scheme) || isOwnUrl(withHttp(details.url), developmentUrl);
    if (!allow) logger.warn('page-denied', { what: 'request' });
    answer({ cancel: !allow });
  });
}

/** The development server's socket is the same address under `ws:`. */
function withHttp(url: string): string {
  return url.replace(/^ws:/, 'http:');
}
