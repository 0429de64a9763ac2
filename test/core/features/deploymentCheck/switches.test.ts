import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../../../../src-main/adapters/clock.ts';
import { createRandom } from '../../../../src-main/adapters/crypto.ts';
import {
  checkDeployment,
  type DeploymentCheckReport,
} from '../../../../src-main/core/features/deploymentCheck/index.ts';
import { readCertificate } from '../../../../src-main/core/features/deploymentCheck/deploymentCheck.ts';
import { readDeployment } from '../../../../src-main/core/features/deployments/schema.ts';
import { repeatsSecret } from '../../../../src-main/core/service/transport/echoedSecret.ts';
import { startTraining, type TrainingServer } from '../../../support/training/index.ts';
import type { CheckFindingId, TrainingSwitches } from '../../../../src-preload/contract/index.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/clock.ts';
import { patience } from '../../../support/patience.ts';
import { createRecordingLogger, createTestNetwork } from '../../../support/ports.ts';
import { wireIncident } from '../../state/wireIncident.ts';
import { certificate, privateKey } from '../../service/transport/certificate.ts';

const open: TrainingServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Of the service and of the check: it stands still while either works. */
let clock: VirtualClock;
beforeEach(() => {
  clock = createVirtualClock();
});

async function serve(switches: Partial<TrainingSwitches> = {}): Promise<TrainingServer> {
  const quiet = { arrivals: false, integrationScript: false };
  const server = await startTraining({ clock, seed: 1, switches: { ...quiet, ...switches } });
  open.push(server);
  return server;
}

async function check(
  server: TrainingServer,
  more: { readonly password?: string; readonly signal?: AbortSignal; readonly file?: object } = {},
): Promise<{ report: DeploymentCheckReport; log: string }> {
  const { infrastructureUrl, coordinationUrl, credentials } = server;
  const file = {
    ...{ version: 1, id: 'harbour', name: 'Harbour', infrastructureUrl, coordinationUrl },
    ...more.file,
  };
  const reading = readDeployment(file);
  if (!reading.valid) throw new Error('the file of the test is refused');
  const logger = createRecordingLogger();
  const checked = checkDeployment({
    deployment: reading.deployment,
    network: createTestNetwork(),
    file,
    ca: null,
    ...credentials,
    ...(more.password === undefined ? {} : { password: more.password }),
    ...(more.signal === undefined ? {} : { signal: more.signal }),
    clock,
    random: createRandom(),
    logger,
    // Drones report every 200 ms.
    listenMs: 450,
  });
  return { report: await clock.drive(checked), log: JSON.stringify(logger.lines) };
}

const findingOf = ({ findings }: DeploymentCheckReport, id: CheckFindingId) =>
  findings.find((one) => one.id === id);

/** Checks a service that answers its login, and everything else as `answer` does. */
async function checkOf(
  answer: (url: URL) => { readonly status?: number; readonly body?: unknown },
  {
    token = 'a-token-of-the-test',
    password = 'a-password',
    ...more
  }: { token?: string; password?: string; repeatsSecret?: (text: string) => boolean } = {},
): Promise<DeploymentCheckReport> {
  const server = createHttpServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const login = { body: { token, expires_at: 4_000_000_000 } };
    const path = new URL(request.url ?? '/', 'http://localhost');
    const { status = 200, body }: ReturnType<typeof answer> =
      path.pathname === '/login' ? login : answer(path);
    response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const file = { version: 1, id: 'h', name: 'H', infrastructureUrl: url, coordinationUrl: url };
  const reading = readDeployment(file);
  if (!reading.valid) throw new Error('the file of the test is refused');
  return checkDeployment({
    ...{ deployment: reading.deployment, file, ca: null, username: 'operator', password, ...more },
    network: createTestNetwork(),
    ...{ clock: createClock(), random: createRandom(), logger: createRecordingLogger(), listenMs: 10 },
  });
}

/** What the check says of a deployment that has a switch set. */
interface Row {
  readonly set: Partial<TrainingSwitches>;
  readonly finding: CheckFindingId;
  readonly says: object;
}

const seen = (values: object): object => ({ outcome: 'seen', values });
const notSeen = (reason: string): object => ({ outcome: 'not-seen', reason });
const notTried = { outcome: 'not-tried', reason: 'has-effect', requests: 0 };
const faults = {
  refuse: ['login', 'unreachable'],
  reset: ['login', 'unreachable'],
  hang: ['login', 'timed-out'],
  'error-500': ['login', 'service-error'],
  'storm-503': ['login', 'service-error'],
  'too-many-requests': ['login', 'too-many-requests'],
  truncated: ['login', 'unreachable'],
  garbage: ['login', 'unreadable-answer'],
  'wrong-types': ['login', 'unreadable-answer'],
  'captive-portal': ['login', 'answered-by-something-else'],
  'tokens-refused': ['incidents', 'token-refused'],
} as const satisfies Record<Exclude<TrainingSwitches['fault'], 'none'>, readonly [CheckFindingId, string]>;

