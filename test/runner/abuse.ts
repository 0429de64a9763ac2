/**
 * Tries every attack of SECURITY.md, the campaigns whole unless CAMPAIGN says otherwise, and tells in its last lines
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
import { relative } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { patternOf, readAttacks, tell, type Outcome } from './attacks.ts';
import { results } from './stages.ts';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const attacks = readAttacks(readFileSync('SECURITY.md', 'utf8'));

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
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    ],
    { stdio: 'inherit', env: { CAMPAIGN: 'whole', ...process.env } },
  );
  return { file, status: status ?? 1 };
}

const outcomesIn = (file: string): Outcome[] => {
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((result) => ({ ...result, file: relative(process.cwd(), name) })),
  );
};

const { values, positionals } = parseArgs({ options: { of: { type: 'boolean' } }, allowPositionals: true });
const ran = values.of === true ? null : runAttacks();
const reports = ran === null ? positionals : [ran.file];
const { lines, complete } = tell(attacks, reports.flatMap(outcomesIn));
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = complete ? (ran?.status ?? 0) : 1;
