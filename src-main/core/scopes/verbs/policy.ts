import { failed, ok } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { VerbContext, VerbTable } from './table.ts';

type PolicyVerb = 'noteActivity' | 'leaveKiosk' | 'retryGraphics' | 'setStartAtLogin';

/** What the policy watches over, and settings that the system keeps. */
export const policyVerbs = ({
  deploymentSwitch,
  store,
  policy,
  control,
}: VerbContext): Pick<VerbTable, PolicyVerb> => ({
  noteActivity: () => policy.noteActivity(),
  leaveKiosk: ({ code }) => policy.leaveKiosk(code),
  retryGraphics: () => {
    control.system?.retryGraphics();
    return ok(null);
  },
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
