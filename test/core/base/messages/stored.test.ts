import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { english, message } from '../../../../src-main/core/base/messages/message.ts';
import { fromPair, storedFailureSchema } from '../../../../src-main/core/base/messages/stored.ts';
import { readAlarms } from '../../../../src-main/core/features/alarms/alarmDocument.ts';
import { readRow } from '../../../../src-main/core/features/missions/audit/auditEntry.ts';
import { readDecision } from '../../../../src-main/core/features/missions/decisionRecord.ts';
import { readItem, writeItem } from '../../../../src-main/core/features/uploads/itemText.ts';
import type { Failure, Message } from '../../../../src-preload/contract/index.ts';

const at = Date.UTC(2026, 10, 21, 14, 2, 31);

/** As an earlier version stored a message: its English, and beside it an id with values. */
interface Pair {
  readonly text: string;
  readonly phrase: object | null;
}
function pairOf(said: Message): Pair {
  const text = english(said);
  if ('text' in said) return { text, phrase: null };
  const values = Object.entries(said.values).map(([name, value]) => {
    if (typeof value !== 'object') return [name, value] as const;
    const inner = pairOf(value);
    return [name, { text: inner.text, ...inner.phrase }] as const;
  });
  return { text, phrase: { id: said.id, values: Object.fromEntries(values) } };
}
function oldFailure({ sentence, remedy, ...others }: Failure): object {
  const [said, todo] = [pairOf(sentence), remedy && pairOf(remedy)];
  const phrases = { sentence: said.phrase, remedy: todo?.phrase ?? null };
  return { ...others, sentence: said.text, remedy: todo?.text ?? null, phrases };
}

const reason = makeFailure({ code: 'unreachable', at });
const nested = message('mission.nothingSent', {
  reason: message('session.notRenewed', { reason: reason.sentence }),
});

describe('a text that was stored with its id', () => {
  it.each([
    message('failure.conflict.remedy'),
    message('upload.rebuiltSome', { n: 2, uncertain: 1 }),
    message('alarm.sessionBack', { backAt: at }),
    nested,
  ])('is that message again: %j', (said) => {
    const { text, phrase } = pairOf(said);
    expect(fromPair(text, phrase)).toEqual(said);
    expect(english(fromPair(text, phrase))).toBe(text);
  });

  it('is only the text where its id is no longer known, or has other values now', () => {
    const stored = '1,707 incidents, 12 of them open and critical.';
    const values = { n: 1_707, worst: 12, severity: 'critical' };
    expect(fromPair(stored, { id: 'alarm.known.worst', values })).toEqual({ text: stored });
    expect(fromPair('It waits.', { id: 'upload.rebuiltSome', values: { n: 2 } })).toEqual({
      text: 'It waits.',
    });
    const inner = { text: 'Of another version.', id: 'later.one', values: {} };
    expect(english(fromPair('', { id: 'mission.nothingSent', values: { reason: inner } }))).toContain(
      'Of another version.',
    );
  });

  it('is the text alone where it had none', () => {
    for (const phrase of [null, undefined, 'x', { id: 1 }, { id: 'api.signInFirst', values: { a: [] } }]) {
      expect(fromPair('As it came.', phrase)).toEqual({ text: 'As it came.' });
    }
  });
});

