import {
  failed,
  verbs,
  type FailureCode,
  type Result,
  type VerbName,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { Logger } from '../../base/ports.ts';
import { isAllowed, isAnsweredLocked } from './access.ts';
import { accountHandlers } from './account.ts';
import { appHandlers } from './app.ts';
import { healthHandlers, incidentHandlers, placeHandlers } from './incidents.ts';
import { sessionHandlers, storageHandlers } from './session.ts';
import type { VerbContext, VerbTable } from './table.ts';

const isVerb = (verb: unknown): verb is VerbName => typeof verb === 'string' && Object.hasOwn(verbs, verb);

/**
 * Makes what answers calls: reads the request with the verb's schema, asks whether it may be called
 * now, and runs it. Never rejects, and never repeats anything of a request it refuses, which may
 * hold a password.
 */
export function createVerbCalls(
  options: VerbContext & { readonly logger: Logger },
): (verb: string, request: unknown) => Promise<Result<unknown>> {
  const { deploymentSwitch, store, logger } = options;
  const table: VerbTable = {
    ...sessionHandlers(options),
    ...storageHandlers(options),
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
      // One table for all verbs: that this one's function takes this one's request is what
      // VerbTable says, and what cannot be said of a name that is known only at run time.
      const run = table[verb] as (request: unknown) => Promise<Result<unknown>>;
      return await run(reading);
    } catch (error) {
      logger.error('verb-broke', { verb, error: error instanceof Error ? error.name : 'unknown' });
      return refuse('internal');
    }
  };
}

/** Null when the request is malformed; also when looking at it throws, as at a hostile proxy. */
function readRequest(verb: VerbName, request: unknown): object | null {
  try {
    const reading = verbs[verb].request.safeParse(request);
    return reading.success ? reading.data : null;
  } catch {
    return null;
  }
}
