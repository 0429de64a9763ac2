import { describe, expect, it } from 'vitest';
import {
  ChangeList,
  readChanges,
} from '../../../../../src-main/core/features/incidents/changes/changeList.ts';
import type { IncidentRecord } from '../../../../../src-main/core/state/incident.ts';
import { mostChanged, openRule, scaleOf } from '../../../../../src-preload/contract/index.ts';

const newList = (): ChangeList => new ChangeList({ scale: scaleOf(null), isOpen: openRule() });

const record = (change: Partial<IncidentRecord> = {}): IncidentRecord => ({
  id: 'a',
  incidentType: 'flood',
  severity: 'high',
  status: 'open',
  createdAtText: '',
  createdAt: 1,
  evidenceCount: 2,
  blockchainRecords: [],
  location: { latitude: 48, longitude: 16, altitude: null },
  otherFields: [],
  unreadable: [],
  ...change,
});

describe('what changed since somebody looked', () => {
  it('is each field once, from what it was then to what it is now, until they look', () => {
    const list = newList();
    const [critical, more, over] = [
      record({ severity: 'critical', evidenceCount: 3 }),
      record({ severity: 'critical', evidenceCount: 5 }),
      record({ severity: 'critical', evidenceCount: 5, status: 'resolved' }),
    ];
    list.note(record(), critical, 10);
    list.note(critical, more, 20);
    list.note(more, over, 30);
    expect(list.unseen).toMatchObject({
      changed: [{ id: 'a', change: { field: 'severity', from: 'high', to: 'critical', at: 10 } }],
      fresh: [],
    });
    expect(list.see('a')?.changes).toEqual([
      { field: 'severity', from: 'high', to: 'critical', at: 10 },
      { field: 'evidence', from: 2, to: 5, at: 20 },
      { field: 'status', from: 'open', to: 'resolved', at: 30 },
    ]);
    expect(list.unseen).toMatchObject({ changed: [], fresh: [] });
    expect(list.see('a')).toBeNull();
  });

  it('is seen all at once', () => {
    const list = newList();
    list.note(record(), record({ severity: 'critical' }), 10);
    list.noteNew('b');
    const { last } = list.unseen;
    list.seeAll(last);
    expect(list.unseen).toMatchObject({ changed: [], fresh: [], last });
  });

  it('is not seen where it came after what was shown', () => {
    const list = newList();
    list.note(record(), record({ severity: 'critical' }), 10);
    list.noteNew('b');
    list.noteNew('c');
    const { last } = list.unseen;
    list.note(record({ severity: 'critical' }), record({ severity: 'critical', status: 'resolved' }), 20);
    list.noteNew('d');
    list.seeAll(last);
    expect(list.unseen).toMatchObject({ changed: [{ id: 'a' }], fresh: ['d'] });
  });

  it('is nothing where all is as it was then, and for another spelling of a word', () => {
    const list = newList();
    expect(list.note(record(), record({ status: 'OPEN' }), 10)).toBe(false);
    const other = record({ incidentType: 'fire', evidenceCount: 3, location: null });
    list.note(record(), other, 10);
    list.note(other, record({ incidentType: 'Flood' }), 20);
    expect(list.unseen).toMatchObject({ changed: [], fresh: [] });
    expect(list.see('a')).toBeNull();
  });

  /** One incident that has these severities, or statuses, one after the other, ten to each. */
  const through = (field: 'severity' | 'status', ...values: string[]) => {
    const list = newList();
    for (const [at, value] of values.slice(1).entries())
      list.note(record({ [field]: values[at] }), record({ [field]: value }), 10 * (at + 1));
    return list;
  };
  const seen = (...of: Parameters<typeof through>) => through(...of).see('a')?.changes;

  it('is what a severity or a status was meanwhile, and until when, where it is again as it was', () => {
    const list = through('severity', 'low', 'critical', 'Low');
    const critical = { value: 'critical', since: 10, until: 20 };
    const change = { field: 'severity', from: 'low', to: 'Low', at: 20, meanwhile: critical };
    expect(list.unseen).toMatchObject({ changed: [{ id: 'a', change }], fresh: [] });
    expect(list.see('a')?.changes).toEqual([change]);
    expect(list.unseen).toMatchObject({ changed: [], fresh: [] });
    expect(seen('status', 'open', 'resolved', 'Open')).toMatchObject([
      { meanwhile: { value: 'resolved', since: 10, until: 20 } },
    ]);
  });

  it('is the worst severity, and the end of a status, of several that it was meanwhile', () => {
    const worst = { value: 'critical', since: 20, until: 30 };
    expect(seen('severity', 'low', 'high', 'critical', 'medium', 'low')).toMatchObject([
      { meanwhile: worst },
    ]);
    // What has no rank is as bad as the worst: of equals it is the later.
    expect(seen('severity', 'low', 'critical', 'low', 'of no rank', 'low')).toMatchObject([
      { meanwhile: { value: 'of no rank', since: 30, until: 40 } },
    ]);
    expect(seen('status', 'open', 'assigned', 'resolved', 'assigned', 'open')).toMatchObject([
      { meanwhile: { value: 'resolved', since: 20, until: 30 } },
    ]);
  });

  it('has what was worse, or over, between two others, and no step on the way', () => {
    const critical = { value: 'critical', since: 10, until: 20 };
    expect(seen('severity', 'low', 'critical', 'medium')).toMatchObject([
      { from: 'low', to: 'medium', meanwhile: critical },
    ]);
    expect(seen('status', 'open', 'resolved', 'assigned')).toMatchObject([
      { from: 'open', to: 'assigned', meanwhile: { value: 'resolved' } },
    ]);
    expect(seen('severity', 'low', 'high', 'critical')).toEqual([
      { field: 'severity', from: 'low', to: 'critical', at: 20 },
    ]);
    expect(seen('status', 'open', 'assigned', 'resolved')).toEqual([
      { field: 'status', from: 'open', to: 'resolved', at: 20 },
    ]);
  });

  it('has one such time of each field, however often it changed', () => {
    const list = through(
      'severity',
      ...Array.from({ length: 400 }, (_, at) => (at % 2 ? 'critical' : 'low')),
    );
    const [change, ...others] = list.see('a')?.changes ?? [];
    expect(others).toEqual([]);
    expect(JSON.stringify(change).length).toBeLessThan(200);
  });

  it('of one that is new is that, and what changed of it since', () => {
    const list = newList();
    list.noteNew('a');
    list.note(record(), record({ severity: 'critical' }), 10);
    expect(list.unseen).toMatchObject({ changed: [], fresh: ['a'] });
    expect(list.see('a')).toMatchObject({ isNew: true, changes: [{ field: 'severity' }] });
  });

  it('is kept of so many incidents, and forgotten of the oldest', () => {
    const list = newList();
    for (let at = 0; at < mostChanged + 2; at += 1) list.noteNew(`n${at}`);
    const { fresh } = list.unseen;
    expect([fresh.length, fresh[0]]).toEqual([mostChanged, 'n2']);
  });

  it('is read again as it was written, but for what does not hold', () => {
    const list = newList();
    list.noteNew('b');
    list.note(record(), record({ severity: 'low', location: null }), 10);
    const text = list.text(99);
    const again = newList();
    const kept = readChanges(text.replace('"entries":[', '"entries":[{"id":7},'));
    again.load(kept?.entries ?? []);
    expect(kept?.watchedUntil).toBe(99);
    expect(again.text(99)).toBe(text);
    // One of before has no severity that it was meanwhile; a later change has.
    const before = readChanges(
      '{"version":1,"watchedUntil":1,"entries":[{"id":"a","isNew":false,"changes":[{"field":"severity","from":"low","to":"critical","at":5}]}]}',
    );
    const old = newList();
    old.load(before?.entries ?? []);
    old.note(record({ severity: 'critical' }), record({ severity: 'low' }), 9);
    const later = newList();
    later.load(readChanges(old.text(99))?.entries ?? []);
    const meanwhile = { value: 'critical', since: 5, until: 9 };
    expect(later.see('a')?.changes).toEqual([
      { field: 'severity', from: 'low', to: 'low', at: 9, meanwhile },
    ]);
    // A vault of before has no such document.
    for (const none of [null, '', '{', '[]', '{"version":2,"watchedUntil":1,"entries":[]}'])
      expect(readChanges(none)).toBeNull();
  });
});
