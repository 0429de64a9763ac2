import type { Accounts } from './accounts.ts';
import { json, refusal, type TrainingAnswer, type TrainingRequest } from './answer.ts';

/**
 * `POST /login` (interface: auth). 401 with `{error}` on wrong credentials and for a revoked account.
 *
 * `now` is Unix milliseconds without the service's clock offset; `expires_at` is told in the
 * service's own time, rounded up so that a token lives at least as long as the switch says.
 */
export function logIn(accounts: Accounts, now: number, request: TrainingRequest): TrainingAnswer {
  const { accountRevoked, clockOffsetMs, tokenLifetimeSeconds } = request.switches;
  const given = readCredentials(request.body);
  if (!given) return refusal(400, 'The body must be a JSON object with the strings username and password');
  if (!accounts.accepts(given.username, given.password))
    return refusal(401, 'Unknown user name or wrong password');
  if (accountRevoked) return refusal(401, 'This account has been revoked');
  const expiresAt = Math.ceil((now + clockOffsetMs) / 1000) + tokenLifetimeSeconds;
  return json(200, { token: accounts.issue(expiresAt * 1000 - clockOffsetMs, now), expires_at: expiresAt });
}

function readCredentials(body: Uint8Array): { readonly username: string; readonly password: string } | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const { username, password } = value as Record<string, unknown>;
    return typeof username === 'string' && typeof password === 'string' ? { username, password } : null;
  } catch {
    return null;
  }
}
