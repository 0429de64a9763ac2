import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import { freshNonce, securityHeaders } from '../csp.ts';
import type { PageFiles } from '../pages.ts';

/** Where the page's source wants the answer's nonce. */
const noncePlaceholder = '__CSP_NONCE__';

/** The page from its sources, for `npm run dev` only. */
export interface DevelopmentPages extends PageFiles {
  /** Origin of hot reload's socket: all that the page may reach beside its own origin. */
  readonly socket: string;
}

/**
 * Serves the page at its usual origin from the Vite server at `server`, such as `http://localhost:5173`. The
 * byte routes, which belong to that origin, then work in development too.
 */
export function createDevelopmentPages(server: string): DevelopmentPages {
  const socket = new URL(server).origin.replace(/^http/, 'ws');
  // Vite's client asks its page's origin first, and its server only once that was denied. The policy would
  // deny it without the event that the client waits for; the guard of the session denies it with that event.
  const sockets = `${desktopOrigin.replace(/^[a-z]+/, 'ws')} ${socket}`;
  const headersOf = (nonce: string): Record<string, string> => {
    const headers = securityHeaders(nonce);
    const policy = headers['content-security-policy'] ?? '';
    return {
      ...headers,
      'content-security-policy': policy.replace(`connect-src 'self'`, `connect-src 'self' ${sockets}`),
      'cache-control': 'no-store',
    };
  };
  return {
    socket,
    answer: async (method, pathname, search = '') => {
      const nonce = freshNonce();
      const answer = await fetch(new URL(`${pathname}${search}`, server), { method, redirect: 'error' });
      const type = answer.headers.get('content-type') ?? 'application/octet-stream';
      const headers = { ...headersOf(nonce), 'content-type': type };
      const { status } = answer;
      if (!type.startsWith('text/html'))
        return { status, headers, body: new Uint8Array(await answer.arrayBuffer()) };
      const text = (await answer.text()).replaceAll(noncePlaceholder, nonce);
      return { status, headers, body: new TextEncoder().encode(text) };
    },
  };
}
