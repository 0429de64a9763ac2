/**
 * Logins in ten minutes of each scenario that once cost a loop of them, the real core in every one:
 *
 *   node test/faults/programs/countLogins.ts          each in virtual time, within seconds
 *   node test/faults/programs/countLogins.ts real     a, c and d beside each other in real time
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { createNodePorts } from '../../../src-main/adapters/index.ts';
import { cheapHasher } from '../../support/ports.ts';
import {
  loginScenarios,
  ScenarioConsole,
  ScenarioService,
  type LoginScenario,
} from '../support/loginScenarios.ts';
import { countLogins } from '../support/virtualLogins.ts';

const tenMinutes = 600_000;
const entries = Object.entries<LoginScenario>(loginScenarios);

if (process.argv[2] === 'real') {
  const lasting = entries.filter(([name]) => /^[acd]:/.test(name));
  await Promise.all(lasting.map(([name, scenario]) => countInRealTime(name, scenario)));
} else {
  for (const [name, scenario] of entries) {
    const { logins, requests, session } = await countLogins(scenario, tenMinutes);
    tell(name, 'virtual', logins, requests, session?.state);
  }
}

async function countInRealTime(name: string, scenario: LoginScenario): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'field-console-logins-data-'));
  const real = createNodePorts({ dataDir, logLevel: 'error', openExternal: () => Promise.resolve(false) });
  const ports = { ...real, hasher: cheapHasher };
  const service = new ScenarioService(scenario, ports.clock);
  const console = await ScenarioConsole.open(scenario, ports, await service.listen());
  const before = service.requests;
  await console.signIn();
  await console.queue(scenario.uploads);
  await pause(tenMinutes);
  tell(name, 'real', service.logins - 1, service.requests - before - 1, console.session?.state);
  await console.close();
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
}

function tell(name: string, time: string, logins: number, requests: number, state?: string): void {
  process.stdout.write(
    `${name} (${time}): ${String(logins)} logins, ${String(requests)} requests in 10 minutes, session ${String(state)}\n`,
  );
}
