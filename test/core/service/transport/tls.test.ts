import { createServer as createProxyServer } from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { certificate, privateKey } from './certificate.ts';
import { createRig, credentials, type Rig } from './service.ts';

const open: Server[] = [];
const rigs: Rig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.close()));
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function secureService(change: tls.TlsOptions = {}): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer({ cert: certificate, key: privateKey, ...change }, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ token: 'secure', expires_at: 4_000_000_000 }));
    });
  });
  return { url: `https://127.0.0.1:${await listen(server)}`, bodies };
}

async function linkTo(infrastructureUrl: string, more: { ca?: string; proxy?: string }): Promise<Rig> {
  const rig = await createRig({ address: { infrastructureUrl, ...more } });
  rigs.push(rig);
  return rig;
}

const signIn = (rig: Rig): ReturnType<Rig['link']['session']['signIn']> =>
  rig.link.session.signIn(credentials.username, credentials.password);

describe('TLS', () => {
  it('a service whose certificate is not trusted gets no byte of the password', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const service = await secureService();
    const rig = await linkTo(service.url, {});
    expect(await signIn(rig)).toMatchObject({ ok: false, failure: { code: 'tls-refused' } });
    expect(service.bodies).toEqual([]);
    expect(rig.outcomes).toMatchObject([{ outcome: 'unreachable', failure: { code: 'tls-refused' } }]);
  });

  it('a private CA makes its service trusted, for its own deployment only', async () => {
    const service = await secureService();
    const trusting = await linkTo(service.url, { ca: certificate });
    const other = await linkTo(service.url, {});
    expect((await signIn(trusting)).ok).toBe(true);
    expect(await signIn(other)).toMatchObject({ ok: false, failure: { code: 'tls-refused' } });
  });

  it('older than 1.2 is not spoken, whatever the process allows', async () => {
    const { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS } = tls;
    // As NODE_OPTIONS="--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0" sets them.
    Object.assign(tls, { DEFAULT_MIN_VERSION: 'TLSv1', DEFAULT_CIPHERS: 'DEFAULT@SECLEVEL=0' });
    try {
      const old = await secureService({ maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
      const rig = await linkTo(old.url, { ca: certificate });
      expect((await signIn(rig)).ok).toBe(false);
      expect(old.bodies).toEqual([]);
    } finally {
      Object.assign(tls, { DEFAULT_MIN_VERSION, DEFAULT_CIPHERS });
    }
  });

  it('a private CA that is no certificate is refused before anything is sent', async () => {
    await expect(createRig({ address: { ca: 'no certificate' } })).rejects.toThrow();
  });
});

describe('the proxy', () => {
  it('is asked for a tunnel, and sees neither password nor token', async () => {
    const service = await secureService();
    const asked: string[] = [];
    const proxy = createProxyServer();
    let through = '';
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      const upstream = connect(Number(new URL(service.url).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.on('data', (chunk: Buffer) => (through += chunk.toString('latin1')));
        socket.pipe(upstream).pipe(socket);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
    });
    const rig = await linkTo(service.url, {
      ca: certificate,
      proxy: `http://127.0.0.1:${await listen(proxy)}`,
    });
    expect((await signIn(rig)).ok).toBe(true);
    expect((await rig.link.infrastructure.listIncidents({})).ok).toBe(true);
    expect(new Set(asked)).toEqual(new Set([new URL(service.url).host]));
    expect(through).not.toContain(credentials.password);
    expect(through).not.toContain('Bearer');
  });

  it('that is not there is unreachable', async () => {
    const service = await secureService();
    const gone = createProxyServer();
    const port = await listen(gone);
    open.pop();
    await new Promise((resolve) => gone.close(resolve));
    const rig = await linkTo(service.url, { ca: certificate, proxy: `http://127.0.0.1:${port}` });
    expect(await signIn(rig)).toMatchObject({ ok: false, failure: { code: 'unreachable' } });
    expect(service.bodies).toEqual([]);
  });

  it('elsewhere is not used for a service on this computer', async () => {
    const rig = await createRig({ address: { proxy: 'http://192.0.2.1:8080' } });
    rigs.push(rig);
    expect((await signIn(rig)).ok).toBe(true);
  });
});
