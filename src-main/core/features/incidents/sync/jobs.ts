/** Reads under way, which can all be given up together. */
export class JobList {
  readonly #jobs = new Set<AbortController>();

  get count(): number {
    return this.#jobs.size;
  }

  begin(): { readonly signal: AbortSignal; end(): void } {
    const job = new AbortController();
    this.#jobs.add(job);
    return {
      signal: job.signal,
      end: () => {
        this.#jobs.delete(job);
      },
    };
  }

  abort(): void {
    for (const job of this.#jobs) job.abort();
    this.#jobs.clear();
  }
}
