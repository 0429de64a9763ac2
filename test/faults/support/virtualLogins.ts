import type { SessionState } from '../../../src-preload/contract/index.ts';
import { createTestPorts } from '../../support/ports.ts';
import { createVirtualWorld } from '../../support/virtualWorld.ts';
import { ScenarioConsole, ScenarioService, type LoginScenario } from './loginScenarios.ts';

export interface LoginFigures {
  /** After the sign-in. */
  readonly logins: number;
  /** After the sign-in, logins included. */
  readonly requests: number;
  /** Answers of 401. */
  readonly refused: number;
  /** Milliseconds between the logins after the sign-in. */
  readonly gaps: readonly number[];
  readonly session: SessionState | undefined;
}

/** Lets `ms` of virtual time go by in a scenario, after the sign-in. */
export async function countLogins(scenario: LoginScenario, ms: number): Promise<LoginFigures> {
  const ports = createTestPorts({ seed: 14 });
  const service = new ScenarioService(scenario, ports.clock);
  const url = await service.listen();
  const world = createVirtualWorld({ clock: ports.clock, held: () => service.held });
  const console = await ScenarioConsole.open(scenario, ports, url);
  try {
    await world.settle();
    const before = service.requests;
    await console.signIn();
    await console.queue(scenario.uploads);
    await world.advance(ms);
    return {
      logins: service.logins - 1,
      requests: service.requests - before - 1,
      refused: service.refused,
      gaps: service.gaps,
      session: console.session,
    };
  } finally {
    await console.close();
    await service.close();
    world.close();
  }
}
