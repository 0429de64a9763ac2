import { expect, it, onTestFinished } from 'vitest';
import { openConsole, startService } from '../core/scopes/appFixtures.ts';
import { Mirror } from '../core/state/storeFixtures.ts';
import { createTestPorts } from '../support/ports.ts';
import { createVirtualWorld } from '../support/virtualWorld.ts';
import { Busy } from './busy.ts';
import { Tape } from './tape.ts';

const second = 1000;
const minute = 60 * second;

/**
 * A day of a console in training, from its first start to a sign-out in the middle of a reading: what every verb
 * answered and what the page was told, on a virtual clock and with seeded random numbers. Nothing is kept on a disk,
 * as its threads run on no virtual clock.
 */
it('a scripted day goes as it went', async () => {
  const seeded = createTestPorts({ seed: 18 });
  // Of two requests that fail at one time either may be the first to draw the time of its next attempt.
  const ports = { ...seeded, random: { ...seeded.random, fraction: () => 0.5 } };
  const other = await startService(ports, []);
  const busy = new Busy();
  const world = createVirtualWorld({ clock: ports.clock, held: () => 0 });
  onTestFinished(() => world.close());
  const advance = async (ms: number): Promise<void> => {
    const end = ports.clock.elapsed() + ms;
    do await busy.settle(() => world.settle());
    while (ports.clock.runNext(end));
    ports.clock.sleep(end - ports.clock.elapsed());
    await busy.settle(() => world.settle());
  };
  const open = await openConsole({ ports: busy.overAll(ports, ['records', 'handovers', 'readTextFile']) });
  const service = open.training();
  if (service === null) throw new Error('There is no training');
  const names = [service, other].flatMap(({ infrastructureUrl, coordinationUrl }, at) => [
    [infrastructureUrl, `infrastructure-${String(at)}`] as const,
    [coordinationUrl, `coordination-${String(at)}`] as const,
    [new URL(infrastructureUrl).host, `infrastructure-host-${String(at)}`] as const,
    [new URL(coordinationUrl).host, `coordination-host-${String(at)}`] as const,
  ]);
  const tape = new Tape(open, {
    settle: () => advance(second),
    names: [...names, [ports.dataDir, 'data']],
  });
  const { username, password } = service.credentials;

  await tape.step('the first start', async () => {
    // A request that is answered for ever would never let the clock go on.
    await service.set({ eventStream: 'refused' });
    await advance(second);
  });
  await tape.call('signIn', { username, password: 'not the password' });
  await tape.call('signIn', { username, password });
  await tape.step('everything is read', () => advance(minute));
  await tape.call('setPreferences', { theme: 'red', language: 'fr' });
  await tape.call('setIncidentQuery', {
    ...{ range: '24h', severities: ['high'], statuses: [], types: [], openOnly: false },
  });
  await tape.call('addNote', { incidentId: 'real-3', text: 'Crew 4 is on its way.' });
  await tape.call('acknowledgeAlarms', {});
  await tape.step('the rate is limited', async () => {
    await service.set({ fault: 'too-many-requests' });
    await advance(3 * minute);
  });
  await tape.step('it is not any more', async () => {
    await service.set({ fault: 'none' });
    await advance(3 * minute);
  });
  await tape.step('missions are not permitted', async () => {
    await service.set({ missionScope: false });
    await advance(5 * minute);
  });
  const page = new Mirror();
  const subscription = open.console.subscribe((push) => subscription.answer(page.take(push)));
  await tape.step('a second window', () => advance(second));
  expect(tape.same(page)).toBe(true);
  await tape.call('lock', {});
  await tape.call('refreshIncidents', {});
  await tape.call('unlock', { password: 'not the password' });
  await tape.call('unlock', { password });
  await tape.step('the machine slept for two hours', async () => {
    ports.clock.sleep(120 * minute);
    open.console.wake();
    await advance(minute);
  });
  await tape.step('the service is gone', async () => {
    await service.set({ fault: 'refuse' });
    await advance(10 * minute);
  });
  await tape.step('an hour without it', () => advance(60 * minute));
  await tape.step('the service is back', async () => {
    await service.set({ fault: 'none' });
    await advance(10 * minute);
  });
  await tape.step('a sign-out in the middle of a reading', async () => {
    const readings = [open.call('refreshIncidents', {}), open.call('refreshMissions', {})];
    await open.call('signOut', {});
    await Promise.all(readings);
  });
  const { infrastructureUrl, coordinationUrl } = other;
  const another = { version: 1, id: 'another', name: 'Another', infrastructureUrl, coordinationUrl };
  await tape.call('proposeDeployment', { text: JSON.stringify({ ...another, timestampUnit: 'seconds' }) });
  await tape.step('a deployment waits to be confirmed', () => advance(second));
  await open.close();
  await other.close();
  await ports.vaults.close();
  world.close();
  await expect(tape.text).toMatchFileSnapshot('day.txt');
});
