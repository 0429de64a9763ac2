import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../adapters/support.ts';
import { countsProcessorTime } from '../support/processorTime.ts';
import type { RunReport } from './report.ts';

/** Runs a test runner on the tests of test/fixtures/reports; what it printed, and its report. */
async function run(program: string, ...args: string[]) {
  const file = join(await temporaryFolder(), 'report.json');
  const child = spawn(process.execPath, [`node_modules/${program}`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FIELD_CONSOLE_REPORT: file },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await once(child, 'close');
  return { output, report: JSON.parse(await readFile(file, 'utf8')) as RunReport };
}

const folder = 'test/fixtures/reports';
const outcomesOf = ({ tests }: RunReport) => tests.map(({ file, title, outcome }) => [file, title, outcome]);

test('Vitest reports what came of each test and each file, and names a failure at once', async () => {
  const config = ['run', '--config', `${folder}/vitest.config.ts`];
  const { report, output } = await run(
    'vitest/vitest.mjs',
    ...config,
    '--reporter=./test/support/vitestReporter.ts',
  );
  const file = `${folder}/outcomes.unit.ts`;
  expect(outcomesOf(report)).toEqual([
    [file, 'outcomes > passes', 'passed'],
    [file, 'outcomes > fails', 'failed'],
    [file, 'outcomes > is skipped', 'skipped'],
    [file, 'outcomes > passes when repeated', 'repeated'],
  ]);
  expect(report.errors).toEqual([`${folder}/broken.unit.ts: no such module`]);
  expect(output).toContain(`FAILED ${file} › outcomes > fails: expected 1 to be 2`);
  expect(report.costs.find((cost) => cost.file === file)?.processor).toBeGreaterThan(0);
});

test('Playwright reports the same of its tests', async () => {
  const { report, output } = await run(
    '@playwright/test/cli.js',
    'test',
    '-c',
    `${folder}/playwright.config.ts`,
  );
  const file = `${folder}/outcomes.e2e.ts`;
  expect(outcomesOf(report).map(([of, title, outcome]) => [of, title?.split(' › ').at(-1), outcome])).toEqual(
    [
      [file, 'passes', 'passed'],
      [file, 'fails', 'failed'],
      [file, 'is skipped', 'skipped'],
      [file, 'passes when repeated', 'repeated'],
    ],
  );
  expect(output).toMatch(/FAILED .*outcomes\.e2e\.ts › .* › fails: /);
  expect(report.costs).toEqual([
    { file, wall: expect.any(Number), processor: countsProcessorTime ? expect.any(Number) : null },
  ]);
});
