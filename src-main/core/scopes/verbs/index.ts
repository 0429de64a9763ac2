import {
  failed,
  verbs,
  type FailureCode,
  type PolicyState,
  type Result,
  type VerbName,
} from '../../../../src-preload/contract/index.ts';
import { nameOf } from '../../base/errors.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Logger } from '../../base/ports.ts';
import { accountHandlers } from './account.ts';
import { appHandlers } from './app.ts';
import { healthHandlers, incidentHandlers, placeHandlers } from './incidents.ts';
import { lineHandlers, sessionHandlers, storageHandlers } from './session.ts';
import type { VerbContext, VerbTable } from './table.ts';

const isVerb = (verb: unknown): verb is VerbName => typeof verb === 'string' && Object.hasOwn(verbs, verb);

/**
 * Makes the function that answers calls: reads the request with the verb's schema, checks whether the call is allowed
 * now, and runs it. Never rejects, and never repeats a part of a refused request, which may have a password.
 */
export function createVerbCalls(
  options: VerbContext & { readonly logger: Logger },
): (verb: string, request: unknown) => Promise<Result<unknown>> {
  const { deploymentSwitch, store, logger } = options;
  const table: VerbTable = {
    ...sessionHandlers(options),
    ...storageHandlers(options),
    ...lineHandlers(options),
    ...incidentHandlers(options),
    ...placeHandlers(options),
    ...healthHandlers(options),
    ...accountHandlers(options),
    ...appHandlers(options),
  };
  const refuse = (code: FailureCode): Result<never> =>
    failed(makeFailure({ code, at: deploymentSwitch.now() }));

  return async (verb, request) => {
    if (!isVerb(verb)) return refuse('malformed-request');
    try {
      const reading = readRequest(verb, request);
      if (!reading) return refuse('malformed-request');
      if (store.slice('lock').locked && !isAnsweredLocked(verb, reading)) return refuse('locked');
      if (!isAllowed(verb, store.slice('policy'))) return refuse('policy-forbids');
      if (verbs[verb].access.signedIn && !deploymentSwitch.current?.account) return refuse('signed-out');
      // One table for all verbs. VerbTable ensures that each function takes its verb's request, but the compiler cannot
      // follow that for a name known only at run time.
      const run = table[verb] as (request: unknown) => Promise<Result<unknown>>;
      return await run(reading);
    } catch (error) {
      logger.error('verb-broke', { verb, error: nameOf(error) });
      return refuse('internal');
    }
  };
}

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
