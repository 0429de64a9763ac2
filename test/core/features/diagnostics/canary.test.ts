import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ProxyQuestion, Result, VerbName } from '../../../../src-preload/contract/index.ts';
import type { LogEvent } from '../../../../src-main/core/base/logEvents.ts';
import { askForBasic, openConnectProxy } from '../../../support/connectProxy.ts';
import { filesBelow } from '../../../e2e/support/secretPlaces.ts';
import { said } from '../../../support/messages.ts';
import type { TrainingServer } from '../../../support/training/index.ts';
import { askDriven, fetched, openConsole, startService, type OpenConsole } from '../../scopes/appFixtures.ts';
import { Mirror } from '../../state/storeFixtures.ts';
import { wireIncident } from '../../state/wireIncident.ts';
import { attempt, page, portsWithLog, savedBundle } from './diagnosticsRig.ts';
import { leaksIn, textsOf, type Canaries } from './leaks.ts';

/** Planted wherever a text comes into the console; the service's own words and secrets join them. */
const planted = {
  'incident id': ['INC-canary-7f21', 'canary-incident'],
  'incident type': ['canarywildfire'],
  severity: ['canary-severity'],
  status: ['canary-status'],
  'incident field': ['canary field name', 'canary field value'],
  'blockchain record': ['canary-chain-record'],
  evidence: ['canary evidence note'],
  'file name': ['canary-photo-of-a-house.jpg'],
  'file content': ['canary file content'],
  'mission id': ['canary-mission-alpha', 'canary-typed-mission'],
  'mission text': ['canary mission title'],
  'event kind': ['canary-event-kind'],
  'event text': ['canary event text'],
  'extra field': ['canary-campaign-value'],
  'kiosk code': ['canary-kiosk-code-0815'],
  'deployment name': ['Canary harbour station'],
  'wrong password': ['canary wrong password'],
  'log event': ['canary-log-event'],
  'log value': ['canary log value', 'CanaryLogWord', '/home/canary'],
  CID: ['bafkreicanarycanarycanarycanarycanarycanarycanarycanarycana'],
  'view name': ['canary view name'],
  'note text': ['canary note of an operator', 'canary changed note'],
} as const satisfies Canaries;

let service: TrainingServer;
let open: OpenConsole;
let folder: string;
let closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.reverse()) await close();
  closers = [];
});

