import { ok, type desktopVerbs, type systemVerbs } from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import type { AppContext, VerbHandlers } from '../context.ts';

export const systemHandlers = ({ ports: { control } }: AppContext): VerbHandlers<typeof systemVerbs> => ({
  retryGraphics: () => {
    control.system?.retryGraphics();
    return ok(null);
  },
  restart: () => {
    control.system?.restart();
    return ok(null);
  },
});

export const desktopHandlers = ({
  store,
  ports: { control },
  refuse,
}: AppContext): VerbHandlers<typeof desktopVerbs> => ({
  setStartAtLogin: async ({ on }) => {
    const { desktop } = control;
    if (desktop === null || store.slice('policy').kiosk !== 'off') return refuse({ code: 'policy-forbids' });
    if (!(await desktop.setStartAtLogin(on)))
      return refuse({ code: 'storage-failed', sentence: message('settings.notTaken'), remedy: null });
    store.set('desktop', { startsAtLogin: await desktop.startsAtLogin(), tray: desktop.tray });
    return ok(null);
  },
});
