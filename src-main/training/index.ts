import type { TrainingSwitches } from '../../src-preload/contract/index.ts';
import type { Clock, Random } from '../core/base/ports.ts';
import { exercise } from './exercise.ts';
import { incidentsWithoutLocation } from './script.ts';
import { TrainingService } from './service.ts';
import { realWeek } from './world.ts';

export type { TrainingService } from './service.ts';

/**
 * Starts both APIs of the interface and a gateway on loopback, with made-up credentials: the real week, a few
 * incidents without a location, and an invented exercise.
 *
 * Rejects when a port is taken or a switch is out of its range.
 */
export async function startTraining(options: {
  readonly clock: Clock;
  readonly random: Pick<Random, 'bytes'>;
  /** Tells the same story every time; a random one when absent. */
  readonly seed?: number;
  readonly infrastructurePort?: number;
  readonly switches?: Partial<TrainingSwitches>;
}): Promise<TrainingService> {
  const { clock, random, infrastructurePort = 0 } = options;
  const seed = options.seed ?? Buffer.from(random.bytes(4)).readUInt32LE();
  const week = realWeek();
  const service = new TrainingService({
    clock,
    random,
    seed,
    now: () => clock.wallNow(),
    incidents: [...exercise(week), ...incidentsWithoutLocation(week, 5, seed)],
    exercise: true,
    ports: [infrastructurePort, 0],
    switches: { drones: 'some', ...options.switches },
  });
  return service.open();
}
