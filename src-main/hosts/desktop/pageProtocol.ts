import type { CustomScheme, Session } from 'electron';
import { desktopOrigin, desktopProof, proofHeader } from '../../../src-preload/contract/index.ts';
import type { Logger } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import { answerBytes, isByteRoute, isTicketRoute, type ByteAnswer, type ByteStream } from '../byteRoutes.ts';
import type { PageAnswer, PageFiles } from '../pages.ts';
import type { DesktopElectron } from './electron.ts';
import { isOwnUrl } from './guard.ts';

/** The page's scheme without the colon. */
export const pageScheme = desktopOrigin.slice(0, desktopOrigin.indexOf(':'));

/** The privileges of the scheme; must be registered before Electron's `ready`. */
export const pageSchemes: CustomScheme[] = [
  {
    scheme: pageScheme,
    // Without `codeCache` each load, including the one at every lock, compiles the whole page again.
    privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
  },
];

/**
 * The session of the console's windows. Chromium stores compiled code only for a session on the disk. Nothing else of
 * the page is stored there: answers are not cached, and pages store nothing.
 */
export const consoleSession = ({ fromPartition }: DesktopElectron['session']): Session =>
  fromPartition('persist:console', { cache: false });

/** Serves the page at `console://app/` with the browser host's headers, and the byte routes of that page. */
export function servePage(options: {
  readonly session: Session;
  readonly pages: PageFiles;
  readonly console: App;
  /** A document that is being printed (paperPress.ts); null for every other address. */
  readonly paper: (pathname: string) => PageAnswer | null;
  readonly logger: Logger;
}): void {
  const { session, pages, console, paper, logger } = options;
  session.protocol.handle(pageScheme, async (request) => {
    if (!isOwnUrl(request.url)) return new Response(null, { status: 404 });
    const { pathname, search } = new URL(request.url);
    if (isByteRoute(pathname)) {
      if (!isOwnRequest(request.headers, isTicketRoute(pathname))) {
        logger.warn('request-refused', { reason: 'foreign-origin' });
        return new Response(null, { status: 403 });
      }
      const { method, body } = request;
      const range = request.headers.get('range');
      return asResponse(
        await answerBytes(console, { method, pathname, range, body: piecesOf(body) }),
        method,
      );
    }
    const answer = paper(pathname) ?? (await pages.answer(request.method, pathname, search));
    return asResponse(answer, request.method);
  });
}

/**
 * Whether the console's own page asks for bytes. Its proof is a header that a page of another origin cannot send
 * without permission, which this host never gives.
 */
function isOwnRequest(headers: Headers, hasTicket: boolean): boolean {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  return (
    (hasTicket || headers.get(proofHeader) === desktopProof) &&
    (origin === null || origin === desktopOrigin) &&
    (site === null || site === 'same-origin')
  );
}

async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: the page may be gone.
    void reader.cancel().catch(() => undefined);
  }
}

function asResponse({ status, headers, body }: ByteAnswer, method: string): Response {
  if (method === 'HEAD' || status === 204) return new Response(null, { status, headers });
  return new Response(body instanceof Uint8Array ? body : streamOf(body), { status, headers });
}

/**
 * Bytes as a page's stream: the next piece is made when the last one was read, and none after the page stops reading.
 * It fails when the bytes so far are of no use.
 */
function streamOf({ pieces, signal }: ByteStream): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      start: (stream) => {
        const over = (): void => {
          stream.error(new Error('It was ended'));
          void iterator.return?.().catch(() => undefined);
        };
        if (signal.aborted) over();
        else signal.addEventListener('abort', over, { once: true });
      },
      pull: async (stream) => {
        const next = await iterator.next();
        if (signal.aborted) return;
        if (next.done === true) stream.close();
        else stream.enqueue(next.value);
      },
      cancel: async () => {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
