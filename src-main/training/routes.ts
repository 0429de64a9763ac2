import type { Accounts } from './accounts.ts';
import { json, refusal, type TrainingRoute, type WholeRoute } from './answer.ts';
import { listIncidents } from './incidentList.ts';
import { logIn } from './login.ts';
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
  const { shelf, strays, integrations, evidence } = world;
  return [
    publicGet('/health', () => json(200, integrations.report())),
    {
      ...publicGet('/incidents', (request) => listIncidents(shelf, strays, request)),
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
