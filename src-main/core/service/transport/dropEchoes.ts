import { failed, ok } from '../../../../src-preload/contract/index.ts';
import { readToken } from '../session/loginAnswer.ts';
import type { TokenSource } from '../session/tokens.ts';
import { readTexts } from './messages.ts';
import type { Interceptor } from './request.ts';

/** The forms in which a service may repeat a secret: plain, in JSON, in an address. */
const written = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
];

/**
 * Drops a failure's request id and words when they have a secret of the session. Both are shown, pushed to the page,
 * logged and saved with diagnostics, and a service that repeats the request would put the token or the password there.
 * Code outside of this interceptor sees only the rest.
 */
export function dropEchoes({ tokens }: { readonly tokens: Pick<TokenSource, 'secrets'> }): Interceptor {
  return async (request, next) => {
    const result = await next(request);
    // The request's token may have been replaced meanwhile.
    const bearer = request.headers['authorization']?.slice('Bearer '.length) ?? '';
    const brought = result.ok ? (readToken(result.value.body) ?? '') : '';
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
      // Checks the complete texts: they are shortened later, and part of a secret is a secret too.
      body: isFailure && readTexts(body).some(holdsSecret) ? null : body,
    });
  };
}
