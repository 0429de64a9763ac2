import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../adapters/support.ts';
import { countsOf } from './counts.ts';
import type { Stage } from './stages.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'pending';

interface File {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly message?: string;
  readonly assertionResults: readonly { readonly status: Status; readonly fullName: string }[];
}

/** What is counted of a report as Vitest writes it of these files, in a run that ended with `status`. */
async function counted(status: number, files: readonly File[], outside: readonly string[] = []) {
  const folder = await temporaryFolder();
  const file = join(folder, 'report.json');
  const errors = join(folder, 'errors.json');
  await writeFile(errors, JSON.stringify(outside));
  const testResults = files.map((one) => ({ message: '', ...one, name: join(process.cwd(), one.name) }));
  await writeFile(file, JSON.stringify({ testResults }));
  const stage: Stage = { tier: 'usual', command: [], cores: 1, report: { of: 'vitest', file, errors } };
  return countsOf('faults', stage, status);
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
    assertionResults: [{ status: 'skipped', fullName: 'two' }],
  } as const;
  const counts = await counted(1, [passed, setUp]);
  expect(counts).toMatchObject({ passed: 1, failed: 1, skipped: 1, names: ['b.test.ts: no folder'] });
});

it('names a file that does not load, and counts a failed test once', async () => {
  const unread = {
    name: 'b.test.ts',
    status: 'failed',
    message: 'no such module',
    assertionResults: [],
  } as const;
  const failed = {
    name: 'c.test.ts',
    status: 'failed',
    assertionResults: [
      { status: 'passed', fullName: 'two' },
      { status: 'failed', fullName: 'three' },
    ],
  } as const;
  expect(await counted(1, [unread, failed])).toMatchObject({
    passed: 1,
    failed: 2,
    names: ['c.test.ts › three', 'b.test.ts: no such module'],
  });
});

it('counts and names each test of a process that died', async () => {
  const cut = {
    name: 'b.test.ts',
    status: 'passed',
    assertionResults: [
      { status: 'pending', fullName: 'two' },
      { status: 'pending', fullName: 'three' },
    ],
  } as const;
  const never = { name: 'c.test.ts', status: 'passed', assertionResults: [] } as const;
  expect(await counted(1, [passed, cut, never], ['a worker died'])).toMatchObject({
    passed: 1,
    failed: 3,
    skipped: 0,
    names: [
      'c.test.ts: did not end',
      'b.test.ts › two: did not end',
      'b.test.ts › three: did not end',
      'outside all tests: a worker died',
    ],
  });
});

it('counts an error outside all tests as one failure', async () => {
  expect(await counted(1, [passed], ['a late fault'])).toMatchObject({
    passed: 1,
    failed: 1,
    names: ['outside all tests: a late fault', 'faults: ended with status 1 and no failed test'],
  });
});

it('counts what passed and what was skipped', async () => {
  const skipped = {
    name: 'b.test.ts',
    status: 'passed',
    assertionResults: [{ status: 'skipped', fullName: 'two' }],
  } as const;
  expect(await counted(0, [passed, skipped])).toMatchObject({ passed: 1, failed: 0, skipped: 1, names: [] });
});
