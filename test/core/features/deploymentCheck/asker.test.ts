import { expect, it } from 'vitest';
import { createClock } from '../../../../src-main/adapters/clock.ts';
import { createRandom } from '../../../../src-main/adapters/crypto.ts';
import { Asker } from '../../../../src-main/core/features/deploymentCheck/asker.ts';
import { startTraining } from '../../../support/training/index.ts';
import { patience } from '../../../support/patience.ts';
import { createRecordingLogger, createTestNetwork } from '../../../support/ports.ts';

it('a check sends its sixtieth request and no other, and no second login', async () => {
  const server = await startTraining({ clock: createClock(), seed: 1 });
  const { infrastructureUrl, coordinationUrl, credentials } = server;
  const times = { attemptTimeoutMs: patience.step, totalTimeoutMs: patience.step };
  const direct = { systemAuthorities: false, proxy: null };
  const asker = new Asker({
    network: createTestNetwork(),
    address: { infrastructureUrl, coordinationUrl, loginPath: '/login', ca: null, ...times, ...direct },
    clock: createClock(),
    random: createRandom(),
    logger: createRecordingLogger(),
    signal: new AbortController().signal,
    password: credentials.password,
    onRequest: () => undefined,
  });
  try {
    const { username } = credentials;
    expect(await asker.signIn(username)).toMatchObject({ kind: 'granted' });
    expect(await asker.signIn(username)).toBe('signed-out');
    const ask = () => asker.get({ api: 'infrastructure', path: '/health', withToken: false });
    for (let sent = 1; sent < 60; sent += 1) expect((await ask()).kind).toBe('answer');
    expect(await ask()).toEqual({ kind: 'withheld', reason: 'budget' });
    expect(asker.stopped).toBe('budget');
    expect(server.counts.requests).toEqual({ 'POST /login': 1, 'GET /health': 59 });
  } finally {
    await asker.close();
    await server.close();
  }
});
