/** True when `work` is done, false when `signal` was aborted before. */
export function settledBefore(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const abort = (): void => resolve(false);
    if (signal.aborted) {
      resolve(false);
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    void work.then(() => {
      signal.removeEventListener('abort', abort);
      resolve(true);
    });
  });
}
