import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LoopDelay } from '../statistics.ts';

/** Watches this process's event loop; the returned function says what was seen since the last call. */
export function watchLoop(): () => LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  return () => {
    const seen = { longest: histogram.max / 1e6, p999: histogram.percentile(99.9) / 1e6 };
    histogram.reset();
    return seen;
  };
}
