import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { createDispatcher } from '../../../src-main/core/service/transport/dispatcher.ts';
import { systemProxy } from '../../../src-main/hosts/desktop/systemProxy.ts';
import { certificate, privateKey } from '../../core/service/transport/certificate.ts';
import { createVirtualClock } from '../../support/clock.ts';
import { openConnectProxy } from '../../support/connectProxy.ts';
import { createTestNetwork } from '../../support/ports.ts';
import { FakeElectron } from './fake/electron.ts';

it('a PAC answer of Chromium leads to the service, through the first proxy that is there', async () => {
  const service = createServer({ cert: certificate, key: privateKey }, (_, response) => response.end('{}'));
  await new Promise<void>((up) => service.listen(0, '127.0.0.1', up));
  const [gone, there] = [await openConnectProxy(), await openConnectProxy()];
  await gone.close();
  const electron = new FakeElectron();
  electron.defaultSession.proxies = [gone, there]
    .map(({ origin }) => `PROXY ${new URL(origin).host}`)
    .join('; ');
  const sockets = createDispatcher({
    address: { ca: certificate, systemAuthorities: false, proxy: 'system', attemptTimeoutMs: 1_000 },
    clock: createVirtualClock(),
    network: createTestNetwork({ resolveProxy: systemProxy(electron.asElectron()) }),
  });
  onTestFinished(async () => {
    await sockets.destroy();
    service.closeAllConnections();
    service.close();
    await there.close();
  });
  const origin = `https://127.0.0.1:${String((service.address() as AddressInfo).port)}`;
  const { signal } = new AbortController();
  const ask = async (): Promise<number> => {
    const dispatcher = await sockets.for({ origin, path: '' }, 'single').dispatcher(signal);
    const { statusCode, body } = await request(origin, { dispatcher });
    await body.dump();
    return statusCode;
  };
  await expect(ask()).rejects.toMatchObject({ name: 'ProxyError' });
  expect(await ask()).toBe(200);
  expect(there.asked).toMatchObject([{ to: new URL(origin).host }]);
  expect(electron.defaultSession.resolved).toEqual([`${origin}/`, `${origin}/`]);
});
