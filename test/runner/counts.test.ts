import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../adapters/support.ts';
import { count, countsOf, summaryOf, type Result } from './counts.ts';
import type { RunReport, TestOutcome } from './report.ts';

const test = (outcome: TestOutcome['outcome'], title: string, message?: string): TestOutcome => ({
  file: 'a.test.ts',
  title,
  outcome,
  ...(message === undefined ? {} : { message }),
});
const reportOf = (...tests: readonly TestOutcome[]): RunReport => ({ tests, errors: [], costs: [] });
const attack = { attacker: 'A', what: 'asks twice', test: { file: 'a.test.ts', title: 'refuses %s' } };

it('counts what passed, what was skipped, and names what failed', () => {
  const report = reportOf(
    test('passed', 'one'),
    test('skipped', 'two'),
    test('failed', 'three', 'no folder'),
    test('unended', 'four'),
  );
  expect(count({ ...report, errors: ['b.test.ts: no such module'] }, [])).toMatchObject({
    passed: 1,
    failed: 3,
    skipped: 1,
    repeated: [],
    names: ['a.test.ts › three: no folder', 'a.test.ts › four: did not end', 'b.test.ts: no such module'],
  });
});

it('passes a test that passed only when repeated, and names it, unless it has to hold at once', () => {
  const report = reportOf(test('repeated', 'shows it'), test('repeated', 'host refuses GET'));
  expect(count(report, [])).toMatchObject({ passed: 2, failed: 0, names: [] });
  expect(count(report, [attack])).toMatchObject({
    passed: 1,
    failed: 1,
    repeated: ['a.test.ts › shows it'],
    names: ['a.test.ts › host refuses GET: passed only when repeated'],
  });
});

it('counts a runner that failed without a failed test', async () => {
  const file = join(await temporaryFolder(), 'report.json');
  expect(countsOf('faults', file, 1, [])).toMatchObject({
    failed: 1,
    names: ['faults: ended with status 1 and without a report'],
  });
  await writeFile(file, JSON.stringify(reportOf(test('passed', 'one'))));
  expect(countsOf('faults', file, 0, [])).toMatchObject({ passed: 1, failed: 0 });
  expect(countsOf('faults', file, 1, [])).toMatchObject({
    passed: 1,
    failed: 1,
    names: ['faults: ended with status 1 and no failed test'],
  });
});

it('ends with the dearest files, the cost of each stage and one sum', () => {
  const result = (stage: string, processor: number | null, ...costs: Result['costs']): Result => ({
    ...{ stage, wall: 12.3, processor, passed: 2, failed: 0, skipped: 1, names: [], costs },
    repeated: ['a.test.ts › slow'],
  });
  const lines = summaryOf([
    result('unit', 21.26, { file: 'a', wall: 1, processor: 2 }, { file: 'b', wall: 30, processor: 1 }),
    result('page', null, { file: 'c', wall: 4, processor: null }, { file: 'a', wall: 1, processor: 1.5 }),
  ]).split('\n');
  expect(lines).toEqual([
    '',
    'Dearest files:',
    'c: 4.0 s, processor not measured',
    'a: 2.0 s, processor 3.5 s',
    'b: 30 s, processor 1.0 s',
    '',
    'passed  unit: 2 passed, 0 failed, 1 skipped, 12 s, processor 21 s',
    'passed  page: 2 passed, 0 failed, 1 skipped, 12 s, processor not measured',
    '',
    'Passed only when repeated:',
    'a.test.ts › slow',
    'a.test.ts › slow',
    '',
    '4 passed, 0 failed, 2 skipped',
    '',
  ]);
});
