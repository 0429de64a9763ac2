import type { IncomingMessage } from 'node:http';

/** Why a request is refused before its content is read; null when it is not. */
export type Refusal = 'foreign-host' | 'foreign-origin' | 'foreign-site' | null;

/**
 * Checks the origin of a request.
 *
 * `Host` prevents DNS rebinding: a foreign name that resolves to 127.0.0.1 arrives with that name. `Origin` and
 * `Sec-Fetch-Site` exclude other pages in the same browser. A top-level navigation to the page may come from elsewhere
 * (the launch file is a `file:` page): it only reads public program text, and the cookie is not sent with it.
 *
 * @param port the port on which the server listens
 */
export function refusal(request: IncomingMessage, port: number): Refusal {
  const { headers, method } = request;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const host = headers.host;
  if (host === undefined || !hosts.includes(host) || repeated(request, 'host')) return 'foreign-host';

  const changes = (method !== 'GET' && method !== 'HEAD') || headers.upgrade !== undefined;
  const origin = headers.origin;
  if (origin === undefined ? changes : origin !== `http://${host}`) return 'foreign-origin';

  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return null;
  const opensThePage =
    method === 'GET' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    pathOf(request) === '/' &&
    !changes;
  return opensThePage ? null : 'foreign-site';
}

/** The path of the request's target, without query, as it came; null for targets that are not a path. */
export function pathOf(request: IncomingMessage): string | null {
  const target = request.url ?? '';
  if (!target.startsWith('/')) return null;
  return target.split(/[?#]/, 1)[0] ?? null;
}

/** The value of the cookie `name`, or null. */
export function cookieOf(request: IncomingMessage, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

function repeated(request: IncomingMessage, name: string): boolean {
  const raw = request.rawHeaders;
  let count = 0;
  for (let index = 0; index < raw.length; index += 2) if (raw[index]?.toLowerCase() === name) count += 1;
  return count > 1;
}
