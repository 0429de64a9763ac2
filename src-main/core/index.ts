import { failed, type ConsoleState, type Failure } from '../../src-preload/contract/index.ts';
import { alarmsAtStart, sirenAtStart } from './alarms/alarmsState.ts';
import { MapLibrary, mapsAtStart } from './basemap/library.ts';
import type { Console, ConsoleOptions, TrainingControl } from './console.ts';
import { DeploymentRegistry } from './deployment/registry.ts';
import { Desk } from './desk.ts';
import { makeFailure } from './domain/failure.ts';
import { eventsAtStart } from './events/eventsState.ts';
import { evidenceAtStart } from './evidence/evidenceState.ts';
import { missionsAtStart } from './missions/missionsState.ts';
import { outboxAtStart } from './outbox/outboxState.ts';
import type { Ports } from './ports.ts';
import { PreferenceBook } from './preferences/preferences.ts';
import { ConsoleStore } from './store/consoleStore.ts';
import { Publisher } from './store/publisher.ts';
import { healthAtStart } from './sync/healthMonitor.ts';
import { incidentsAtStart, syncAtStart } from './sync/syncState.ts';
import { storageAtStart } from './vault/custody.ts';
import { createVerbCalls } from './verbs/index.ts';

/**
 * Makes the console: reads what the data folder holds, finds out which deployment is meant, and
 * opens a station on it. Never rejects because of a bad deployment or an unreadable document; those
 * are said in the slice `app`.
 */
export async function createConsole(ports: Ports, options: ConsoleOptions): Promise<Console> {
  const { clock, random, logger, documents, readTextFile } = ports;
  const now = (): number => clock.wallNow();
  const preferences = new PreferenceBook({ documents, logger, now });
  const registry = new DeploymentRegistry({
    documents,
    readTextFile,
    random,
    logger,
    named: options.named,
    now,
  });
  await registry.load();
  const { training, problem } = await startTrainingIfMeant({ options, registry, ports });

  const store = new ConsoleStore({
    initial: {
      ...emptyState(now()),
      app: { version: options.version, host: options.host, training: false, problem: null },
      preferences: await preferences.load(),
    },
    makeEpoch: () => Buffer.from(random.bytes(16)).toString('hex'),
  });
  const publisher = new Publisher({ store, clock });
  const startOptions = { ...options, problem: options.problem ?? problem };
  const desk = new Desk({ ports, options: startOptions, store, registry, training });
  await desk.open();
  const maps = new MapLibrary({
    files: ports.maps,
    documents,
    clock,
    random,
    logger,
    now: () => desk.now(),
    onChange: (state) => {
      store.set('maps', state);
    },
  });
  await maps.load();

  const call = createVerbCalls({ desk, store, preferences, maps, logger });
  let closing: Promise<void> | null = null;
  const gone = (): Failure =>
    makeFailure({ code: 'cancelled', at: now(), sentence: 'The console is closing.' });

  return {
    call: (verb, request) => (closing ? Promise.resolve(failed(gone())) : call(verb, request)),
    bytes: {
      tile: async (id, z, x, y) => (store.slice('lock').locked ? { kind: 'locked' } : maps.tile(id, z, x, y)),
      spool: async (id, body) => {
        if (closing || store.slice('lock').locked) return 'locked';
        return desk.station?.actions.receive(id, body) ?? maps.receive(id, body);
      },
      exported: (id) =>
        closing || store.slice('lock').locked ? null : (desk.station?.actions.missions.exported(id) ?? null),
    },
    subscribe: (send) => publisher.subscribe(send),
    proposeDeploymentFile: (path) => {
      if (closing) return Promise.resolve(failed(gone()));
      if (store.slice('lock').locked) {
        return Promise.resolve(failed(makeFailure({ code: 'locked', at: desk.now() })));
      }
      return desk.proposeFile(path);
    },
    wake: () => {
      desk.station?.wake();
    },
    close: () => {
      closing ??= Promise.all([desk.close(), maps.close()])
        .then(() => undefined)
        .finally(() => {
          publisher.close();
        });
      return closing;
    },
  };
}

/**
 * Training is for a console that has nothing else. One whose deployment was named but cannot be
 * used, or whose known deployments cannot be read, must not open on practice data: its operator
 * would take it for the real thing.
 */
async function startTrainingIfMeant({
  options,
  registry,
  ports,
}: {
  readonly options: ConsoleOptions;
  readonly registry: DeploymentRegistry;
  readonly ports: Ports;
}): Promise<{ readonly training: TrainingControl | null; readonly problem: Failure | null }> {
  const nothingElse =
    options.named.length === 0 && registry.isEmpty && registry.problem === null && options.problem === null;
  if (!options.forceTraining && !nothingElse) return { training: null, problem: null };
  try {
    return { training: await options.startTraining(), problem: null };
  } catch (error) {
    ports.logger.error('training-not-started', { error: error instanceof Error ? error.name : 'unknown' });
    const sentence = 'The training deployment could not be started.';
    const problem = makeFailure({ code: 'internal', at: ports.clock.wallNow(), sentence });
    return { training: null, problem };
  }
}

const emptyState = (at: number): Omit<ConsoleState, 'app' | 'preferences'> => ({
  deployments: { known: [], chosen: null, proposal: null },
  session: { vault: 'closed', session: { state: 'none', ended: 'never-started' }, username: null },
  lock: { locked: false, username: null, deploymentName: null, throttledUntil: null },
  time: { stationNow: at, verified: false, skewMs: null },
  connection: {
    infrastructure: { state: 'unknown', since: at, failure: null },
    coordination: { state: 'unknown', since: at, failure: null },
  },
  health: healthAtStart,
  incidents: incidentsAtStart,
  sync: syncAtStart,
  maps: mapsAtStart,
  storage: storageAtStart,
  evidence: evidenceAtStart,
  outbox: outboxAtStart,
  missions: missionsAtStart,
  events: eventsAtStart,
  alarms: alarmsAtStart,
  siren: sirenAtStart,
  capabilities: { refused: [] },
  training: null,
});
