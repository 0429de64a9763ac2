/**
 * Calls `run` after it was asked for, in a task of its own: soon when it has rested, and no more often than
 * every `leastMs` while it is asked for again and again. It is called once more after the last time.
 */
export function paced(leastMs: number, run: () => void) {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last = -Infinity;
  return {
    ask(): void {
      timer ??= setTimeout(
        () => {
          timer = null;
          last = performance.now();
          run();
        },
        Math.max(0, last + leastMs - performance.now()),
      );
    },
    /** Forgets what was asked for. */
    drop(): void {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
