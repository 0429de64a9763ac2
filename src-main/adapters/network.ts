import { networkInterfaces } from 'node:os';
import { getCACertificates, rootCertificates } from 'node:tls';
import type { Network } from '../core/service/transport/network.ts';
import { ProxySignIn } from '../core/service/transport/proxySignIn.ts';

/** The network of this computer. `resolveProxy` null: the environment names the proxies. */
export const createNetwork = (resolveProxy: Network['resolveProxy'] = null): Network => ({
  addresses: networkAddresses,
  resolveProxy,
  authorities: () => allAuthorities(),
  proxySignIn: new ProxySignIn(),
});

/** Empty where the system does not tell them. */
function networkAddresses(): string {
  try {
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const own = all.filter(({ internal }) => !internal).map(({ address }) => address);
    return own.sort().join(' ');
  } catch {
    return '';
  }
}

/**
 * The public authorities, and those that this computer's administrator added to the system. NODE_EXTRA_CA_CERTS has no
 * effect in the installed application: the fuse that disables NODE_OPTIONS disables it too.
 */
export function allAuthorities(read: (from: 'system') => readonly string[] = getCACertificates): string[] {
  try {
    return [...new Set([...rootCertificates, ...read('system')])];
  } catch {
    return [...rootCertificates];
  }
}
