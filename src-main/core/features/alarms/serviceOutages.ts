import type { ApiConnection, ConsoleState } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ApiName } from '../../service/transport/request.ts';

/** The two APIs of a deployment, the one that the incidents come from first. */
const apis: readonly ApiName[] = ['infrastructure', 'coordination'];

export interface ServiceOutagesOptions {
  readonly clock: Clock;
  /** How long an API has to be unreachable before it is news, milliseconds; null for never. */
  readonly afterMs: () => number | null;
  /** Since when an alarm from before a restart says that the API is lost, server time; null without one. */
  readonly alarmedSince: (api: ApiName) => number | null;
  /** The API has been unreachable for `afterMs`, since the server time `since`. Once for each outage. */
  readonly onLost: (api: ApiName, since: number) => void;
  /** An API that `onLost` named answers at the server time `at`, or `at` is null: it is lost once more. */
  readonly onReturn: (api: ApiName, since: number, at: number | null) => void;
  /** An API that `onLost` named has answered for long enough: the outage is over. */
  readonly onOver: (api: ApiName) => void;
  readonly serverNow: () => number;
}

/** How long an API has to answer before its outage is over. A link that flaps within it is one outage. */
const settleMs = 30_000;
/** A timer that runs later than this was held up by a sleep. */
const lateMs = 5_000;

interface Outage {
  /** Server time. */
  readonly since: number;
  /** `Clock.elapsed()` from which the time without the API counts. */
  countedFrom: number;
  alarmed: boolean;
  answers: boolean;
}

interface Track {
  state: ApiConnection['state'];
  /** Whether the API has answered in this session: one that never did was not lost. */
  answered: boolean;
  outage: Outage | null;
  cancel: (() => void) | null;
}

/**
 * Tells when an API of a running session is lost for too long, and when it is back.
 *
 *   answering --offline--> missing --afterMs--> lost
 *       ^                    |  ^                | ^
 *       |                 online |            online |
 *       |                    v  offline          v offline
 *       '--settleMs------- settling (its outage goes on until then)
 *
 * A sleep proves nothing, since nothing is sent in it: the time counts from the wake.
 */
export class ServiceOutages {
  readonly #options: ServiceOutagesOptions;
  readonly #tracks: Readonly<Record<ApiName, Track>>;

  constructor(options: ServiceOutagesOptions) {
    this.#options = options;
    this.#tracks = {
      infrastructure: this.#begin('infrastructure'),
      coordination: this.#begin('coordination'),
    };
  }

  take(connection: ConsoleState['connection']): void {
    for (const api of apis) this.#takeOne(api, connection[api]);
  }

  /** `afterMs` is another. */
  review(): void {
    for (const api of apis) if (this.#isMissing(api)) this.#await(api);
  }

  /** The machine slept: nothing was asked meanwhile, and a network needs a moment to come back. */
  wake(): void {
    for (const api of apis) this.#recount(api);
  }

  #begin(api: ApiName): Track {
    const since = this.#options.alarmedSince(api);
    const outage =
      since === null
        ? null
        : { since, countedFrom: this.#options.clock.elapsed(), alarmed: true, answers: false };
    return { state: 'unknown', answered: false, outage, cancel: null };
  }

  #takeOne(api: ApiName, { state, since }: ApiConnection): void {
    const track = this.#tracks[api];
    if (track.state === state) return;
    track.state = state;
    if (state === 'unknown') return;
    if (state !== 'offline') {
      track.answered = true;
      this.#answers(api);
      return;
    }
    if (track.outage?.answers === true) {
      track.outage.answers = false;
      if (track.outage.alarmed) this.#options.onReturn(api, track.outage.since, null);
    } else if (track.answered) {
      track.outage ??= {
        since,
        countedFrom: this.#options.clock.elapsed(),
        alarmed: false,
        answers: false,
      };
    }
    this.#await(api);
  }

  #answers(api: ApiName): void {
    const { clock, serverNow, onReturn, onOver } = this.#options;
    const track = this.#tracks[api];
    const { outage } = track;
    if (outage === null || outage.answers) return;
    outage.answers = true;
    if (outage.alarmed) onReturn(api, outage.since, serverNow());
    this.#cancel(api);
    track.cancel = clock.schedule(settleMs, () => {
      track.cancel = null;
      track.outage = null;
      if (outage.alarmed) onOver(api);
    });
  }

  /** Waits for the moment from which the outage is news. */
  #await(api: ApiName): void {
    const { clock, afterMs } = this.#options;
    const track = this.#tracks[api];
    const { outage } = track;
    this.#cancel(api);
    const wanted = afterMs();
    if (outage === null || outage.alarmed || wanted === null) return;
    const left = outage.countedFrom + wanted - clock.elapsed();
    if (left <= 0) {
      this.#tell(api, outage);
      return;
    }
    const dueAt = clock.elapsed() + left;
    track.cancel = clock.schedule(left, () => {
      track.cancel = null;
      if (clock.elapsed() - dueAt > lateMs) this.#recount(api);
      else this.#tell(api, outage);
    });
  }

  #tell(api: ApiName, outage: Outage): void {
    outage.alarmed = true;
    this.#options.onLost(api, outage.since);
  }

  #recount(api: ApiName): void {
    const { outage } = this.#tracks[api];
    if (outage === null || outage.alarmed) return;
    outage.countedFrom = this.#options.clock.elapsed();
    if (this.#isMissing(api)) this.#await(api);
  }

  #isMissing(api: ApiName): boolean {
    const { state, outage } = this.#tracks[api];
    return state === 'offline' && outage !== null && !outage.alarmed;
  }

  #cancel(api: ApiName): void {
    const track = this.#tracks[api];
    track.cancel?.();
    track.cancel = null;
  }
}
