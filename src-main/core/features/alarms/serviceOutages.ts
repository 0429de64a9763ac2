import type { ApiConnection, ConsoleState } from '../../../../src-preload/contract/index.ts';
import { Timer } from '../../base/timer.ts';
import type { ApiName } from '../../service/transport/request.ts';
import type { LocalAccount } from '../context.ts';

/** The two APIs of a deployment. Incidents come from the first one. */
const apis: readonly ApiName[] = ['infrastructure', 'coordination'];

export interface ServiceOutagesOptions {
  /** How long an API has to be unreachable before it alarms, milliseconds; null for never. */
  readonly afterMs: () => number | null;
  /** Since when an alarm from before a restart says that the API is unreachable, server time; null without one. */
  readonly alarmedSince: (api: ApiName) => number | null;
  /** The API has been unreachable for `afterMs`, since the server time `since`. Called once for each outage. */
  readonly onLost: (api: ApiName, since: number) => void;
  /** An API of `onLost` answers again at the server time `at`. With `at` null it is unreachable once more. */
  readonly onReturn: (api: ApiName, since: number, at: number | null) => void;
  /** An API of `onLost` has answered for long enough: the outage is over. */
  readonly onOver: (api: ApiName) => void;
}

/** How long an API has to answer before its outage is over. Shorter interruptions belong to one outage. */
const settleMs = 30_000;
/** A timer that runs later than this was delayed by sleep. */
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
  /** Whether the API has answered in this session. One that never answered has no outage. */
  answered: boolean;
  outage: Outage | null;
  /** The outage is long enough to alarm, or over for long enough. */
  readonly timer: Timer;
}

/**
 * Tells when an API of a running session is lost for too long, and when it is back.
 *
 *   answering --offline--> missing --afterMs--> lost
 *       ^                    |  ^                | ^
 *       |                 online |            online |
 *       |                    v  offline          v offline
 *       '--settleMs------- settling (its outage lasts until then)
 *
 * A sleep proves nothing, since nothing is sent in it: the time counts from the wake.
 */
export class ServiceOutages {
  readonly #account: LocalAccount;
  readonly #options: ServiceOutagesOptions;
  readonly #tracks: Readonly<Record<ApiName, Track>>;

  constructor(account: LocalAccount, options: ServiceOutagesOptions) {
    this.#account = account;
    this.#options = options;
    this.#tracks = {
      infrastructure: this.#begin('infrastructure'),
      coordination: this.#begin('coordination'),
    };
  }

  take(connection: ConsoleState['connection']): void {
    for (const api of apis) this.#takeOne(api, connection[api]);
  }

  /** The setting `afterMs` changed. */
  review(): void {
    for (const api of apis) if (this.#isMissing(api)) this.#await(api);
  }

  /** The machine slept: nothing was sent meanwhile, and a network needs a moment to come back. */
  wake(): void {
    for (const api of apis) this.#recount(api);
  }

  #begin(api: ApiName): Track {
    const since = this.#options.alarmedSince(api);
    const outage =
      since === null
        ? null
        : { since, countedFrom: this.#account.clock.elapsed(), alarmed: true, answers: false };
    const timer = new Timer(this.#account.clock, () => this.#due(api));
    return { state: 'unknown', answered: false, outage, timer };
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
        countedFrom: this.#account.clock.elapsed(),
        alarmed: false,
        answers: false,
      };
    }
    this.#await(api);
  }

  #answers(api: ApiName): void {
    const { onReturn } = this.#options;
    const { outage, timer } = this.#tracks[api];
    if (outage === null || outage.answers) return;
    outage.answers = true;
    if (outage.alarmed) onReturn(api, outage.since, this.#account.serverNow());
    timer.set(settleMs);
  }

  /** Waits until the outage is long enough to alarm. */
  #await(api: ApiName): void {
    const { clock } = this.#account;
    const { outage, timer } = this.#tracks[api];
    timer.stop();
    const wanted = this.#options.afterMs();
    if (outage === null || outage.alarmed || wanted === null) return;
    const left = outage.countedFrom + wanted - clock.elapsed();
    if (left <= 0) this.#tell(api, outage);
    else timer.set(left);
  }

  /** The outage is over, or long enough to alarm. */
  #due(api: ApiName): void {
    const { clock } = this.#account;
    const { afterMs, onOver } = this.#options;
    const track = this.#tracks[api];
    const { outage } = track;
    if (outage === null) return;
    if (outage.answers) {
      track.outage = null;
      if (outage.alarmed) onOver(api);
      return;
    }
    const dueAt = outage.countedFrom + (afterMs() ?? 0);
    if (clock.elapsed() - dueAt > lateMs) this.#recount(api);
    else this.#tell(api, outage);
  }

  #tell(api: ApiName, outage: Outage): void {
    outage.alarmed = true;
    this.#options.onLost(api, outage.since);
  }

  #recount(api: ApiName): void {
    const { outage } = this.#tracks[api];
    if (outage === null || outage.alarmed) return;
    outage.countedFrom = this.#account.clock.elapsed();
    if (this.#isMissing(api)) this.#await(api);
  }

  #isMissing(api: ApiName): boolean {
    const { state, outage } = this.#tracks[api];
    return state === 'offline' && outage !== null && !outage.alarmed;
  }
}
