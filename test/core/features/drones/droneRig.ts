import { onTestFinished } from 'vitest';
import { Scope } from '../../../../src-main/core/base/scope.ts';
import {
  Drones,
  type DroneSilence,
  type PositionRule,
} from '../../../../src-main/core/features/drones/index.ts';
import type { StreamHeard } from '../../../../src-main/core/features/drones/silence.ts';
import type { ConsoleStore } from '../../../../src-main/core/state/consoleStore.ts';
import {
  dronesReadSchema,
  dronesSchema,
  type DronesRead,
  type DronesState,
} from '../../../../src-preload/contract/index.ts';
import type { VirtualClock } from '../../../support/clock.ts';
import { createFeatureRig } from '../../featureRig.ts';

export interface DroneRig {
  readonly clock: VirtualClock;
  readonly store: ConsoleStore;
  readonly drones: Drones;
  readonly scope: Scope;
  /** What was said of silent drones. */
  readonly silences: [DroneSilence | null, string][];
  /** May be set: the stream that is open. */
  heard: StreamHeard | null;
  /** How often the slice was written. */
  writes: number;
  /** Something came on the stream. */
  hear(): void;
  /** An event of the stream; a position of `id` unless `more` says otherwise. */
  take(id: string, more?: object, kind?: string): ReturnType<Drones['take']>;
  state(): DronesState;
  read(since: number | null): DronesRead;
}

export function createDroneRig(
  options: {
    readonly rule?: PositionRule;
    readonly hasStream?: boolean;
    readonly versions?: { used: number };
  } = {},
): DroneRig {
  const rig = createFeatureRig();
  const { clock, store } = rig;
  const scope = new Scope(rig);
  onTestFinished(() => scope[Symbol.asyncDispose]());
  store.patch('events', { state: 'open' });
  const { rule = 'auto', hasStream = true, versions = { used: 0 } } = options;
  const deployment = { positions: rule, eventsPath: hasStream ? '/events' : null };
  const drones = new Drones(
    { ...rig, scope, deployment },
    {
      knowsIncident: (id) => id.startsWith('INC-'),
      evidenceNaming: () => Promise.resolve([]),
      heard: () => dr.heard,
      onSilence: (...silence) => dr.silences.push(silence),
      versions,
    },
  );
  const dr: DroneRig = {
    clock,
    store,
    drones,
    scope,
    silences: [],
    heard: { since: clock.elapsed(), last: clock.elapsed(), isAgain: false },
    writes: 0,
    hear() {
      const { since, isAgain } = dr.heard ?? { since: clock.elapsed(), isAgain: false };
      dr.heard = { since, last: clock.elapsed(), isAgain };
    },
    take(id, more = {}, kind = 'telemetry') {
      dr.hear();
      const payload = { drone_id: id, latitude: 48.2, longitude: 16.4, ...more };
      const named = payload as { mission_id?: string; incident_id?: string };
      return drones.take({
        kind,
        data: JSON.stringify(payload),
        payload,
        missionId: named.mission_id ?? null,
        incidentId: named.incident_id ?? null,
      });
    },
    state: () => dronesSchema.parse(store.slice('drones')),
    read: (since) => dronesReadSchema.parse(drones.read(since)),
  };
  store.watch('drones', () => (dr.writes += 1));
  return dr;
}
