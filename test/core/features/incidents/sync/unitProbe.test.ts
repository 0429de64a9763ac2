import { expect, it } from 'vitest';
import { probeUnit } from '../../../../../src-main/core/features/incidents/sync/unitProbe.ts';
import type { ListPages } from '../../../../../src-main/core/features/incidents/sync/listReader.ts';
import { ok, type Result } from '../../../../../src-preload/contract/index.ts';
import type { IncidentRecord } from '../../../../../src-main/core/state/incident.ts';

it('asks in both units at once, since nothing else is read meanwhile', async () => {
  const known = { id: 'a', createdAt: 1_900_000_000_500 } as IncidentRecord;
  const asked: (number | undefined)[] = [];
  const answers: ((answer: Result<Pick<ListPages, 'rows'>>) => void)[] = [];
  const found = probeUnit([known], ({ startTime }) => {
    asked.push(startTime);
    return new Promise((resolve) => answers.push(resolve));
  });
  expect(asked).toEqual([1_900_000_000, 1_900_000_000_500]);
  // The answers come in any order.
  answers[1]?.(ok({ rows: [] }));
  answers[0]?.(ok({ rows: [known] }));
  expect(await found).toEqual(ok({ unit: 'seconds', shift: 0, margin: 0, isOdd: false }));
});
