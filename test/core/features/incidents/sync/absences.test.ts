import { describe, expect, it } from 'vitest';
import { Absences } from '../../../../../src-main/core/features/incidents/sync/absences.ts';

const gone = { id: 'gone', at: 1_000_000, order: 0 };
const apartMs = 1_000;

function lacking(): Absences {
  const absences = new Absences({ apartMs });
  absences.add(gone, 0);
  return absences;
}

describe('an incident that the service no longer returns', () => {
  it('is one after two windows of its own without it, some time apart', () => {
    const absences = lacking();
    expect(absences.next(0, true).map(({ id }) => id)).toEqual(['gone']);
    expect(absences.answered(['gone'], true, 0)).toEqual([]);
    expect(absences.next(apartMs - 1, true)).toEqual([]);
    expect(absences.next(apartMs, true)).toHaveLength(1);
    expect(absences.answered(['gone'], true, apartMs)).toEqual([{ id: 'gone', since: 0 }]);
  });

  it('is asked for by one read at once', () => {
    const absences = lacking();
    expect(absences.next(0, true)).toHaveLength(1);
    expect(absences.next(0, true)).toEqual([]);
    expect(absences.dueAt).toBe(apartMs);
  });

  it('is asked for some more times then, at growing pauses, since it may come back', () => {
    const absences = lacking();
    const asked: number[] = [];
    for (let now = 0; now < 200_000; now += 500) {
      if (absences.next(now, false).length === 0) continue;
      asked.push(now);
      absences.answered(['gone'], true, now);
    }
    expect(asked).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(absences.dueAt).toBeNull();
  });

  it('is not when any answer has it, and then others need more answers for an hour', () => {
    const absences = lacking();
    absences.answered(['gone'], true, 0);
    absences.returned(['gone'], 500);
    expect(absences.has('gone')).toBe(false);
    const answersOf = (start: number): number => {
      absences.add(gone, start);
      for (let count = 1; ; count += 1) {
        if (absences.answered(['gone'], true, start + count * apartMs).length > 0) return count;
      }
    };
    expect(answersOf(1_000)).toBe(3);
    absences.returned(['gone'], 5_000);
    expect(answersOf(4_000_000)).toBe(2);
  });

  it('contradicts its own window when it comes back, unless it was so young that a replica lagged', () => {
    for (const [age, contradicts] of [
      [120_000, true],
      [20_000, false],
    ] as const) {
      const absences = lacking();
      absences.answered(['gone'], true, gone.at + age);
      expect(absences.returned(['gone'], gone.at + age + 500)).toBe(contradicts);
      expect(absences.isFickle(gone.at + age + 500)).toBe(contradicts);
    }
  });

  it('is not on answers that prove nothing', () => {
    const absences = lacking();
    for (let count = 0; count < 20; count += 1) {
      expect(absences.answered(['gone'], false, count * 100_000)).toEqual([]);
    }
  });

  it('is asked for with its near neighbours at most, the open ones first', () => {
    const absences = new Absences({ apartMs });
    absences.add({ id: 'resolved', at: 0, order: 1 }, 0);
    for (let at = 0; at < 20; at += 1) absences.add({ id: `open ${at}`, at: 10_000_000 + at, order: 0 }, 0);
    absences.add({ id: 'far', at: 20_000_000, order: 0 }, 0);
    const together = absences.next(0, true).map(({ id }) => id);
    expect(together).toHaveLength(8);
    expect(together.every((id) => id.startsWith('open'))).toBe(true);
    expect(absences.next(0, false)).toHaveLength(1);
  });
});
