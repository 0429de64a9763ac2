import {
  ok,
  verbs,
  type FailureCode,
  type PolicyState,
  type Result,
  type VerbName,
} from '../../../src-preload/contract/index.ts';
import { nameOf } from '../base/errors.ts';
import { message } from '../base/messages/message.ts';
import type { AppContext, VerbHandlers } from '../features/context.ts';

type VerbTable = VerbHandlers<typeof verbs>;

/** The verbs of the lifetimes: null for one that is not open now. */
interface Living<T extends VerbTable> {
  readonly app: Partial<T>;
  readonly deployment: Partial<T> | null;
  readonly account: Partial<T> | null;
}

const isVerb = (verb: unknown): verb is VerbName => typeof verb === 'string' && Object.hasOwn(verbs, verb);

/**
 * Makes the function that answers calls: reads the request with the verb's schema, checks whether the call is allowed
 * now, and runs it in the lifetime that has it. Never rejects, and never repeats a part of a refused request, which may
 * have a password. `T`: the verbs of all lifetimes together, which must be all verbs.
 */
export function createDispatcher<T extends VerbTable>(
  { store, logger, refuse: refuseAs }: AppContext,
  living: () => Living<T>,
): (verb: string, request: unknown) => Promise<Result<unknown>> {
  const refuse = (code: FailureCode): Result<never> => refuseAs({ code });
  const signedOut = (): Result<never> => refuse('signed-out');
  const done = (): Result<null> => ok(null);
  /** What else than `deployment-unknown` verbs answer without a deployment. */
  const withoutDeployment: Partial<VerbTable> = {
    signIn: () =>
      refuseAs({
        code: 'deployment-unknown',
        sentence: message('deployment.none'),
        remedy: message('deployment.noneRemedy'),
      }),
    signOut: done,
    dismissStorageNotice: done,
    lock: signedOut,
    unlock: signedOut,
    openWithPrevious: signedOut,
    startNewVault: signedOut,
  };

  return async (verb, request) => {
    if (!isVerb(verb)) return refuse('malformed-request');
    try {
      const reading = readRequest(verb, request);
      if (!reading) return refuse('malformed-request');
      if (store.slice('lock').locked && !isAnsweredLocked(verb, reading)) return refuse('locked');
      if (!isAllowed(verb, store.slice('policy'))) return refuse('policy-forbids');
      const { app, deployment, account } = living();
      if (verbs[verb].access.signedIn && account === null) return refuse('signed-out');
      const run = app[verb] ?? (deployment ?? withoutDeployment)[verb] ?? account?.[verb];
      if (run === undefined) return refuse('deployment-unknown');
      // One table for all verbs. VerbTable ensures that each function takes its verb's request, but the compiler cannot
      // follow that for a name known only at run time.
      return await (run as (request: unknown) => Promise<Result<unknown>>)(reading);
    } catch (error) {
      logger.error('verb-broke', { verb, error: nameOf(error) });
      return refuse('internal');
    }
  };
}

/** Runs these verbs of an account when its stored data are loaded. It may be closed by then. */
export const afterLoading = <T extends object>(
  { scope, refuse }: Pick<AppContext, 'scope' | 'refuse'>,
  loaded: Promise<void>,
  handlers: T,
): T =>
  Object.fromEntries(
    Object.entries(handlers).map(([verb, run]: [string, (request: unknown) => unknown]) => [
      verb,
      async (request: unknown) => {
        await loaded;
        return scope.isOver ? refuse({ code: 'signed-out' }) : run(request);
      },
    ]),
  ) as T;

/** Null when the request is malformed, or when reading it throws, as with a hostile proxy. */
function readRequest(verb: VerbName, request: unknown): object | null {
  try {
    const reading = verbs[verb].request.safeParse(request);
    return reading.success ? reading.data : null;
  } catch {
    return null;
  }
}

/** Whether a locked console answers this call. */
function isAnsweredLocked(verb: VerbName, request: object): boolean {
  switch (verbs[verb].access.whileLocked) {
    case 'answered':
      return true;
    case 'theme':
      return Object.keys(request).every((name) => name === 'theme');
    case 'refused':
      return false;
  }
}

/** Whether the computer's policy allows this verb. */
function isAllowed(verb: VerbName, policy: Pick<PolicyState, 'exports' | 'kiosk'>): boolean {
  switch (verbs[verb].access.needs) {
    case 'exports':
      return policy.exports;
    case 'hands':
      return policy.kiosk !== 'wallboard';
    case null:
      return true;
  }
}
