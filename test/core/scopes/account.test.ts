import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TrainingServer } from '../../support/training/index.ts';
import type { Decided, Result, Upload } from '../../../src-preload/contract/index.ts';
import { until } from '../../support/clock.ts';
import { createTestPorts, type TestPorts } from '../../support/ports.ts';
import { askDriven, fetched, openConsole, startService, type OpenConsole } from './appFixtures.ts';

let service: TrainingServer;
let open: OpenConsole | null = null;
let folder: string;
let ports: TestPorts;

async function setUp(deployment: object = {}): Promise<void> {
  ports = createTestPorts();
  folder = await mkdtemp(join(tmpdir(), 'field-console-actions-'));
  service = await startService(ports);
  const { infrastructureUrl, coordinationUrl } = service;
  const file = {
    version: 1,
    id: 'field',
    name: 'Field',
    infrastructureUrl,
    coordinationUrl,
    timestampUnit: 'seconds',
    eventsPath: '/events',
    missions: { rejectPath: '/admin/missions/reject', pendingPath: '/admin/missions/pending' },
    ...deployment,
  };
  await writeFile(join(folder, 'field.json'), JSON.stringify(file));
}

/** Starts the console, once more where there was one before: the same computer, another process. */
async function start(): Promise<OpenConsole> {
  await open?.console.close();
  open = await openConsole({
    ports,
    named: [{ source: 'command-line', path: join(folder, 'field.json') }],
  });
  return open;
}

afterEach(async () => {
  await open?.close();
  open = null;
  await service.close();
  await ports.records.close();
  await ports.vaults.close();
  await rm(folder, { recursive: true, force: true });
});

it('collects garbage at the sign-out, once the vault is closed and nothing refers to the operator', async () => {
  await setUp();
  const { openCache } = ports.vaults;
  let isOpen = false;
  vi.spyOn(ports.vaults, 'openCache').mockImplementation(async (options) => {
    const opened = await openCache(options);
    isOpen = true;
    const close = async (): Promise<void> => {
      await opened.store.close();
      isOpen = false;
    };
    return { ...opened, store: { ...opened.store, close } };
  });
  const stillOpen: boolean[] = [];
  vi.spyOn(ports, 'collectGarbage').mockImplementation(() => void stillOpen.push(isOpen));
  const console = await start();
  await console.signIn(service);
  expect([isOpen, stillOpen]).toEqual([true, []]);
  await askDriven(console, 'signOut', {});
  await until(() => stillOpen.length > 0, 'the collection');
  expect(stillOpen).toEqual([false]);
});

const bytesOf = (name: string): Buffer => Buffer.from(`canary-file ${name} `.repeat(5_000));

async function add(console: OpenConsole, name: string): Promise<string> {
  const bytes = bytesOf(name);
  const { uploadId } = await askDriven(console, 'beginUpload', {
    fileName: name,
    bytes: bytes.byteLength,
    incidentId: null,
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes.subarray(0, 1000));
    yield bytes.subarray(1000);
  }
  expect(await console.console.bytes.spool(uploadId, body())).toBe('kept');
  return uploadId;
}

const uploads = async (console: OpenConsole): Promise<readonly Upload[]> =>
  (await askDriven(console, 'readUploads', { from: 0, count: 200 })).items;

const sentAll =
  (count: number) =>
  ({ outbox }: OpenConsole['mirror']['slices']): boolean =>
    outbox?.counts.sent === count && outbox.unsent === 0;

/** Everything that lies in the data folder, as one text. */
async function everythingOnDisk(): Promise<string> {
  const texts: string[] = [];
  for (const entry of await readdir(ports.dataDir, { recursive: true, withFileTypes: true })) {
    // A file that was sent meanwhile is gone by now.
    const bytes = entry.isFile()
      ? await readFile(join(entry.parentPath, entry.name)).catch(() => null)
      : null;
    if (bytes) texts.push(bytes.toString('latin1'));
  }
  return texts.join('\n');
}