async function start(
  tamper: (rig: ReturnType<typeof portsWithLog>) => void = () => undefined,
  proxy: string | null = null,
) {
  const rig = portsWithLog();
  tamper(rig);
  const { ports, closeLog } = rig;
  closers.push(closeLog);
  folder = await mkdtemp(join(tmpdir(), 'field-console-canary-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const strange = {
    ...wireIncident(planted['incident id'][0], '2026-11-20T11:58:00Z'),
    incident_type: planted['incident type'][0],
    severity: planted.severity[0],
    status: planted.status[0],
    blockchain_records: [...planted['blockchain record']],
    [planted['incident field'][0]]: planted['incident field'][1],
  };
  service = await startService(ports, [
    wireIncident(planted['incident id'][1], '2026-11-20T11:59:00Z') as never,
    strange as never,
  ]);
  closers.push(() => service.close());
  const { infrastructureUrl, coordinationUrl } = service;
  const file = {
    version: 1,
    id: 'field',
    name: planted['deployment name'][0],
    infrastructureUrl,
    coordinationUrl,
    timestampUnit: 'seconds',
    proxy,
    eventsPath: '/events',
    upload: { fields: { campaign: planted['extra field'][0] }, separateSignIn: true },
    missions: { rejectPath: '/admin/missions/reject', pendingPath: '/admin/missions/pending' },
  };
  const path = join(folder, 'field.json');
  await writeFile(path, JSON.stringify(file));
  open = await openConsole({ ports, named: [{ source: 'command-line', path }] });
  closers.push(() => open.close());
}

async function upload(name: string): Promise<void> {
  const bytes = Buffer.from(planted['file content'][0]);
  const { uploadId } = await askDriven(open, 'beginUpload', {
    fileName: name,
    bytes: bytes.byteLength,
    incidentId: null,
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  expect(await open.console.bytes.spool(uploadId, body())).toBe('kept');
}

/** A shift with something of everything in it, failures too; the reports that were read in between. */
async function work(): Promise<Map<string, string>> {
  const during = new Map<string, string>();
  const { clock, logger } = open.ports;
  const { username, password } = service.credentials;
  await attempt(open, 'signIn', { username, password: planted['wrong password'][0] });
  await askDriven(open, 'signIn', { username, password, uploadToken: service.uploadToken });
  for (const tried of [planted['wrong password'][0], password]) {
    const of = { kind: 'known', id: 'field' } as const;
    await attempt(open, 'startDeploymentCheck', { of, username, password: tried });
    await open.shows(({ deploymentCheck }) => deploymentCheck?.kind === 'done', 'the check');
    await attempt(open, 'dismissDeploymentCheck', {});
  }
  await open.shows(({ incidents }) => incidents?.count === 2, 'the incidents');
  await askDriven(open, 'setIncidentQuery', {
    range: 'all',
    severities: [...planted.severity],
    statuses: [...planted.status],
    types: [],
    openOnly: false,
  });
  service.addEvidence({ note: planted.evidence[0], cid: planted.CID[0] });
  await attempt(open, 'refreshEvidence', {});
  await attempt(open, 'beginVerification', {
    cid: planted.CID[0],
    fileName: planted['file name'][0],
    bytes: 3,
  });
  await open.shows(({ outbox }) => outbox?.available === true, 'the outbox');
  await upload(planted['file name'][0]);
  await open.shows(({ outbox }) => outbox?.counts.sent === 1, 'the upload to be sent');
  const id = service.addMission({ mission_id: planted['mission id'][0], title: planted['mission text'][0] });
  await attempt(open, 'lookUpMission', { missionId: planted['mission id'][1] });
  await attempt(open, 'decideMission', {
    missionId: planted['mission id'][1],
    decision: 'approve',
    again: false,
  });
  await attempt(open, 'decideMission', { missionId: id, decision: 'reject', again: false });
  await attempt(open, 'leaveKiosk', { code: planted['kiosk code'][0] });
  await askDriven(open, 'pinIncident', { incidentId: planted['incident id'][1], pinned: true });
  const note = await askDriven(open, 'addNote', {
    incidentId: planted['incident id'][1],
    text: planted['note text'][0],
  });
  await askDriven(open, 'changeNote', { id: note.id, text: planted['note text'][1] });
  await attempt(open, 'changeNote', { id: 'f'.repeat(32), text: planted['note text'][1] });
  await askDriven(open, 'handOver', {
    summary: planted['note text'][0],
    successor: planted['note text'][1],
    language: 'en',
  });
  service.emitEvent({ kind: planted['event kind'][0], data: planted['event text'][0] });
  for (const fault of ['error-500', 'garbage', 'conflict', 'reset', 'too-many-requests'] as const) {
    service.failNext(6, fault);
    await attempt(open, 'refreshIncidents', {});
    await attempt(open, 'checkHealth', {});
    during.set(
      `the report after ${fault}`,
      JSON.stringify(await askDriven(open, 'readDiagnostics', { page })),
    );
    await clock.advance(5_000);
  }
  service.revokeTokens();
  await attempt(open, 'refreshMissions', {});
  await service.set({ missionScope: false, incidentScope: false, evidenceScope: false });
  for (const verb of ['refreshMissions', 'refreshEvidence', 'refreshIncidents'] as const) {
    await attempt(open, verb, {});
  }
  await service.goDown();
  await attempt(open, 'checkHealth', {});
  await upload('second ' + planted['file name'][0]);
  await service.comeUp();
  logger.warn(planted['log event'][0] as LogEvent, { code: 'internal' });
  logger.warn('session', {
    from: planted['log value'][0],
    to: planted['log value'][1],
    detail: `ENOENT: no such file, open '${planted['log value'][2]}/x'`,
    message: planted['log value'][0],
    requestId: planted['incident field'][1],
    [planted['log event'][0]]: true,
  });
  await clock.advance(60_000);
  return during;
}

/** The canaries with what only the service knows. */
function everything(): Canaries {
  const { username, password } = service.credentials;
  return {
    ...planted,
    password: [password],
    'user name': [username],
    token: service.issuedTokens(),
    'upload token': [service.uploadToken],
    'service words': [
      'Something failed inside the training service',
      'conflicts with the present state',
      'Too many requests',
    ],
    'CID of the service': service.uploads().map(({ cid }) => cid),
    path: [open.ports.dataDir, folder],
  };
}

/** Every text that leaves the console by way of the diagnostics. */
async function told(): Promise<Map<string, string>> {
  const tests = await askDriven(open, 'runSelfTest', { page });
  const report = await askDriven(open, 'readDiagnostics', { page });
  expect(report.requests.length, 'requests were made').toBeGreaterThan(20);
  expect(
    report.requests.filter(({ path }) => path.includes('=')),
    'values of queries',
  ).toEqual([]);
  expect(report.connections.length, 'connections changed').toBeGreaterThan(3);
  const prepared = await askDriven(open, 'prepareBundle', { page });
  const zip = fetched(open, prepared.exportId);
  if (!zip) throw new Error('The bundle is not there');
  return new Map([
    ['the self-test’s reply', JSON.stringify(tests)],
    ['the report’s reply', JSON.stringify(report)],
    ['the list of the bundle', JSON.stringify(prepared)],
    ['the zip', Buffer.from(zip).toString('latin1')],
    ...textsOf(zip),
  ]);
}

it('neither a secret nor the text of an incident is in anything that the diagnostics tell', async () => {
  await start();
  const during = await work();
  const texts = new Map([...during, ...(await told())]);
  expect([...texts.keys()]).toEqual(
    expect.arrayContaining(['report.json', 'self-test.json', 'requests.jsonl', 'console.log', 'README.txt']),
  );
  const log = texts.get('console.log') ?? '';
  expect(log, 'the log says something').toContain('"msg":"request.failed"');
  expect(log.split('\n').length).toBeGreaterThan(20);
  expect(texts.get('requests.jsonl')).toContain('/admin/missions/approve');
  expect([...during.values()].join(), 'the service was in trouble meanwhile').toMatch(
    /degraded since [^"]*, service-error/,
  );
  const canaries = everything();
  for (const [what, values] of Object.entries(canaries)) {
    expect(values.length, what).toBeGreaterThan(0);
    for (const value of values)
      expect(value.length, `${what} is long enough to be told apart`).toBeGreaterThan(6);
  }
  expect(leaksIn(texts, canaries)).toEqual([]);

  await askDriven(open, 'signOut', {});
  const zip = await savedBundle(open);
  expect(leaksIn(textsOf(zip), canaries), 'signed out').toEqual([]);
}, 120_000);

it('neither is the name or password for a proxy, which crosses the bridge once and leaves with the operator', async () => {
  const proxy = await openConnectProxy();
  closers.push(() => proxy.close());
  const given = { 'proxy name': ['canary-proxy-name'], 'proxy password': ['canary proxy password'] } as const;
  const [[username], [password]] = [given['proxy name'], given['proxy password']];
  const header = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  proxy.refuse = ({ headers }) => (headers['proxy-authorization'] === header ? null : askForBasic);
  await start(undefined, proxy.origin);
  const pushes: string[] = [];
  const mirror = new Mirror();
  const page_ = open.console.subscribe((push) => {
    pushes.push(JSON.stringify(push));
    page_.answer(mirror.take(push));
  });
  const texts = new Map<string, string>();
  const saidBy = (asks: ProxyQuestion | null | undefined): string => said(asks?.sentence) ?? '';
  const tell = async (verb: VerbName, request: object): Promise<Result<unknown>> => {
    const reply = await attempt(open, verb, request as never);
    texts.set(`reply ${String(texts.size)}, of ${verb}`, JSON.stringify(reply));
    return reply;
  };
  expect(await tell('signIn', service.credentials)).toMatchObject({ ok: false });
  await open.shows(({ proxy: asks }) => asks?.basic === true, 'the question of the proxy');
  const to = { proxy: proxy.origin, username };
  const [wrong] = planted['wrong password'];
  expect(await tell('signInToProxy', { ...to, password: wrong })).toMatchObject({ ok: false });
  await open.shows(({ proxy: asks }) => saidBy(asks).includes('did not accept'), 'the refusal of the proxy');
  expect(await tell('signInToProxy', { ...to, password })).toEqual({ ok: true, value: null });
  await open.shows(({ proxy: asks }) => asks === null, 'the answer of the proxy');
  expect(await tell('signInToProxy', { ...to, password })).toMatchObject({ failure: { code: 'conflict' } });
  expect(await tell('signIn', service.credentials)).toMatchObject({ ok: true });
  await open.shows(({ incidents }) => incidents?.count === 2, 'the incidents');
  for (const [name, text] of textsOf(await savedBundle(open))) texts.set(name, text);
  texts.set('the report', JSON.stringify(await askDriven(open, 'readDiagnostics', { page })));
  texts.set('the log', JSON.stringify(open.ports.logger.lines));
  texts.set('the pushes', pushes.join('\n'));
  for (const [path, text] of await filesBelow(open.ports.dataDir)) texts.set(path, text);
  for (const [name, text] of open.ports.documents.texts) texts.set(name, text);
  texts.set('what went to the service', proxy.through().replaceAll(header, ''));
  expect(pushes.join()).toContain(proxy.origin);
  expect(leaksIn(texts, { ...given, 'wrong password': [wrong] })).toEqual([]);

  await askDriven(open, 'signOut', {});
  proxy.asked.length = 0;
  open.console.wake();
  await attempt(open, 'checkHealth', {});
  expect(proxy.asked.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  await open.shows(({ proxy: asks }) => saidBy(asks).includes('asks for'), 'the next question');
}, 120_000);

it('the test sees a leak of each kind: it fails where one is made on purpose', async () => {
  let machine = 'system';
  await start(({ ports }) => {
    const { runtime } = ports.diagnostics;
    Object.assign(ports, {
      diagnostics: { ...ports.diagnostics, runtime: () => ({ ...runtime(), system: machine }) },
    });
  });
  await askDriven(open, 'signIn', { ...service.credentials, uploadToken: service.uploadToken });
  const canaries = everything();
  const kinds = Object.entries(canaries).filter(([, values]) => values.length > 0);
  for (const [what, values] of kinds) {
    machine = `a ${values[0] ?? ''} b`.slice(0, 500);
    const report = await askDriven(open, 'readDiagnostics', { page });
    expect(leaksIn(new Map([['the report', JSON.stringify(report)]]), canaries)).toContain(
      `${what} in the report`,
    );
  }
  machine = Buffer.from(` ${service.credentials.password}`).toString('base64');
  expect(leaksIn(textsOf(await savedBundle(open)), canaries)).toContain('password in report.json');
}, 120_000);
