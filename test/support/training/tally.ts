/** What the training service was asked and what it answered. */
export interface TrainingCounts {
  readonly total: number;
  /** By method and path without the query, for example `GET /incidents`; both APIs together. */
  readonly requests: Readonly<Record<string, number>>;
  /** Login attempts, whatever came of them. */
  readonly logins: number;
  /** Answers by status; a request that was never answered properly is counted under `none`. */
  readonly byStatus: Readonly<Record<string, number>>;
}

export class Tally {
  readonly #requests = new Map<string, number>();
  readonly #statuses = new Map<string, number>();

  request(method: string, path: string): void {
    add(this.#requests, `${method} ${path}`);
  }

  status(status: number | 'none'): void {
    add(this.#statuses, String(status));
  }

  counts(): TrainingCounts {
    return {
      total: [...this.#requests.values()].reduce((sum, count) => sum + count, 0),
      requests: Object.fromEntries(this.#requests),
      logins: this.#requests.get('POST /login') ?? 0,
      byStatus: Object.fromEntries(this.#statuses),
    };
  }

  reset(): void {
    this.#requests.clear();
    this.#statuses.clear();
  }
}

const add = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};
