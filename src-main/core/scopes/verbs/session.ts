import { failed, ok, type Failure } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { VerbContext, VerbTable } from './table.ts';

type SessionVerb =
  | 'signIn'
  | 'signOut'
  | 'renewSession'
  | 'lock'
  | 'unlock'
  | 'openWithPrevious'
  | 'startNewVault'
  | 'eraseVault'
  | 'dismissStorageNotice';

/** Signing in and out, locking and unlocking, and the vaults, on the deployment scope of the chosen deployment. */
export function sessionVerbs({ deploymentSwitch }: VerbContext): Pick<VerbTable, SessionVerb> {
  const signedOut = (): Failure => makeFailure({ code: 'signed-out', at: deploymentSwitch.now() });
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
    renewSession: () => deploymentSwitch.current?.renewSession() ?? failed(signedOut()),
    lock: () => deploymentSwitch.current?.lock() ?? failed(signedOut()),
    unlock: ({ password }) => deploymentSwitch.current?.unlock(password) ?? failed(signedOut()),
    openWithPrevious: ({ password }) =>
      deploymentSwitch.current?.openWithPrevious(password) ?? failed(signedOut()),
    startNewVault: () => deploymentSwitch.current?.startNewVault() ?? failed(signedOut()),
    eraseVault: ({ id, unsent }) =>
      deploymentSwitch.current?.eraseVault(id, unsent) ??
      failed(makeFailure({ code: 'deployment-unknown', at: deploymentSwitch.now() })),
    dismissStorageNotice: () => {
      deploymentSwitch.current?.dismissStorageNotice();
      return ok(null);
    },
  };
}
