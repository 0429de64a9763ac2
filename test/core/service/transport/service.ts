import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServerTime, type ServerTime } from '../../../../src-main/core/base/serverTime.ts';
import { VaultGuesses } from '../../../../src-main/core/service/session/guesses.ts';
import {
  createServiceLink,
  type ServiceLink,
  type ServiceLinkOptions,
} from '../../../../src-main/core/service/transport/link.ts';
import type { AttemptOutcome } from '../../../../src-main/core/service/transport/request.ts';
import { createMemoryVault } from '../../../../src-main/core/vault/memoryVault.ts';
import { createTestPorts, type TestPorts } from '../../../support/ports.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (seen: Seen, response: ServerResponse) => void;

export const credentials = { username: 'operator', password: 'correct horse' };

export interface TestService {
  readonly url: string;
  readonly seen: Seen[];
  count(path: string): number;
  /** Replaces what a path answers; the specification's behaviour when it is taken away. */
  on(path: string, handler: Handler | null): void;
  /** What its clock shows, Unix ms; null sends no `Date`. */
  now: () => number;
  sendDate: boolean;
  lifetimeSeconds: number;
  revoked: boolean;
  /** Makes every token given so far worthless. */
  expireTokens(): void;
  close(): Promise<void>;
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export async function createService(now: () => number): Promise<TestService> {
  const seen: Seen[] = [];
  const handlers = new Map<string, Handler>();
  let valid = new Set<string>();
  let numbered = 0;
  let requests = 0;

  const specified: Record<string, Handler> = {
    '/login': (request, response) => {
      const asked = JSON.parse(request.body) as typeof credentials;
      const right = asked.username === credentials.username && asked.password === credentials.password;
      if (!right || service.revoked) return json(response, 401, { error: 'invalid credentials' });
      const token = `token-${(numbered += 1)}`;
      valid.add(token);
      const expiresAt = Math.floor(service.now() / 1_000) + service.lifetimeSeconds;
      return json(response, 200, { token, expires_at: expiresAt });
    },
    '/incidents': (request, response) => {
      const token = (request.headers.authorization ?? '').replace('Bearer ', '');
      if (!valid.has(token) || service.revoked) return json(response, 401, { error: 'token invalid' });
      return json(response, 200, []);
    },
    '/health': (_, response) => json(response, 200, { status: 'ok', ai: true }),
  };

  const server: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://service');
      const request: Seen = {
        method: incoming.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      seen.push(request);
      response.sendDate = false;
      if (service.sendDate) response.setHeader('date', new Date(service.now()).toUTCString());
      response.setHeader('x-request-id', `req-${(requests += 1)}`);
      const handler = handlers.get(url.pathname) ?? specified[url.pathname];
      if (handler === undefined) json(response, 404, { error: 'unknown path' });
      else handler(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: TestService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    count: (path) => seen.filter((request) => request.path === path).length,
    on(path, handler) {
      if (handler === null) handlers.delete(path);
      else handlers.set(path, handler);
    },
    now,
    sendDate: true,
    lifetimeSeconds: 3_600,
    revoked: false,
    expireTokens() {
      valid = new Set();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

export interface Rig {
  readonly ports: TestPorts;
  readonly service: TestService;
  readonly serverTime: ServerTime;
  readonly link: ServiceLink;
  readonly outcomes: AttemptOutcome[];
  close(): Promise<void>;
}

/** Each name is a vault. */
export const createTestGuesses = (ports: Pick<TestPorts, 'clock' | 'documents' | 'logger'>): VaultGuesses =>
  new VaultGuesses(ports, (username) => username.replaceAll(/[^a-z]/g, ''));

export interface LinkChange {
  readonly link?: Partial<ServiceLinkOptions>;
  readonly address?: Partial<ServiceLinkOptions['address']>;
}

/** A link whose vaults are in memory. Both APIs are at `url`, unless the address says otherwise. */
export const createTestLink = (
  ports: TestPorts,
  { url, serverTime, link, address }: LinkChange & { url: string; serverTime: ServerTime },
): ServiceLink =>
  createServiceLink({
    address: {
      infrastructureUrl: url,
      coordinationUrl: url,
      loginPath: '/login',
      ca: null,
      systemAuthorities: false,
      proxy: null,
      attemptTimeoutMs: 10_000,
      totalTimeoutMs: 60_000,
      ...address,
    },
    ...ports,
    vaultFor: () => createMemoryVault(ports),
    guesses: createTestGuesses(ports),
    serverTime,
    bytesPerHour: null,
    forgetAfterMs: 8 * 3_600_000,
    evidencePath: '/evidence',
    onOutcome: () => undefined,
    ...link,
  });

/** A service and a link to it on one virtual clock. `wallOffset` makes the station's wall clock wrong. */
export async function createRig(options: LinkChange & { readonly wallOffset?: number } = {}): Promise<Rig> {
  const ports = createTestPorts();
  const { clock } = ports;
  const truth = clock.wallNow() - clock.elapsed();
  if (options.wallOffset !== undefined) clock.setWall(clock.wallNow() + options.wallOffset);
  const service = await createService(() => truth + clock.elapsed());
  const serverTime = createServerTime({ clock });
  const outcomes: AttemptOutcome[] = [];
  let link: ServiceLink;
  try {
    link = createTestLink(ports, {
      url: service.url,
      serverTime,
      address: options.address ?? {},
      link: { onOutcome: (outcome) => outcomes.push(outcome), ...options.link },
    });
  } catch (error) {
    await service.close();
    throw error;
  }
  return {
    ports,
    service,
    serverTime,
    link,
    outcomes,
    async close() {
      await link.close();
      await service.close();
    },
  };
}

/** Signs in and forgets that it did: counts begin at zero afterwards. */
export async function signedIn(rig: Rig): Promise<Rig> {
  const result = await rig.link.session.signIn(credentials.username, credentials.password);
  if (!result.ok) throw new Error(`Sign-in failed: ${result.failure.code}`);
  rig.service.seen.length = 0;
  rig.outcomes.length = 0;
  return rig;
}
