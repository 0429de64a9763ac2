/**
 * Time limits in milliseconds, each longer than what it contains. The workflow's are longer than `whole` and one more
 * step (test/packaging/workflows.test.ts): a step that hangs is reported before a runner is taken away.
 */
export const limits = {
  quit: 30_000,
  /** Until the first window, also on a slow machine. */
  start: 120_000,
  /** The largest upload, encrypted onto a slow disk; a package that is installed. */
  work: 8 * 60_000,
  /** One step: after that long without a new line the application hangs. */
  step: 10 * 60_000,
  /** After that no further step begins. */
  whole: 45 * 60_000,
} as const;
