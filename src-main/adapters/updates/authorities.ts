import { getCACertificates, rootCertificates } from 'node:tls';

/**
 * The certificate authorities for an update server: the public ones, and those that this computer's administrator added
 * to the system. NODE_EXTRA_CA_CERTS has no effect in the installed application: the fuse that disables NODE_OPTIONS
 * disables it too.
 */
export function updateAuthorities(read: (from: 'system') => readonly string[] = getCACertificates): string[] {
  try {
    return [...new Set([...rootCertificates, ...read('system')])];
  } catch {
    return [...rootCertificates];
  }
}

/**
 * The proxy in the system's answer for an address, such as `PROXY host:port; DIRECT`. Null for none: only the first
 * entry counts, and SOCKS proxies are not supported.
 */
export function proxyAmong(ways: string): string | null {
  const [, kind, place] = /^\s*(PROXY|HTTPS)\s+([\w.:[\]-]+)\s*(?:;|$)/.exec(ways) ?? [];
  if (kind === undefined || place === undefined) return null;
  const address = `${kind === 'HTTPS' ? 'https' : 'http'}://${place}`;
  return URL.canParse(address) ? address : null;
}
