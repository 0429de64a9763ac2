/** A complete answer: what it should have held, and what it did. */
export interface ProvingRead {
  /** Ids that are known from the times that were asked for. */
  readonly expected: readonly string[];
  readonly returned: ReadonlySet<string>;
  /** Ids of records that could not be read; null for one without an id, which may be any of them. */
  readonly unreadable: ReadonlySet<string | null>;
}

export interface Absence {
  readonly id: string;
  /** Server time of the first complete read without it. */
  readonly since: number;
}

/**
 * Decides which incidents the service no longer returns. One read without a row proves little (a
 * replica that lags, an order that shifted under a page), so it takes two complete reads that cover
 * its creation time, at least `apartMs` apart (design rule 7). And a read counts only once the page
 * size on which it rests was shown again: a service whose pages became smaller loses nothing.
 */
export class AbsenceCount {
  readonly #apartMs: number;
  /** Since which proven read an id has been missing, server time. */
  readonly #missing = new Map<string, number>();
  #unproven: Absence[] = [];

  constructor({ apartMs }: { readonly apartMs: number }) {
    this.#apartMs = apartMs;
  }

  /** Whether a proof of the page size is waited for. */
  get needsProof(): boolean {
    return this.#unproven.length > 0;
  }

  /** Takes rows that any read returned. */
  returned(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#missing.delete(id);
    if (this.#unproven.length > 0) this.#unproven = this.#unproven.filter(({ id }) => !ids.has(id));
  }

  /**
   * Takes a complete read at server time `now`. One that rests on the page size waits for its proof.
   *
   * @returns what is no longer returned.
   */
  afterRead({ expected, returned, unreadable }: ProvingRead, restsOnPage: boolean, now: number): Absence[] {
    if (unreadable.has(null)) return [];
    const absent = expected
      // A record that cannot be read any more is still returned.
      .filter((id) => !returned.has(id) && !unreadable.has(id))
      .map((id) => ({ id, since: now }));
    if (!restsOnPage) return this.#count(absent);
    this.#unproven.push(...absent);
    return [];
  }

  /** The page size was shown again; returns what is no longer returned. */
  proven(): Absence[] {
    const absent = this.#unproven;
    this.#unproven = [];
    return this.#count(absent);
  }

  #count(absent: readonly Absence[]): Absence[] {
    const gone: Absence[] = [];
    for (const { id, since } of absent) {
      const before = this.#missing.get(id);
      if (before === undefined) this.#missing.set(id, since);
      else if (since - before >= this.#apartMs) {
        gone.push({ id, since: before });
        this.#missing.delete(id);
      }
    }
    return gone;
  }

  /** The page size did not hold: what rests on it proves nothing. */
  contradicted(): void {
    this.#unproven = [];
  }
}
