import { describe, expect, it } from 'vitest';
import type { IncidentRecord } from '../../../../src-main/core/state/incident.ts';
import { storageFailure } from '../../../../src-main/core/vault/storageFailure.ts';
import {
  type Alarm,
  type Decided,
  type Mission,
  type Upload,
} from '../../../../src-preload/contract/index.ts';
import { begunWatch, noWords, reportOf, type WatchRig } from './notesRig.ts';
import { saying } from '../../../support/messages.ts';

const hostile = `<script>alert(1)</script>"'&\u202Egnp.exe\u0000`;

const incident = (id: string, change: Partial<IncidentRecord> = {}): IncidentRecord => ({
  id,
  incidentType: 'wildfire',
  severity: 'critical',
  status: 'open',
  createdAtText: '2026-11-20T12:00:00Z',
  createdAt: Date.parse('2026-11-20T12:00:00Z'),
  evidenceCount: 0,
  blockchainRecords: [],
  location: { latitude: 12.5, longitude: -33.25, altitude: null },
  otherFields: [],
  unreadable: [],
  ...change,
});

const know = ({ store }: WatchRig, records: readonly IncidentRecord[]) =>
  store.applyRows({
    upserts: records.map((record) => ({ record, sighting: { seenAt: 1, arrivedAt: 0 } })),
    removals: [],
  });

const upload = (change: Partial<Upload>): Upload => ({
  id: '0'.repeat(16),
  fileName: 'photo.jpg',
  bytes: 1,
  addedAt: 1,
  state: 'queued',
  paused: false,
  awaitsLink: false,
  why: null,
  remedy: null,
  until: null,
  failure: null,
  decision: null,
  attempts: 0,
  sha256: null,
  computed: [],
  cid: null,
  verdict: null,
  profile: null,
  requestId: null,
  sentAt: null,
  sameAs: null,
  incidentId: null,
  ...change,
});

const decided = (change: Partial<Decided>): Decided => ({
  missionId: 'mission-1',
  decision: 'approve',
  outcome: 'unknown',
  at: 1,
  answeredAt: null,
  requestId: null,
  failure: null,
  answer: null,
  basis: 'answer',
  listCheck: null,
  checkable: true,
  sameAgainUntil: null,
  ...change,
});

const mission = (answer: Decided): Mission => ({
  id: answer.missionId,
  source: 'typed',
  seenAt: 1,
  requestedAt: null,
  state: 'pending',
  fields: [],
  notGranted: null,
  decided: answer,
});

const alarm = (sentence: string): Alarm => ({
  id: 'a1',
  kind: 'incident',
  level: 3,
  severity: 'critical',
  at: 1,
  sentence: { text: sentence },
  incidentIds: [],
  count: 1,
  listed: 0,
  acknowledgedAt: null,
  note: null,
  snoozedUntil: null,
  escalatedAt: null,
  recoveredAt: null,
});

