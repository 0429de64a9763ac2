import { failed, ok } from '../../../src-preload/contract/index.ts';
import type { TokenSource } from '../session/tokens.ts';
import { readLoginAnswer } from './loginAnswer.ts';
import type { Interceptor } from './request.ts';
import { readWords } from './words.ts';

/**
 * Drops the request id and the words of a failure that hold a secret of the session: both are shown, pushed to
 * the page, logged and saved with diagnostics, and a service that reports what it was sent would put the token
 * or the password there. Everything outside of this interceptor sees what is left.
 */
export function dropEchoes({ tokens }: { readonly tokens: Pick<TokenSource, 'secrets'> }): Interceptor {
  return async (request, next) => {
    const result = await next(request);
    // The token of the request may have been replaced while it was under way.
    const bearer = request.headers['authorization']?.slice('Bearer '.length) ?? '';
    const brought = result.ok ? (readLoginAnswer(result.value.body)?.token ?? '') : '';
    const secrets = [...tokens.secrets(), bearer, brought].filter((secret) => secret !== '');
    const holdsSecret = (text: string | null): boolean =>
      text !== null && secrets.some((secret) => text.includes(secret));
    if (!result.ok) {
      const { failure } = result;
      return holdsSecret(failure.requestId) ? failed({ ...failure, requestId: null }) : result;
    }
    const { body, requestId, status } = result.value;
    const isFailure = status < 200 || status >= 300;
    return ok({
      ...result.value,
      requestId: holdsSecret(requestId) ? null : requestId,
      body: isFailure && holdsSecret(readWords(body)) ? null : body,
    });
  };
}
