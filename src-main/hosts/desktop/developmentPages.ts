import { desktopOrigin } from '../../../src-preload/contract/index.ts';
import { freshNonce, securityHeaders } from '../csp.ts';
import type { PageFiles } from '../pages.ts';

/** The place of the answer's nonce in the page's source. */
const noncePlaceholder = '__CSP_NONCE__';

/** The page from its sources, for `npm run dev` only. */
export interface DevelopmentPages extends PageFiles {
  /** Origin of hot reload's socket, the only other address that the page may reach. */
  readonly socket: string;
}

/**
 * Serves the page at its usual origin from the Vite server at `server`, such as `http://localhost:5173`. So the byte
 * routes, which belong to that origin, work in development too.
 */
export function createDevelopmentPages(server: string): DevelopmentPages {
  const socket = new URL(server).origin.replace(/^http/, 'ws');
  // Vite's client first tries its page's origin, and its server only after a refusal. The policy would refuse it
  // without the event that the client waits for; the session's guard refuses it with that event.
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
