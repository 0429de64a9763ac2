import type { Failure, Result } from '../../../src-preload/contract/index.ts';
import { nameOf } from '../base/errors.ts';
import { makeFailure } from '../base/failure.ts';
import { message } from '../base/messages/message.ts';
import type { Scope } from '../base/scope.ts';
import { DeploymentChecks } from '../features/deploymentCheck/index.ts';
import { DeploymentRegistry } from '../features/deployments/registry.ts';
import { Diagnostics } from '../features/diagnostics/diagnostics.ts';
import { RequestJournal } from '../features/diagnostics/requestJournal.ts';
import { Downloads } from '../features/exports/downloads.ts';
import { Exports } from '../features/exports/exports.ts';
import { MapLibrary } from '../features/maps/library.ts';
import { PolicyEnforcer } from '../features/policy/policyEnforcer.ts';
import { PreferencesDocument } from '../features/preferences/preferences.ts';
import { Updates } from '../features/updates/updates.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import { Publisher } from '../state/publisher.ts';
import type { AppOptions, TrainingControl } from './app.ts';
import { DeploymentSwitch } from './deploymentSwitch.ts';
import { createStore } from './initialState.ts';
import type { Ports } from './ports.ts';

/** The features that live as long as the application. What is made first ends last. */
export async function buildFeatures(scope: Scope, ports: Ports, options: AppOptions) {
  const ground = await layGround(scope, ports, options);
  const { deploymentSwitch, now } = await openDeployments(scope, {
    ...ground,
    ports,
    options,
    importMap: (path) => maps.importFile(path, ports.openFile),
  });
  const made: Made = { ...ground, ports, options, deploymentSwitch, now };
  const policyEnforcer = await enforcePolicy(scope, made);
  const updates = startUpdates(scope, made);
  const diagnosis = makeDiagnosis(scope, made);
  const exports = makeExports(scope, made);
  const maps = await openMaps(scope, made);
  const { store, publisher, downloads, preferences } = ground;
  return {
    store,
    publisher,
    downloads,
    preferences,
    deploymentSwitch,
    policyEnforcer,
    updates,
    ...diagnosis,
    exports,
    maps,
  };
}

type Ground = Awaited<ReturnType<typeof layGround>>;

/** The common options of the application's features. */
interface Made extends Ground {
  readonly ports: Ports;
  readonly options: AppOptions;
  readonly deploymentSwitch: DeploymentSwitch;
  /** Server time of the chosen deployment, Unix milliseconds; this computer's time when none is open. */
  readonly now: () => number;
}

/** The base of all features: the documents, the store with its publisher, and training if it is needed. */
async function layGround(scope: Scope, ports: Ports, options: AppOptions) {
  const { clock, random, logger, documents, readTextFile, control } = ports;
  const wallNow = (): number => clock.wallNow();
  const preferences = new PreferencesDocument({ documents, logger, now: wallNow });
  const registry = new DeploymentRegistry({
    documents,
    readTextFile,
    random,
    logger,
    named: options.named,
    allowed: options.policy.deployments,
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
  return { preferences, registry, training, problem, store, publisher, journal, downloads };
}

/** Makes the deployments and opens the chosen one. */
async function openDeployments(
  scope: Scope,
  made: Omit<Made, 'deploymentSwitch' | 'now'> & {
    readonly importMap: (path: string) => Promise<Result<null>>;
  },
): Promise<Pick<Made, 'deploymentSwitch' | 'now'>> {
  const { ports, options, store, registry, training, problem, journal, downloads, importMap } = made;
  const deploymentSwitch = new DeploymentSwitch({
    ports,
    options: { ...options, problem: options.problem ?? problem },
    store,
    registry,
    training,
    journal,
    downloads,
    importMap,
  });
  scope.closing(() => deploymentSwitch.close());
  await deploymentSwitch.open();
  return { deploymentSwitch, now: () => deploymentSwitch.now() };
}

async function enforcePolicy(scope: Scope, made: Made): Promise<PolicyEnforcer> {
  const { ports, options, store, now, deploymentSwitch } = made;
  const enforcer = new PolicyEnforcer({
    scope,
    policy: options.policy,
    ports,
    store,
    now,
    lock: () => {
      deploymentSwitch.current?.session.lock();
    },
  });
  await enforcer.start();
  return enforcer;
}

function startUpdates(scope: Scope, { ports, options: { policy, version }, store }: Made): Updates {
  const updates = new Updates({ policy, version, ports, store, now: () => ports.clock.wallNow() });
  scope.closing(() => updates.close());
  updates.start();
  return updates;
}

/** The features that examine the console and a deployment. */
function makeDiagnosis(scope: Scope, made: Made) {
  const { ports, options, store, journal, downloads, now, deploymentSwitch } = made;
  const { policy, version } = options;
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
  const deploymentChecks = new DeploymentChecks({
    ports,
    policy,
    store,
    downloads,
    now,
    repeatsSecret: (text) => deploymentSwitch.current?.repeatsSecret(text) ?? false,
    find: (of) => deploymentSwitch.find(of),
  });
  scope.closing(() => deploymentChecks.close());
  return { diagnostics, deploymentChecks };
}

function makeExports(scope: Scope, { ports, options, store, now, deploymentSwitch }: Made): Exports {
  const exports = new Exports({
    ports,
    store,
    version: options.version,
    now,
    onExported: ({ fileName }) =>
      deploymentSwitch.current?.account?.notes.log({ kind: 'exported', subject: fileName }),
  });
  scope.closing(() => exports.close());
  return exports;
}

async function openMaps(scope: Scope, { ports, store, now }: Made): Promise<MapLibrary> {
  const { documents, clock, random, logger } = ports;
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
  return maps;
}

/** Drops files made for one operator, so that the next one cannot fetch them. */
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

/**
 * Training is for a console without any deployment. A console whose named deployment cannot be used, or whose known
 * deployments cannot be read, must not open practice data: its operator would mistake them for real data.
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
    ports.logger.error('training-not-started', { error: nameOf(error) });
    const sentence = message('training.notStarted');
    const problem = makeFailure({ code: 'internal', at: ports.clock.wallNow(), sentence });
    return { training: null, problem };
  }
}
