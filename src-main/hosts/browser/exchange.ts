import type { IncomingMessage, ServerResponse } from 'node:http';
import { exchangeRequestSchema, type ExchangeReply } from '../../../src-preload/contract/index.ts';
import { message } from '../../core/base/messages/message.ts';
import type { Logger } from '../../core/base/ports.ts';
import { freshNonce, securityHeaders } from '../csp.ts';
import type { Admission } from './admission.ts';
import type { CountedWarnings } from './countedWarnings.ts';
import { cookieOf } from './requests.ts';

const largestBody = 1_024;

/** Answers with plain text, which no page of the console reads. */
export function answerText(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    ...securityHeaders(freshNonce()),
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(words);
}

export interface ExchangeOptions {
  readonly admission: Admission;
  readonly logger: Logger;
  readonly warnings: CountedWarnings;
  /** Called with each code that admitted a page, before that page gets its answer. */
  readonly onSpent: (code: string) => Promise<void>;
}

/** Exchanges a launch code for a cookie and a proof (contract/wire.ts, step 2). */
export async function answerExchange(
  request: IncomingMessage,
  response: ServerResponse,
  options: ExchangeOptions,
): Promise<void> {
  const { admission, logger, warnings } = options;
  const reply = (status: number, body: ExchangeReply, cookie?: string): void => {
    response.writeHead(status, {
      ...securityHeaders(freshNonce()),
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    });
    response.end(JSON.stringify(body));
  };
  const refuse = (status: number, reason: 'malformed' | 'spent' | 'expired' | 'unknown'): void => {
    reply(status, { admitted: false, reason, sentence: message(`host.launch.${reason}`) });
  };
  if (request.method !== 'POST') {
    answerText(response, 405, 'This address only answers POST.\n');
    return;
  }
  const body = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
    ? exchangeRequestSchema.safeParse(await readJson(request))
    : null;
  if (!body?.success) {
    // The unread rest of the body must not become the next request.
    response.shouldKeepAlive = false;
    refuse(400, 'malformed');
    return;
  }
  const { code } = body.data;
  const outcome = admission.exchange(code, cookieOf(request, admission.cookieName));
  if (!outcome.admitted) {
    warnings.warn('launch-code-refused', outcome.reason);
    refuse(403, outcome.reason);
    return;
  }
  logger.info('page-admitted');
  await options.onSpent(code);
  reply(
    200,
    { admitted: true, proof: outcome.proof },
    `${admission.cookieName}=${outcome.cookie}; Path=/; HttpOnly; SameSite=Strict`,
  );
}

/** The request's body as JSON; undefined when it is too large or not JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  let size = 0;
  const chunks: Uint8Array[] = [];
  // Without `destroyOnReturn: false`, leaving the loop would close the connection before the answer.
  const stream = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > largestBody) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
