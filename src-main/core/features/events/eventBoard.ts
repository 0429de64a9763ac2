import type { EventsState, LiveEvent } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import { eventsAtStart } from './eventsState.ts';

export interface EventBoardOptions {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly knowsIncident: (id: string) => boolean;
  /** The slice was written. */
  readonly onTold: () => void;
}

/** How often the slice is written at most, milliseconds. */
const tellMs = 200;
const recentLimit = 100;

/** What the slice `events` says, written a few times a second however much happens. */
export class EventBoard {
  readonly #options: EventBoardOptions;
  #state: Omit<EventsState, 'recent'> = eventsAtStart;
  /** The latest last. An incident that an event names may become known later. */
  #recent: LiveEvent[] = [];
  #toldAtElapsed = -Infinity;
  #cancel: (() => void) | null = null;

  constructor(options: EventBoardOptions) {
    this.#options = options;
  }

  get state(): EventsState['state'] {
    return this.#state.state;
  }

  get received(): number {
    return this.#state.received;
  }

  patch(change: Partial<Omit<EventsState, 'recent' | 'received'>>): void {
    this.#state = { ...this.#state, ...change };
    this.#tellSoon();
  }

  /** `event.incidentId` may name an incident that is not known: it is shown once it is. */
  take(event: LiveEvent): void {
    this.#state = { ...this.#state, received: event.number };
    this.#recent.push(event);
    if (this.#recent.length > 2 * recentLimit) this.#recent = this.#recent.slice(-recentLimit);
    this.#tellSoon();
  }

  /** Counts events that were too large, or not text. */
  drop(count: number): void {
    this.patch({ dropped: this.#state.dropped + count });
  }

  /** Writes the slice; when its last writing was a moment ago, after that moment. */
  #tellSoon(): void {
    const { clock } = this.#options;
    if (this.#cancel) return;
    const wait = this.#toldAtElapsed + tellMs - clock.elapsed();
    if (wait <= 0) this.tell();
    else {
      this.#cancel = clock.schedule(wait, () => {
        this.tell();
      });
    }
  }

  tell(): void {
    const { store, clock, knowsIncident, onTold } = this.#options;
    this.#cancel?.();
    this.#cancel = null;
    this.#toldAtElapsed = clock.elapsed();
    const recent = this.#recent.slice(-recentLimit).reverse();
    store.set('events', {
      ...this.#state,
      recent: recent.map((event) =>
        event.incidentId === null || knowsIncident(event.incidentId) ? event : { ...event, incidentId: null },
      ),
    });
    onTold();
  }
}