/** Every switch of training has rows here; null where it changes nothing that a service answers to a read. */
const table: Readonly<Record<keyof TrainingSwitches, readonly Row[] | null>> = {
  tokenLifetimeSeconds: [
    {
      set: { tokenLifetimeSeconds: 120 },
      finding: 'login',
      says: seen({ lifetimeSeconds: expect.closeTo(120, -1) }),
    },
  ],
  clockOffsetMs: [
    {
      set: { clockOffsetMs: 600_000 },
      finding: 'clock',
      says: seen({ computerAheadSeconds: expect.closeTo(-600, -1) }),
    },
  ],
  pageLimit: [
    {
      set: { pageLimit: 40, pageLimitEnforced: true },
      finding: 'incidents.pageSize',
      says: seen({ askedFor: 1_000, returned: 40, withoutLimit: 40, largest: 40 }),
    },
  ],
  pageLimitEnforced: [
    {
      set: { pageLimitEnforced: true },
      finding: 'incidents.pageSize',
      says: seen({ returned: 200, withoutLimit: 200, largest: 200 }),
    },
  ],
  order: [
    { set: {}, finding: 'incidents.order', says: seen({ order: 'newest-first' }) },
    { set: { order: 'oldest-first' }, finding: 'incidents.order', says: seen({ order: 'oldest-first' }) },
    { set: { order: 'shuffled' }, finding: 'incidents.order', says: seen({ order: 'none' }) },
    {
      set: { order: 'oldest-first', pageLimitEnforced: true },
      finding: 'incidents.pageSize',
      says: seen({ largest: 200 }),
    },
  ],
  timestampUnit: [
    { set: {}, finding: 'incidents.timeUnit', says: seen({ honoured: true, unit: 'seconds' }) },
    {
      set: { timestampUnit: 'milliseconds' },
      finding: 'incidents.timeUnit',
      says: seen({ honoured: true, unit: 'milliseconds' }),
    },
  ],
  latencyMs: [
    {
      set: { latencyMs: 20 },
      finding: 'roundTrip',
      // The service waits so long: what is held is that the figure has the wait in it.
      says: seen({ shortestMs: expect.toSatisfy((ms: number) => ms >= 15) }),
    },
  ],
  fault: Object.entries(faults).map(([fault, [finding, reason]]) => ({
    set: { fault: fault as TrainingSwitches['fault'] },
    finding,
    says: notSeen(reason),
  })),
  accountRevoked: [{ set: { accountRevoked: true }, finding: 'login', says: notSeen('credentials-refused') }],
  incidentScope: [{ set: { incidentScope: false }, finding: 'incidents', says: notSeen('not-granted') }],
  wrapWithCursor: [
    { set: {}, finding: 'incidents.cursor', says: notSeen('no-cursor') },
    { set: { wrapWithCursor: true }, finding: 'incidents', says: seen({ shape: 'object' }) },
    { set: { wrapWithCursor: true }, finding: 'incidents.cursor', says: seen({ honoured: true, again: 0 }) },
  ],
  arrivals: null,
  integrationScript: null,
  // A gateway is no part of the service, and a check does not ask one.
  gatewayFault: null,
  evidenceScope: [{ set: { evidenceScope: false }, finding: 'evidence', says: notSeen('not-granted') }],
  evidenceWithCursor: [
    {
      set: {},
      finding: 'evidence',
      says: seen({ shape: 'object', returned: 5, cursor: true, cursorHonoured: true }),
    },
    {
      set: { evidenceWithCursor: false },
      finding: 'evidence',
      says: seen({ shape: 'array', cursor: false }),
    },
  ],
  uploadFault: [{ set: { uploadFault: 'conflict' }, finding: 'uploads', says: notTried }],
  cutAfterBytes: [{ set: { cutAfterBytes: 1 }, finding: 'uploads', says: notTried }],
  missionScope: [{ set: { missionScope: false }, finding: 'approvals', says: notTried }],
  missionFault: [{ set: { missionFault: 'conflict' }, finding: 'approvals', says: notTried }],
  missionListLagMs: [{ set: { missionListLagMs: 60_000 }, finding: 'approvals', says: notTried }],
  eventStream: [
    { set: {}, finding: 'events', says: seen({ path: '/events', ended: false }) },
    { set: { eventStream: 'silent' }, finding: 'events', says: seen({ events: 0, comments: 0, bytes: 0 }) },
    { set: { eventStream: 'refused' }, finding: 'events', says: notSeen('service-error') },
  ],
  drones: [
    { set: {}, finding: 'positions', says: notSeen('no-position') },
    { set: { drones: 'many' }, finding: 'positions', says: seen({ rule: 'auto', drones: 1_000 }) },
  ],
};

