import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { handoverReportSchema } from '../../../src-preload/contract/index.ts';
import type { TrainingServer } from '../../support/training/index.ts';
import { createTestPorts, type TestPorts } from '../../support/ports.ts';
import { openRelay, type RecordingRelay } from '../../support/recordingRelay.ts';
import { askDriven, openConsole, startService, type OpenConsole } from './appFixtures.ts';
import { said } from '../../support/messages.ts';

const canary = 'canary-note-3e7d: the bridge is closed';

let service: TrainingServer;
let relays: RecordingRelay[];
let ports: TestPorts;
let folder: string;
let open: OpenConsole | null = null;

async function setUp(): Promise<void> {
  ports = createTestPorts();
  folder = await mkdtemp(join(tmpdir(), 'field-console-watch-'));
  service = await startService(ports);
  relays = await Promise.all([openRelay(service.infrastructureUrl), openRelay(service.coordinationUrl)]);
  const [infrastructure, coordination] = relays;
  const file = {
    version: 1,
    id: 'field',
    name: 'Field',
    infrastructureUrl: infrastructure?.url,
    coordinationUrl: coordination?.url,
    timestampUnit: 'seconds',
    // Without a list and without events, nobody finds out what became of a decision.
    missions: { rejectPath: '/admin/missions/reject' },
  };
  await writeFile(join(folder, 'field.json'), JSON.stringify(file));
}

/** The same computer, another process where there was one before. */
async function start(): Promise<OpenConsole> {
  await open?.console.close();
  open = await openConsole({ ports, named: [{ source: 'command-line', path: join(folder, 'field.json') }] });
  return open;
}

async function signedIn(): Promise<OpenConsole> {
  const console = await start();
  expect((await console.signIn(service)).ok).toBe(true);
  await console.shows(({ watch }) => (watch?.shift ?? null) !== null, 'a shift');
  return console;
}

afterEach(async () => {
  await open?.close();
  open = null;
  for (const relay of relays) await relay.close();
  await service.close();
  await ports.records.close();
  await ports.vaults.close();
  await rm(folder, { recursive: true, force: true });
});

