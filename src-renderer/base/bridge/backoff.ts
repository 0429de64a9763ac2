/**
 * Milliseconds before reconnecting attempt number `attempt` (from 0): full jitter over a doubling
 * window from 0.5 s to 10 s, so that the tabs of a restarted console do not all return at once.
 */
export function reconnectDelay(attempt: number, fraction: () => number): number {
  const ceiling = Math.min(10_000, 500 * 2 ** Math.min(attempt, 10));
  return 100 + Math.floor(fraction() * ceiling);
}
