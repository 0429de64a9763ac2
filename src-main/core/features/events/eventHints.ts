export interface EventHintsOptions {
  /** Empty where an event is about incidents and names none. */
  readonly onIncident: (id: string) => void;
  readonly onEvidence: () => void;
}

/** More incidents than these at once are left to the next regular read. */
const incidentLimit = 1000;

/**
 * Passes on what events are about: the first time at once, and what comes again before `settle` once
 * more then. So a change that follows another within a moment is read too, and a burst of 100,000
 * events does not become 100,000 reads.
 */
export class EventHints {
  readonly #options: EventHintsOptions;
  /** What was passed on since the last `settle`, and whether it came again. */
  readonly #incidents = new Map<string, boolean>();
  #evidence: 'none' | 'once' | 'again' = 'none';

  constructor(options: EventHintsOptions) {
    this.#options = options;
  }

  incident(id: string): void {
    const isKnown = this.#incidents.has(id);
    if (!isKnown && this.#incidents.size >= incidentLimit) return;
    this.#incidents.set(id, isKnown);
    if (!isKnown) this.#options.onIncident(id);
  }

  evidence(): void {
    const before = this.#evidence;
    this.#evidence = before === 'none' ? 'once' : 'again';
    if (before === 'none') this.#options.onEvidence();
  }

  settle(): void {
    const again = [...this.#incidents].filter(([, cameAgain]) => cameAgain);
    const evidenceAgain = this.#evidence === 'again';
    this.#incidents.clear();
    this.#evidence = 'none';
    for (const [id] of again) this.#options.onIncident(id);
    if (evidenceAgain) this.#options.onEvidence();
  }
}
