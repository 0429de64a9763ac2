import { failed, ok } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import { decodeJson } from './decodeJson.ts';
import { Body } from './readBody.ts';
import type { Answer, Interceptor } from './request.ts';

/**
 * Parses the bytes of an answer as JSON. A 2xx answer that is not JSON is a failure: HTML comes from a network's
 * sign-in page, anything else is unreadable. Answers with other statuses keep what can be parsed.
 */
export function readJson({ serverTime }: { readonly serverTime: ServerTime }): Interceptor {
  return async (request, next) => {
    const result = await next(request);
    if (!result.ok) return result;
    const answer = result.value;
    if (request.backoff === 'head' && answer.status >= 200 && answer.status < 300) return result;
    const { body } = answer;
    if (answer.status === 204 || !(body instanceof Body)) return ok({ ...answer, body: null });
    const good = answer.status >= 200 && answer.status < 300;
    const html = isHtml(answer, body);
    if (!good || !html) {
      try {
        return ok({ ...answer, body: await decodeJson(body) });
      } catch {
        if (!good) return ok({ ...answer, body: null });
      }
    }
    return failed(
      makeFailure({
        code: html ? 'answered-by-something-else' : 'unreadable-answer',
        at: serverTime.serverNow(),
        status: answer.status,
        requestId: answer.requestId,
      }),
    );
  };
}

/** By its media type, or by a first character that cannot begin JSON. */
function isHtml(answer: Answer, body: Body): boolean {
  const type = answer.headers['content-type'] ?? '';
  if (/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return true;
  return new TextDecoder().decode(body.bytes(0, 64)).trimStart().startsWith('<');
}
