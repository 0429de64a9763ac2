import { failed } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import { given } from './given.ts';
import type { VerbContext, VerbTable } from './table.ts';

type WorkspaceVerb =
  | 'keepLayout'
  | 'saveView'
  | 'removeView'
  | 'moveView'
  | 'exportViews'
  | 'importViews'
  | 'setStation'
  | 'openWindow';

/** How the operator's account works; access.ts lets these through only while somebody is signed in. */
export function workspaceVerbs({ desk }: VerbContext): Pick<VerbTable, WorkspaceVerb> {
  const workspace = () => desk.station?.actions.workspace;
  const signedOut = () => failed(makeFailure({ code: 'signed-out', at: desk.now() }));
  return {
    keepLayout: (change) => workspace()?.keepLayout(given(change)) ?? signedOut(),
    saveView: ({ name, camera, search }) => workspace()?.saveView(name, camera, search) ?? signedOut(),
    removeView: ({ id }) => workspace()?.removeView(id) ?? signedOut(),
    moveView: ({ id, to }) => workspace()?.moveView(id, to) ?? signedOut(),
    setStation: ({ position }) => workspace()?.setStation(position) ?? signedOut(),
    exportViews: () => signedOut(),
    importViews: () => signedOut(),
    openWindow: () => signedOut(),
  };
}
