import { X509Certificate } from 'node:crypto';
import { Agent, buildConnector, ProxyAgent, type Dispatcher } from 'undici';
import { isLoopbackHost } from '../../base/origins.ts';
import type { Clock } from '../../base/ports.ts';
import type { ApiBase, ServiceAddress } from './address.ts';

/** So many sockets per origin: enough for every poller, few enough for a thin link. */
const connections = 16;

/**
 * How long after a request its connection may serve the next one, milliseconds of a clock that counts
 * sleep. A connection from before a sleep or a change of network looks open and answers nothing: a
 * request on it would hang until its deadline.
 */
const keptMs = 4_000;

/** Longer than any connection is kept: undici's own timer for idle ones never decides. */
const never = 2_147_483_647;

interface Sockets {
  readonly direct: Agent;
  readonly proxied: ProxyAgent | null;
}

/**
 * The sockets of one deployment.
 *
 * undici's own time-outs are off: all time comes from the Clock port. (What remains is that it closes
 * an idle connection when the service's `Keep-Alive` header says that the service is about to: no
 * request waits on that.) Certificates are verified, and nothing older than TLS 1.2 is spoken, whatever the
 * environment says; a private CA replaces the public ones, for this deployment's service only and not for its proxy.
 * HTTP/1.1 is spoken: on a cut link, one HTTP/2 connection would stall every request together.
 *
 * @throws when the private CA is no certificate: found out at the first connection, it would look
 * like a service that cannot be reached.
 */
export function createDispatcher(options: { readonly address: ServiceAddress; readonly clock: Clock }): {
  for(base: ApiBase): Dispatcher;
  destroy(): Promise<void>;
} {
  const { address, clock } = options;
  if (address.ca !== null) void new X509Certificate(address.ca);
  const publicTls = { rejectUnauthorized: true, minVersion: 'TLSv1.2', timeout: 0 } as const;
  const tls = { ...publicTls, ...(address.ca === null ? {} : { ca: address.ca }) };
  // One for all agents: it remembers TLS sessions, so that a new connection costs a short handshake.
  const connect = buildConnector({ ...tls, allowH2: false });
  const proxy = address.proxy === null ? null : new URL(address.proxy);
  const common = {
    connections,
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

  /** What is under way on them is let finish; then they are closed. */
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
      // An http service is on this computer; a proxy elsewhere would be given the token in the clear.
      return base.origin.startsWith('https:') || isLoopbackHost(proxy.hostname) ? proxied : direct;
    },
    async destroy() {
      await Promise.all([...agents].map((agent) => agent.destroy()));
    },
  };
}