describe('what the handover report says', () => {
  it('is where the active critical incidents are, in the names of a language, and how many have no location', async () => {
    const rig = await begunWatch();
    const at = (latitude: number, longitude: number) => ({
      location: { latitude, longitude, altitude: null },
    });
    await know(rig, [
      incident('near Vienna', at(48.21, 16.37)),
      incident('east of it', { ...at(48.2, 16.4), severity: 'CRITICAL' }),
      incident('over', { ...at(48.2, 16.4), status: 'Resolved' }),
      incident('mild', { ...at(48.2, 16.4), severity: 'high' }),
      incident('nowhere', { location: null }),
      incident('Graz', at(47.07, 15.44)),
      incident('Linz', at(48.3, 14.29)),
      incident('Nysa', at(50.47, 17.33)),
      incident('Brno', at(49.2, 16.61)),
    ]);
    const { critical, criticalPlaces } = (await reportOf(rig, { language: 'es' })).open;
    expect(critical).toBe(7);
    expect(criticalPlaces.noLocation).toBe(1);
    expect(criticalPlaces.towns).toHaveLength(4);
    expect(criticalPlaces.towns[0]).toMatchObject({
      town: { name: 'Viena', english: 'Vienna', country: 'AT' },
      count: 2,
    });
  });

  it('is how many entries the audit list has, and the hash of the latest', async () => {
    const hash = 'ab'.repeat(32);
    const rig = await begunWatch({ auditHash: hash });
    rig.store.patch('missions', { audit: { count: 42, state: 'intact', problem: null } });
    expect(await reportOf(rig)).toMatchObject({ audit: { count: 42, state: 'intact' }, auditHash: hash });
  });

  it('is what is open, pinned with its notes, decided, sent, unsent, and what waits', async () => {
    const rig = await begunWatch({
      uploads: [
        upload({ fileName: 'done.jpg', state: 'sent' }),
        upload({ fileName: 'waits.jpg', state: 'waiting', why: { text: 'No link.' } }),
        upload({ fileName: 'ask.jpg', state: 'needs-decision', why: { text: 'It may have arrived.' } }),
      ],
    });
    await know(rig, [
      incident('worst'),
      incident('bad', { severity: 'High', location: null }),
      incident('mild', { severity: 'low' }),
      incident('over', { status: 'Resolved' }),
    ]);
    const { feature, store } = rig;
    await feature.pin('bad', true);
    await feature.pin('unheard of', true);
    await feature.addNote('bad', 'Bridge is closed\nsince noon');
    await feature.addNote('mild', 'Elsewhere');
    feature.log({ kind: 'alarm-acknowledged', subject: 'A critical incident is new.' });
    feature.log({ kind: 'mission-decided', subject: 'mission-1', outcome: 'approve-unknown' });
    feature.log({ kind: 'upload-sent', subject: 'done.jpg' });
    store.patch('missions', {
      missions: [mission(decided({})), mission(decided({ missionId: 'mission-2', outcome: 'done' }))],
    });
    const recovered = { ...alarm('Another was down.'), recoveredAt: 1 };
    store.patch('alarms', { active: [alarm('An integration is down.'), recovered] });
    store.patch('incidents', { count: 4, completeness: 'complete', lastReadAt: 1_000 });
    store.patch('sync', { completeAsOf: 500, uncertain: { count: 3, windows: [] } });
    store.patch('app', { training: true });
    const report = await reportOf(rig);

    expect(report).toMatchObject({
      training: true,
      incidents: { count: 4, completeness: 'complete', lastReadAt: 1_000 },
      sync: { completeAsOf: 500, uncertain: 3 },
      open: { critical: 1, unranked: 0, high: 1, shown: [{ id: 'worst' }, { id: 'bad', location: null }] },
      pinned: [
        { incidentId: 'bad', incident: { id: 'bad' }, notes: [{ text: 'Bridge is closed\nsince noon' }] },
        { incidentId: 'unheard of', incident: null, notes: [] },
      ],
      otherNotes: { total: 1, shown: [{ text: 'Elsewhere' }] },
      unknownDecisions: [{ missionId: 'mission-1', decision: 'approve' }],
      alarms: [{ sentence: { text: 'An integration is down.' } }],
      // What only a person can settle stands first.
      uploads: {
        total: 2,
        unsent: [{ fileName: 'ask.jpg' }, { fileName: 'waits.jpg', why: saying('No link.') }],
      },
    });
    const log = report.entries.map(({ kind, subject }) => `${kind} ${subject ?? ''}`);
    expect(log).toContain('upload-sent done.jpg');
    expect(log.indexOf('alarm-acknowledged A critical incident is new.')).toBeLessThan(
      log.indexOf('upload-sent done.jpg'),
    );
  });

  it('names the nearest town in the language of the page', async () => {
    const rig = await begunWatch();
    await know(rig, [incident('worst')]);
    const report = await reportOf(rig, { language: 'ar' });
    expect(report.open.shown).toMatchObject([
      { place: { id: 'place.away.w', values: { km: 982, town: 'São Filipe, CV' } } },
    ]);
  });

  it('takes whatever text came from elsewhere', async () => {
    const rig = await begunWatch({
      username: hostile,
      uploads: [upload({ fileName: hostile, state: 'failed', why: { text: hostile } })],
    });
    await know(rig, [incident(hostile, { incidentType: hostile, status: hostile })]);
    await rig.feature.pin(hostile, true);
    rig.store.patch('alarms', { active: [alarm(hostile)] });
    const report = await reportOf(rig, { summary: hostile, successor: hostile });
    expect(report.open.shown).toMatchObject([{ id: hostile, incidentType: hostile }]);
    expect(report.alarms).toMatchObject([{ sentence: saying(hostile) }]);
  });

  it('lists 50 of what is open, the worst and latest, and counts all', async () => {
    const rig = await begunWatch();
    const at = (index: number) => Date.parse('2026-11-01T00:00:00Z') + index * 1_000;
    await know(
      rig,
      Array.from({ length: 260 }, (_, index) =>
        incident(`id-${String(index)}-`, {
          severity: index % 10 === 0 ? 'critical' : 'high',
          createdAt: at(index),
        }),
      ),
    );
    const { open } = await reportOf(rig);
    expect(open).toMatchObject({ critical: 26, high: 234 });
    const listed = open.shown.map(({ id }) => id);
    expect(listed).toHaveLength(50);
    expect(listed.slice(0, 2)).toEqual(['id-250-', 'id-240-']);
    expect(listed.slice(26, 28)).toEqual(['id-259-', 'id-258-']);
  });

  it('is not made without what it would end: a log that cannot be written keeps its shift', async () => {
    const rig = await begunWatch();
    if (rig.records) rig.records.refuses = () => true;
    expect(await rig.feature.handOver(noWords)).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(rig.shown().shift?.handedOverAt).toBeNull();
  });
});

