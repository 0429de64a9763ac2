import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

/** One attempt of this process to reach anything: a connection, a lookup, or a datagram. */
export interface Reach {
  readonly kind: 'connection' | 'lookup' | 'datagram';
  /** `host:port`, a path of this computer's own sockets, or the name that was looked up. */
  readonly target: string;
}

export interface Reaches {
  readonly seen: Reach[];
  /** Must be called: gives the process back its own functions. */
  close(): void;
}

type Method = (...args: unknown[]) => unknown;

const lookups = ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCname'] as const;

/**
 * Counts every attempt of this process to reach anything. It stands below all libraries: http, https,
 * tls, fetch and undici come through `Socket.connect`, whatever agent or dispatcher they use.
 */
export function countReaches(): Reaches {
  const seen: Reach[] = [];
  const undo: (() => void)[] = [];

  function watch(owner: object, name: string, kind: Reach['kind'], targetOf: (args: unknown[]) => string) {
    const methods = owner as Record<string, Method>;
    const own = methods[name];
    if (own === undefined) throw new Error(`Node has no ${name} any more`);
    methods[name] = function (this: unknown, ...args: unknown[]) {
      const target = targetOf(args);
      // What is an address already is not asked of anybody.
      if (kind !== 'lookup' || net.isIP(target) === 0) seen.push({ kind, target });
      return own.apply(this, args);
    };
    undo.push(() => {
      methods[name] = own;
    });
  }

  watch(net.Socket.prototype, 'connect', 'connection', connectionTarget);
  for (const name of lookups) watch(dns, name, 'lookup', ([host]) => String(host));
  for (const name of lookups) watch(dns.promises, name, 'lookup', ([host]) => String(host));
  watch(dgram, 'createSocket', 'datagram', () => 'a socket for datagrams');
  return {
    seen,
    close() {
      for (const one of undo.splice(0)) one();
    },
  };
}

/** `connect` takes (options), (port, host), (path), or Node's own normalized list of these. */
function connectionTarget([first, second]: unknown[]): string {
  const given: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof given === 'object' && given !== null) {
    const { host, port, path } = given as { host?: string; port?: number; path?: string };
    return path ?? `${host ?? 'localhost'}:${String(port)}`;
  }
  if (typeof given === 'string' && !/^\d+$/.test(given)) return given;
  return `${typeof second === 'string' ? second : 'localhost'}:${String(given)}`;
}
