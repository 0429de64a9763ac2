import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { escaped, foreign, markup } from '../../../../src-main/core/features/notes/handover/markup.ts';
import type { IncidentRecord } from '../../../../src-main/core/state/incident.ts';
import { storageFailure } from '../../../../src-main/core/vault/storageFailure.ts';
import {
  noPhrases,
  type Alarm,
  type Decided,
  type Mission,
  type Upload,
} from '../../../../src-preload/contract/index.ts';
import ar from '../../../../src-renderer/locales/ar/core.json';
import { messageMap } from '../../../support/messages.ts';
import { plainPng } from '../exports/plainPng.ts';
import { anyText, begunWatch, noWords, reportOf, type WatchRig } from './notesRig.ts';

const messagesOf = (words: Parameters<typeof messageMap>[0], prefix: string): Record<string, string> =>
  Object.fromEntries(messageMap(words, prefix));

const hostile = `<script>alert(1)</script>"'&\u202Egnp.exe\u0000`;
const harmless = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\u202Egnp.exe';

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
  ...change,
});

const know = ({ store }: WatchRig, records: readonly IncidentRecord[]) =>
  store.applyRows({
    upserts: records.map((record) => ({ record, sighting: { seenAt: 1, arrivedAt: 0 } })),
    removals: [],
  });

const announced = ({ feature }: WatchRig): string => {
  const answer = feature.announceMapPicture();
  return answer.ok ? answer.value.pictureId : '';
};

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(bytes.subarray(0, 10));
  yield bytes.subarray(10);
}

const upload = (change: Partial<Upload>): Upload => ({
  id: '0'.repeat(16),
  fileName: 'photo.jpg',
  bytes: 1,
  addedAt: 1,
  state: 'queued',
  paused: false,
  why: null,
  remedy: null,
  phrases: noPhrases,
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
  inferredBefore: false,
  checkable: true,
  sameAgainUntil: null,
  ...change,
});

const mission = (answer: Decided): Mission => ({
  id: answer.missionId,
  source: 'typed',
  seenAt: 1,
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
  sentence,
  phrase: null,
  incidentIds: [],
  count: 1,
  listed: 0,
  acknowledgedAt: null,
  note: null,
  snoozedUntil: null,
  escalatedAt: null,
  recoveredAt: null,
});

