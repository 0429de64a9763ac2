import type { Flown } from './flight.ts';

/** What both pages offer to the bench: each call answers with milliseconds from its start to drawn. */
export interface BenchPage {
  /** From the navigation to all incidents drawn. */
  readonly opened: Promise<number>;
  /** When the page's own program began to run, on the same clock. */
  readonly began: number;
  filter(severity: string | null): Promise<number>;
  live(): Promise<{ readonly drawnMs: number; readonly stallMs: number }>;
  /** The longest stall of the page's thread while nothing is asked of it, over `ms`. */
  idle(ms: number): Promise<number>;
  /** Flies so many drones for `ms`. */
  fly(count: number, ms: number): Promise<Flown>;
}

declare global {
  interface Window {
    bench: BenchPage;
  }
}

/** Resolves after the next frame has been put together. */
export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve, 0));
  });

/** Watches for stalls: the longest time between two turns of the event loop. */
export function watchStalls(): () => number {
  const channel = new MessageChannel();
  let last = performance.now();
  let longest = 0;
  let watching = true;
  channel.port1.onmessage = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (watching) setTimeout(() => channel.port2.postMessage(null), 1);
  };
  channel.port2.postMessage(null);
  return () => {
    watching = false;
    return Math.max(longest, performance.now() - last);
  };
}