async function upload(console: OpenConsole): Promise<void> {
  const bytes = Buffer.from('a photo');
  const { uploadId } = await askDriven(console, 'beginUpload', {
    fileName: 'house.jpg',
    bytes: bytes.byteLength,
    incidentId: null,
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  expect(await console.console.bytes.spool(uploadId, body())).toBe('kept');
}

async function everythingOnDisk(): Promise<string> {
  const texts: string[] = [];
  for (const entry of await readdir(ports.dataDir, { recursive: true, withFileTypes: true })) {
    const bytes = entry.isFile()
      ? await readFile(join(entry.parentPath, entry.name)).catch(() => null)
      : null;
    if (bytes) texts.push(bytes.toString('latin1'));
  }
  return texts.join('\n');
}

it('collects what was done where it happens; a restart without the service brings all of it back', async () => {
  await setUp();
  const first = await signedIn();
  await first.shows(({ incidents }) => incidents?.count === 20, 'the incidents');
  await first.shows(({ alarms }) => (alarms?.active.length ?? 0) > 0, 'an alarm');
  const alarm = first.mirror.slices.alarms?.active[0];
  await askDriven(first, 'acknowledgeAlarm', { id: alarm?.id ?? '' });
  const missionId = service.addMission();
  await askDriven(first, 'decideMission', { missionId, decision: 'approve', again: false });
  await service.set({ missionFault: 'answer-lost' });
  const other = service.addMission();
  await askDriven(first, 'decideMission', { missionId: other, decision: 'reject', again: false });
  await upload(first);
  await first.shows(({ outbox }) => outbox?.counts.sent === 1, 'the file to be sent');
  await askDriven(first, 'pinIncident', { incidentId: 'real-1', pinned: true });
  await askDriven(first, 'addNote', { incidentId: 'real-1', text: canary });

  await service.goDown();
  const again = await start();
  expect((await again.signIn(service)).ok).toBe(true);
  await again.shows(({ watch }) => watch?.notes === 1, 'the note');
  expect(again.mirror.slices.watch).toMatchObject({ pins: ['real-1'], noted: ['real-1'], problem: null });
  const { notes } = await askDriven(again, 'readNotes', { incidentId: 'real-1', from: 0, count: 9 });
  expect(notes).toMatchObject([{ text: canary, username: service.credentials.username }]);
  const { entries } = await askDriven(again, 'readShift', { from: 0, count: 50 });
  expect(
    entries.map(({ kind, subject, alarm: told, outcome, incidentId }) => [
      ...[kind, subject ?? said(told), outcome, incidentId],
    ]),
  ).toEqual([
    ['note-added', canary, null, 'real-1'],
    ['incident-pinned', null, null, 'real-1'],
    ['upload-sent', 'house.jpg', 'match', null],
    ['upload-queued', 'house.jpg', null, null],
    ['mission-decided', other, 'reject-unknown', null],
    ['mission-decided', missionId, 'approve-done', null],
    ['alarm-acknowledged', said(alarm?.sentence), null, alarm?.count === 1 ? alarm.incidentIds[0] : null],
    ['shift-began', null, null, null],
  ]);

  const { report: made } = await askDriven(again, 'handOver', { summary: '', successor: '', language: 'en' });
  const { exportId, fileName } = made ?? { exportId: '', fileName: '' };
  expect(fileName).toMatch(/^handover-[\d-]+\.html$/);
  const bytes = again.console.bytes.exported(exportId);
  const report = bytes instanceof Uint8Array ? Buffer.from(bytes).toString('utf8') : '';
  for (const text of [canary, 'house.jpg', missionId, JSON.stringify(alarm?.sentence)]) {
    expect(report, text).toContain(text);
  }
  const facts = handoverReportSchema.parse(JSON.parse(report));
  expect(Object.values(facts.connection).map(({ state }) => state)).toContain('offline');
  expect(facts.unknownDecisions).toHaveLength(1);
  expect(again.console.bytes.exported(exportId)).toBeNull();
  expect(relays.map((relay) => relay.sent()).join('')).toContain('/admin/missions/approve');
  expect(relays.map((relay) => relay.sent()).join('')).not.toContain('canary-note');
  expect(await everythingOnDisk()).not.toContain('canary-note');
  expect(JSON.stringify(ports.logger.lines)).not.toContain('canary-note');
});

it('says nothing of it while locked, and has forgotten it when the vault is erased', async () => {
  await setUp();
  const console = await signedIn();
  await askDriven(console, 'addNote', { incidentId: 'real-1', text: canary });
  await askDriven(console, 'pinIncident', { incidentId: 'real-1', pinned: true });
  const { report } = await askDriven(console, 'handOver', { summary: canary, successor: '', language: 'en' });
  const exportId = report?.exportId ?? '';
  await askDriven(console, 'lock', {});
  const pushes: string[] = [];
  const subscription = console.console.subscribe((push) => pushes.push(JSON.stringify(push.slices)));
  await ports.clock.advance(5_000);
  for (const [verb, request] of [
    ['readNotes', { incidentId: null, from: 0, count: 1 }],
    ['readShift', { from: 0, count: 1 }],
    ['addNote', { incidentId: 'real-1', text: 'x' }],
    ['pinIncident', { incidentId: 'real-1', pinned: false }],
    ['beginShift', {}],
    ['handOver', { summary: '', successor: '', language: 'en' }],
    ['seeHandover', { id: 'a'.repeat(32) }],
    ['takeOver', { id: 'a'.repeat(32) }],
  ] as const) {
    expect(await console.call(verb, request), verb).toMatchObject({ failure: { code: 'locked' } });
  }
  expect(console.console.bytes.exported(exportId)).toBeNull();
  expect(pushes.length).toBeGreaterThan(0);
  expect(pushes.join()).not.toContain('real-1');
  expect(pushes.join()).not.toContain('"watch"');
  subscription.close();

  expect((await console.call('unlock', { password: service.credentials.password })).ok).toBe(true);
  await console.shows(({ watch }) => watch?.notes === 1, 'the note again');
  await askDriven(console, 'signOut', {});
  await console.shows(({ storage }) => storage?.vaults.length === 1, 'the vault on the sign-in page');
  const [vault] = console.mirror.slices.storage?.vaults ?? [];
  await askDriven(console, 'eraseVault', { id: vault?.id ?? '', unsent: 0 });
  expect((await console.signIn(service)).ok).toBe(true);
  await console.shows(
    ({ watch }) => (watch?.shift ?? null) !== null && watch?.notes === 0,
    'a new shift without notes',
  );
  expect(console.mirror.slices.watch).toMatchObject({ pins: [], noted: [] });
  expect((await askDriven(console, 'readShift', { from: 0, count: 9 })).entries).toHaveLength(1);
});