describe('the check of a deployment finds each switch of training', () => {
  for (const [name, rows] of Object.entries(table)) {
    for (const { set, finding, says } of rows ?? []) {
      it(`${name}: ${JSON.stringify(set)} in "${finding}"`, async () => {
        const { report } = await check(await serve(set));
        expect(findingOf(report, finding)).toMatchObject(says);
      });
    }
  }
});

describe('the check of a deployment', () => {
  it('reads only, but for one login, and stays within its budget', async () => {
    const server = await serve();
    server.resetCounts();
    const { report } = await check(server);
    const { requests } = server.counts;
    const sent = Object.entries(requests);
    const posts = sent.filter(([line]) => !line.startsWith('GET '));
    expect(posts).toEqual([['POST /login', 1]]);
    expect(sent.reduce((sum, [, count]) => sum + count, 0)).toBe(report.requests);
    expect(report).toMatchObject({ logins: 1, mostRequests: 60, stopped: null });
    expect(report.requests).toBeLessThanOrEqual(60);
    expect(report.findings.reduce((sum, one) => sum + one.requests, 0)).toBe(report.requests);
  });

  it('sends nothing more once a token was refused', async () => {
    const server = await serve({ fault: 'tokens-refused' });
    server.resetCounts();
    const { report } = await check(server);
    expect(report).toMatchObject({ stopped: 'token-refused', logins: 1 });
    expect(server.counts.requests).toEqual({ 'GET /health': 2, 'POST /login': 1, 'GET /incidents': 1 });
  });

  it('has neither password nor token in report or log', async () => {
    const server = await serve();
    const { report, log } = await check(server);
    const said = JSON.stringify(report) + log;
    const secrets = [server.credentials.password, ...server.issuedTokens()];
    expect(secrets.length).toBe(2);
    for (const secret of secrets) expect(said).not.toContain(secret);
  });

  it.each([
    ['as it is', (secret: string) => secret],
    ['in capitals', (secret: string) => secret.toUpperCase()],
    ['percent-encoded', (secret: string) => encodeURIComponent(secret)],
    ['each byte encoded', (secret: string) => Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&')],
    ['encoded twice', (secret: string) => encodeURIComponent(encodeURIComponent(`<${secret}>`))],
    ['in base64', (secret: string) => Buffer.from(secret).toString('base64')],
    ['in base64 of addresses', (secret: string) => Buffer.from(secret).toString('base64url')],
    ['behind a user name', (secret: string) => Buffer.from(`operator:${secret}`).toString('base64')],
    ['in digits', (secret: string) => Buffer.from(secret).toString('hex')],
    ['its beginning', (secret: string) => secret.slice(0, 7)],
    ['its end', (secret: string) => secret.slice(-7)],
    ['behind a long text', (secret: string) => `${'n'.repeat(50)}${secret}`],
  ])('hides what a health answer repeats of a secret: %s', async (_, written) => {
    const secrets = {
      password: 'pä?ss/wörd>2026',
      token: 'eyJ0b2tlbi1vZi1hLWxvZ2lu.x-y_z',
      upload: 'upload~Token+1',
    };
    const health = Object.fromEntries(
      Object.values(secrets).flatMap((secret) => [
        [written(secret), 'ok'],
        [`n-${written(secret)}`, true],
      ]),
    );
    const report = await checkOf(() => ({ body: { status: 'ok', ...health } }), {
      ...secrets,
      repeatsSecret: (text) => repeatsSecret(text, [secrets.upload]),
    });
    expect(findingOf(report, 'login')).toMatchObject({ outcome: 'seen' });
    const named = { texts: ['status', '[secret]'], flags: ['[secret]'] };
    expect(findingOf(report, 'health.infrastructure')).toMatchObject({ values: named });
    expect(findingOf(report, 'health.coordination')).toMatchObject({ values: named });
  });

  it.each([
    ['100', 100, 100],
    ['50', 60, 50],
    ['null', 0, null],
  ])(
    'asks for less where a limit is refused, and writes a page size of %s',
    async (value, most, pageSize) => {
      const rows = Array.from({ length: 80 }, (_, at) =>
        wireIncident(`i-${at}`, new Date(1_763_600_000_000 - at * 60_000).toISOString()),
      );
      const report = await checkOf(({ searchParams }) => {
        const limit = Number(searchParams.get('limit') ?? 0);
        if (limit > most) return { status: 422, body: { error: 'limit' } };
        const [start, end] = ['start_time', 'end_time'].map((name) => Number(searchParams.get(name) ?? NaN));
        const inside = rows.filter(({ created_at }) => {
          const at = Date.parse(created_at) / 1000;
          return !(at < (start ?? NaN) || at > (end ?? NaN));
        });
        return inside.length === 0
          ? { status: 204 }
          : { body: { data: { items: inside.slice(0, limit || 50) } } };
      });
      expect(findingOf(report, 'incidents')).toMatchObject({ values: { accepts: pageSize ?? 'no-limit' } });
      expect(findingOf(report, 'incidents.timeUnit')).toMatchObject(seen({ unit: 'seconds', empty: '204' }));
      expect(report.keys[0]).toEqual({ key: 'sync.pageSize', value, change: 'changed', reason: 'incidents' });
      expect(readDeployment(report.file)).toMatchObject({ valid: true, deployment: { sync: { pageSize } } });
    },
  );

  it('gives a deployment file that is read again, with the finding of each key', async () => {
    const server = await serve({ timestampUnit: 'milliseconds' });
    const { report } = await check(server, { file: { missions: { idField: 'mission' } } });
    expect(report.keys).toEqual([
      { key: 'timestampUnit', value: 'milliseconds', change: 'changed', reason: 'incidents.timeUnit' },
      { key: 'loginPath', value: '/login', change: 'changed', reason: 'login' },
      { key: 'evidencePath', value: '/evidence', change: 'changed', reason: 'evidence' },
      {
        key: 'missions.pendingPath',
        value: '/admin/missions/pending',
        change: 'changed',
        reason: 'pendingMissions',
      },
      { key: 'eventsPath', value: '/events', change: 'changed', reason: 'events' },
    ]);
    const reading = readDeployment(report.file);
    expect(reading).toMatchObject({
      valid: true,
      deployment: {
        timestampUnit: 'milliseconds',
        eventsPath: '/events',
        missions: { idField: 'mission', pendingPath: '/admin/missions/pending' },
      },
    });
  });

  it('says whether the stream carries positions, as the deployment file reads them', async () => {
    const server = await serve({ drones: 'many' });
    const { report: plain } = await check(server);
    expect(plain.keys.at(-1)).toEqual({
      key: 'positions',
      value: 'auto',
      change: 'changed',
      reason: 'positions',
    });
    const lies = (places: string) => ({
      id: 'drone_id',
      latitude: `${places}.latitude`,
      longitude: `${places}.longitude`,
    });
    const { report: named } = await check(server, { file: { positions: lies('telemetry') } });
    expect(findingOf(named, 'positions')).toMatchObject(
      seen({ drones: 1_000, fields: ['drone_id', 'telemetry.latitude', 'telemetry.longitude'] }),
    );
    expect(named.keys.map(({ key }) => key)).not.toContain('positions');
    expect(named.file).toMatchObject({ positions: lies('telemetry') });
    const { report: misnamed } = await check(server, { file: { positions: lies('place') } });
    expect(findingOf(misnamed, 'positions')).toMatchObject(notSeen('no-position'));
    const { report: off } = await check(server, { file: { positions: 'off' } });
    expect(findingOf(off, 'positions')).toMatchObject(notSeen('off'));
  });

  it('concludes nothing of a service that it cannot sign in to', async () => {
    const { report } = await check(await serve(), { password: 'not the password' });
    expect(findingOf(report, 'login')).toMatchObject(notSeen('credentials-refused'));
    expect(findingOf(report, 'incidents.timeUnit')).toMatchObject(notSeen('signed-out'));
    expect(report.keys).toEqual([]);
  });

  it('reads when a certificate ends, of one that it trusts only', async () => {
    const service = createServer({ cert: certificate, key: privateKey });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void service.close());
    const origin = `https://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const read = (ca: string[] | undefined) =>
      readCertificate({ origin, ca, clock: createClock(), withinMs: patience.step });
    expect(await read([certificate])).toEqual({ kind: 'read', validTo: Date.UTC(2126, 9, 27, 21, 30, 13) });
    expect(await read(undefined)).toEqual({
      kind: 'failed',
      code: expect.stringMatching(/SELF_SIGNED/) as string,
    });
  });
});
