import type { BrowserWindow } from 'electron';
import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import { PaperNotPrinted, type DesktopControl } from '../../core/base/control.ts';
import { textOf } from '../../core/base/errors.ts';
import type { Clock, Logger } from '../../core/base/ports.ts';
import { securityHeaders } from '../csp.ts';
import type { PageAnswer } from '../pages.ts';
import type { DesktopElectron } from './electron.ts';
import { consoleSession } from './pageProtocol.ts';

/** Milliseconds. A map, 2,000 rows and fonts take seconds on a slow computer; a window that takes longer is stuck. */
const withinMs = 60_000;

/**
 * The rights of the printed document: it can only show its own content. `sandbox` also takes the console's origin from
 * it.
 */
const documentPolicy = [
  `default-src 'none'`,
  `img-src data:`,
  `font-src data:`,
  `style-src 'unsafe-inline'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `sandbox`,
].join('; ');

export interface PaperPress {
  readonly print: DesktopControl['printPdf'];
  /** The document at an address of the page's origin; null when none is being printed under it. */
  answer(pathname: string): PageAnswer | null;
}

/**
 * Prints documents that the page made, each in a separate hidden window. The document runs no script and has
 * no preload: the window has fewer rights than the page, and cannot reach the console.
 */
export function createPaperPress(options: {
  readonly electron: Pick<DesktopElectron, 'BrowserWindow' | 'session'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes an unguessable id of letters, digits and hyphens. */
  readonly makeId: () => string;
}): PaperPress {
  const { electron, clock, logger, makeId } = options;
  const documents = new Map<string, Uint8Array>();
  return {
    answer: (pathname) => {
      const document = documents.get(pathname);
      if (document === undefined) return null;
      const headers = {
        ...securityHeaders(''),
        'content-security-policy': documentPolicy,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      };
      return { status: 200, headers, body: new Uint8Array(document) };
    },
    print: async (document, signal) => {
      if (signal.aborted) throw new PaperNotPrinted('it was cancelled');
      const pathname = `/paper/${makeId()}`;
      documents.set(pathname, document);
      const window = hiddenWindow(electron);
      try {
        return await printed({ window, url: new URL(pathname, desktopOrigin).href, clock, signal });
      } catch (error) {
        const reason = textOf(error);
        logger.warn('paper-not-printed', { reason });
        throw error instanceof PaperNotPrinted ? error : new PaperNotPrinted(reason);
      } finally {
        documents.delete(pathname);
        // Destroyed and not closed: a window that asks before closing, or whose process hangs, would stay.
        if (!window.isDestroyed()) window.destroy();
      }
    },
  };
}

function hiddenWindow({
  BrowserWindow,
  session,
}: Pick<DesktopElectron, 'BrowserWindow' | 'session'>): BrowserWindow {
  return new BrowserWindow({
    title: 'Field Console',
    show: false,
    skipTaskbar: true,
    focusable: false,
    // A literal in this place, because scanners look for it here.
    webPreferences: {
      session: consoleSession(session),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      disableBlinkFeatures: 'Auxclick',
      plugins: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      javascript: false,
      images: true,
      webgl: false,
      defaultEncoding: 'UTF-8',
      disableDialogs: true,
      // Otherwise Chromium slows down a hidden window.
      backgroundThrottling: false,
      devTools: false,
    },
  });
}

/** The PDF of the document at `url`. A hidden window may never paint (fact 1), so this does not wait for that. */
async function printed(options: {
  readonly window: BrowserWindow;
  readonly url: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<Uint8Array> {
  const { window, url, clock, signal } = options;
  const { webContents } = window;
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const fail = (reason: string): void => reject(new PaperNotPrinted(reason));
  const cancel = (): void => fail('it was cancelled');
  const stopWaiting = clock.schedule(withinMs, () => fail('it took too long'));
  signal.addEventListener('abort', cancel);
  webContents.on('render-process-gone', (_event, { reason }) => fail(`its process ended: ${reason}`));
  window.on('closed', () => fail('its window was closed'));
  const work = async (): Promise<Uint8Array> => {
    await window.loadURL(url);
    const pdf = await webContents.printToPDF({
      // The document sets the paper size and the margins.
      preferCSSPageSize: true,
      printBackground: true,
      generateTaggedPDF: true,
    });
    if (pdf.byteLength === 0) throw new PaperNotPrinted('it is empty');
    return pdf;
  };
  try {
    // A closed window may never answer.
    return await Promise.race([work(), ended]);
  } finally {
    stopWaiting();
    signal.removeEventListener('abort', cancel);
  }
}