describe('what the next operator gets', () => {
  it('is the summary, who takes over, and what is left to do, counted and listed', async () => {
    const rig = await begunWatch({
      uploads: [
        upload({ fileName: 'done.jpg', state: 'sent' }),
        upload({ fileName: 'ask.jpg', state: 'needs-decision', incidentId: 'worst' }),
      ],
    });
    await know(rig, [incident('worst')]);
    await rig.feature.pin('worst', true);
    await rig.feature.pin('unheard of', true);
    await rig.feature.addNote('worst', 'canary-note');
    rig.store.patch('missions', {
      missions: [
        mission(decided({ missionId: 'unknown' })),
        mission(decided({ missionId: 'done', outcome: 'done' })),
        mission(decided({ missionId: 'again', outcome: 'refused' })),
        { ...mission(decided({ missionId: 'waits' })), decided: null },
      ],
    });
    const sentence = { id: 'alarm.known', values: { n: 1 } };
    const about = { ...alarm('Critical: fire'), sentence, incidentIds: ['worst'] };
    const recovered = { ...alarm('Another was down.'), recoveredAt: 1 };
    const several = {
      ...alarm('3 new incidents'),
      severity: null,
      incidentIds: ['worst', 'b', 'c'],
      count: 3,
    };
    rig.store.patch('alarms', { active: [about, recovered, several] });
    const report = await reportOf(rig, { summary: 'Watch the <levee>.', successor: 'bob & cleo' });
    expect(report).toMatchObject({ summary: 'Watch the <levee>.', successor: 'bob & cleo' });
    const none = { severity: null, incidentId: null };
    expect(rig.given).toEqual([
      {
        from: 'ann',
        summary: 'Watch the <levee>.',
        successor: 'bob & cleo',
        shift: rig.shown().shift?.startedAt,
        counts: { decision: 1, alarm: 2, mission: 2, upload: 1, incident: 2 },
        actions: [
          { ...none, kind: 'decision', text: { text: 'unknown' } },
          { kind: 'alarm', text: sentence, severity: 'critical', incidentId: 'worst' },
          { ...none, kind: 'alarm', text: { text: '3 new incidents' } },
          { ...none, kind: 'mission', text: { text: 'again' } },
          { ...none, kind: 'mission', text: { text: 'waits' } },
          { ...none, kind: 'upload', text: { text: 'ask.jpg' }, incidentId: 'worst' },
          {
            ...none,
            kind: 'incident',
            text: { text: 'wildfire' },
            severity: 'critical',
            incidentId: 'worst',
          },
          { ...none, kind: 'incident', text: { text: '' }, incidentId: 'unheard of' },
        ],
      },
    ]);
    expect(JSON.stringify(rig.given)).not.toContain('canary-note');
  });

  it('lists fifty: ten of each kind, then more of the first ones', async () => {
    const rig = await begunWatch({
      uploads: Array.from({ length: 300 }, (_, at) => upload({ fileName: String(at) })),
    });
    for (let at = 0; at < 12; at += 1) await rig.feature.pin(`i${String(at)}`, true);
    rig.store.patch('alarms', { active: Array.from({ length: 100 }, (_, at) => alarm(String(at))) });
    await rig.feature.handOver(noWords);
    const [{ counts, actions } = { counts: null, actions: [] }] = rig.given;
    expect(counts).toEqual({ decision: 0, alarm: 100, mission: 0, upload: 300, incident: 12 });
    const of = (kind: string): number => actions.filter((action) => action.kind === kind).length;
    expect([of('alarm'), of('upload'), of('incident')]).toEqual([30, 10, 10]);
    expect(actions.map(({ kind }) => kind).indexOf('upload')).toBe(30);
  });

  it('goes without a report where the policy allows no exports, and ends the shift', async () => {
    const rig = await begunWatch();
    rig.store.patch('policy', { exports: false });
    expect(await rig.feature.handOver(noWords)).toEqual({
      ok: true,
      value: { report: null, notStored: null },
    });
    expect(rig.given).toHaveLength(1);
    expect(rig.shown().shift?.handedOverAt).not.toBeNull();
  });

  it('is missing where it cannot be stored: the report is made, and says so; without one nothing is over', async () => {
    const notStored = storageFailure('full', 1);
    const rig = await begunWatch({ notStored });
    expect(await rig.feature.handOver(noWords)).toMatchObject({ ok: true, value: { notStored } });
    const other = await begunWatch({ notStored });
    other.store.patch('policy', { exports: false });
    expect(await other.feature.handOver(noWords)).toEqual({ ok: false, failure: notStored });
    expect(other.shown().shift?.handedOverAt).toBeNull();
  });
});
