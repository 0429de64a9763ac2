import { describe, expect, it } from 'vitest';
import { AbsenceCount } from '../../../../../src-main/core/features/incidents/sync/absences.ts';

const read = (unreadable = false) => ({
  expected: ['kept', 'gone'],
  returned: new Set(['kept']),
  unreadable,
});

describe('an incident that the service no longer returns', () => {
  it('is one after two complete reads without it, some time apart, and is reported once', () => {
    const absences = new AbsenceCount({ apartMs: 1_000 });
    expect(absences.afterRead(read(), false, 0)).toEqual([]);
    expect(absences.afterRead(read(), false, 500)).toEqual([]);
    expect(absences.afterRead(read(), false, 1_000)).toEqual([{ id: 'gone', since: 0 }]);
    expect(absences.afterRead(read(), false, 1_500)).toEqual([]);
  });

  it('is not when any read returned it in between', () => {
    const absences = new AbsenceCount({ apartMs: 1_000 });
    absences.afterRead(read(), false, 0);
    absences.returned(new Set(['gone']));
    expect(absences.afterRead(read(), false, 1_000)).toEqual([]);
  });

  it('may be behind a record whose id cannot be read: nothing is gone', () => {
    const absences = new AbsenceCount({ apartMs: 1_000 });
    absences.afterRead(read(true), false, 0);
    expect(absences.afterRead(read(true), false, 5_000)).toEqual([]);
  });

  it('is known only once the page size that the reads rest on was shown again', () => {
    const absences = new AbsenceCount({ apartMs: 1_000 });
    expect(absences.afterRead(read(), true, 0)).toEqual([]);
    expect(absences.needsProof).toBe(true);
    expect(absences.proven()).toEqual([]);
    absences.afterRead(read(), true, 2_000);
    absences.contradicted();
    expect(absences.proven()).toEqual([]);
    absences.afterRead(read(), true, 3_000);
    expect(absences.proven()).toEqual([{ id: 'gone', since: 0 }]);
  });
});
