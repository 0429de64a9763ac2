import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NamedDeployment } from '../../../src-main/core/features/deployments/registry.ts';
import type { App } from '../../../src-main/core/scopes/app.ts';
import { createApp } from '../../../src-main/core/scopes/index.ts';
import { startTraining } from '../../support/training/index.ts';
import { stepUntil } from '../../support/clock.ts';
import { consoleOptions } from '../../support/console.ts';
import { createTestPorts, type TestPorts } from '../../support/ports.ts';
import { countReaches, type Reaches } from '../../support/reaches.ts';
import { deploymentFile } from '../features/deployments/deploymentFile.ts';
import {
  createService,
  credentials,
  json,
  type Handler,
  type TestService,
} from '../service/transport/service.ts';

const hostOf = (url: string): string => new URL(url).host;

describe('nothing but the two origins of the deployment is ever reached', () => {
  let ports: TestPorts;
  let reaches: Reaches;
  let closers: (() => Promise<unknown>)[];
  /** Another service on this computer that answers, and the number of those who came to it. */
  let elsewhere: { readonly url: string; visits: number };

  beforeEach(async () => {
    closers = [];
    ports = createTestPorts();
    const visitors: Socket[] = [];
    const server = createTcpServer((socket) => {
      elsewhere.visits += 1;
      visitors.push(socket);
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => {
      for (const visitor of visitors) visitor.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    elsewhere = { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, visits: 0 };
    reaches = countReaches();
    closers.push(() => Promise.resolve(reaches.close()));
  });
  afterEach(async () => {
    for (const close of closers.reverse()) await close();
  });

  async function open(
    named: readonly NamedDeployment[],
    files: TestPorts['readTextFile'] = ports.readTextFile,
  ) {
    const console = await createApp(
      { ...ports, readTextFile: files },
      consoleOptions(null, {
        named,
        startTraining: async () => {
          const training = await startTraining({ clock: ports.clock, random: ports.random, seed: 1 });
          closers.push(() => training.close());
          trained.push(training.infrastructureUrl, training.coordinationUrl);
          return training;
        },
      }),
    );
    closers.push(() => console.close());
    return console;
  }
  const trained: string[] = [];

  const call = (console: App, verb: string, asked: unknown): Promise<unknown> =>
    ports.clock.drive(console.call(verb, asked));

  async function openOn(service: TestService, coordination: TestService): Promise<App> {
    const text = JSON.stringify(
      deploymentFile({ infrastructureUrl: service.url, coordinationUrl: coordination.url }),
    );
    return open([{ source: 'command-line', path: '/deployment.json' }], () => Promise.resolve(text));
  }

  async function services(): Promise<[TestService, TestService]> {
    const made = [
      await createService(ports.clock.wallNow),
      await createService(ports.clock.wallNow),
    ] as const;
    for (const service of made) closers.push(() => service.close());
    return [...made];
  }

  /** Everything that was reached, but the deployment's two. */
  const strangers = (...urls: readonly string[]): unknown => {
    const own = urls.map(hostOf);
    return reaches.seen.filter(({ kind, target }) => kind !== 'connection' || !own.includes(target));
  };

  it('the count sees a request of any library, and a lookup', async () => {
    const web = createServer((_, response) => response.end('[]'));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${String((web.address() as AddressInfo).port)}`;
    await (await fetch(`http://${host}`)).text();
    await (await request(`http://${host}`)).body.dump();
    await expect(fetch('http://elsewhere.invalid')).rejects.toThrow();
    expect(reaches.seen).toContainEqual({ kind: 'lookup', target: 'elsewhere.invalid' });
    expect(reaches.seen.filter(({ target }) => target === host).length).toBeGreaterThanOrEqual(2);
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
  });

  it('from the first start on, with nothing named: training only', async () => {
    const console = await open([]);
    const { url } = elsewhere;
    const proposal = JSON.stringify(deploymentFile({ infrastructureUrl: url, coordinationUrl: url }));
    // A file that is looked at is not a deployment that is used.
    expect(await call(console, 'proposeDeployment', { text: proposal })).toMatchObject({ ok: true });
    await ports.clock.advance(120_000);
    expect(reaches.seen.length).toBeGreaterThan(0);
    expect(strangers(...trained)).toEqual([]);
    expect(elsewhere.visits).toBe(0);
  });

  it('with answers full of other addresses', async () => {
    const [service, coordination] = await services();
    const { url } = elsewhere;
    const headers = {
      location: `${url}/moved`,
      link: `<${url}/incidents?cursor=2>; rel="next", <${url}/style.css>; rel=preload`,
      refresh: `0; url=${url}`,
      'alt-svc': `h2="${hostOf(url)}"; ma=86400`,
      'x-next-cursor': `${url}/incidents?cursor=3`,
    };
    const incident = {
      id: `${url}/incidents/1`,
      incident_type: url,
      severity: 'high',
      status: 'open',
      created_at: '2026-11-20T11:59:00Z',
      evidence_count: 1,
      blockchain_records: [url],
      photo: `${url}/photo.png`,
    };
    let asked = 0;
    service.on('/incidents', (_, response) => {
      asked += 1;
      json(
        response,
        200,
        { incidents: [incident], next_cursor: asked < 3 ? `${url}/?c=${String(asked)}` : null },
        headers,
      );
    });
    service.on('/health', (_, response) =>
      json(response, 200, { status: url, ledger: url, link: url }, headers),
    );
    const console = await openOn(service, coordination);
    expect(await call(console, 'signIn', credentials)).toMatchObject({ ok: true });
    await stepUntil(ports.clock, () => asked > 1 && service.count('/health') > 1, {
      what: 'several answers',
      stepMs: 1_000,
    });
    expect(strangers(service.url, coordination.url)).toEqual([]);
    expect(elsewhere.visits).toBe(0);
  });

  it.each([301, 302, 303, 307, 308])('with every answer a %d to another origin', async (status) => {
    const [service, coordination] = await services();
    const console = await openOn(service, coordination);
    const redirect: Handler = (_, response) => {
      response.writeHead(status, { location: `${elsewhere.url}/login`, 'content-length': 0 });
      response.end();
    };
    for (const path of ['/login', '/health']) service.on(path, redirect);
    expect(await call(console, 'signIn', credentials)).toMatchObject({ ok: false });
    service.on('/login', null);
    service.on('/incidents', redirect);
    expect(await call(console, 'signIn', credentials)).toMatchObject({ ok: true });
    // The first request takes a real moment to arrive, which a clock that is turned by minutes does not wait for.
    await vi.waitFor(() => {
      expect(service.count('/incidents')).toBeGreaterThan(0);
    }, 20_000);
    await ports.clock.advance(180_000);
    expect(strangers(service.url, coordination.url)).toEqual([]);
    expect(elsewhere.visits).toBe(0);
  });
});
