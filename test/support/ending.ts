import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from './clock.ts';
import { patience } from './patience.ts';
import { ProcessorTime } from './processorTime.ts';

/** A console ends within 5 s: of its processor time, which a busy machine does not lengthen. */
const promised = { computedSeconds: 5, standsStillMs: patience.step, outlivedMs: patience.step };
const lookEveryMs = 50;

/**
 * Asks a console to end, and holds it to that: it computes for less than 5 s, it does not stand still, and nothing that
 * it started outlives it. A console that does not end is killed.
 *
 * @returns what `ended` says
 * @throws Error that says what it did instead
 */
export async function endOnRequest<T>(
  { child, ended }: { readonly child: ChildProcess; readonly ended: Promise<T> },
  signal: NodeJS.Signals,
  limits: Partial<typeof promised> = {},
): Promise<T> {
  const { computedSeconds, standsStillMs, outlivedMs } = { ...promised, ...limits };
  const time = new ProcessorTime(child.pid ?? 0);
  const before = time.look();
  const latest = performance.now() + standsStillMs;
  let isOver = false;
  const over = ended.then(() => (isOver = true));
  child.kill(signal);
  while (!isOver) {
    const seconds = time.look() - before;
    const isLate = performance.now() > latest;
    if (seconds > computedSeconds || isLate) {
      child.kill('SIGKILL');
      await over;
      const did = isLate ? 'waits without a limit' : `has computed for ${seconds.toFixed(1)} s`;
      throw new Error(`After ${signal} the console ${did} and does not end`);
    }
    await Promise.race([over, pause(lookEveryMs)]);
  }
  await until(() => !time.isAnyAlive(), 'the end of all that the console started', outlivedMs);
  return ended;
}
