import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { checkServerIdentity, createSecureContext, type ConnectionOptions } from 'node:tls';
import {
  Agent,
  buildConnector,
  EnvHttpProxyAgent,
  Pool,
  ProxyAgent,
  request as send,
  type Dispatcher,
} from 'undici';
import { message } from '../../base/messages/message.ts';
import { isLoopbackHost } from '../../base/origins.ts';
import type { Clock } from '../../base/ports.ts';
import type { ServiceAddress } from './address.ts';
import { authoritiesOf, readProxies, type Network } from './network.ts';
import { ProxyError } from './proxySignIn.ts';
import { takeContinue } from './takeContinue.ts';

/** Sockets per origin: enough for every poller, but few enough for a slow link. */
const connections = 16;

/** Longer than any connection is used, so that undici's own idle timer has no effect. */
const never = 2_147_483_647;

/** A proxy that could not be reached is not used for so long where the system names another way, milliseconds. */
const restMs = 300_000;

export interface AgentOptions {
  readonly address: Pick<ServiceAddress, 'ca' | 'systemAuthorities' | 'proxy' | 'attemptTimeoutMs'>;
  readonly clock: Clock;
  readonly network: Network;
  /** Counts the bytes of each connection. */
  readonly carry?: (socket: Socket) => void;
}

interface Handshake {
  readonly requestTls: ConnectionOptions;
  readonly connect: buildConnector.connector;
}

/**
 * Makes the agents of undici by which a service is reached: direct, through the deployment's proxy, or as the system
 * says.
 *
 * undici's own time-outs are off: all time comes from the Clock port. (undici still closes an idle connection before
 * the time in the service's `Keep-Alive` header; no request waits for that.) Certificates are always verified and TLS
 * is at least 1.2, whatever the environment says. A private CA replaces the public ones, or stands beside those of the
 * system; it is for this deployment's service and not for its proxy. HTTP/1.1 only: on a broken link, one HTTP/2
 * connection would stall every request together.
 */
export class Agents {
  readonly #options: AgentOptions;
  readonly #common;
  readonly #proxyTls: ConnectionOptions;
  /** One for all agents: its connector remembers TLS sessions, so that a new connection needs only a short handshake. */
  readonly #usual: Handshake;
  /** Proxies that could not be reached, and `Clock.elapsed()` when they were last tried. */
  readonly #lost = new Map<string, number>();
  /** By origin. */
  readonly #trusted = new Map<string, boolean>();

