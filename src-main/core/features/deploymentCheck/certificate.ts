import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Clock } from '../../base/ports.ts';

export type CertificateReading =
  | { readonly kind: 'read'; readonly validTo: number }
  | { readonly kind: 'failed'; readonly code: string };

/**
 * Makes one verified TLS connection to an origin, as requests do, sends nothing on it, and reads when
 * the certificate ends.
 */
export function readCertificate(options: {
  readonly origin: string;
  readonly ca: string | null;
  readonly clock: Clock;
  readonly withinMs: number;
}): Promise<CertificateReading> {
  const { origin, ca, clock, withinMs } = options;
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      ...(ca === null ? {} : { ca }),
    });
    const end = (reading: CertificateReading): void => {
      cancel();
      socket.destroy();
      resolve(reading);
    };
    const cancel = clock.schedule(withinMs, () => end({ kind: 'failed', code: 'timed-out' }));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      end({ kind: 'failed', code: error.code ?? 'tls-refused' });
    });
    socket.once('secureConnect', () => {
      const validTo = Date.parse(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(validTo) ? { kind: 'failed', code: 'unreadable-answer' } : { kind: 'read', validTo });
    });
  });
}
