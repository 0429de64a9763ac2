/**
 * Tries every attack of docs/security-evidence.md, the campaigns whole unless CAMPAIGN says otherwise, and tells in its last lines
 * what was tried and what held. Some attacks need what `npm run build` makes.
 *
 *   node test/runner/abuse.ts
 *
 * With `--of` it runs nothing, and tells the same of what other stages ran: `npm test` has run each of these tests by
 * then, with a seeded part of each campaign.
 *
 *   node test/runner/abuse.ts --of test-results/unit.json test-results/faults.json
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { patternOf, readAttacks, tell } from './attacks.ts';
import type { RunReport, TestOutcome } from './report.ts';
import { results } from './stages.ts';

const attacks = readAttacks();

/** Runs all of them; the file with what came of it, and the status. */
function runAttacks(): { readonly file: string; readonly status: number } {
  const file = `${results}/abuse.json`;
  const files = [...new Set(attacks.map(({ test }) => test.file))];
  const pattern = attacks.map(({ test }) => `${patternOf(test.title)}$`).join('|');
  rmSync(file, { force: true });
  const { status } = spawnSync(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', ...files, '--testNamePattern', pattern],
      ...['--project=pure', '--project=real', '--project=faults', '--project=slow'],
      ...['--reporter=default', '--reporter=./test/support/vitestReporter.ts'],
    ],
    { stdio: 'inherit', env: { CAMPAIGN: 'whole', ...process.env, FIELD_CONSOLE_REPORT: file } },
  );
  return { file, status: status ?? 1 };
}

const outcomesIn = (file: string): readonly TestOutcome[] =>
  (JSON.parse(readFileSync(file, 'utf8')) as RunReport).tests;

const { values, positionals } = parseArgs({ options: { of: { type: 'boolean' } }, allowPositionals: true });
const ran = values.of === true ? null : runAttacks();
const reports = ran === null ? positionals : [ran.file];
const { lines, complete } = tell(attacks, reports.flatMap(outcomesIn));
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = complete ? (ran?.status ?? 0) : 1;