describe('uploads', () => {
  it('queued offline are sent once when the link is back, after a restart and with their CIDs', async () => {
    await setUp();
    const first = await start();
    expect((await first.signIn(service)).ok).toBe(true);
    await first.shows(({ outbox }) => outbox?.available === true, 'the outbox');
    await service.goDown();
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await add(first, name);
    await first.shows(({ outbox }) => outbox?.unsent === 3, 'three unsent files');
    expect(await everythingOnDisk()).not.toContain('canary-file');

    const again = await start();
    expect((await ports.clock.drive(again.signIn(service))).ok).toBe(true);
    await again.shows(({ outbox }) => outbox?.unsent === 3, 'the three files');
    expect(again.mirror.slices.session?.session.state).toBe('waiting');
    await service.comeUp();
    await again.shows(sentAll(3), 'all of them to be sent');
    expect(
      service
        .uploads()
        .map(({ sha256 }) => sha256)
        .sort(),
    ).toEqual(
      ['a.jpg', 'b.jpg', 'c.jpg']
        .map((name) => createHash('sha256').update(bytesOf(name)).digest('hex'))
        .sort(),
    );
    for (const item of await uploads(again)) {
      expect(item).toMatchObject({ state: 'sent', verdict: 'match', profile: 'v1-raw-256k' });
      expect(item.cid).toBe(service.uploads().find(({ fileName }) => fileName === item.fileName)?.cid);
    }
    await again.shows(({ storage }) => storage?.vaults[0]?.unsent === 0, 'the header');
  });

  it('of which the answer was lost are sent again under the same key, and have one effect', async () => {
    await setUp();
    const console = await start();
    await console.signIn(service);
    await console.shows(({ outbox }) => outbox?.available === true, 'the outbox');
    await service.set({ uploadFault: 'answer-lost' });
    await add(console, 'lost.jpg');
    await console.shows(() => service.uploads().length === 1, 'the effect');
    await service.set({ uploadFault: 'none' });
    await console.shows(sentAll(1), 'the answer');
    expect(service.uploads()).toHaveLength(1);
    expect(service.counts.requests['POST /storage']).toBeGreaterThan(1);
  });

  it('need the separate token where the deployment has one, which goes nowhere else', async () => {
    await setUp({ upload: { separateSignIn: true } });
    const console = await start();
    expect(console.mirror.slices.outbox?.uploadToken).toBe('missing');
    await console.signIn(service);
    await console.shows(({ outbox }) => outbox?.available === true, 'the outbox');
    await add(console, 'x.jpg');
    await console.shows(({ outbox }) => outbox?.counts.waiting === 1, 'the file to wait');
    expect(service.counts.requests['POST /storage']).toBeUndefined();
    await askDriven(console, 'giveUploadToken', { token: 'wrong-upload-token' });
    await console.shows(({ outbox }) => outbox?.uploadToken === 'refused', 'the refusal');
    const logins = service.counts.logins;
    await askDriven(console, 'giveUploadToken', { token: service.uploadToken });
    await console.shows(sentAll(1), 'the file to be sent');
    expect(service.counts.logins).toBe(logins);
    const said = JSON.stringify([console.mirror.pushes, ports.logger.lines]);
    for (const secret of [service.uploadToken, 'wrong-upload-token']) {
      expect(said).not.toContain(secret);
      expect(await everythingOnDisk()).not.toContain(secret);
    }
  });

  it('count among what an erased vault would lose', async () => {
    await setUp();
    const console = await start();
    await console.signIn(service);
    await console.shows(({ outbox }) => outbox?.available === true, 'the outbox');
    await service.goDown();
    await add(console, 'unsent.jpg');
    await console.shows(({ storage }) => storage?.vaults[0]?.unsent === 1, 'the header');
    await askDriven(console, 'signOut', {});
    await console.shows(({ storage }) => storage?.vaults[0]?.unsent === 1, 'the closed vault');
    const id = console.mirror.slices.storage?.vaults[0]?.id ?? '';
    expect(await console.call('eraseVault', { id, unsent: 0 })).toMatchObject({ ok: false });
    expect(await console.call('eraseVault', { id, unsent: 1 })).toMatchObject({ ok: true });
    expect(await readdir(join(ports.dataDir, 'vaults'))).toEqual([]);
  });
});

