import type { ServiceAddress } from './address.ts';
import type { ProxySignIn } from './proxySignIn.ts';

/** How this computer reaches other ones. */
export interface Network {
  /** The addresses of its networks, as a text that changes when they do. */
  readonly addresses: () => string;
  /**
   * The system's proxies for an address in the words of a PAC script, such as `PROXY a.example:8080; DIRECT`. Null
   * where the host cannot ask the system: the environment then names them (HTTPS_PROXY, NO_PROXY).
   */
  readonly resolveProxy: ((address: string) => Promise<string>) | null;
  /** The authorities that the console and this computer trust, PEM. */
  readonly authorities: () => string[];
  readonly proxySignIn: ProxySignIn;
}

/** The authorities for a service's certificates, PEM; undefined for the usual ones of Node. */
export function authoritiesOf(
  { ca, systemAuthorities }: Pick<ServiceAddress, 'ca' | 'systemAuthorities'>,
  network: Pick<Network, 'authorities'>,
): string[] | undefined {
  const own = ca === null ? [] : [ca];
  if (systemAuthorities) return [...network.authorities(), ...own];
  return ca === null ? undefined : own;
}

const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' };

/**
 * The ways in a PAC script's answer, best first: the origin of a proxy, or `direct`. What cannot be read is left out,
 * and SOCKS: undici's support of it is experimental. An empty answer means direct, as for a browser.
 */
export function readProxies(answer: string): readonly string[] {
  if (answer.trim() === '') return ['direct'];
  return answer.split(';').flatMap((entry) => {
    const [word = '', place = ''] = entry.trim().split(/\s+/);
    const kind = word.toUpperCase();
    if (kind === 'DIRECT') return ['direct'];
    const scheme = schemes[kind];
    const address = `${scheme ?? ''}://${place}`;
    if (scheme === undefined || !/^[\w.:[\]-]+$/.test(place) || !URL.canParse(address)) return [];
    return [new URL(address).origin];
  });
}
