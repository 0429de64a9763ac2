import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { rootCertificates } from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readProxies, type Network } from '../../../../src-main/core/service/transport/network.ts';
import type { ServiceAddress } from '../../../../src-main/core/service/transport/address.ts';
import { until } from '../../../support/clock.ts';
import { askForBasic, openConnectProxy, type ConnectProxy } from '../../../support/connectProxy.ts';
import { said } from '../../../support/messages.ts';
import { createTestNetwork } from '../../../support/ports.ts';
import { certificate, privateKey } from './certificate.ts';
import { createRig, credentials, json, type Rig } from './service.ts';

afterEach(() => vi.unstubAllEnvs());

/** A service behind TLS. Its certificate is self-signed. */
async function secureService(): Promise<{ readonly url: string; readonly bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      const isList = request.url?.startsWith('/incidents') === true;
      json(response, 200, isList ? [] : { token: 'secure-token', expires_at: 4_000_000_000 });
    });
  });
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`, bodies };
}

async function openProxy(): Promise<ConnectProxy> {
  const proxy = await openConnectProxy();
  onTestFinished(() => proxy.close());
  return proxy;
}

async function linkTo(
  infrastructureUrl: string,
  address: Partial<ServiceAddress>,
  network: Network = createTestNetwork(),
): Promise<Rig> {
  const rig = await createRig({
    address: { infrastructureUrl, ca: certificate, ...address },
    link: { network },
  });
  onTestFinished(() => rig.close());
  return rig;
}

const signIn = (rig: Rig): ReturnType<Rig['link']['session']['signIn']> =>
  rig.link.session.signIn(credentials.username, credentials.password);
const hostOf = (url: string): string => new URL(url).host;

describe('a proxy that asks for a name and a password', () => {
  const name = 'ann';
  const password = 'canary proxy password';
  const header = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

  async function asking() {
    const service = await secureService();
    const proxy = await openProxy();
    proxy.refuse = ({ headers }) => (headers['proxy-authorization'] === header ? null : askForBasic);
    const network = createTestNetwork();
    const rig = await linkTo(service.url, { proxy: proxy.origin }, network);
    return { service, proxy, rig, proxySignIn: network.proxySignIn };
  }

  it('is named, and lets the service be reached when it is answered', async () => {
    const { service, proxy, rig, proxySignIn } = await asking();
    const asked = `The proxy ${proxy.origin} asks for a name and a password.`;
    const refused = await signIn(rig);
    expect(refused).toMatchObject({ ok: false, failure: { code: 'unreachable', status: null } });
    expect(refused.ok || said(refused.failure.sentence)).toBe(asked);
    expect(rig.outcomes.at(-1)).toMatchObject({ outcome: 'unreachable' });
    expect(proxySignIn.question).toMatchObject({ proxy: proxy.origin, basic: true });

    expect(proxySignIn.give('http://other.example', name, password)).toBe(false);
    expect(proxySignIn.give(proxy.origin, name, password)).toBe(true);
    expect((await signIn(rig)).ok).toBe(true);
    expect(proxySignIn.question).toBeNull();
    expect((await rig.link.infrastructure.listIncidents({})).ok).toBe(true);
    expect(proxy.asked.at(-1)?.authorization).toBe(header);
    // It gets what it asked for, and nothing of the session; the service gets nothing of the proxy's.
    expect(proxy.through()).not.toContain(credentials.password);
    expect(proxy.through()).not.toContain('secure-token');
    expect(service.bodies.join()).not.toContain(password);
  });

  it('gets a refused password once, however many requests wait for it', async () => {
    const { proxy, rig, proxySignIn } = await asking();
    await signIn(rig);
    proxy.asked.length = 0;
    proxySignIn.give(proxy.origin, name, 'wrong');
    await Promise.all(Array.from({ length: 8 }, () => rig.link.probe('infrastructure')));
    await signIn(rig);
    expect(proxy.asked.filter(({ authorization }) => authorization !== undefined)).toHaveLength(1);
    expect(said(proxySignIn.question?.sentence)).toBe(
      `The proxy ${proxy.origin} did not accept this name and password.`,
    );
  });

  it('gets nothing any more when they are forgotten', async () => {
    const { proxy, rig, proxySignIn } = await asking();
    await signIn(rig);
    proxySignIn.give(proxy.origin, name, password);
    expect((await signIn(rig)).ok).toBe(true);
    proxySignIn.forget();
    rig.link.dropConnections();
    proxy.asked.length = 0;
    expect((await rig.link.probe('infrastructure')).ok).toBe(false);
    expect(proxy.asked.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('by another method than Basic gets none, and says why', async () => {
    const { proxy, rig, proxySignIn } = await asking();
    const headers = ['Proxy-Authenticate: Negotiate', 'Proxy-Authenticate: NTLM, Digest realm="a, basic b"'];
    proxy.refuse = () => ({ ...askForBasic, headers });
    const refused = await signIn(rig);
    expect(refused.ok || said(refused.failure.sentence)).toContain('asks for another sign-in than Basic');
    expect(proxySignIn.question).toMatchObject({ basic: false });
    expect(proxySignIn.give(proxy.origin, name, password)).toBe(false);
  });
});

describe('the proxies of the system', () => {
  it.each([
    ['DIRECT', ['direct']],
    ['', ['direct']],
    [
      'PROXY a.example:3128; PROXY b.example:8080;DIRECT',
      ['http://a.example:3128', 'http://b.example:8080', 'direct'],
    ],
    ['https proxy.example:443 ;', ['https://proxy.example']],
    ['PROXY [::1]:8080', ['http://[::1]:8080']],
    ['SOCKS a.example:1080; SOCKS5 b.example:1', []],
    ['PROXY user:word@a.example:1; PROXY a.example/path; PROXY; GARBAGE a:1', []],
  ])('are read from %j', (answer, ways) => {
    expect(readProxies(answer)).toEqual(ways);
  });

  const answering = (answer: () => string): Network & { readonly questions: string[] } => {
    const questions: string[] = [];
    const resolveProxy = (address: string): Promise<string> => {
      questions.push(address);
      return Promise.resolve(answer());
    };
    return { ...createTestNetwork({ resolveProxy }), questions };
  };

  it('are asked for by origin, and again when the network changes', async () => {
    const service = await secureService();
    const [first, second] = [await openProxy(), await openProxy()];
    let now = first;
    const network = answering(() => `PROXY ${hostOf(now.origin)}`);
    const rig = await linkTo(service.url, { proxy: 'system' }, network);
    expect((await signIn(rig)).ok).toBe(true);
    now = second;
    expect((await rig.link.infrastructure.listIncidents({})).ok).toBe(true);
    expect(second.asked).toEqual([]);
    rig.link.dropConnections();
    expect((await rig.link.infrastructure.listIncidents({})).ok).toBe(true);
    expect(second.asked[0]?.to).toBe(hostOf(service.url));
    expect(new Set(network.questions)).toEqual(new Set([`${service.url}/`]));
  });

  it('that cannot be reached give way to the next for a while', async () => {
    const service = await secureService();
    const [gone, other] = [await openProxy(), await openProxy()];
    await gone.close();
    const network = answering(() => `PROXY ${hostOf(gone.origin)}; PROXY ${hostOf(other.origin)}; DIRECT`);
    const rig = await linkTo(service.url, { proxy: 'system' }, network);
    const refused = await rig.link.probe('infrastructure');
    expect(refused).toMatchObject({ ok: false, failure: { code: 'unreachable' } });
    expect(refused.ok || said(refused.failure.sentence)).toContain(gone.origin);
    expect((await signIn(rig)).ok).toBe(true);
    expect(other.asked).toHaveLength(1);
    await other.close();
    expect((await rig.link.probe('infrastructure')).ok, 'direct').toBe(true);
  });

  it('that do not answer give way too, and the requests that tried a password with them', async () => {
    const service = await secureService();
    const [mute, other] = [await openProxy(), await openProxy()];
    mute.refuse = () => askForBasic;
    const network = answering(() => `PROXY ${hostOf(mute.origin)}; PROXY ${hostOf(other.origin)}`);
    const rig = await linkTo(service.url, { proxy: 'system' }, network);
    await rig.link.probe('infrastructure');
    mute.refuse = () => 'silent';
    network.proxySignIn.give(mute.origin, 'ann', 'word');
    const both = Promise.all([rig.link.probe('infrastructure'), rig.link.probe('infrastructure')]);
    await until(() => mute.asked.length === 2, 'the trial');
    await rig.ports.clock.advance(10_001);
    expect((await both).map(({ ok }) => ok)).toEqual([false, false]);
    expect((await signIn(rig)).ok).toBe(true);
    expect(other.asked).toHaveLength(1);
  });

  it('are not asked for a service on this computer', async () => {
    const network = answering(() => 'PROXY 192.0.2.1:8080');
    const rig = await createRig({ address: { proxy: 'system' }, link: { network } });
    onTestFinished(() => rig.close());
    expect((await signIn(rig)).ok).toBe(true);
    expect(network.questions).toEqual([]);
  });

  it('that are SOCKS only are said to be of no use', async () => {
    const service = await secureService();
    const rig = await linkTo(
      service.url,
      { proxy: 'system' },
      answering(() => 'SOCKS5 a.example:1080'),
    );
    const refused = await signIn(rig);
    expect(refused.ok || said(refused.failure.sentence)).toContain('can’t use SOCKS');
    expect(service.bodies).toEqual([]);
  });

  it('do not hold up a request that is given up', async () => {
    const service = await secureService();
    const network = createTestNetwork({ resolveProxy: () => new Promise<string>(() => undefined) });
    const rig = await linkTo(service.url, { proxy: 'system' }, network);
    const answer = rig.link.probe('infrastructure');
    await rig.ports.clock.advance(10_001);
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'timed-out' } });
  });

  it('come from the environment where the host cannot ask the system', async () => {
    const service = await secureService();
    const proxy = await openProxy();
    proxy.refuse = ({ headers }) => (headers['proxy-authorization'] === undefined ? askForBasic : null);
    vi.stubEnv('HTTPS_PROXY', proxy.origin);
    vi.stubEnv('https_proxy', undefined);
    vi.stubEnv('NO_PROXY', 'elsewhere.example');
    vi.stubEnv('no_proxy', undefined);
    const network = createTestNetwork({ resolveProxy: null });
    const rig = await linkTo(service.url, { proxy: 'system' }, network);
    expect(await signIn(rig)).toMatchObject({ ok: false, failure: { code: 'unreachable' } });
    expect(network.proxySignIn.question?.proxy).toBe(proxy.origin);
    network.proxySignIn.give(proxy.origin, 'ann', 'word');
    expect((await signIn(rig)).ok).toBe(true);
    process.env['NO_PROXY'] = '127.0.0.1';
    rig.link.dropConnections();
    proxy.asked.length = 0;
    expect((await rig.link.probe('infrastructure')).ok).toBe(true);
    expect(proxy.asked).toEqual([]);
  });
});

it('a proxy that dies in the middle is unreachable, and is used again when it is back', async () => {
  const service = await secureService();
  const proxy = await openProxy();
  const rig = await linkTo(service.url, { proxy: proxy.origin });
  expect((await signIn(rig)).ok).toBe(true);
  await proxy.close();
  const lost = await rig.link.probe('infrastructure');
  expect(lost.ok || said(lost.failure.sentence)).toContain(`through the proxy ${proxy.origin}`);
});

it('a proxy that refuses the tunnel is named, with its status', async () => {
  const service = await secureService();
  const proxy = await openProxy();
  proxy.refuse = () => ({ status: '403 Forbidden' });
  const rig = await linkTo(service.url, { proxy: proxy.origin });
  const refused = await signIn(rig);
  expect(refused.ok || said(refused.failure.sentence)).toBe(
    `The proxy ${proxy.origin} refused the connection (status 403).`,
  );
  expect(service.bodies).toEqual([]);
});

describe('a certificate of an authority that this computer trusts', () => {
  const trusting = () => createTestNetwork({ authorities: () => [...rootCertificates, certificate] });

  it.each(['direct', 'through a proxy'] as const)(
    'is refused with its own sentence, and nothing is sent: %s',
    async (way) => {
      const service = await secureService();
      const proxy = way === 'direct' ? null : (await openProxy()).origin;
      const rig = await linkTo(service.url, { ca: null, proxy }, trusting());
      const refused = await signIn(rig);
      expect(refused).toMatchObject({ ok: false, failure: { code: 'tls-refused' } });
      expect(refused.ok || said(refused.failure.sentence)).toContain('but this computer does');
      expect(service.bodies).toEqual([]);
    },
  );

  it('is refused as before where this computer does not trust it either', async () => {
    const service = await secureService();
    const rig = await linkTo(service.url, { ca: null });
    const refused = await signIn(rig);
    expect(refused.ok || said(refused.failure.sentence)).toBe(
      'The service did not prove its identity. Nothing was sent.',
    );
  });

  it('is accepted where the deployment says so', async () => {
    const service = await secureService();
    const rig = await linkTo(service.url, { ca: null, systemAuthorities: true }, trusting());
    expect((await signIn(rig)).ok).toBe(true);
  });

  it('and a private one stand side by side', async () => {
    const service = await secureService();
    const [other = ''] = rootCertificates;
    const privately = await linkTo(service.url, { systemAuthorities: true });
    expect((await signIn(privately)).ok).toBe(true);
    const publicly = await linkTo(service.url, { ca: other, systemAuthorities: true }, trusting());
    expect((await signIn(publicly)).ok).toBe(true);
  });
});
