import {
  failed,
  systemAtRest,
  type ConsoleState,
  type DesktopState,
  type Failure,
  type Result,
} from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../base/failure.ts';
import { message } from '../base/messages/message.ts';
import { Scope } from '../base/scope.ts';
import { alarmsAtStart, sirenAtStart } from '../features/alarms/alarmsState.ts';
import { DeploymentRegistry } from '../features/deployments/registry.ts';
import { Diagnostics } from '../features/diagnostics/diagnostics.ts';
import { RequestJournal } from '../features/diagnostics/requestJournal.ts';
import { eventsAtStart } from '../features/events/eventsState.ts';
import { contentsAtStart } from '../features/evidence/content/contents.ts';
import { evidenceAtStart } from '../features/evidence/evidenceState.ts';
import { Downloads } from '../features/exports/downloads.ts';
import { Exports } from '../features/exports/exports.ts';
import { exportsAtStart } from '../features/exports/exportsState.ts';
import { healthAtStart } from '../features/health/healthMonitor.ts';
import { lastHourAtStart } from '../features/incidents/changes/lastHour.ts';
import { changesAtStart } from '../features/incidents/changes/unseenChanges.ts';
import { incidentsAtStart, syncAtStart } from '../features/incidents/sync/syncState.ts';
import { MapLibrary, mapsAtStart } from '../features/maps/library.ts';
import { missionsAtStart } from '../features/missions/missionsState.ts';
import { handoversAtStart } from '../features/notes/handover/handovers.ts';
import { watchAtStart } from '../features/notes/notesState.ts';
import { policyStateOf } from '../features/policy/policy.ts';
import { PolicyEnforcer } from '../features/policy/policyEnforcer.ts';
import { PreferencesDocument } from '../features/preferences/preferences.ts';
import { Updates, updatesAtStart } from '../features/updates/updates.ts';
import { outboxAtStart } from '../features/uploads/uploadsState.ts';
import { workspaceAtStart } from '../features/views/views.ts';
import { ConsoleStore } from '../state/consoleStore.ts';
import { Publisher } from '../state/publisher.ts';
import { storageAtStart } from '../vault/vaultSession.ts';
import type { App, AppOptions, TrainingControl } from './app.ts';
import { DeploymentSwitch } from './deploymentSwitch.ts';
import type { Ports } from './ports.ts';
import { createVerbCalls } from './verbs/index.ts';

/**
 * Makes the console: reads what the data folder holds, finds out which deployment is meant, and
 * opens its scope. Never rejects because of a bad deployment or an unreadable document; those
 * are said in the slice `app`.
 */
export async function createApp(ports: Ports, options: AppOptions): Promise<App> {
  const scope = new Scope(ports);
  const features = await buildFeatures(scope, ports, options);
  const { store, publisher, deploymentSwitch, downloads, exports, maps, policyEnforcer } = features;
  const call = createVerbCalls({
    ...features,
    policy: policyEnforcer,
    control: ports.control,
    logger: ports.logger,
  });
  const gone = (): Failure =>
    makeFailure({ code: 'cancelled', at: ports.clock.wallNow(), sentence: message('console.closing') });
  const isLocked = (): boolean => store.slice('lock').locked;
  /** What an operator asked for is on the page at once: the first read of everything gathers its changes longer. */
  const callAtOnce: App['call'] = async (verb, request) => {
    const answer = call(verb, request);
    publisher.flushSoon();
    const answered = await answer;
    publisher.flushSoon();
    return answered;
  };
  /** What the system opens reaches only a console that is neither closing nor locked. */
  const open = (run: () => Promise<Result<null>>): Promise<Result<null>> => {
    if (scope.isOver) return Promise.resolve(failed(gone()));
    if (isLocked())
      return Promise.resolve(failed(makeFailure({ code: 'locked', at: deploymentSwitch.now() })));
    return run();
  };

  return {
    call: (verb, request) => (scope.isOver ? Promise.resolve(failed(gone())) : callAtOnce(verb, request)),
    bytes: {
      tile: async (id, z, x, y) => (isLocked() ? { kind: 'locked' } : maps.tile(id, z, x, y)),
      spool: async (id, body) => {
        if (scope.isOver || isLocked()) return 'locked';
        return (
          deploymentSwitch.current?.account?.receive(id, body) ??
          exports.receive(id, body) ??
          maps.receive(id, body)
        );
      },
      exported: (id) => {
        if (scope.isOver || isLocked() || !options.policy.exports) return null;
        return downloads.take(id) ?? exports.exported(id);
      },
      evidence: (ticket) => {
        if (scope.isOver || isLocked()) return null;
        return deploymentSwitch.current?.account?.contents.opened(ticket) ?? null;
      },
    },
    subscribe: (send) => publisher.subscribe(send),
    watch: (name, listener) => store.watch(name, listener),
    openLink: (link) => open(() => deploymentSwitch.openLink(link)),
    openFile: (path) => open(() => deploymentSwitch.openFile(path)),
    wake: () => {
      policyEnforcer.wake();
      deploymentSwitch.current?.wake();
    },
    close: () => scope[Symbol.asyncDispose](),
  };
}

