import type { EventsState, LiveEvent } from '../../../../src-preload/contract/index.ts';
import { Timer } from '../../base/timer.ts';
import type { CoordinationApi } from '../../service/api/coordination.ts';
import type { AccountContext } from '../context.ts';
import type { Deployment } from '../deployments/index.ts';

export const eventsAtStart: EventsState = {
  state: 'off',
  since: null,
  until: null,
  failure: null,
  received: 0,
  dropped: 0,
  recent: [],
};

/** What live events need of the account. */
export interface EventsAccount extends Pick<
  AccountContext,
  'scope' | 'store' | 'clock' | 'random' | 'logger' | 'serverNow' | 'fail'
> {
  readonly coordination: Pick<CoordinationApi, 'events'>;
  readonly deployment: Pick<Deployment, 'eventsPath' | 'timeouts'> & {
    readonly missions: Pick<Deployment['missions'], 'idField'>;
  };
}

/** The shortest time between two writes of the slice, milliseconds. */
const tellMs = 200;
const recentLimit = 100;

/** Writes the slice `events`, a few times a second however many events come. */
export class EventBoard {
  readonly #account: EventsAccount;
  readonly #knowsIncident: (id: string) => boolean;
  readonly #onTold: () => void;
  #state: Omit<EventsState, 'recent'> = eventsAtStart;
  /** The latest last. An event may name an incident that becomes known later. */
  #recent: LiveEvent[] = [];
  #toldAtElapsed = -Infinity;
  readonly #timer: Timer;

  /** `onTold` is called after each write of the slice. */
  constructor(account: EventsAccount, knowsIncident: (id: string) => boolean, onTold: () => void) {
    this.#account = account;
    this.#knowsIncident = knowsIncident;
    this.#onTold = onTold;
    this.#timer = new Timer(account.clock, () => this.tell());
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
    const wait = this.#toldAtElapsed + tellMs - this.#account.clock.elapsed();
    if (wait <= 0) this.tell();
    else this.#timer.set(wait);
  }

  tell(): void {
    const { store, clock } = this.#account;
    this.#timer.stop();
    this.#toldAtElapsed = clock.elapsed();
    const recent = this.#recent.slice(-recentLimit).reverse();
    store.set('events', {
      ...this.#state,
      recent: recent.map((event) =>
        event.incidentId === null || this.#knowsIncident(event.incidentId)
          ? event
          : { ...event, incidentId: null },
      ),
    });
    this.#onTold();
  }
}
