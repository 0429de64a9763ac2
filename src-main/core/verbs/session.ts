import { failed, ok, type Failure } from '../../../src-preload/contract/index.ts';
import { makeFailure } from '../domain/failure.ts';
import type { VerbContext, VerbTable } from './table.ts';

/** Signing in and out, locking and unlocking, on the station of the chosen deployment. */
export function sessionVerbs({
  desk,
}: VerbContext): Pick<VerbTable, 'signIn' | 'signOut' | 'lock' | 'unlock'> {
  const signedOut = (): Failure => makeFailure({ code: 'signed-out', at: desk.now() });
  return {
    signIn: ({ username, password }) =>
      desk.station?.signIn(username, password) ??
      failed(
        makeFailure({
          code: 'deployment-unknown',
          at: desk.now(),
          sentence: 'There is no deployment to sign in to.',
          remedy: 'Choose a deployment, or add one.',
        }),
      ),
    signOut: () => {
      desk.station?.signOut();
      return ok(null);
    },
    lock: () => desk.station?.lock() ?? failed(signedOut()),
    unlock: ({ password }) => desk.station?.unlock(password) ?? failed(signedOut()),
  };
}
