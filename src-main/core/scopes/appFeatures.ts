import { createEvents } from '../base/events.ts';
import type { Scope } from '../base/scope.ts';
import { momentsOf } from '../base/failure.ts';
import type { AppContext, AppEvents } from '../features/context.ts';
import { openDeploymentChecks } from '../features/deploymentCheck/index.ts';
import { openDeployments } from '../features/deployments/deploymentSwitch.ts';
import { DeploymentRegistry } from '../features/deployments/index.ts';
import { openDiagnostics, RequestJournal } from '../features/diagnostics/index.ts';
import { openDownloads, openExports } from '../features/exports/index.ts';
import { openMaps } from '../features/maps/index.ts';
import { enforcePolicy } from '../features/policy/index.ts';
import type { Ports } from '../features/ports.ts';
import { preferenceHandlers, PreferencesDocument } from '../features/preferences/index.ts';
import { desktopHandlers, systemHandlers } from '../features/system/index.ts';
import { startTrainingIfMeant } from '../features/training/index.ts';
import { openUpdates } from '../features/updates/index.ts';
import { Publisher } from '../state/publisher.ts';
import type { AppOptions } from './app.ts';
import { DeploymentScope } from './deployment.ts';
import { createStore } from './initialState.ts';

/** The features that live as long as the application. What is opened first ends last. */
export async function openFeatures(scope: Scope, ports: Ports, options: AppOptions) {
  const { clock, random, logger, documents, control } = ports;
  const { policy, version, named } = options;
  const now = (): number => clock.wallNow();
  const preferences = new PreferencesDocument({ documents, logger }, now);
  const allowed = policy.deployments;
  const registry = new DeploymentRegistry({ ...ports, named, allowed, now });
  await registry.load();
  const { training, problem } = await startTrainingIfMeant(ports, options, registry);
  const store = await createStore({ ports, options, preferences });
  const stopSystem = control.system?.watch((system) => {
    store.set('system', system);
  });
  if (stopSystem) scope.onEnd(stopSystem);
  const publisher = new Publisher(store, clock);
  scope.defer(() => {
    publisher.close();
  });
  const app: AppContext = {
    ...{ scope, ports, clock, random, logger, store, policy, version },
    ...momentsOf(() => deployments.now()),
    ...createEvents<AppEvents, AppEvents>(scope),
    downloads: openDownloads(scope, { clock, random, store }),
  };
  const journal = new RequestJournal();
  const { forceTraining, forgetAfterMs } = options;
  const deployments = openDeployments({
    ...{ app, registry, training, forceTraining },
    problem: options.problem ?? problem,
    openScope: (opening) => new DeploymentScope({ ...opening, app, journal, forgetAfterMs }),
    importMap: (path) => maps.importFile(path, ports.openFile),
  });
  scope.closing(() => deployments.close());
  await deployments.open();
  const enforcer = await enforcePolicy(app, () => {
    deployments.current?.link.session.lock();
  });
  const updates = openUpdates(app);
  const diagnostics = openDiagnostics(app, {
    journal,
    probe: (api) => deployments.current?.link.probe(api) ?? null,
  });
  const checks = openDeploymentChecks(app, {
    repeatsSecret: (text) => deployments.current?.link.repeatsSecret(text) ?? false,
    find: (of) => deployments.find(of),
  });
  const exports = openExports(app);
  const maps = await openMaps(app);
  return {
    app,
    publisher,
    deployments,
    enforcer,
    exports,
    maps,
    verbs: {
      ...deployments.verbs,
      ...checks.verbs,
      ...preferenceHandlers(app, preferences),
      ...maps.verbs,
      ...exports.verbs,
      ...enforcer.verbs,
      ...systemHandlers(app),
      ...desktopHandlers(app),
      ...updates.verbs,
      ...diagnostics.verbs,
    },
  };
}
