import { failed, ok, type Result } from '../../../../src-preload/contract/index.ts';
import type { sessionVerbs, storageVerbs } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { VerbContext, VerbHandlers } from './table.ts';

const signedOut = ({ deploymentSwitch }: VerbContext): Result<never> =>
  failed(makeFailure({ code: 'signed-out', at: deploymentSwitch.now() }));

/** Signing in and out, locking and unlocking, on the deployment scope of the chosen deployment. */
export function sessionHandlers(context: VerbContext): VerbHandlers<typeof sessionVerbs> {
  const { deploymentSwitch } = context;
  return {
    signIn: ({ username, password, uploadToken = null }) =>
      deploymentSwitch.current?.signIn(username, password, uploadToken) ??
      failed(
        makeFailure({
          code: 'deployment-unknown',
          at: deploymentSwitch.now(),
          sentence: message('deployment.none'),
          remedy: message('deployment.noneRemedy'),
        }),
      ),
    signOut: () => {
      deploymentSwitch.current?.signOut();
      return ok(null);
    },
    renewSession: () => deploymentSwitch.current?.renewSession() ?? signedOut(context),
    lock: () => deploymentSwitch.current?.lock() ?? signedOut(context),
    unlock: ({ password }) => deploymentSwitch.current?.unlock(password) ?? signedOut(context),
  };
}

/** The vaults of the chosen deployment. */
export function storageHandlers(context: VerbContext): VerbHandlers<typeof storageVerbs> {
  const { deploymentSwitch } = context;
  return {
    openWithPrevious: ({ password }) =>
      deploymentSwitch.current?.openWithPrevious(password) ?? signedOut(context),
    startNewVault: () => deploymentSwitch.current?.startNewVault() ?? signedOut(context),
    eraseVault: ({ id, unsent }) =>
      deploymentSwitch.current?.eraseVault(id, unsent) ??
      failed(makeFailure({ code: 'deployment-unknown', at: deploymentSwitch.now() })),
    dismissStorageNotice: () => {
      deploymentSwitch.current?.dismissStorageNotice();
      return ok(null);
    },
  };
}
