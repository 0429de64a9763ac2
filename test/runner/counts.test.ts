import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../adapters/support.ts';
import { countsOf } from './counts.ts';
import { stages } from './stages.ts';

interface File {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly message?: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

/** What is counted of a Vitest report with these files, of a run that ended with `status`. */
async function counted(status: number, files: readonly File[], outside: readonly string[] = []) {
  const folder = await temporaryFolder();
  const file = join(folder, 'report.json');
  const errors = join(folder, 'errors.json');
  await writeFile(errors, JSON.stringify(outside));
  const of = (wanted: string) =>
    files.flatMap(({ assertionResults }) => assertionResults.filter((test) => test.status === wanted)).length;
  await writeFile(
    file,
    JSON.stringify({
      numPassedTests: of('passed'),
      numFailedTests: of('failed'),
      numPendingTests: of('pending'),
      numTodoTests: 0,
      testResults: files.map((one) => ({ message: '', ...one, name: join(process.cwd(), one.name) })),
    }),
  );
  const stage = stages['faults'];
  if (stage === undefined) throw new Error('no stage');
  return countsOf('faults', { ...stage, report: { of: 'vitest', file, errors } }, status);
}

const passed = {
  name: 'a.test.ts',
  status: 'passed',
  assertionResults: [{ status: 'passed', fullName: 'one' }],
} as const;

it('names a file whose set-up failed, and what with', async () => {
  const setUp = {
    name: 'b.test.ts',
    status: 'failed',
    message: 'no folder\n    at somewhere',
    assertionResults: [{ status: 'pending', fullName: 'two' }],
  } as const;
  const counts = await counted(1, [passed, setUp]);
  expect(counts).toMatchObject({ passed: 1, failed: 1, skipped: 1, names: ['b.test.ts: no folder'] });
});

it('names what did not end in a run that failed without a failed test', async () => {
  const cut = {
    name: 'b.test.ts',
    status: 'passed',
    assertionResults: [{ status: 'pending', fullName: 'two' }],
  } as const;
  const never = { name: 'c.test.ts', status: 'passed', assertionResults: [] } as const;
  const counts = await counted(1, [passed, cut, never], ['a worker died']);
  expect(counts.failed).toBe(1);
  expect(counts.names).toEqual([
    'faults: ended with status 1 and no failed test',
    'c.test.ts: did not end',
    'b.test.ts › two: did not end',
    'outside all tests: a worker died',
  ]);
});

it('counts what passed', async () => {
  expect(await counted(0, [passed])).toMatchObject({ passed: 1, failed: 0, skipped: 0, names: [] });
});
