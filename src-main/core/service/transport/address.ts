import { isLoopbackHost } from '../../base/origins.ts';
import type { ApiName } from './request.ts';

/** The address of a deployment's service. URLs are absolute. */
export interface ServiceAddress {
  readonly infrastructureUrl: string;
  readonly coordinationUrl: string;
  readonly loginPath: string;
  /** PEM text of a private authority. It replaces the public ones, unless the system's count too. */
  readonly ca: string | null;
  /** Whether the authorities that this computer trusts count, beside the public ones and `ca`. */
  readonly systemAuthorities: boolean;
  /** A URL, or `system` for what this computer's settings say. */
  readonly proxy: string | null;
  /** Milliseconds for one attempt, and for an operation with all its attempts and waits. */
  readonly attemptTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** The base of one API: the origin that may receive the token, and the path before every operation. */
export interface ApiBase {
  readonly origin: string;
  readonly path: string;
}

/**
 * The two bases. A request names its API and never an address, so no other origin can receive a secret.
 *
 * @throws RangeError for an address that is neither https nor http on loopback: the token would cross a network
 * unencrypted. The deployment schema refuses such a file before.
 */
export function apiBases(address: ServiceAddress): Readonly<Record<ApiName, ApiBase>> {
  return { infrastructure: baseOf(address.infrastructureUrl), coordination: baseOf(address.coordinationUrl) };
}

function baseOf(text: string): ApiBase {
  const url = new URL(text);
  const plain = url.protocol === 'http:' && isLoopbackHost(url.hostname);
  if (url.protocol !== 'https:' && !plain)
    throw new RangeError('An API is reached over https, or http on loopback');
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}