describe('missions', () => {
  const decide = (console: OpenConsole, missionId: string, again = false): Promise<Result<unknown>> =>
    ports.clock.drive(console.call('decideMission', { missionId, decision: 'approve', again }));

  async function ready(deployment = {}): Promise<{ console: OpenConsole; mission: string }> {
    await setUp(deployment);
    const mission = service.addMission();
    const console = await start();
    await console.signIn(service);
    await console.shows(
      ({ missions }) =>
        missions?.missions.some(({ id }) => id === mission) === true && missions.blocked === null,
      'the mission',
    );
    return { console, mission };
  }

  it('are approved by one request, however many calls are made at once', async () => {
    const { console, mission } = await ready();
    const results = await Promise.all(Array.from({ length: 20 }, () => decide(console, mission)));
    for (const result of results) expect(result).toMatchObject({ ok: true, value: { outcome: 'done' } });
    expect(service.decisions()).toMatchObject([{ missionId: mission, decision: 'approve' }]);
    expect(service.counts.requests['POST /admin/missions/approve']).toBe(1);
    expect(await decide(console, mission)).toMatchObject({ ok: false });
    expect(console.mirror.slices.missions?.audit).toMatchObject({ state: 'intact' });
  });

  it('are listed again with the first answer of either API, however long the outage was', async () => {
    const { console } = await ready({ eventsPath: null });
    await service.set({ fault: 'reset' });
    await ports.clock.advance(1_800_000);
    await console.shows(({ missions }) => missions?.failure !== null, 'the failure');
    await service.set({ fault: 'none' });
    const from = ports.clock.elapsed();
    await console.shows(({ missions }) => missions?.failure === null, 'the list');
    expect(ports.clock.elapsed() - from).toBeLessThan(60_000);
  });

  it('that the account may not decide on stay disabled until the next token', async () => {
    const { console, mission } = await ready();
    await service.set({ missionScope: false });
    expect(await decide(console, mission)).toMatchObject({ ok: true, value: { outcome: 'refused' } });
    await console.shows(
      ({ missions, capabilities }) =>
        missions?.missions.find(({ id }) => id === mission)?.notGranted?.code === 'not-granted' &&
        capabilities?.refused.some(({ resource }) => resource === mission) === true,
      'the reason',
    );
    const asked = service.counts.requests['POST /admin/missions/approve'];
    await decide(console, mission);
    expect(service.counts.requests['POST /admin/missions/approve']).toBe(asked);
  });

  it('whose answer was lost are unknown, also after a restart, until they are sent again', async () => {
    const { console, mission } = await ready({ eventsPath: null });
    await service.set({ missionFault: 'answer-lost', missionListLagMs: 3_600_000 });
    expect(await decide(console, mission)).toMatchObject({ ok: true, value: { outcome: 'unknown' } });
    await service.set({ missionFault: 'none' });
    const again = await start();
    await again.signIn(service);
    await again.shows(
      ({ missions }) =>
        missions?.blocked === null &&
        missions.missions.some(({ id, decided }) => id === mission && decided?.outcome !== undefined),
      'the decision',
    );
    const checked = await askDriven(again, 'checkDecision', { missionId: mission });
    expect(checked satisfies Decided).toMatchObject({ outcome: 'unknown', listCheck: { listed: true } });
    expect(service.counts.requests['POST /admin/missions/approve']).toBe(1);
    const sent = await askDriven(again, 'decideMission', {
      missionId: mission,
      decision: 'approve',
      again: true,
    });
    expect(sent).toMatchObject({ outcome: 'done', basis: 'answer' });
    expect(service.decisions()).toHaveLength(1);
    await service.set({ missionListLagMs: 0 });
  });

  it('are not decided on without a live connection, and nothing is queued', async () => {
    const { console, mission } = await ready();
    await service.goDown();
    await console.shows(({ missions }) => missions?.blocked !== null, 'the block');
    expect(await decide(console, mission)).toMatchObject({ ok: false });
    await service.comeUp();
    await console.shows(({ missions }) => missions?.blocked === null, 'the way to be free');
    await ports.clock.advance(120_000);
    expect(service.decisions()).toEqual([]);
  });

  it('leave an audit list that can be exported once', async () => {
    const { console, mission } = await ready();
    await decide(console, mission);
    const { exportId } = await askDriven(console, 'exportAudit', {});
    const exported = fetched(console, exportId);
    expect(Buffer.from(exported ?? []).toString('utf8')).toContain(mission);
    expect(console.console.bytes.exported(exportId)).toBeNull();
    expect(await everythingOnDisk()).not.toContain(mission);
  });
});

