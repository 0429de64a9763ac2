/** The page's animation frames, or a test's. */
export interface FrameSource {
  readonly request: (callback: (now: number) => void) => number;
  readonly cancel: (handle: number) => void;
}

/** A frame that has not come after so many milliseconds is not waited for. */
const lateMs = 250;

/**
 * The frames of this page. A window that is covered, or drawn by a computer under load, gets none for a while:
 * what it shows is read out all the same, so then a timer stands in.
 */
export function pageFrames(): FrameSource {
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const forget = (handle: number): void => {
    clearTimeout(timers.get(handle));
    timers.delete(handle);
  };
  return {
    request(callback) {
      const handle = requestAnimationFrame((now) => {
        forget(handle);
        callback(now);
      });
      const late = setTimeout(() => {
        timers.delete(handle);
        cancelAnimationFrame(handle);
        callback(performance.now());
      }, lateMs);
      timers.set(handle, late);
      return handle;
    },
    cancel(handle) {
      forget(handle);
      cancelAnimationFrame(handle);
    },
  };
}

/**
 * Applies the latest of many wishes once an animation frame, since a pointer speaks more often than a list can be
 * filtered; in a separate task, since the frame that draws it is long enough without.
 */
export function latestPerFrame<T>(frames: FrameSource, apply: (value: T) => void) {
  let wish: { readonly value: T } | null = null;
  /** Whether what was applied last is still to be drawn, or a task is running. */
  let busy = false;
  const take = (): void => {
    const taken = wish;
    wish = null;
    if (taken !== null) apply(taken.value);
    frames.request(() => {
      busy = false;
      if (wish !== null) begin();
    });
  };
  function begin(): void {
    busy = true;
    setTimeout(take);
  }
  return {
    ask(value: T): void {
      wish = { value };
      if (!busy) begin();
    },
    /** Forgets what was asked and not yet applied. */
    drop(): void {
      wish = null;
    },
  };
}

/** No step is longer, in milliseconds: a page that was hidden continues where it was. */
const longestStep = 2_000;

/**
 * Calls `tick` with the milliseconds since the last call, at most once an animation frame and not before
 * `leastMs` have passed.
 */
export function ticker(frames: FrameSource, leastMs: () => number, tick: (elapsedMs: number) => void) {
  let handle: number | null = null;
  let last: number | null = null;
  function frame(now: number): void {
    handle = frames.request(frame);
    last ??= now;
    const elapsed = now - last;
    if (elapsed < leastMs()) return;
    last = now;
    if (elapsed > 0) tick(Math.min(elapsed, longestStep));
  }
  return {
    start(): void {
      handle ??= frames.request(frame);
    },
    stop(): void {
      if (handle !== null) frames.cancel(handle);
      handle = null;
      last = null;
    },
  };
}
