import { ok, type viewVerbs } from '../../../../src-preload/contract/index.ts';
import { given } from '../../base/json.ts';
import { message } from '../../base/messages/message.ts';
import type { AccountContext, VerbHandlers } from '../context.ts';
import type { IncidentSync } from '../incidents/index.ts';
import { Views } from './views.ts';

export { workspaceAtStart } from './views.ts';

/** Opens the workspace. `incidents`: the list that gets the stored filters. */
export function openViews(account: AccountContext, incidents: Pick<IncidentSync, 'setQuery'>) {
  const {
    store,
    ports: { control },
    refuse,
  } = account;
  const views = new Views(account, (query) => {
    incidents.setQuery(query);
  });
  const verbs: VerbHandlers<typeof viewVerbs> = {
    keepLayout: (change) => views.keepLayout(given(change)),
    saveView: ({ name, camera, search }) => views.saveView(name, camera, search),
    renameView: ({ id, name }) => views.renameView(id, name),
    removeView: ({ id }) => views.removeView(id),
    moveView: ({ id, to }) => views.moveView(id, to),
    exportViews: ({ ids }) => views.exportViews(ids),
    importViews: ({ text }) => views.importViews(text),
    setStation: ({ position }) => views.setStation(position),
    openWindow: ({ show }) => {
      if (store.slice('policy').kiosk !== 'off') {
        return refuse({ code: 'policy-forbids', sentence: message('window.kiosk'), remedy: null });
      }
      if (control.openWindow) return ok({ url: control.openWindow(show) });
      return refuse({ code: 'not-found', sentence: message('window.one'), remedy: null });
    },
  };
  return Object.assign(views, { verbs });
}
