import { onTestFinished } from 'vitest';
import { StillClock } from '../support/clock.ts';
import {
  startTraining,
  type TrainingOptions,
  type TrainingServer,
  type WireIncident,
} from '../support/training/index.ts';

export interface Scene {
  readonly clock: StillClock;
  readonly server: TrainingServer;
  /** A request to the Infrastructure API, with a token once `login` was called. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  /** The same to the Coordination API. */
  readonly coordinate: (path: string, init?: RequestInit) => Promise<Response>;
  readonly login: () => Promise<Response>;
  readonly list: (query?: string) => Promise<WireIncident[]>;
}

/**
 * A training server whose script stands still unless asked to run, and a client signed in to it. Closed after the test.
 */
export async function scene(options: Partial<TrainingOptions> = {}): Promise<Scene> {
  const clock = new StillClock();
  const server = await startTraining({
    clock,
    seed: 7,
    ...options,
    switches: { arrivals: false, integrationScript: false, ...options.switches },
  });
  onTestFinished(() => server.close());
  let token = '';
  const asking =
    (url: string): Scene['ask'] =>
    (path, init = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(init.headers as Record<string, string>),
        },
      });
  const ask = asking(server.infrastructureUrl);
  const login = async (): Promise<Response> => {
    const response = await fetch(`${server.infrastructureUrl}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(server.credentials),
    });
    const body = (await response.clone().json()) as { token?: unknown };
    if (typeof body.token === 'string') token = body.token;
    return response;
  };
  if (server.switches().fault === 'none' && !server.switches().accountRevoked) await login();
  return {
    clock,
    server,
    ask,
    coordinate: asking(server.coordinationUrl),
    login,
    list: async (query = '') => (await (await ask(`/incidents${query}`)).json()) as WireIncident[],
  };
}
