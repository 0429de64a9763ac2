import { failed, ok } from '../../../../src-preload/contract/index.ts';
import { readLoginAnswer } from '../session/loginAnswer.ts';
import type { TokenSource } from '../session/tokens.ts';
import { readTexts } from './messages.ts';
import type { Interceptor } from './request.ts';

/** How a secret may be written where a service repeats a request: as it is, or as JSON or an address has it. */
const written = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
];

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
    const secrets = [...tokens.secrets(), bearer, brought].filter((secret) => secret !== '').flatMap(written);
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
      // The texts as they came: words are cut, and part of a secret is one too.
      body: isFailure && readTexts(body).some(holdsSecret) ? null : body,
    });
  };
}