describe('what an earlier version stored', () => {
  const failure = makeFailure({ code: 'conflict', at, sentence: nested });
  const { phrases: _phrases, ...without } = oldFailure(failure) as { phrases: unknown };

  it('is read in a failure, with and without ids', () => {
    expect(storedFailureSchema.parse(oldFailure(failure))).toEqual(failure);
    expect(storedFailureSchema.parse(without)).toEqual({
      ...failure,
      sentence: { text: english(failure.sentence) },
      remedy: { text: failure.remedy && english(failure.remedy) },
    });
    expect(storedFailureSchema.parse(failure)).toEqual(failure);
    expect(storedFailureSchema.safeParse({ ...without, extra: 1 }).success).toBe(false);
  });

  it('is read in a decision', () => {
    const record = {
      ...{ version: 1, missionId: 'm-1', decision: 'approve', key: 'k', body: '{}', username: 'kim' },
      ...{ at, anchor: at, seen: at, outcome: 'unknown', answeredAt: null, requestId: null, answer: null },
    };
    const read = (stored: object): Failure | null | undefined =>
      readDecision(JSON.stringify({ ...record, failure: stored }))?.failure;
    expect(read(oldFailure(failure))).toEqual(failure);
    expect(read(without)?.sentence).toEqual({ text: english(failure.sentence) });
    expect(read(failure)).toEqual(failure);
  });

  it('is read in an upload', () => {
    const id = '0011223344556677';
    const item = {
      ...{ version: 1, id, fileName: 'a.jpg', bytes: 1, addedAt: at, incidentId: null, place: 1, step: 1 },
      ...{ paused: false, sha256: null, computed: [], key: null, endedKeys: [] },
    };
    const read = (phase: object) => readItem(id, JSON.stringify({ ...item, phase }))?.phase;
    const failed = { state: 'failed', failure };
    expect(read({ state: 'failed', failure: oldFailure(failure) })).toEqual(failed);
    expect(read({ state: 'waiting', failure: oldFailure(failure), until: null })).toMatchObject({ failure });

    expect(read({ state: 'queued', consented: true })).toEqual({
      state: 'queued',
      consented: true,
      newKey: false,
    });

    const [why, remedy] = [message('upload.stopped'), message('upload.checkOrSend')];
    const asked = { state: 'needs-decision', decision: 'stopped', failure: null, sameAs: null };
    const phrases = { sentence: pairOf(why).phrase, remedy: pairOf(remedy).phrase };
    const texts = { why: english(why), remedy: english(remedy) };
    expect(read({ ...asked, ...texts, phrases })).toEqual({ ...asked, why, remedy, said: null });
    expect(read({ ...asked, ...texts })).toMatchObject({ why: { text: texts.why } });

    const note = message('upload.foundInList');
    const sent = { state: 'sent', at, cid: null, verdict: null, profile: null, requestId: null };
    const notePhrase = pairOf(note).phrase;
    expect(read({ ...sent, note: english(note), notePhrase })).toEqual({ ...sent, note });
    expect(read({ ...sent, note: null, notePhrase: null })).toEqual({ ...sent, note: null });

    const now = readItem(id, JSON.stringify({ ...item, phase: failed }));
    expect(now && readItem(id, writeItem(now))).toEqual(now);
  });

  it('is read in an alarm, and in what it said before its cause had passed', () => {
    const [now, before] = [message('alarm.sessionBack', { backAt: at }), message('alarm.sessionEnded')];
    const about = { incidentIds: [], count: 1, acknowledgedAt: null };
    const alarm = { id: 'a', kind: 'session', level: 1, severity: null, at, ...about };
    const stored = (said: Message): object => {
      const { text: sentence, phrase } = pairOf(said);
      return { sentence, phrase };
    };
    const text = JSON.stringify({
      version: 1,
      active: [
        { alarm: { ...alarm, ...stored(now) }, subject: null, told: { level: 3, ...stored(before) } },
        { alarm: { ...alarm, sentence: 'New.' }, subject: null },
      ],
    });
    const [first, second] = readAlarms(text).active;
    expect(first?.alarm.sentence).toEqual(now);
    expect(first?.told).toEqual({ level: 3, sentence: before });
    expect(second?.alarm.sentence).toEqual({ text: 'New.' });
    expect(readAlarms(JSON.stringify({ version: 1, active: [first] })).active).toEqual([first]);
  });

  it('is read in an entry of the audit list', () => {
    const event = message('audit.refused.approve', { why: reason.sentence });
    const body = {
      ...{ number: 1, at, username: 'kim', missionId: 'm-1', decision: 'approve', outcome: 'refused' },
      ...{ requestId: null, key: null, restart: null },
    };
    const read = (stored: object) =>
      readRow(JSON.stringify({ body: JSON.stringify({ ...body, ...stored }), hmac: '0'.repeat(64) }));
    const { text, phrase } = pairOf(event);
    expect(read({ event: text, phrase })?.body).toMatchObject({ event: text, phrase });
    expect(read({ event: text })?.body).toMatchObject({ event: text, phrase: null });
  });
});