describe('live events', () => {
  it('refresh the incident that they name before its turn has come', async () => {
    await setUp({ pollIntervals: { incidentsMs: 600_000, healthMs: 600_000 } });
    const console = await start();
    await console.signIn(service);
    await console.shows(
      ({ events, sync }) => events?.state === 'open' && sync?.completeAsOf !== null,
      'the stream and all incidents',
    );
    const [id = ''] = service.incidents().keys();
    service.changeIncident(id, { severity: 'critical' });
    service.emitEvent({ kind: 'incident.changed', data: { incident_id: id } });
    await console.shows(
      () => [...console.mirror.rows.values()].some((row) => row.id === id && row.severity === 'critical'),
      'the change',
    );
    await console.shows(
      ({ events }) => events?.recent.some(({ incidentId }) => incidentId === id) === true,
      'the event',
    );
  });
});

describe('alarms', () => {
  it('call once for a new critical incident, also while locked, and not again after a restart', async () => {
    await setUp({ pollIntervals: { incidentsMs: 2_000, healthMs: 600_000 } });
    const console = await start();
    await console.signIn(service);
    await console.shows(({ sync }) => sync?.completeAsOf !== null, 'all incidents');
    await askDriven(console, 'acknowledgeAlarms', {});
    await askDriven(console, 'lock', {});
    const before = console.mirror.slices.siren?.sequence ?? 0;
    const incident = service.addIncident({ severity: 'critical' });
    await console.shows(({ siren }) => (siren?.sequence ?? 0) > before, 'the siren');
    expect(console.mirror.slices.siren).toMatchObject({ severity: 'critical', level: 3, unacknowledged: 1 });
    expect(JSON.stringify(console.mirror.pushes.at(-1))).not.toContain(incident.id);
    await askDriven(console, 'unlock', { password: service.credentials.password });
    await console.shows(({ alarms }) => alarms?.active[0]?.incidentIds[0] === incident.id, 'the alarm');
    await askDriven(console, 'acknowledgeAlarms', {});

    const again = await start();
    await again.signIn(service);
    await again.shows(
      ({ sync, alarms }) => sync?.completeAsOf !== null && (alarms?.past.length ?? 0) > 0,
      'the past',
    );
    await ports.clock.advance(10_000);
    expect(again.mirror.slices.alarms?.active).toEqual([]);
  });
});

describe('a sign-out', () => {
  it('while the vault is about to be opened leaves it closed, for the next operator too', async () => {
    await setUp();
    const opened: string[] = [];
    const { records } = ports;
    ports = {
      ...ports,
      records: {
        ...records,
        open: (options) => {
          opened.push(options.vaultId);
          return records.open(options);
        },
      },
    };
    const console = await start();
    const gate = Promise.withResolvers<void>();
    const { read } = ports.documents;
    ports.documents.read = async (name) => {
      await gate.promise;
      return read(name);
    };
    const signedIn = console.signIn(service);
    await console.shows(({ session }) => session?.vault === 'opening', 'the vault about to be opened');
    expect((await console.call('signOut', {})).ok).toBe(true);
    gate.resolve();
    expect(await signedIn).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
    await ports.clock.advance(1_000);
    expect(opened).toEqual([]);
    expect((await ports.clock.drive(console.signIn(service))).ok).toBe(true);
    expect(opened).toHaveLength(1);
  });
});
