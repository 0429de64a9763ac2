import {
  failed,
  ok,
  type deploymentCheckVerbs,
  type deploymentVerbs,
  type desktopVerbs,
  type diagnosticsVerbs,
  type exportVerbs,
  type mapVerbs,
  type policyVerbs,
  type preferenceVerbs,
  type systemVerbs,
  type trainingVerbs,
  type updateVerbs,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import { given, type VerbContext, type VerbHandlers } from './table.ts';

/** The verbs that work without a deployment or an operator. */
export const appHandlers = (context: VerbContext) => ({
  ...deploymentHandlers(context),
  ...deploymentCheckHandlers(context),
  ...preferenceHandlers(context),
  ...mapHandlers(context),
  ...exportHandlers(context),
  ...policyHandlers(context),
  ...systemHandlers(context),
  ...desktopHandlers(context),
  ...updateHandlers(context),
  ...diagnosticsHandlers(context),
  ...trainingHandlers(context),
});

const deploymentHandlers = ({ deploymentSwitch }: VerbContext): VerbHandlers<typeof deploymentVerbs> => ({
  chooseDeployment: ({ id }) => deploymentSwitch.choose(id),
  proposeDeployment: ({ text }) => deploymentSwitch.propose(text),
  confirmDeployment: ({ proposalId }) => deploymentSwitch.confirm(proposalId),
  dismissDeployment: ({ proposalId }) => deploymentSwitch.dismiss(proposalId),
  removeDeployment: ({ id }) => deploymentSwitch.remove(id),
});

const deploymentCheckHandlers = ({
  deploymentChecks,
}: VerbContext): VerbHandlers<typeof deploymentCheckVerbs> => ({
  startDeploymentCheck: (order) => deploymentChecks.start(order),
  cancelDeploymentCheck: () => deploymentChecks.cancel(),
  dismissDeploymentCheck: () => deploymentChecks.dismiss(),
  prepareDeploymentCheck: ({ what }) => deploymentChecks.prepare(what),
});

const preferenceHandlers = ({
  deploymentSwitch,
  store,
  preferences,
}: VerbContext): VerbHandlers<typeof preferenceVerbs> => ({
  setPreferences: (change) => {
    const { fixed } = store.slice('policy');
    const isFixed =
      (change.idleLockMinutes !== undefined && fixed.includes('idleLock')) ||
      (change.saveData !== undefined && fixed.includes('saveData'));
    if (isFixed) {
      return failed(makeFailure({ code: 'policy-forbids', at: deploymentSwitch.now() }));
    }
    store.patch('preferences', given(change));
    return preferences.save(store.slice('preferences'));
  },
});

/** Map packages. Their bytes come through `AppBytes.spool`. */
const mapHandlers = ({ maps }: VerbContext): VerbHandlers<typeof mapVerbs> => ({
  beginMapImport: ({ fileName, bytes }) => maps.begin(fileName, bytes),
  cancelMapImport: ({ importId }) => maps.cancel(importId),
  dismissMapImport: ({ importId }) => maps.dismiss(importId),
  setMapPackage: ({ id, visible }) => maps.setVisible(id, visible),
  moveMapPackage: ({ id, to }) => maps.move(id, to),
  removeMapPackage: ({ id }) => maps.remove(id),
});

const exportHandlers = ({ exports }: VerbContext): VerbHandlers<typeof exportVerbs> => ({
  beginExport: (order) => exports.begin(order),
  cancelExport: ({ jobId }) => exports.cancel(jobId),
  dismissExport: ({ jobId }) => exports.dismiss(jobId),
});

const policyHandlers = ({ policy }: VerbContext): VerbHandlers<typeof policyVerbs> => ({
  noteActivity: () => policy.noteActivity(),
  leaveKiosk: ({ code }) => policy.leaveKiosk(code),
});

const systemHandlers = ({ control }: VerbContext): VerbHandlers<typeof systemVerbs> => ({
  retryGraphics: () => {
    control.system?.retryGraphics();
    return ok(null);
  },
  restart: () => {
    control.system?.restart();
    return ok(null);
  },
});

const desktopHandlers = ({
  deploymentSwitch,
  store,
  control,
}: VerbContext): VerbHandlers<typeof desktopVerbs> => ({
  setStartAtLogin: async ({ on }) => {
    const { desktop } = control;
    if (desktop === null || store.slice('policy').kiosk !== 'off') {
      return failed(makeFailure({ code: 'policy-forbids', at: deploymentSwitch.now() }));
    }
    if (!(await desktop.setStartAtLogin(on))) {
      const sentence = message('settings.notTaken');
      return failed(
        makeFailure({ code: 'storage-failed', at: deploymentSwitch.now(), sentence, remedy: null }),
      );
    }
    store.set('desktop', { startsAtLogin: await desktop.startsAtLogin(), tray: desktop.tray });
    return ok(null);
  },
});

const updateHandlers = ({ updates }: VerbContext): VerbHandlers<typeof updateVerbs> => ({
  checkForUpdate: () => updates.check(),
  takeUpdate: () => updates.take(),
  takeUpdateFromFolder: () => updates.takeFromFolder(),
  installUpdate: ({ version }) => updates.install(version),
  dismissUpdate: () => updates.dismiss(),
});

const diagnosticsHandlers = ({ diagnostics }: VerbContext): VerbHandlers<typeof diagnosticsVerbs> => ({
  readDiagnostics: ({ page }) => diagnostics.report(page),
  runSelfTest: ({ page }) => diagnostics.selfTest(page),
  prepareBundle: ({ page }) => diagnostics.bundle(page),
});

const trainingHandlers = ({ deploymentSwitch }: VerbContext): VerbHandlers<typeof trainingVerbs> => ({
  setTraining: async (change) => {
    if (!deploymentSwitch.training || !deploymentSwitch.inTraining) {
      return failed(makeFailure({ code: 'not-in-training', at: deploymentSwitch.now() }));
    }
    await deploymentSwitch.training.set(given(change));
    deploymentSwitch.tellTraining();
    return ok(null);
  },
});
