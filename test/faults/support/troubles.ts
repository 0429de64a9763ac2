import { initialSwitches, type RequestFault, type TrainingServer } from '../../support/training/index.ts';
import type { Seeded } from '../../../src-main/training/seeded.ts';
import { trainingFaults, type Result, type TrainingSwitches } from '../../../src-preload/contract/index.ts';
import type { VirtualClock } from '../../support/clock.ts';

/** What troubles may touch. */
export interface Scene {
  readonly training: TrainingServer;
  /** Sets switches as an operator of training does, through the console. */
  readonly set: (change: Partial<TrainingSwitches>) => Promise<void>;
  readonly clock: VirtualClock;
  /** The computer's wall clock in step with the service's, as at the start. */
  readonly trueWall: () => number;
  /** Reads the incidents at once, as an operator asks for. No trouble does. */
  readonly refresh: () => Promise<Result<unknown>>;
  /** Lets the machine sleep: timers are overdue at the wake, or stood still meanwhile. */
  readonly sleep: (ms: number, timers: 'overdue' | 'stood still') => void;
  /** Tells the console that the machine woke up. */
  readonly wake: () => void;
}

/** Something that goes wrong, or merely changes, for a while. */
export interface Trouble {
  readonly name: string;
  /** Troubles that turn the same knob do not overlap. */
  readonly knob: string;
  /** Begins it; what comes back ends it. */
  begin(scene: Scene, draw: Seeded): Promise<() => Promise<void>>;
}

/**
 * The switches of a calm service. Every answer takes 20 ms: answers that come at different times have
 * an order that does not hang on sockets.
 */
export const calmSwitches: TrainingSwitches = {
  ...initialSwitches,
  latencyMs: 20,
  arrivals: false,
  integrationScript: false,
};

const minute = 60_000;
const hour = 60 * minute;
const nothing = (): Promise<void> => Promise.resolve();

/** Sets switches for a while, and then back to what they are in calm. */
function switching<K extends keyof TrainingSwitches>(
  name: string,
  knobs: readonly K[],
  drawn: (draw: Seeded) => Pick<TrainingSwitches, K>,
): Trouble {
  return {
    name,
    knob: knobs.join(),
    begin: async ({ set }, draw) => {
      await set(drawn(draw));
      const calm = Object.fromEntries(knobs.map((knob) => [knob, calmSwitches[knob]]));
      return () => set(calm as Partial<TrainingSwitches>);
    },
  };
}

/** Happens at once and has no end. */
const happening = (name: string, run: (scene: Scene, draw: Seeded) => Promise<void> | void): Trouble => ({
  name,
  knob: name,
  begin: async (scene, draw) => {
    await run(scene, draw);
    return nothing;
  },
});

/** The machine sleeps; connections go dead or end; and the host may or may not hear of the wake. */
const sleeping = (name: string, timers: 'overdue' | 'stood still'): Trouble =>
  happening(name, async (scene, draw) => {
    scene.sleep(draw.pick([30_000, 5 * minute, 40 * minute, 3 * hour]), timers);
    if (draw.below(2) === 0) scene.training.strandConnections();
    else await scene.training.cutConnections();
    if (draw.below(3) > 0) scene.wake();
  });

const requestFaults = trainingFaults.filter((fault) => fault !== 'none' && fault !== 'refuse') as [
  RequestFault,
  ...RequestFault[],
];

/** A few requests fail, on one path or on any. */
const failing = (name: string, path?: string): Trouble => ({
  name,
  knob: name,
  begin: ({ training }, draw) => {
    const takeBack = training.failNext(1 + draw.below(5), draw.pick(requestFaults), path);
    return Promise.resolve(() => Promise.resolve(takeBack()));
  },
});

/** Every value that the contract names: a new one is driven without a change here. */
const serviceFaults = trainingFaults
  .filter((fault) => fault !== 'none')
  .map((fault) => switching(`service: ${fault}`, ['fault'], () => ({ fault })));

/**
 * All troubles. A name that cannot be looked up has no lookup to fail on 127.0.0.1: as `service:
 * refuse` it fails where a lookup does, before a connection, and is told apart by its sentence alone
 * (core/service/transport/wireFailure.ts).
 */
export const troubles: readonly Trouble[] = [
  ...serviceFaults,
  switching('latency', ['latencyMs'], (draw) => ({
    latencyMs: draw.pick([1, 500, 5_000, 14_999, 15_000, 20_000, 60_000]),
  })),
  switching('scope withdrawn', ['incidentScope'], () => ({ incidentScope: false })),
  switching('account revoked', ['accountRevoked'], () => ({ accountRevoked: true })),
  switching('short tokens', ['tokenLifetimeSeconds'], (draw) => ({
    tokenLifetimeSeconds: draw.pick([5, 20, 59, 60, 61, 90, 600]),
  })),
  switching('service clock wrong', ['clockOffsetMs'], (draw) => ({
    clockOffsetMs: draw.pick([-1, 1]) * draw.pick([2_000, 31_000, 10 * minute, 25 * hour, 48 * hour]),
  })),
  switching('small pages', ['pageLimit', 'pageLimitEnforced'], (draw) => ({
    pageLimit: draw.pick([50, 100, 200]),
    pageLimitEnforced: true,
  })),
  switching('another order', ['order'], (draw) => ({ order: draw.pick(['shuffled', 'oldest-first']) })),
  switching('cursor', ['wrapWithCursor'], () => ({ wrapWithCursor: true })),
  switching('another unit', ['timestampUnit'], () => ({ timestampUnit: 'milliseconds' })),
  switching('arrivals', ['arrivals'], () => ({ arrivals: true })),
  switching('integrations fail', ['integrationScript'], () => ({ integrationScript: true })),
  happening('tokens revoked', ({ training }) => training.revokeTokens()),
  happening('connections cut', ({ training }) => training.cutConnections()),
  happening('network changed', ({ training }) => training.strandConnections()),
  {
    name: 'service restarted',
    knob: 'service restarted',
    begin: async ({ training }) => {
      await training.goDown();
      return () => training.comeUp();
    },
  },
  {
    name: 'computer clock wrong',
    knob: 'computer clock wrong',
    begin: ({ clock, trueWall }, draw) => {
      const offset = draw.pick([-1, 1]) * draw.pick([4_000, 6_000, 31_000, hour, 400 * 24 * hour]);
      clock.setWall(clock.wallNow() + offset);
      return Promise.resolve(() => Promise.resolve(clock.setWall(trueWall())));
    },
  },
  sleeping('sleep', 'overdue'),
  sleeping('sleep with its timers', 'stood still'),
  failing('some requests fail'),
  failing('sign-ins fail', '/login'),
  failing('reads of incidents fail', '/incidents'),
  happening('incidents of one second', ({ training, trueWall }, draw) => {
    const created_at = new Date(trueWall() - draw.below(48 * hour)).toISOString();
    for (let left = 1 + draw.below(12); left > 0; left -= 1) training.addIncident({ created_at });
  }),
  happening('incidents change', ({ training }, draw) => {
    const known = [...training.incidents().values()];
    for (let left = 1 + draw.below(8); left > 0; left -= 1) {
      const incident = known[draw.below(known.length)];
      if (!incident) continue;
      const status = draw.pick(['open', 'resolved', 'watched']);
      training.changeIncident(incident.id, { status, evidence_count: incident.evidence_count + 1 });
    }
  }),
];
