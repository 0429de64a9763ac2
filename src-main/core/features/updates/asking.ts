import type { Clock, Random } from '../../base/ports.ts';

const hour = 3_600_000;
/** How often the server is asked unasked, and how far from that chance may take it. */
const everyMs = 6 * hour;
const jitterMs = hour;
/** The first time comes when the start is over. */
const firstMs = 60_000;

/** Asks now and then, one time after the other; stations that start together do not go on asking together. */
export function askNowAndThen(options: {
  readonly clock: Clock;
  readonly random: Random;
  /** Must not reject. */
  readonly ask: () => Promise<unknown>;
}): () => void {
  const { clock, random, ask } = options;
  let stopped = false;
  let cancel = (): void => undefined;
  const later = (ms: number): void => {
    if (stopped) return;
    cancel = clock.schedule(ms, () => {
      void ask().then(() => later(everyMs + (2 * random.fraction() - 1) * jitterMs));
    });
  };
  later(firstMs);
  return () => {
    stopped = true;
    cancel();
  };
}
