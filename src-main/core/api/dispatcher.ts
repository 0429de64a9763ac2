import { X509Certificate } from 'node:crypto';
import { Agent, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';
import { isLoopbackHost } from '../deployment/loopback.ts';
import type { ApiBase, ServiceAddress } from './address.ts';

/** So many sockets per origin: enough for every poller, few enough for a thin link. */
const connections = 16;

/**
 * The sockets of one deployment.
 *
 * undici's own time-outs are off: all time comes from the Clock port. Certificates are verified
 * whatever NODE_TLS_REJECT_UNAUTHORIZED says; a private CA replaces the public ones, for this
 * deployment's service only and not for its proxy. HTTP/1.1 is spoken: on a cut link, one HTTP/2
 * connection would stall every request together.
 *
 * @throws when the private CA is no certificate: found out at the first connection, it would look
 * like a service that cannot be reached.
 */
export function createDispatcher(address: ServiceAddress): {
  for(base: ApiBase): Dispatcher;
  destroy(): Promise<void>;
} {
  if (address.ca !== null) void new X509Certificate(address.ca);
  const tls = { rejectUnauthorized: true, timeout: 0, ...(address.ca === null ? {} : { ca: address.ca }) };
  const common = { connections, headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0, allowH2: false };
  const direct = new Agent({ ...common, connect: tls });
  const proxy = address.proxy === null ? null : new URL(address.proxy);
  const proxied =
    proxy === null
      ? null
      : new ProxyAgent({
          ...common,
          uri: proxy.href,
          requestTls: tls,
          proxyTls: { rejectUnauthorized: true, timeout: 0 },
        });
  return {
    for(base) {
      if (proxied === null || proxy === null) return direct;
      // An http service is on this computer; a proxy elsewhere would be given the token in the clear.
      return base.origin.startsWith('https:') || isLoopbackHost(proxy.hostname) ? proxied : direct;
    },
    async destroy() {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}
