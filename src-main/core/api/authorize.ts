import { failed } from '../../../src-preload/contract/index.ts';
import { makeFailure, reworded } from '../domain/failure.ts';
import type { StationTime } from '../domain/stationTime.ts';
import { say } from '../words/say.ts';
import type { Token, TokenSource } from '../session/tokens.ts';
import type { ApiRequest, Interceptor, Next } from './request.ts';
import type { Refusals } from './refusals.ts';
import { statusFailure } from './statusFailure.ts';

/** How long an operation rests whose renewed token was answered with 401 as well. */
const restAfterSecond401Ms = 5 * 60_000;

const bearing = (request: ApiRequest, token: Token): ApiRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token.value}` },
});

/**
 * The only place where a request gets the token (interface: Authentication).
 *
 * A fresh token per attempt. A 401 causes one renewal per operation over all its attempts, and one
 * repetition; a second 401 is surfaced, and the operation then rests for a while: pollers would
 * otherwise turn "log in again once" into a login at every poll. A 403 is remembered until the next
 * token, and no request leaves meanwhile.
 */
export function authorize(options: {
  readonly tokens: TokenSource;
  readonly refusals: Refusals;
  readonly stationTime: StationTime;
}): Interceptor {
  const { tokens, refusals, stationTime } = options;

  async function required(request: ApiRequest, next: Next): ReturnType<Next> {
    const subject = { api: request.api, operation: request.operation, resource: request.resource };
    const fresh = await tokens.fresh(request.signal);
    if (!fresh.ok) return fresh;
    let token = fresh.value;
    refusals.keepOnly(token.generation);
    const refused = refusals.recall(subject, token.generation);
    if (refused !== null && !request.recheck) return failed(refused);

    let result = await next(bearing(request, token));
    if (result.ok && result.value.status === 401 && !request.memory.renewed) {
      request.memory.renewed = true;
      const newer = await tokens.after(token.generation, request.signal);
      if (!newer.ok) return newer;
      token = newer.value;
      refusals.keepOnly(token.generation);
      result = await next(bearing(request, token));
    }
    if (!result.ok) return result;

    const failure = statusFailure(result.value, stationTime.stationNow());
    if (failure?.status === 401) {
      const second = reworded(failure, { sentence: say('api.renewedTokenRefused') });
      refusals.remember(subject, token.generation, second, restAfterSecond401Ms);
      return failed(second);
    }
    if (failure?.status === 403) refusals.remember(subject, token.generation, failure, null);
    if (failure === null) refusals.forget(subject);
    return result;
  }

  /** No login brings another of these: a 401 is the operator's to mend. */
  async function uploading(request: ApiRequest, next: Next): ReturnType<Next> {
    const token = tokens.upload();
    if (!token.ok) return token;
    const result = await next(bearing(request, token.value));
    if (!result.ok || result.value.status !== 401) return result;
    tokens.uploadRefused(token.value.generation);
    const failure = statusFailure(result.value, stationTime.stationNow());
    return failed(
      makeFailure({
        code: 'upload-token-refused',
        at: stationTime.stationNow(),
        status: 401,
        requestId: result.value.requestId,
        words: failure?.words,
      }),
    );
  }

  return (request, next) => {
    switch (request.authorization) {
      case 'none':
        return next(request);
      case 'present': {
        const token = tokens.present();
        return next(token === null ? request : bearing(request, token));
      }
      case 'upload':
        return uploading(request, next);
      case 'required':
        return required(request, next);
    }
  };
}
