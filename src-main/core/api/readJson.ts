import { failed, ok } from '../../../src-preload/contract/index.ts';
import type { StationTime } from '../domain/stationTime.ts';
import { makeFailure } from '../domain/failure.ts';
import type { Answer, Interceptor } from './request.ts';

/** An envelope with an explanation is small (interface: Errors); a larger body is not parsed for it. */
const largestEnvelope = 65_536;

/**
 * `JSON.parse` of UTF-8 bytes; a byte order mark is taken off. On the calling thread on purpose: to
 * take a large result back from a worker blocks longer than parsing it here.
 *
 * @throws SyntaxError when the bytes are no JSON.
 */
export const parseJson = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/**
 * Turns the wire's bytes into parsed JSON. A 2xx that is no JSON is a failure: a page of HTML was sent
 * by a network's sign-in page, anything else cannot be read. Other statuses keep what can be parsed.
 */
export function readJson({ stationTime }: { readonly stationTime: StationTime }): Interceptor {
  return async (request, next) => {
    const result = await next(request);
    if (!result.ok) return result;
    const answer = result.value;
    if (request.patience === 'head' && answer.status >= 200 && answer.status < 300) return result;
    const bytes = answer.body instanceof Uint8Array ? answer.body : new Uint8Array();
    if (answer.status === 204) return ok({ ...answer, body: null });
    const good = answer.status >= 200 && answer.status < 300;
    if (!good && bytes.byteLength > largestEnvelope) return ok({ ...answer, body: null });
    if (!good || !isHtml(answer, bytes)) {
      try {
        return ok({ ...answer, body: parseJson(bytes) });
      } catch {
        if (!good) return ok({ ...answer, body: null });
      }
    }
    return failed(
      makeFailure({
        code: isHtml(answer, bytes) ? 'answered-by-something-else' : 'unreadable-answer',
        at: stationTime.stationNow(),
        status: answer.status,
        requestId: answer.requestId,
      }),
    );
  };
}

/** By media type, or by a first character that begins no JSON text. */
function isHtml(answer: Answer, bytes: Uint8Array): boolean {
  const type = answer.headers['content-type'] ?? '';
  if (/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return true;
  return new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().startsWith('<');
}
