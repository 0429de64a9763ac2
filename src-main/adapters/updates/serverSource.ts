import { request, type Dispatcher } from 'undici';
import type { Clock } from '../../core/base/ports.ts';
import { isPlainName } from '../../core/features/updates/plainName.ts';
import { SourceError, type ReleaseSource } from '../../core/features/updates/updateHost.ts';
import { createDispatcher } from '../../core/service/transport/dispatcher.ts';
import type { Network } from '../../core/service/transport/network.ts';
import { readWhole } from './readWhole.ts';

/** How long a server may be silent, before its answer and between two pieces, milliseconds. */
const silenceMs = 30_000;

const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * A release on a generic https server: three files in one folder. It is reached through the system's proxy.
 * Certificates are verified by the system's authorities too, no redirect is followed, nothing but the request is sent,
 * and no answer is trusted.
 */
export function createServerSource(options: {
  readonly address: string;
  readonly clock: Clock;
  readonly network: Network;
}): ReleaseSource {
  const { clock, network } = options;
  const base = options.address.endsWith('/') ? options.address : `${options.address}/`;

  async function* pieces(name: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (!isPlainName(name)) throw new SourceError('not-plain', 'the name is no plain one');
    const address = { ca: null, systemAuthorities: true, proxy: 'system', attemptTimeoutMs: silenceMs };
    const sockets = createDispatcher({ address, clock, network });
    const { origin, pathname } = new URL(base);
    const watch = watchSilence(clock, signal);
    let answered = false;
    try {
      const answer = await request(new URL(name, base), {
        dispatcher: await sockets.for({ origin, path: pathname }, 'single').dispatcher(watch.signal),
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'cache-control': 'no-cache' },
        signal: watch.signal,
      });
      answered = true;
      watch.heard();
      refuseOther(name, answer);
      for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
        watch.heard();
        yield piece;
      }
    } catch (error) {
      throw watch.reason(name) ?? sourceError(name, error, answered);
    } finally {
      watch.stop();
      await sockets.destroy();
    }
  }
  return {
    read: (name, most, signal) => readWhole(name, pieces(name, signal), most),
    pieces,
  };
}

function refuseOther(name: string, { statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode === 404 || statusCode === 410) throw new SourceError('missing', name);
  const encoding = headers['content-encoding'];
  if (statusCode !== 200 || (encoding !== undefined && encoding !== 'identity')) {
    throw new SourceError('answered-otherwise', `${name}: status ${String(statusCode)}`);
  }
}

function sourceError(name: string, error: unknown, answered: boolean): SourceError {
  if (error instanceof SourceError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (tlsCodes.test(code)) return new SourceError('tls-refused', `${name}: ${code}`);
  return new SourceError(answered ? 'broken' : 'unreachable', `${name}: ${code}`);
}

/** Ends a request after a long silence, or when it is no longer wanted. */
function watchSilence(
  clock: Clock,
  signal: AbortSignal,
): {
  readonly signal: AbortSignal;
  heard(): void;
  stop(): void;
  reason(name: string): SourceError | null;
} {
  const ended = new AbortController();
  let silent = false;
  const arm = (): (() => void) =>
    clock.schedule(silenceMs, () => {
      silent = true;
      ended.abort();
    });
  let cancel = arm();
  return {
    signal: AbortSignal.any([signal, ended.signal]),
    heard: () => {
      cancel();
      cancel = arm();
    },
    stop: () => cancel(),
    reason: (name) => {
      if (silent) return new SourceError('timed-out', name);
      return signal.aborted ? new SourceError('cancelled', name) : null;
    },
  };
}
