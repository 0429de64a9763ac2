import { makeFailure } from '../domain/failure.ts';
import { say } from '../words/say.ts';
import type { StationTime } from '../domain/stationTime.ts';
import type { Login } from '../session/login.ts';
import { readLoginAnswer } from './loginAnswer.ts';
import type { Transport } from './transport.ts';

/** Statuses by which the service judges the credentials themselves. */
const judging: ReadonlySet<number> = new Set([400, 401, 403, 422]);

/**
 * POST /login (interface: Authentication, 2). The only request that holds the password; it goes to
 * `infrastructureUrl` + `loginPath` and is outside the retry rules, since the session retries.
 */
export function createLogin(options: {
  readonly transport: Transport;
  readonly stationTime: StationTime;
  readonly loginPath: string;
}): Login {
  const { transport, stationTime, loginPath } = options;
  return async (username, password, signal) => {
    const result = await transport.send({
      api: 'infrastructure',
      operation: 'login',
      method: 'POST',
      path: loginPath,
      headers: { 'content-type': 'application/json' },
      body: () => JSON.stringify({ username, password }),
      authorization: 'none',
      retries: false,
      interactive: true,
      signal,
    });
    if (!result.ok) {
      const { failure } = result;
      const judged = failure.status !== null && judging.has(failure.status);
      return { kind: judged ? 'rejected' : 'unanswered', failure };
    }
    const read = readLoginAnswer(result.value.body);
    if (read !== null) return { kind: 'granted', ...read };
    const failure = makeFailure({
      code: 'unreadable-answer',
      at: stationTime.stationNow(),
      status: result.value.status,
      requestId: result.value.requestId,
      sentence: say('api.loginUnreadable'),
    });
    return { kind: 'unanswered', failure };
  };
}
