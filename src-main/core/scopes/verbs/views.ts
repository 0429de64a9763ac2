import { failed, ok } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import { given } from './given.ts';
import type { VerbContext, VerbTable } from './table.ts';

type WorkspaceVerb =
  | 'keepLayout'
  | 'saveView'
  | 'renameView'
  | 'removeView'
  | 'moveView'
  | 'exportViews'
  | 'importViews'
  | 'setStation'
  | 'openWindow'
  | 'seeChanges';

/** How the operator's account works; access.ts lets these through only while somebody is signed in. */
export function workspaceVerbs({
  deploymentSwitch,
  store,
  control,
}: VerbContext): Pick<VerbTable, WorkspaceVerb> {
  const views = () => deploymentSwitch.current?.account?.views;
  const signedOut = () => failed(makeFailure({ code: 'signed-out', at: deploymentSwitch.now() }));
  return {
    keepLayout: (change) => views()?.keepLayout(given(change)) ?? signedOut(),
    saveView: ({ name, camera, search }) => views()?.saveView(name, camera, search) ?? signedOut(),
    removeView: ({ id }) => views()?.removeView(id) ?? signedOut(),
    moveView: ({ id, to }) => views()?.moveView(id, to) ?? signedOut(),
    seeChanges: ({ incidentId }) => {
      const changes = deploymentSwitch.current?.account?.changes;
      return changes ? ok(changes.see(incidentId)) : signedOut();
    },
    setStation: ({ position }) => views()?.setStation(position) ?? signedOut(),
    renameView: ({ id, name }) => views()?.renameView(id, name) ?? signedOut(),
    exportViews: ({ ids }) => views()?.exportViews(ids) ?? signedOut(),
    importViews: ({ text }) => views()?.importViews(text) ?? signedOut(),
    openWindow: ({ show }) => {
      const at = deploymentSwitch.now();
      if (store.slice('policy').kiosk !== 'off') {
        const sentence = message('window.kiosk');
        return failed(makeFailure({ code: 'policy-forbids', at, sentence, remedy: null }));
      }
      if (control.openWindow) return ok({ url: control.openWindow(show) });
      const sentence = message('window.one');
      return failed(makeFailure({ code: 'not-found', at, sentence, remedy: null }));
    },
  };
}
