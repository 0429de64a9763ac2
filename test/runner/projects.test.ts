import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { groups, stages } from './stages.ts';

interface Listed {
  readonly file: string;
  readonly projectName: string;
}

const listed = JSON.parse(
  execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  }),
) as Listed[];
const projectsOf = (group: string) =>
  (groups[group] ?? [])
    .flatMap((name) => stages[name]?.command ?? [])
    .filter((argument) => /^--project=[a-z]+$/.test(argument))
    .map((argument) => argument.slice('--project='.length));
const filesIn = (projects: readonly string[]) =>
  listed
    .filter(({ projectName }) => projects.includes(projectName))
    .map(({ file }) => relative(process.cwd(), file).replaceAll('\\', '/'));
const onDisk = globSync('test/**/*.test.ts').map((file) => file.replaceAll('\\', '/'));

test('every test file is run once by npm test, but the slow ones, which npm run test:slow runs', () => {
  expect(onDisk.length).toBeGreaterThan(250);
  const slow = onDisk.filter((file) => file.endsWith('.slow.test.ts'));
  const usual = onDisk.filter((file) => !slow.includes(file));
  expect(filesIn(projectsOf('usual')).sort()).toEqual(usual.sort());
  expect(filesIn(projectsOf('slow'))).toEqual(expect.arrayContaining(slow));
});

test('what draws its cases is run again with all of them, and so are the campaigns', () => {
  const drawn = onDisk.filter((file) => file.endsWith('.cases.test.ts') || file.startsWith('test/faults/'));
  const slow = filesIn(projectsOf('slow'));
  expect(slow).toEqual(expect.arrayContaining(drawn));
  expect(new Set(slow).size).toBe(slow.length);
});
