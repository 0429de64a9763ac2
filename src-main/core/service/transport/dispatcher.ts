import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { Agent, buildConnector, ProxyAgent, type Dispatcher } from 'undici';
import { isLoopbackHost } from '../../base/origins.ts';
import type { Clock } from '../../base/ports.ts';
import type { ApiBase, ServiceAddress } from './address.ts';
import { takeContinue } from './takeContinue.ts';

/** Sockets per origin: enough for every poller, but few enough for a slow link. */
const connections = 16;

/**
 * How long after an answer its connection may be used again, milliseconds of a clock that counts sleep. A connection may
 * look open and be dead. A GET is then sent again, so it may find one from the poll before. Nothing else is sent twice,
 * so it needs a connection that has just carried an answer.
 */
export const keptMs = { repeatable: 90_000, single: 4_000 } as const;

/** Longer than any connection is used, so that undici's own idle timer has no effect. */
const never = 2_147_483_647;

/** The connections to one origin, until they are retired. */
export interface Route {
  readonly dispatcher: Dispatcher;
  /** Whether an answer came by them. */
  isProven(): boolean;
  /** Milliseconds since bytes of an answer came by them; since they were opened where none did. */
  idleMs(): number;
  /** Bytes of an answer have come by them. */
  answered(): void;
  /** They are dead: they end with their running requests, and no other request uses them. */
  retire(): void;
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
export function createDispatcher(options: {
  readonly address: ServiceAddress;
  readonly clock: Clock;
  /** Counts the bytes of each connection. */
  readonly carry?: (socket: Socket) => void;
}): {
  /** `repeatable`: the request may be sent a second time. */
  for(base: ApiBase, use: keyof typeof keptMs): Route;
  /** The network is another one, or the computer slept: no connection from before is used. */
  retireAll(): void;
  destroy(): Promise<void>;
} {
  const { address, clock, carry } = options;
  if (address.ca !== null) void new X509Certificate(address.ca);
  const publicTls = { rejectUnauthorized: true, minVersion: 'TLSv1.2', timeout: 0 } as const;
  const tls = { ...publicTls, ...(address.ca === null ? {} : { ca: address.ca }) };
  // One for all agents: it remembers TLS sessions, so that a new connection needs only a short handshake.
  const connect = buildConnector({ ...tls, allowH2: false });
  const proxy = address.proxy === null ? null : new URL(address.proxy);
  const common = {
    connections,
    factory: takeContinue(carry),
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    keepAliveTimeout: never,
    allowH2: false,
  };
  const agents = new Set<Dispatcher>();
  /** By origin: an answer proves nothing about the connections to another one. */
  const routes = new Map<string, Route>();

  function agentFor({ origin }: ApiBase): Dispatcher {
    // An http service is on this computer: a proxy elsewhere would get the token unencrypted.
    const isProxied = proxy !== null && (origin.startsWith('https:') || isLoopbackHost(proxy.hostname));
    return isProxied
      ? new ProxyAgent({ ...common, uri: proxy.href, requestTls: tls, proxyTls: publicTls })
      : new Agent({ ...common, connect });
  }

  function open(base: ApiBase): Route {
    const dispatcher = agentFor(base);
    agents.add(dispatcher);
    let isProven = false;
    let usedElapsed = clock.elapsed();
    const route: Route = {
      dispatcher,
      isProven: () => isProven,
      idleMs: () => clock.elapsed() - usedElapsed,
      answered() {
        isProven = true;
        usedElapsed = clock.elapsed();
      },
      retire() {
        if (routes.get(base.origin) !== route) return;
        routes.delete(base.origin);
        const forget = (): void => void agents.delete(dispatcher);
        dispatcher.close().then(forget, forget);
      },
    };
    routes.set(base.origin, route);
    return route;
  }

  return {
    for(base, use) {
      const known = routes.get(base.origin);
      if (known !== undefined && known.idleMs() <= keptMs[use]) return known;
      known?.retire();
      return open(base);
    },
    retireAll() {
      for (const route of [...routes.values()]) route.retire();
    },
    async destroy() {
      await Promise.all([...agents].map((agent) => agent.destroy()));
    },
  };
}
