/* eslint-disable words/literal-text -- English in every language: a header of HTTP. */
import { failed, ok, type Result } from '../../../../src-preload/contract/index.ts';
import { makeFailure, reworded } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { AfterRefusal, Token, TokenSource } from '../session/tokens.ts';
import { subjectName, type Refusals, type Subject } from './refusals.ts';
import type { Answer, ApiRequest, Interceptor, Next } from './request.ts';
import { statusFailure } from './statusFailure.ts';

/** The pause of an operation, with the same token, after a 401 without a login. */
const restAfter401Ms = 5 * 60_000;

const bearing = (request: ApiRequest, token: Token): ApiRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token.value}` },
});

/** The answer if it is a 401, else null. */
const refusalIn = (result: Result<Answer>): Answer | null =>
  result.ok && result.value.status === 401 ? result.value : null;

/**
 * The only place where a request gets the token (interface: Authentication).
 *
 * Each attempt gets a fresh token. A 401 causes at most one renewal and one repetition per operation, over all its
 * attempts. The session decides whether it does, and limits the logins of all operations together
 * (core/service/session/refusalRest.ts). A 401 without a login is the operation's result, and the operation pauses. A
 * 403 is remembered until the next token, and the request is not sent meanwhile.
 */
export function authorize(options: {
  readonly tokens: TokenSource;
  readonly refusals: Refusals;
  readonly serverTime: ServerTime;
}): Interceptor {
  const { tokens, refusals, serverTime } = options;

  async function required(request: ApiRequest, next: Next): ReturnType<Next> {
    const subject = { api: request.api, operation: request.operation, resource: request.resource };
    const by = subjectName(subject);
    const fresh = await tokens.fresh(request.signal);
    if (!fresh.ok) return fresh;
    let token = fresh.value;
    refusals.keepOnly(token.generation);
    const refused = refusals.recall(subject, token.generation);
    if (refused !== null && !request.recheck) return failed(refused);

    let result = await next(bearing(request, token));
    let refusal = refusalIn(result);
    if (refusal !== null) {
      const repeated = request.memory.renewed;
      request.memory.renewed = true;
      let after = await tokens.refused(token.generation, { by, repeated }, request.signal);
      if (after.kind === 'token') {
        token = after.token;
        refusals.keepOnly(token.generation);
        result = await next(bearing(request, token));
        refusal = refusalIn(result);
        if (refusal !== null) {
          after = await tokens.refused(token.generation, { by, repeated: true }, request.signal);
        }
      }
      if (after.kind === 'failed' && after.failure.code !== 'tokens-refused') return failed(after.failure);
      if (refusal !== null) return surface(refusal, after, token, subject);
    }
    if (!result.ok) return result;

    const { status } = result.value;
    // Other answers may come from a server that never checked the token.
    if (status === 403 || (status >= 200 && status < 300)) tokens.accepted(token.generation, by);
    const failure = statusFailure(result.value, serverTime.serverNow());
    if (failure?.status === 403) refusals.remember(subject, token.generation, failure, null);
    if (failure === null) refusals.forget(subject);
    return result;
  }

  /** Makes a 401 the caller's result, and remembers it for this token. */
  function surface(answer: Answer, after: AfterRefusal, token: Token, subject: Subject): Result<Answer> {
    const said = statusFailure(answer, serverTime.serverNow());
    if (said === null) return ok(answer);
    const failure =
      after.kind === 'failed'
        ? { ...after.failure, words: said.words, requestId: said.requestId }
        : reworded(said, { sentence: message('api.renewedTokenRefused') });
    refusals.remember(subject, token.generation, failure, restAfter401Ms);
    return failed(failure);
  }

  /** No login renews the upload token: after a 401 the operator must act. */
  async function uploading(request: ApiRequest, next: Next): ReturnType<Next> {
    const token = tokens.upload();
    if (!token.ok) return token;
    const result = await next(bearing(request, token.value));
    if (!result.ok || result.value.status !== 401) return result;
    tokens.uploadRefused(token.value.generation);
    const failure = statusFailure(result.value, serverTime.serverNow());
    return failed(
      makeFailure({
        code: 'upload-token-refused',
        at: serverTime.serverNow(),
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