  /** @throws when the private CA is not a certificate. */
  constructor(options: AgentOptions) {
    const { address, network, carry } = options;
    if (address.ca !== null) void new X509Certificate(address.ca);
    this.#options = options;
    this.#usual = handshakeBy(authoritiesOf(address, network));
    this.#proxyTls = handshakeBy(authoritiesOf({ ...address, ca: null }, network)).requestTls;
    this.#common = {
      connections,
      factory: takeContinue(carry),
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: 0,
      keepAliveTimeout: never,
      allowH2: false,
    };
  }

  /**
   * An agent for an origin. `onLost`: its proxy cannot be reached, so the next agent may use another way.
   *
   * @throws ProxyError where the system names no proxy that can be used.
   */
  async open(origin: string, onLost: () => void): Promise<Dispatcher> {
    return this.#agentFor(await this.#wayTo(origin), this.#usual, onLost);
  }

  /**
   * Whether this computer trusts the certificate that the deployment refuses, by another handshake in which nothing is
   * sent. Never rejects.
   */
  async isTrustedBySystem(origin: string, signal: AbortSignal): Promise<boolean> {
    if (this.#options.address.systemAuthorities) return false;
    const known = this.#trusted.get(origin);
    if (known !== undefined) return known;
    const isTrusted = await this.#askSystem(origin, signal).catch(() => false);
    if (!signal.aborted) this.#trusted.set(origin, isTrusted);
    return isTrusted;
  }

  /** The network is another one: what is known of the present one is forgotten. */
  forget(): void {
    this.#lost.clear();
    this.#trusted.clear();
  }

  /** The origin of a proxy, `direct`, or `environment` for whatever that says. */
  async #wayTo(origin: string): Promise<string> {
    const { address, network, clock } = this.#options;
    const { proxy } = address;
    const isSecure = origin.startsWith('https:');
    if (proxy === null) return 'direct';
    if (proxy !== 'system') {
      // An http service is on this computer: a proxy elsewhere would get the token unencrypted.
      return isSecure || isLoopbackHost(new URL(proxy).hostname) ? proxy : 'direct';
    }
    if (!isSecure) return 'direct';
    if (network.resolveProxy === null) return 'environment';
    const ways = readProxies(await network.resolveProxy(`${origin}/`));
    const isResting = (way: string): boolean => clock.elapsed() - (this.#lost.get(way) ?? -restMs) < restMs;
    const way = ways.find((one) => !isResting(one)) ?? ways[0];
    if (way === undefined) throw new ProxyError(message('api.proxyUnusable'));
    return way;
  }

  #agentFor(way: string, { requestTls, connect }: Handshake, onLost: () => void): Dispatcher {
    if (way === 'direct') return new Agent({ ...this.#common, connect });
    const proxied = {
      ...{ ...this.#common, connect, requestTls, proxyTls: this.#proxyTls, proxyTunnel: true },
      clientFactory: ({ origin }: URL, options: object) =>
        tunnelsThrough(origin, options, {
          ...this.#options,
          onLost: () => {
            this.#lost.set(origin, this.#options.clock.elapsed());
            onLost();
          },
        }),
    };
    return way === 'environment'
      ? new EnvHttpProxyAgent(proxied)
      : new ProxyAgent({ ...proxied, uri: new URL(way).href });
  }

  async #askSystem(origin: string, signal: AbortSignal): Promise<boolean> {
    const proven = new Error('TRUSTED_BY_SYSTEM');
    const handshake = handshakeBy(this.#options.network.authorities(), {
      // After the chain and the name are verified, the handshake fails in any case.
      checkServerIdentity: (...of) => checkServerIdentity(...of) ?? proven,
    });
    const agent = this.#agentFor(await this.#wayTo(origin), handshake, () => undefined);
    try {
      const why: unknown = await send(origin, { dispatcher: agent, signal }).catch((error: unknown) => error);
      return why === proven;
    } finally {
      await agent.destroy();
    }
  }
}

/** `ca`: PEM; undefined for the usual authorities. They are parsed once, and not for each connection. */
function handshakeBy(
  ca: string[] | undefined,
  more: Pick<ConnectionOptions, 'checkServerIdentity'> = {},
): Handshake {
  const secureContext = createSecureContext({ ca, minVersion: 'TLSv1.2' });
  const requestTls = { rejectUnauthorized: true, secureContext, timeout: 0, ...more };
  return { requestTls, connect: buildConnector({ ...requestTls, allowH2: false }) };
}

/** The connections to a proxy. What prevents a tunnel becomes a `ProxyError`, and so does a long silence. */
function tunnelsThrough(
  proxy: string,
  pool: object,
  { network, clock, address, onLost }: AgentOptions & { readonly onLost: () => void },
): Dispatcher {
  const client = new Pool(proxy, pool);
  const connect = client.connect.bind(client) as (
    asked: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  client.connect = ((asked: Dispatcher.ConnectOptions) =>
    network.proxySignIn.open(proxy, async (headers) => {
      const silence = new AbortController();
      const stop = clock.schedule(address.attemptTimeoutMs, () => silence.abort());
      try {
        const { signal } = silence;
        return await connect({ ...asked, signal, headers: { ...asked.headers, ...headers } });
      } catch (error) {
        onLost();
        throw new ProxyError(message('api.proxyUnreachable', { proxy }), error);
      } finally {
        stop();
      }
    })) as Pool['connect'];
  return client;
}
