import { expect, it } from 'vitest';
import { Mirror } from '../core/state/storeFixtures.ts';
import { minute, second, vaultRig } from './vaultRig.ts';

/*
 * Days of a console with a vault on the disk, each a tape of what it answered and told the page. A change that is meant
 * is taken with `vitest run test/freeze -u`, and its difference is read in the commit.
 */

it('a start without a network, and what the password opens, go as they went', async () => {
  const { tape, service, advance, start, now, ports } = await vaultRig();
  const { username, password } = service.credentials;
  await tape.step('the first start', () => advance(second));
  await tape.call('signIn', { username, password });
  await tape.step('everything is read and stored', () => advance(minute));
  await tape.call('addNote', { incidentId: 'real-3', text: 'Crew 4 is on its way.' });
  await tape.step('the service is gone', async () => {
    await service.set({ fault: 'refuse' });
    await advance(2 * minute);
  });
  await tape.restart('a start without a network', start);
  await tape.call('signIn', { username, password: 'not the password' });
  await tape.call('signIn', { username, password });
  const page = new Mirror();
  const subscription = now().console.subscribe((push) => subscription.answer(page.take(push)));
  await tape.step('a second window', () => advance(second));
  expect(tape.same(page)).toBe(true);
  await tape.call('lock', {});
  expect(tape.same(page)).toBe(true);
  await tape.call('unlock', { password: 'not the password' });
  await tape.call('unlock', { password });
  await tape.step('the machine slept for two hours', async () => {
    ports.clock.sleep(120 * minute);
    now().console.wake();
    await advance(minute);
  });
  await tape.step('the service is back', async () => {
    await service.set({ fault: 'none' });
    await advance(3 * minute);
  });
  expect(tape.same(page)).toBe(true);
  await expect(tape.text).toMatchFileSnapshot('vaultOffline.txt');
});

it('refusals, and a thread that dies, go as they went', async () => {
  const { tape, service, advance, threads } = await vaultRig();
  await tape.call('signIn', { ...service.credentials });
  await tape.step('everything is read and stored', () => advance(minute));
  await tape.step('the rate is limited', async () => {
    await service.set({ fault: 'too-many-requests' });
    await advance(minute);
  });
  await tape.step('it is not any more', async () => {
    await service.set({ fault: 'none' });
    await advance(2 * minute);
  });
  await tape.step('incidents are not permitted', async () => {
    await service.set({ incidentScope: false });
    await advance(minute);
  });
  await tape.step('they are again', async () => {
    await service.set({ incidentScope: true });
    await advance(minute);
  });
  await tape.call('refreshIncidents', {});
  await tape.step('the thread of the cache dies', async () => {
    expect(await threads.kill('vault cache')).toBe(true);
    await advance(minute);
  });
  await tape.call('addNote', { incidentId: 'real-4', text: 'After the thread.' });
  await tape.step('the thread of the records dies', async () => {
    expect(await threads.kill('vault outbox')).toBe(true);
    await advance(minute);
  });
  await tape.call('addNote', { incidentId: 'real-5', text: 'After the other thread.' });
  await expect(tape.text).toMatchFileSnapshot('vaultRefusals.txt');
});

it('passwords that are changed go as they went', async () => {
  const { tape, service, advance, start, end } = await vaultRig();
  const { username } = service.credentials;
  await tape.call('signIn', { ...service.credentials });
  await tape.step('everything is read and stored', () => advance(minute));
  await tape.step('the password is changed', async () => {
    service.changePassword();
    service.revokeTokens();
    await advance(2 * minute);
  });
  const before = service.credentials.password;
  await tape.call('signIn', { username, password: before });
  await tape.step('it is read again', () => advance(minute));
  await tape.step('it is changed again while the console is off', async () => {
    await end();
    service.changePassword();
  });
  await tape.restart('a start with a vault under the password before', start);
  await tape.call('signIn', { ...service.credentials });
  await tape.call('openWithPrevious', { password: 'not that one' });
  await tape.call('openWithPrevious', { password: before });
  await tape.step('what was stored is there again', () => advance(minute));
  await expect(tape.text).toMatchFileSnapshot('vaultPasswords.txt');
});

it('a sign-out in the middle of a reading, and another deployment, go as they went', async () => {
  const { tape, service, other, advance, deployment, now } = await vaultRig();
  await tape.call('signIn', { ...service.credentials });
  await tape.step('everything is read and stored', () => advance(minute));
  await tape.step('a sign-out in the middle of a reading', async () => {
    const { call } = now();
    const readings = [call('refreshIncidents', {}), call('refreshMissions', {})];
    await call('signOut', {});
    await Promise.all(readings);
  });
  await tape.call('proposeDeployment', { text: deployment(other, 'another') });
  const { proposal } = now().mirror.slices.deployments ?? {};
  // Sockets of the deployment that is left close in real time.
  await tape.step('another deployment is confirmed', () =>
    now().call('confirmDeployment', { proposalId: proposal?.proposalId ?? '' }),
  );
  await tape.step('and chosen', () => now().call('chooseDeployment', { id: 'another' }));
  await tape.call('signIn', { ...other.credentials });
  await tape.step('the other deployment is read', () => advance(minute));
  await tape.call('signOut', {});
  await expect(tape.text).toMatchFileSnapshot('vaultDeployments.txt');
});
