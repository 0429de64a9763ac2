import type { Clock } from './ports.ts';

/**
 * The next piece of a body that comes from a page: `silent` when none comes for `silenceMs`, `ended`
 * when `signal` is aborted meanwhile. Rejects when the body does.
 *
 * Not by a race with a promise that lives as long as the transfer: such a promise keeps every race, and
 * with it every piece, until the last byte has come.
 */
export function nextPiece(options: {
  readonly iterator: AsyncIterator<Uint8Array>;
  readonly clock: Clock;
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}): Promise<IteratorResult<Uint8Array> | 'silent' | 'ended'> {
  const { iterator, clock, silenceMs, signal } = options;
  return new Promise((resolve, reject) => {
    const over = (): void => {
      stop();
      signal.removeEventListener('abort', end);
    };
    const end = (): void => {
      over();
      resolve('ended');
    };
    const stop = clock.schedule(silenceMs, () => {
      over();
      resolve('silent');
    });
    if (signal.aborted) {
      end();
      return;
    }
    signal.addEventListener('abort', end);
    iterator.next().then(
      (piece) => {
        over();
        resolve(piece);
      },
      (error: unknown) => {
        over();
        reject(error instanceof Error ? error : new Error('The body failed', { cause: error }));
      },
    );
  });
}
