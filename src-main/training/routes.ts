import type { Accounts } from './accounts.ts';
import {
  json,
  refusal,
  type TrainingAnswer,
  type TrainingRequest,
  type TrainingRoute,
  type WholeRoute,
} from './answer.ts';
import { listIncidents } from './incidentList.ts';
import { paths } from './paths.ts';
import type { World } from './world.ts';

const publicGet = (path: string, handle: WholeRoute['handle']): WholeRoute => ({
  method: 'GET',
  path,
  access: 'public',
  idempotent: false,
  handle,
});

/** `now` is Unix milliseconds without the service's clock offset. */
export function infrastructureRoutes(world: World, accounts: Accounts, now: () => number): TrainingRoute[] {
  const { incidents, integrations, evidence } = world;
  return [
    publicGet('/health', () => json(200, integrations.report())),
    {
      ...publicGet('/incidents', (request) => listIncidents(incidents, request)),
      access: 'bearer',
      refuse: ({ switches }) =>
        switches.incidentScope ? null : refusal(403, 'The scope to read incidents has not been granted'),
    },
    {
      ...publicGet(paths.evidence, (request) => evidence.list(request)),
      access: 'bearer',
      refuse: ({ switches }) =>
        switches.evidenceScope ? null : refusal(403, 'Scope evidence:read has not been granted'),
    },
    {
      method: 'POST',
      path: '/login',
      access: 'public',
      idempotent: false,
      handle: (request) => logIn(accounts, now(), request),
    },
  ];
}

export function coordinationRoutes({ storage, missions, events }: World): TrainingRoute[] {
  return [
    publicGet('/health', () => json(200, { status: 'ok' })),
    storage.route(),
    ...missions.routes(),
    events.route(),
  ];
}

/**
 * `POST /login` (interface: auth). 401 with `{error}` on wrong credentials and for a revoked account.
 *
 * `now` is Unix milliseconds without the service's clock offset; `expires_at` is in the
 * service's time, rounded up so that a token lives at least as long as the switch says.
 */
function logIn(accounts: Accounts, now: number, request: TrainingRequest): TrainingAnswer {
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
