import type { Clock } from './ports.ts';

/**
 * The next piece of a body that a page sends: `silent` when none comes for `silenceMs`, `ended` when `signal` is
 * aborted meanwhile. Rejects when the body does.
 *
 * Does not race against a promise that lives as long as the transfer: such a promise would hold every race, and every
 * piece with it, in memory until the last byte.
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

/** After this time without bytes an announced body is given up, milliseconds. */
export const silenceMs = 60_000;

/**
 * How an announced body ended, and the bytes that came. `short`, `larger`: other than announced. `silent`: none came
 * for a minute. `ended`: the signal was aborted. `broken`: its connection broke.
 */
export interface BodyEnd {
  readonly kind: 'whole' | 'short' | 'larger' | 'silent' | 'ended' | 'broken';
  readonly received: number;
}

/** Takes an announced body piece by piece. Rejects only when `take` does. */
export async function takeBody(options: {
  readonly body: AsyncIterable<Uint8Array>;
  /** The announced length in bytes. */
  readonly bytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Takes the next piece; `received` includes it. The piece after it is read when this one is taken: that is the back
   * pressure.
   */
  readonly take: (piece: Uint8Array, received: number) => Promise<void> | void;
}): Promise<BodyEnd> {
  const { body, bytes, clock, signal, take } = options;
  const iterator = body[Symbol.asyncIterator]();
  let received = 0;
  try {
    for (;;) {
      const next = await nextPiece({ iterator, clock, silenceMs, signal }).catch(() => 'broken' as const);
      if (typeof next === 'string') return { kind: next, received };
      if (next.done === true) return { kind: received < bytes ? 'short' : 'whole', received };
      received += next.value.byteLength;
      if (received > bytes) return { kind: 'larger', received };
      await take(next.value, received);
    }
  } finally {
    // Not awaited: a body that stalls may never answer.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
