import type { EventsState, LiveEvent } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import { Timer } from '../../base/timer.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';

export const eventsAtStart: EventsState = {
  state: 'off',
  since: null,
  until: null,
  failure: null,
  received: 0,
  dropped: 0,
  recent: [],
};

export interface EventBoardOptions {
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly knowsIncident: (id: string) => boolean;
  /** The slice was written. */
  readonly onTold: () => void;
}

/** The shortest time between two writes of the slice, milliseconds. */
const tellMs = 200;
const recentLimit = 100;

/** Writes the slice `events`, a few times a second however many events come. */
export class EventBoard {
  readonly #options: EventBoardOptions;
  #state: Omit<EventsState, 'recent'> = eventsAtStart;
  /** The latest last. An event may name an incident that becomes known later. */
  #recent: LiveEvent[] = [];
  #toldAtElapsed = -Infinity;
  readonly #timer: Timer;

  constructor(options: EventBoardOptions) {
    this.#options = options;
    this.#timer = new Timer(options.clock, () => this.tell());
  }

  get state(): EventsState['state'] {
    return this.#state.state;
  }

  get received(): number {
    return this.#state.received;
  }

  patch(change: Partial<Omit<EventsState, 'recent' | 'received'>>): void {
    this.#state = { ...this.#state, ...change };
    this.tellSoon();
  }

  /** `event.incidentId` may be unknown: it is shown when the incident becomes known. */
  take(event: LiveEvent): void {
    this.#state = { ...this.#state, received: event.number };
    this.#recent.push(event);
    if (this.#recent.length > 2 * recentLimit) this.#recent = this.#recent.slice(-recentLimit);
    this.tellSoon();
  }

  /** Counts events that were too large, or not text. */
  drop(count: number): void {
    this.patch({ dropped: this.#state.dropped + count });
  }

  /** Writes the slice, at most once in `tellMs`. */
  tellSoon(): void {
    if (this.#timer.isSet) return;
    const wait = this.#toldAtElapsed + tellMs - this.#options.clock.elapsed();
    if (wait <= 0) this.tell();
    else this.#timer.set(wait);
  }

  tell(): void {
    const { store, clock, knowsIncident, onTold } = this.#options;
    this.#timer.stop();
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
