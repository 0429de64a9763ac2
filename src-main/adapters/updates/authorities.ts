import { getCACertificates, rootCertificates } from 'node:tls';

/**
 * Whom an update server's certificate may be signed by: the public authorities, and those that this computer's
 * administrator gave the system. NODE_EXTRA_CA_CERTS does not count in the installed application: its fuse for
 * NODE_OPTIONS switches that off too.
 */
export function updateAuthorities(read: (from: 'system') => readonly string[] = getCACertificates): string[] {
  try {
    return [...new Set([...rootCertificates, ...read('system')])];
  } catch {
    return [...rootCertificates];
  }
}

/**
 * The proxy among the ways that the system names for an address, as `PROXY host:port; DIRECT`. Null for none: only
 * the first way counts, and a SOCKS proxy is not spoken to.
 */
export function proxyAmong(ways: string): string | null {
  const [, kind, place] = /^\s*(PROXY|HTTPS)\s+([\w.:[\]-]+)\s*(?:;|$)/.exec(ways) ?? [];
  if (kind === undefined || place === undefined) return null;
  const address = `${kind === 'HTTPS' ? 'https' : 'http'}://${place}`;
  return URL.canParse(address) ? address : null;
}
