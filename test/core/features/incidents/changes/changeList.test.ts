import { describe, expect, it } from 'vitest';
import {
  ChangeList,
  readChanges,
} from '../../../../../src-main/core/features/incidents/changes/changeList.ts';
import type { IncidentRecord } from '../../../../../src-main/core/state/incident.ts';
import { mostChanged } from '../../../../../src-preload/contract/index.ts';

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
  ...change,
});

describe('what changed since somebody looked', () => {
  it('is each field once, from what it was then to what it is now, until they look', () => {
    const list = new ChangeList();
    const [critical, more, over] = [
      record({ severity: 'critical', evidenceCount: 3 }),
      record({ severity: 'critical', evidenceCount: 5 }),
      record({ severity: 'critical', evidenceCount: 5, status: 'resolved' }),
    ];
    list.note(record(), critical, 10);
    list.note(critical, more, 20);
    list.note(more, over, 30);
    expect(list.ids).toEqual({ changed: ['a'], fresh: [] });
    expect(list.see('a')?.changes).toEqual([
      { field: 'severity', from: 'high', to: 'critical', at: 10 },
      { field: 'evidence', from: 2, to: 5, at: 20 },
      { field: 'status', from: 'open', to: 'resolved', at: 30 },
    ]);
    expect(list.ids).toEqual({ changed: [], fresh: [] });
    expect(list.see('a')).toBeNull();
  });

  it('is nothing where all is as it was then, and for another spelling of a word', () => {
    const list = new ChangeList();
    expect(list.note(record(), record({ status: 'OPEN' }), 10)).toBe(false);
    list.note(record(), record({ status: 'resolved' }), 10);
    list.note(record({ status: 'resolved' }), record({ status: 'Open' }), 20);
    expect(list.ids).toEqual({ changed: [], fresh: [] });
  });

  it('of one that is new is that, and what changed of it since', () => {
    const list = new ChangeList();
    list.noteNew('a');
    list.note(record(), record({ severity: 'critical' }), 10);
    expect(list.ids).toEqual({ changed: [], fresh: ['a'] });
    expect(list.see('a')).toMatchObject({ isNew: true, changes: [{ field: 'severity' }] });
  });

  it('is kept of so many incidents, and forgotten of the oldest', () => {
    const list = new ChangeList();
    for (let at = 0; at < mostChanged + 2; at += 1) list.noteNew(`n${at}`);
    const { fresh } = list.ids;
    expect([fresh.length, fresh[0]]).toEqual([mostChanged, 'n2']);
  });

  it('is read again as it was written, but for what does not hold', () => {
    const list = new ChangeList();
    list.noteNew('b');
    list.note(record(), record({ severity: 'low', location: null }), 10);
    const text = list.text(99);
    const again = new ChangeList();
    const kept = readChanges(text.replace('"entries":[', '"entries":[{"id":7},'));
    again.load(kept?.entries ?? []);
    expect(kept?.watchedUntil).toBe(99);
    expect(again.text(99)).toBe(text);
    // A vault of before has no such document.
    for (const none of [null, '', '{', '[]', '{"version":2,"watchedUntil":1,"entries":[]}'])
      expect(readChanges(none)).toBeNull();
  });
});
