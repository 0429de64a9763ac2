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

/** Signing in and out, locking and unlocking, and the vaults, on the station of the chosen deployment. */
export function sessionVerbs({ desk }: VerbContext): Pick<VerbTable, SessionVerb> {
  const signedOut = (): Failure => makeFailure({ code: 'signed-out', at: desk.now() });
  return {
    signIn: ({ username, password, uploadToken = null }) =>
      desk.station?.signIn(username, password, uploadToken) ??
      failed(
        makeFailure({
          code: 'deployment-unknown',
          at: desk.now(),
          sentence: message('deployment.none'),
          remedy: message('deployment.noneRemedy'),
        }),
      ),
    signOut: () => {
      desk.station?.signOut();
      return ok(null);
    },
    renewSession: () => desk.station?.renewSession() ?? failed(signedOut()),
    lock: () => desk.station?.lock() ?? failed(signedOut()),
    unlock: ({ password }) => desk.station?.unlock(password) ?? failed(signedOut()),
    openWithPrevious: ({ password }) => desk.station?.openWithPrevious(password) ?? failed(signedOut()),
    startNewVault: () => desk.station?.startNewVault() ?? failed(signedOut()),
    eraseVault: ({ id, unsent }) =>
      desk.station?.eraseVault(id, unsent) ??
      failed(makeFailure({ code: 'deployment-unknown', at: desk.now() })),
    dismissStorageNotice: () => {
      desk.station?.dismissStorageNotice();
      return ok(null);
    },
  };
}
