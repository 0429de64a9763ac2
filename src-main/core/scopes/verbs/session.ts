import {
  failed,
  ok,
  type lineVerbs,
  type Result,
  type sessionVerbs,
  type storageVerbs,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { VerbContext, VerbHandlers } from './table.ts';

const signedOut = ({ deploymentSwitch }: VerbContext): Result<never> =>
  failed(makeFailure({ code: 'signed-out', at: deploymentSwitch.now() }));

/** The verbs for signing in and out, locking and unlocking, on the scope of the chosen deployment. */
export function sessionHandlers(context: VerbContext): VerbHandlers<typeof sessionVerbs> {
  const { deploymentSwitch } = context;
  return {
    signIn: ({ username, password, uploadToken = null }) =>
      deploymentSwitch.current?.session.signIn(username, password, uploadToken) ??
      failed(
        makeFailure({
          code: 'deployment-unknown',
          at: deploymentSwitch.now(),
          sentence: message('deployment.none'),
          remedy: message('deployment.noneRemedy'),
        }),
      ),
    signInToProxy: ({ proxy, username, password }) =>
      deploymentSwitch.current?.signInToProxy(proxy, username, password) ??
      failed(makeFailure({ code: 'deployment-unknown', at: deploymentSwitch.now() })),
    signOut: () => {
      deploymentSwitch.current?.session.signOut();
      return ok(null);
    },
    renewSession: () => deploymentSwitch.current?.session.renewNow() ?? signedOut(context),
    lock: () => deploymentSwitch.current?.session.lock() ?? signedOut(context),
    unlock: ({ password }) => deploymentSwitch.current?.session.unlock(password) ?? signedOut(context),
  };
}

/** The verbs for the vaults of the chosen deployment. */
export function storageHandlers(context: VerbContext): VerbHandlers<typeof storageVerbs> {
  const { deploymentSwitch } = context;
  return {
    openWithPrevious: ({ password }) =>
      deploymentSwitch.current?.session.openWithPrevious(password) ?? signedOut(context),
    startNewVault: () => deploymentSwitch.current?.session.startNewVault() ?? signedOut(context),
    eraseVault: ({ id, unsent }) =>
      deploymentSwitch.current?.eraseVault(id, unsent) ??
      failed(makeFailure({ code: 'deployment-unknown', at: deploymentSwitch.now() })),
    dismissStorageNotice: () => {
      deploymentSwitch.current?.dismissStorageNotice();
      return ok(null);
    },
  };
}

export const lineHandlers = (context: VerbContext): VerbHandlers<typeof lineVerbs> => ({
  exceedDataLimit: () => context.deploymentSwitch.current?.exceedDataLimit() ?? signedOut(context),
});
