import { makeFailure } from '../../base/failure.ts';
import { message } from '../../base/messages/message.ts';
import { readHttpDate, type ServerTime } from '../../base/serverTime.ts';
import type { Answer } from '../transport/request.ts';
import type { ServiceAddress } from '../transport/address.ts';
import type { Transport } from '../transport/transport.ts';
import { readLoginAnswer } from './loginAnswer.ts';
import type { Login } from './loginOutcome.ts';

/** The operation's name in `AttemptOutcome` and in the log. */
export const loginOperation = 'login';

/** Statuses with which the service judges the credentials. */
const judging: ReadonlySet<number> = new Set([400, 401, 403, 422]);

/**
 * POST /login (interface: Authentication, 2). The only request with the password. It goes to `infrastructureUrl` +
 * `loginPath` and is outside of the retry rules, since the session retries. `transport` may be made later: it takes its
 * tokens from the session.
 */
export function createLogin(options: {
  readonly transport: () => Transport;
  readonly serverTime: ServerTime;
  readonly address: Pick<ServiceAddress, 'loginPath'>;
}): Login {
  const { transport, serverTime, address } = options;
  return async (username, password, signal) => {
    const result = await transport().send({
      api: 'infrastructure',
      operation: loginOperation,
      method: 'POST',
      path: address.loginPath,
      headers: { 'content-type': 'application/json' },
      body: () => JSON.stringify({ username, password }),
      authorization: 'none',
      isUrgent: true,
      retries: false,
      interactive: true,
      signal,
    });
    if (!result.ok) {
      const { failure } = result;
      const judged = failure.status !== null && judging.has(failure.status);
      return { kind: judged ? 'rejected' : 'unanswered', failure };
    }
    const serviceTime = serviceTimeOf(result.value, serverTime);
    const read = readLoginAnswer(result.value.body, serviceTime);
    if (read !== null) {
      const atElapsed = result.value.headElapsed;
      const lifetimeMs = read.expiresAt - serviceTime;
      return { kind: 'granted', ...read, lifetimeMs, atElapsed };
    }
    const failure = makeFailure({
      code: 'unreadable-answer',
      at: serverTime.serverNow(),
      status: result.value.status,
      requestId: result.value.requestId,
      sentence: message('api.loginUnreadable'),
    });
    return { kind: 'unanswered', failure };
  };
}

/** `Date` counts whole seconds: uses the middle of the second. */
const halfSecondMs = 500;

/**
 * The service's time when the head of an answer came, Unix milliseconds: from the answer's `Date` and half of the round
 * trip. The server that wrote `expires_at` wrote this `Date` too; this computer's estimate may follow another server.
 */
function serviceTimeOf({ headers, sentElapsed, headElapsed }: Answer, serverTime: ServerTime): number {
  const date = headers['date'] === undefined ? null : readHttpDate(headers['date']);
  if (date === null) return serverTime.serverNow();
  return date + halfSecondMs + (headElapsed - sentElapsed) / 2;
}
