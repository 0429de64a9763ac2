/** A complete answer: the ids that it should have had, and those that it had. */
export interface ProvingRead {
  /** Known ids with creation times in the requested range. */
  readonly expected: readonly string[];
  readonly returned: ReadonlySet<string>;
  /** It had a record without a usable id, which may be any incident. */
  readonly unreadable: boolean;
}

export interface Absence {
  readonly id: string;
  /** Server time of the first complete read without it. */
  readonly since: number;
}

/**
 * Decides which incidents the service no longer returns. One read without a row proves little (a replica may lag, an
 * order may shift under a page), so it takes two complete reads that cover the incident's creation time, at least
 * `apartMs` apart. A read counts only after the page size that it relies on was proven again: otherwise a service with
 * smaller pages would seem to have lost incidents.
 */
export class AbsenceCount {
  readonly #apartMs: number;
  /** For each missing id the server time of the first proven read without it. */
  readonly #missing = new Map<string, number>();
  #unproven: Absence[] = [];

  constructor({ apartMs }: { readonly apartMs: number }) {
    this.#apartMs = apartMs;
  }

  /** Whether a proof of the page size is pending. */
  get needsProof(): boolean {
    return this.#unproven.length > 0;
  }

  /** Takes rows of any read: their incidents are not missing. */
  returned(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#missing.delete(id);
    if (this.#unproven.length > 0) this.#unproven = this.#unproven.filter(({ id }) => !ids.has(id));
  }

  /**
   * Takes a complete read at server time `now`. One that relies on the page size waits for its proof.
   *
   * @returns the incidents that are no longer returned.
   */
  afterRead({ expected, returned, unreadable }: ProvingRead, restsOnPage: boolean, now: number): Absence[] {
    if (unreadable) return [];
    const absent = expected.filter((id) => !returned.has(id)).map((id) => ({ id, since: now }));
    if (!restsOnPage) return this.#count(absent);
    this.#unproven.push(...absent);
    return [];
  }

  /**
   * The page size was proven.
   *
   * @returns the incidents that are no longer returned.
   */
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

  /** The page size was wrong: reads that rely on it prove nothing. */
  contradicted(): void {
    this.#unproven = [];
  }
}
