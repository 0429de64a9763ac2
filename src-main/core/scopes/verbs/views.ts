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
export function workspaceVerbs({ desk, store, control }: VerbContext): Pick<VerbTable, WorkspaceVerb> {
  const workspace = () => desk.station?.actions.workspace;
  const signedOut = () => failed(makeFailure({ code: 'signed-out', at: desk.now() }));
  return {
    keepLayout: (change) => workspace()?.keepLayout(given(change)) ?? signedOut(),
    saveView: ({ name, camera, search }) => workspace()?.saveView(name, camera, search) ?? signedOut(),
    removeView: ({ id }) => workspace()?.removeView(id) ?? signedOut(),
    moveView: ({ id, to }) => workspace()?.moveView(id, to) ?? signedOut(),
    seeChanges: ({ incidentId }) => {
      const changes = desk.station?.actions.changes;
      return changes ? ok(changes.see(incidentId)) : signedOut();
    },
    setStation: ({ position }) => workspace()?.setStation(position) ?? signedOut(),
    renameView: ({ id, name }) => workspace()?.renameView(id, name) ?? signedOut(),
    exportViews: ({ ids }) => workspace()?.exportViews(ids) ?? signedOut(),
    importViews: ({ text }) => workspace()?.importViews(text) ?? signedOut(),
    openWindow: ({ show }) => {
      const at = desk.now();
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