/** What lives as long as the application, in the scope of it. */
async function buildFeatures(scope: Scope, ports: Ports, options: AppOptions) {
  const { clock, random, logger, documents, readTextFile, control } = ports;
  const { policy, version } = options;
  const wallNow = (): number => clock.wallNow();
  const preferences = new PreferencesDocument({ documents, logger, now: wallNow });
  const registry = new DeploymentRegistry({
    documents,
    readTextFile,
    random,
    logger,
    named: options.named,
    allowed: policy.deployments,
    now: wallNow,
  });
  await registry.load();
  const { training, problem } = await startTrainingIfMeant({ options, registry, ports });
  const store = await createStore({ ports, options, preferences });
  const stopSystem = control.system?.watch((system) => {
    store.set('system', system);
  });
  if (stopSystem) scope.onEnd(stopSystem);
  const publisher = new Publisher({ store, clock });
  scope.defer(() => {
    publisher.close();
  });
  const journal = new RequestJournal();
  const downloads = new Downloads({ clock, random });
  scope.onEnd(() => {
    downloads.clear();
  });
  clearOnLeaving(scope, downloads, store);
  const deploymentSwitch = new DeploymentSwitch({
    ports,
    options: { ...options, problem: options.problem ?? problem },
    store,
    registry,
    training,
    journal,
    downloads,
    importMap: (path) => maps.importFile(path, ports.openFile),
  });
  scope.closing(() => deploymentSwitch.close());
  await deploymentSwitch.open();
  const now = (): number => deploymentSwitch.now();
  const policyEnforcer = new PolicyEnforcer({
    scope,
    policy,
    ports,
    store,
    now,
    lock: () => {
      deploymentSwitch.current?.lock();
    },
  });
  await policyEnforcer.start();
  const updates = new Updates({ policy, version, ports, store, now: wallNow });
  scope.closing(() => updates.close());
  updates.start();
  const diagnostics = new Diagnostics({
    policy,
    version,
    ports,
    store,
    journal,
    downloads,
    now,
    probe: (api) => deploymentSwitch.current?.probe(api) ?? null,
  });
  scope.onEnd(() => {
    diagnostics.close();
  });
  const exports = new Exports({
    ports,
    store,
    version,
    now,
    onExported: ({ fileName }) =>
      deploymentSwitch.current?.account?.notes.log({ kind: 'exported', subject: fileName }),
  });
  scope.closing(() => exports.close());
  const maps = new MapLibrary({
    files: ports.maps,
    documents,
    clock,
    random,
    logger,
    now,
    onChange: (state) => {
      store.set('maps', state);
    },
  });
  scope.closing(() => maps.close());
  await maps.load();
  return {
    store,
    publisher,
    downloads,
    preferences,
    deploymentSwitch,
    policyEnforcer,
    updates,
    diagnostics,
    exports,
    maps,
  };
}

async function createStore({
  ports: { clock, random, control },
  options: { version, host, policy },
  preferences,
}: {
  readonly ports: Ports;
  readonly options: AppOptions;
  readonly preferences: PreferencesDocument;
}): Promise<ConsoleStore> {
  return new ConsoleStore({
    initial: {
      ...emptyState(clock.wallNow()),
      app: { version, host, training: false, severities: null, closedStatuses: [], problem: null },
      preferences: await preferences.load(),
      policy: policyStateOf(policy),
      desktop: await desktopStateOf(control),
      system: control.system?.state() ?? systemAtRest,
    },
    makeEpoch: () => Buffer.from(random.bytes(16)).toString('hex'),
  });
}

/** What was made for one operator is not fetched by the next one. */
function clearOnLeaving(scope: Scope, downloads: Downloads, store: ConsoleStore): void {
  let wasOpen = false;
  const stops = [
    store.watch('lock', ({ locked }) => {
      if (locked) downloads.clear();
    }),
    store.watch('session', ({ vault }) => {
      if (wasOpen && vault !== 'open') downloads.clear();
      wasOpen = vault === 'open';
    }),
  ];
  for (const stop of stops) scope.onEnd(stop);
}

async function desktopStateOf({ desktop }: Ports['control']): Promise<DesktopState> {
  return desktop === null ? null : { startsAtLogin: await desktop.startsAtLogin(), tray: desktop.tray };
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
  readonly options: AppOptions;
  readonly registry: DeploymentRegistry;
  readonly ports: Ports;
}): Promise<{ readonly training: TrainingControl | null; readonly problem: Failure | null }> {
  const { deployments } = options.policy;
  const nothingElse =
    options.named.length === 0 && registry.isEmpty && registry.problem === null && options.problem === null;
  const allowed = deployments.kind === 'any' || (deployments.kind === 'listed' && deployments.training);
  if (!allowed && options.forceTraining) {
    const sentence = message('training.forbidden');
    const problem = makeFailure({ code: 'policy-forbids', at: ports.clock.wallNow(), sentence });
    return { training: null, problem };
  }
  const meant = options.forceTraining || deployments.kind === 'listed' || nothingElse;
  if (!allowed || !meant) return { training: null, problem: null };
  try {
    return { training: await options.startTraining(), problem: null };
  } catch (error) {
    ports.logger.error('training-not-started', { error: error instanceof Error ? error.name : 'unknown' });
    const sentence = message('training.notStarted');
    const problem = makeFailure({ code: 'internal', at: ports.clock.wallNow(), sentence });
    return { training: null, problem };
  }
}

const emptyState = (
  at: number,
): Omit<ConsoleState, 'app' | 'preferences' | 'policy' | 'desktop' | 'system'> => ({
  deployments: { known: [], chosen: null, proposal: null },
  session: { vault: 'closed', session: { state: 'none', ended: 'never-started' }, username: null },
  lock: { locked: false, username: null, deploymentName: null, throttledUntil: null },
  time: { serverNow: at, verified: false, skewMs: null },
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
  contents: contentsAtStart,
  outbox: outboxAtStart,
  missions: missionsAtStart,
  events: eventsAtStart,
  alarms: alarmsAtStart,
  siren: sirenAtStart,
  capabilities: { refused: [] },
  updates: updatesAtStart,
  workspace: workspaceAtStart,
  watch: watchAtStart,
  handovers: handoversAtStart,
  changes: changesAtStart,
  lastHour: lastHourAtStart,
  exports: exportsAtStart,
  training: null,
});
