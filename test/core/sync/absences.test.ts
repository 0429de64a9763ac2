import { describe, expect, it } from 'vitest';
import type { IncidentRecord } from '../../../src-main/core/domain/incident.ts';
import { AbsenceCount } from '../../../src-main/core/sync/absences.ts';

const known = { ids: () => ['kept', 'gone'], recordOf: () => undefined };
const kept = new Map([['kept', { id: 'kept' } as IncidentRecord]]);
const read = (unreadable: readonly { id: string | null; reason: string }[] = []) => ({
  rows: kept,
  baseCut: false,
  rangeIgnored: false,
  sentStart: null,
  unreadable,
  failure: null,
});

describe('an incident that the service no longer returns', () => {
  it('is dropped after two complete reads without it, some time apart', () => {
    const absences = new AbsenceCount({ apartMs: 1_000 });
    expect(absences.afterRead(read(), known, 0)).toEqual([]);
    expect(absences.afterRead(read(), known, 500)).toEqual([]);
    expect(absences.afterRead(read(), known, 1_000)).toEqual(['gone']);
  });

  it('is still returned when its record cannot be read', () => {
    const absences = new AbsenceCount({ apartMs: 1_000 });
    const broken = read([{ id: 'gone', reason: 'status: empty' }]);
    absences.afterRead(broken, known, 0);
    expect(absences.afterRead(broken, known, 1_000)).toEqual([]);
  });

  it('may be behind a record whose id cannot be read: nothing is dropped', () => {
    const absences = new AbsenceCount({ apartMs: 1_000 });
    const broken = read([{ id: null, reason: 'id: empty' }]);
    absences.afterRead(broken, known, 0);
    expect(absences.afterRead(broken, known, 5_000)).toEqual([]);
  });
});