describe('the handover report', () => {
  it('says how many entries the audit list has, and nothing where that is not known', async () => {
    const rig = await begunWatch();
    expect(await reportOf(rig)).not.toContain('audit list');
    rig.store.patch('missions', { audit: { count: 42, state: 'intact', problem: null } });
    expect(await reportOf(rig)).toContain('Entries in the audit list: 42. The list is intact.');
    rig.store.patch('missions', { audit: { count: 40, state: 'damaged', problem: 'x' } });
    expect(await reportOf(rig)).toContain('Entries in the audit list: 40. The list is damaged.');
    expect(await reportOf(rig)).not.toContain('Hash of entry');
  });

  it('holds the hash of the latest entry of the audit list', async () => {
    const hash = 'ab'.repeat(32);
    const rig = await begunWatch({ auditHash: hash });
    expect(await reportOf(rig)).not.toContain(hash);
    rig.store.patch('missions', { audit: { count: 42, state: 'intact', problem: null } });
    expect(await reportOf(rig)).toContain(`Hash of entry 42 of the audit list: <bdo dir="ltr">${hash}</bdo>`);
  });

  it('says what is open, pinned with its notes, acknowledged, decided, sent, unsent, and what waits', async () => {
    const rig = await begunWatch({
      uploads: [
        upload({ fileName: 'done.jpg', state: 'sent' }),
        upload({ fileName: 'waits.jpg', state: 'waiting', why: 'No link.' }),
        upload({ fileName: 'ask.jpg', state: 'needs-decision', why: 'It may have arrived.' }),
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
    feature.log({ kind: 'mission-decided', subject: 'mission-2', outcome: 'reject-done' });
    feature.log({ kind: 'upload-sent', subject: 'done.jpg' });
    store.patch('missions', {
      missions: [mission(decided({})), mission(decided({ missionId: 'mission-2', outcome: 'done' }))],
    });
    const recovered = { ...alarm('Another was down.'), recoveredAt: 1 };
    store.patch('alarms', { active: [alarm('An integration is down.'), recovered] });
    store.patch('incidents', { count: 4, completeness: 'complete', lastReadAt: 1_000 });
    store.patch('sync', { completeAsOf: 500 });
    store.patch('app', { training: true });
    const report = await reportOf(rig);

    for (const text of [
      'TRAINING, NOT REAL INCIDENTS',
      'were not sent to the service',
      '4 incidents, complete as of',
      '1 critical and 1 high are not resolved.',
      'Bridge is closed\nsince noon',
      'This incident is not known on this computer any more.',
      'Elsewhere',
      'A critical incident is new.',
      'OUTCOME UNKNOWN: approval',
      'Mission rejected',
      'done.jpg',
      'An integration is down.',
      'NEEDS A DECISION',
      '>ann<',
    ]) {
      expect(report).toContain(text);
    }
    const places = ['1 decision was sent, and nobody knows', '1 critical and 1 high', 'ask.jpg', 'waits.jpg'];
    expect(places.map((text) => report.indexOf(text))).toEqual(
      places.map((text) => report.indexOf(text)).toSorted((a, b) => a - b),
    );
    const openPart = report.slice(report.indexOf('1 critical and'), report.indexOf('Alarms that wait'));
    expect(openPart.indexOf('worst')).toBeLessThan(openPart.indexOf('bad'));
    expect(openPart).not.toContain('mild');
    expect(openPart).not.toContain('over');
    // UTC is what the console showed, so it is what the report says.
    expect(report.match(/\d{2}:\d{2} UTC/g)?.length).toBeGreaterThan(5);
  });

  it('runs nothing and fetches nothing: one style, named by the policy in it', async () => {
    const report = await reportOf(await begunWatch());
    expect(report).not.toMatch(/<(script|link|img|iframe|object|a)\b|\son\w+=|javascript:|https?:\/\//i);
    const style = /<style>([\s\S]*?)<\/style>/.exec(report)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(report).toContain(`default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;`);
    expect(report.match(/<style/g)).toHaveLength(1);
    expect(report).not.toMatch(/\sstyle=/);
  });

  it('has the picture of the map in it that was announced and sent, and still fetches nothing', async () => {
    const rig = await begunWatch();
    const pictureId = announced(rig);
    expect(await rig.feature.receive(pictureId, pieces(plainPng({})))).toBe('kept');
    const report = await reportOf(rig, null, { pictureId });
    const image = `<img alt="The map as it was on screen, with the filters of that page." src="data:image/png;base64,`;
    expect(report).toContain(`${image}${plainPng({}).toString('base64')}">`);
    expect(report).toContain('default-src &#39;none&#39;; img-src data:; style-src ');
    expect(report).not.toMatch(/https?:\/\//);
    expect(report).not.toContain('could not be drawn');
    // Once: another report has a picture of its own time, or none.
    expect(await reportOf(rig, null, { pictureId })).toContain(
      'The map is not in this report: it could not be drawn.',
    );
  });

  it.each([
    ['is no PNG', Buffer.from('<svg onload=alert(1)>')],
    ['has transparency', plainPng({ colour: 6 })],
    ['is larger than any page', plainPng({ width: 16_385 })],
  ])('goes without a picture that %s', async (_what, bytes) => {
    const rig = await begunWatch();
    const pictureId = announced(rig);
    expect(await rig.feature.receive(pictureId, pieces(bytes))).toBe('refused');
    expect(await reportOf(rig, null, { pictureId })).not.toContain('<img');
  });

  it('takes the picture of the latest announcement only, for five minutes, and of the operator who made it', async () => {
    const rig = await begunWatch();
    const [old, latest] = [announced(rig), announced(rig)];
    expect(rig.feature.receive(old, pieces(plainPng({})))).toBeNull();
    const [first, second] = [
      rig.feature.receive(latest, pieces(plainPng({}))),
      rig.feature.receive(latest, pieces(plainPng({}))),
    ];
    expect(await second).toBe('busy');
    expect(await first).toBe('kept');
    expect(await rig.feature.receive(latest, pieces(plainPng({})))).toBe('busy');
    await rig.clock.advance(5 * 60_000);
    expect(await reportOf(rig, null, { pictureId: latest })).not.toContain('<img');

    const late = announced(rig);
    let finish = (): void => undefined;
    const coming = rig.feature.receive(
      late,
      (async function* () {
        yield plainPng({}).subarray(0, 20);
        await new Promise<void>((resolve) => (finish = resolve));
      })(),
    );
    await rig.feature.stop(Promise.resolve());
    finish();
    expect(await coming).toBe('refused');
    expect(rig.feature.receive(late, pieces(plainPng({})))).toBeNull();
  });

  it('lets nothing that came from elsewhere be anything but text, in its own direction', async () => {
    const rig = await begunWatch({
      username: hostile,
      uploads: [upload({ fileName: hostile, state: 'failed', why: hostile })],
    });
    const strange = { severity: 'critical', incidentType: hostile, status: hostile };
    await know(rig, [incident(hostile, strange)]);
    await rig.feature.pin(hostile, true);
    await rig.feature.addNote(hostile, hostile);
    await rig.feature.addNote('another', hostile);
    rig.feature.log({ kind: 'upload-sent', subject: hostile, incidentId: hostile });
    rig.store.patch('missions', { missions: [mission(decided({ missionId: hostile }))] });
    rig.store.patch('alarms', { active: [alarm(hostile)] });
    rig.store.patch('deployments', {
      known: [
        { id: 'x', name: hostile, infrastructureHost: hostile, coordinationHost: 'y', source: 'added' },
      ],
      chosen: 'x',
    });
    const report = await reportOf(rig);
    expect(report).not.toContain('<script');
    expect(report).not.toContain('\u0000');
    expect(report.split(harmless).length).toBeGreaterThan(12);
    // A character that turns the reading direction has no effect beyond its own element.
    const outside = report.replaceAll(/<bdi>[^<]*<\/bdi>|<p dir="auto">[^<]*<\/p>/g, '');
    expect(outside).not.toContain('\u202E');
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
    const report = await reportOf(rig);
    expect(report).toContain('26 critical and 234 high are not resolved.');
    const listed = [...report.matchAll(/<bdi>(id-\d+-)<\/bdi>/g)].map(([, id]) => id);
    expect(listed).toHaveLength(50);
    expect(listed.slice(0, 2)).toEqual(['id-250-', 'id-240-']);
    expect(listed.slice(26, 28)).toEqual(['id-259-', 'id-258-']);
  });

  it('is in the words of the page that asked for it, with places in its form', async () => {
    const rig = await begunWatch({
      uploads: [
        upload({
          state: 'waiting',
          why: 'No link.',
          phrases: { sentence: { id: 'failure.unreachable.sentence', values: {} }, remedy: null },
        }),
      ],
    });
    const known = incident('worst');
    await know(rig, [
      known,
      incident('moved', { location: { latitude: 3.5, longitude: 4.5, altitude: null } }),
    ]);
    rig.store.patch('incidents', { count: 1_204, completeness: 'complete', lastReadAt: 1_000 });
    const messages = {
      ...messagesOf(ar.handover, 'handover.'),
      ...messagesOf(ar.failure, 'failure.'),
      ...messagesOf(ar.place, 'place.'),
    };
    const report = await reportOf(rig, {
      language: 'ar',
      messages,
      places: { format: 'dms', texts: [[12.5, -33.25, '12° 30′ 00″ N, <b>']] },
    });
    expect(report).toContain('<html lang="ar" dir="rtl">');
    expect(report).toContain(`<h1>${ar.handover.title}</h1>`);
    expect(report).toContain('1,204 حوادث');
    expect(report).toContain(ar.failure.unreachable.sentence);
    // As seen from the nearest town.
    expect(report).toContain('على بُعد 1,012 كم جنوب غرب Mindelo, CV. <bdo');
    // In decimal degrees and as the page writes it; where it lent nothing, in decimal degrees.
    expect(report).toContain(
      '<bdo dir="ltr">12.50000, -33.25000</bdo> <bdo dir="ltr">12° 30′ 00″ N, &lt;b&gt;</bdo>',
    );
    expect(report).toContain('<bdo dir="ltr">3.50000, 4.50000</bdo></td>');
    const english = report.replaceAll(/<bdi>[^<]*<\/bdi>|<style>[^<]*<\/style>|<[^>]*>/g, '');
    for (const word of ['Handover', 'Shift', 'Severity', 'Everything', 'was sent', 'Alarm']) {
      expect(english).not.toContain(word);
    }
  });

  it('says how incomplete it is', async () => {
    const rig = await begunWatch();
    rig.store.patch('incidents', { count: 1_204, completeness: 'at-least', lastReadAt: 1_000 });
    rig.store.patch('sync', { uncertain: { count: 3, windows: [] } });
    expect(await reportOf(rig)).toContain(
      'At least 1,204 incidents. 3 spans of time could not be shown to be whole.',
    );
    rig.store.patch('incidents', { completeness: 'unknown', lastReadAt: null, count: 0 });
    expect(await reportOf(rig)).toContain(
      'whether these are all is not known. Nothing was read in this session.',
    );
  });

  it('is not made without what it would end: a log that cannot be written keeps its shift', async () => {
    const rig = await begunWatch();
    if (rig.records) rig.records.refuses = () => true;
    expect(await rig.feature.handOver(noWords)).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(rig.shown().shift?.handedOverAt).toBeNull();
  });
});

it('escapes any text so that a browser reads it as that text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const html = escaped(text);
      expect(html).not.toMatch(/[<>"']/);
      const plain = text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, '');
      const read = html
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      expect(read).toBe(plain);
    }),
    { numRuns: 50 },
  );
  expect(String(markup`<p>${foreign('<b>')}${null}${[markup`<i>`, 3]}</p>`)).toBe(
    '<p><bdi>&lt;b&gt;</bdi><i>3</p>',
  );
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
    const phrase = { id: 'alarm.known', values: { n: 1 } };
    const about = { ...alarm('Critical: fire'), phrase, incidentIds: ['worst'] };
    const recovered = { ...alarm('Another was down.'), recoveredAt: 1 };
    const several = {
      ...alarm('3 new incidents'),
      severity: null,
      incidentIds: ['worst', 'b', 'c'],
      count: 3,
    };
    rig.store.patch('alarms', { active: [about, recovered, several] });
    const report = await reportOf(rig, null, { summary: 'Watch the <levee>.', successor: 'bob & cleo' });
    expect(report).toContain('Watch the &lt;levee&gt;.');
    expect(report).toContain('<dt>Taken over by</dt><dd><bdi>bob &amp; cleo</bdi></dd>');
    const none = { phrase: null, severity: null, incidentId: null };
    expect(rig.given).toEqual([
      {
        from: 'ann',
        summary: 'Watch the <levee>.',
        successor: 'bob & cleo',
        shift: rig.shown().shift?.startedAt,
        counts: { decision: 1, alarm: 2, mission: 2, upload: 1, incident: 2 },
        actions: [
          { ...none, kind: 'decision', text: 'unknown' },
          { kind: 'alarm', text: 'Critical: fire', phrase, severity: 'critical', incidentId: 'worst' },
          { ...none, kind: 'alarm', text: '3 new incidents' },
          { ...none, kind: 'mission', text: 'again' },
          { ...none, kind: 'mission', text: 'waits' },
          { ...none, kind: 'upload', text: 'ask.jpg', incidentId: 'worst' },
          { ...none, kind: 'incident', text: 'wildfire', severity: 'critical', incidentId: 'worst' },
          { ...none, kind: 'incident', text: '', incidentId: 'unheard of' },
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
