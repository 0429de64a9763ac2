import { X509Certificate } from 'node:crypto';
import { Agent, buildConnector, ProxyAgent, type Dispatcher } from 'undici';
import { isLoopbackHost } from '../../base/origins.ts';
import type { Clock } from '../../base/ports.ts';
import type { ApiBase, ServiceAddress } from './address.ts';
import { takeContinue } from './takeContinue.ts';

/** Sockets per origin: enough for every poller, but few enough for a slow link. */
const connections = 16;

/**
 * How long after a request its connection may be reused, milliseconds of a clock that counts sleep. A connection from
 * before sleep or a change of network looks open but is dead: a request on it would hang until its deadline.
 */
const keptMs = 4_000;

/** Longer than any connection is used, so that undici's own idle timer has no effect. */
const never = 2_147_483_647;

interface Sockets {
  readonly direct: Agent;
  readonly proxied: ProxyAgent | null;
}

/**
 * The sockets of one deployment.
 *
 * undici's own time-outs are off: all time comes from the Clock port. (undici still closes an idle connection before
 * the time in the service's `Keep-Alive` header; no request waits for that.) Certificates are always verified and TLS
 * is at least 1.2, whatever the environment says. A private CA replaces the public ones, for this deployment's service
 * but not for its proxy. HTTP/1.1 only: on a broken link, one HTTP/2 connection would stall every request together.
 *
 * @throws when the private CA is not a certificate: at the first connection, that would look like a service that cannot
 * be reached.
 */
export function createDispatcher(options: { readonly address: ServiceAddress; readonly clock: Clock }): {
  for(base: ApiBase): Dispatcher;
  destroy(): Promise<void>;
} {
  const { address, clock } = options;
  if (address.ca !== null) void new X509Certificate(address.ca);
  const publicTls = { rejectUnauthorized: true, minVersion: 'TLSv1.2', timeout: 0 } as const;
  const tls = { ...publicTls, ...(address.ca === null ? {} : { ca: address.ca }) };
  // One for all agents: it remembers TLS sessions, so that a new connection needs only a short handshake.
  const connect = buildConnector({ ...tls, allowH2: false });
  const proxy = address.proxy === null ? null : new URL(address.proxy);
  const common = {
    connections,
    factory: takeContinue,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    keepAliveTimeout: never,
    allowH2: false,
  };
  const open = (): Sockets => ({
    direct: new Agent({ ...common, connect }),
    proxied:
      proxy === null
        ? null
        : new ProxyAgent({
            ...common,
            uri: proxy.href,
            requestTls: tls,
            proxyTls: publicTls,
          }),
  });
  const agents = new Set<Dispatcher>();
  let sockets: Sockets | null = null;
  let usedElapsed = 0;

  /** Closes them when their running requests have ended. */
  function retire({ direct, proxied }: Sockets): void {
    for (const agent of proxied === null ? [direct] : [direct, proxied]) {
      const forget = (): void => void agents.delete(agent);
      agent.close().then(forget, forget);
    }
  }

  function current(): Sockets {
    const now = clock.elapsed();
    if (sockets !== null && now - usedElapsed > keptMs) {
      retire(sockets);
      sockets = null;
    }
    usedElapsed = now;
    if (sockets === null) {
      sockets = open();
      agents.add(sockets.direct);
      if (sockets.proxied !== null) agents.add(sockets.proxied);
    }
    return sockets;
  }

  return {
    for(base) {
      const { direct, proxied } = current();
      if (proxied === null || proxy === null) return direct;
      // An http service is on this computer: a proxy elsewhere would get the token unencrypted.
      return base.origin.startsWith('https:') || isLoopbackHost(proxy.hostname) ? proxied : direct;
    },
    async destroy() {
      await Promise.all([...agents].map((agent) => agent.destroy()));
    },
  };
}
