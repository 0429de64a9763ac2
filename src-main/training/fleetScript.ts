import type { Clock } from '../core/base/ports.ts';
import type { EventLog } from './eventLog.ts';
import type { Missions } from './missions.ts';
import { repeat } from './repeat.ts';
import { seeded } from './seeded.ts';

const meanMissionMs = 240_000;
const meanNewsMs = 110_000;

/** Kinds that no client is told of. */
const news = ['fleet.battery', 'fleet.returned', 'weather.advisory'] as const;

interface FleetScriptOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly missions: Missions;
  readonly events: EventLog;
}

/** What happens in the fleet by itself: missions are requested, and news come that nobody asked for. */
export class FleetScript {
  readonly #options: FleetScriptOptions;
  readonly #missions;
  readonly #news;
  #cancel: (() => void)[] = [];

  constructor(options: FleetScriptOptions) {
    this.#options = options;
    this.#missions = seeded(options.seed, 'mission times');
    this.#news = seeded(options.seed, 'news');
  }

  set(on: boolean): void {
    for (const cancel of this.#cancel) cancel();
    const { clock, missions, events } = this.#options;
    this.#cancel = on
      ? [
          repeat(
            clock,
            () => this.#missions.wait(meanMissionMs),
            () => missions.arrive(),
          ),
          repeat(
            clock,
            () => this.#news.wait(meanNewsMs),
            () =>
              events.publish(this.#news.pick(news), {
                drone: `drone-${String(1 + this.#news.below(24)).padStart(2, '0')}`,
                percent: this.#news.below(101),
              }),
          ),
        ]
      : [];
  }
}
