/**
 * Tries every attack of SECURITY.md, the campaigns whole unless CAMPAIGN says otherwise, and tells in its last lines
 * what was tried and what held. Some attacks need what `npm run build` makes.
 *
 *   node test/runner/abuse.ts
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { patternOf, readAttacks, tell, type Outcome } from './attacks.ts';
import { results } from './stages.ts';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const file = `${results}/abuse.json`;
const attacks = readAttacks(readFileSync('SECURITY.md', 'utf8'));
const files = [...new Set(attacks.map(({ test }) => test.file))];
const pattern = attacks.map(({ test }) => `${patternOf(test.title)}$`).join('|');
rmSync(file, { force: true });
const { status } = spawnSync(
  process.execPath,
  [
    ...['node_modules/vitest/vitest.mjs', 'run', ...files, '--testNamePattern', pattern],
    ...['--project=pure', '--project=real', '--project=faults', '--project=slow'],
    ...['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`],
  ],
  { stdio: 'inherit', env: { CAMPAIGN: 'whole', ...process.env } },
);
const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
const outcomes = report.testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map((result): Outcome => ({ ...result, file: relative(process.cwd(), name) })),
);
const { lines, complete } = tell(attacks, outcomes);
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = complete ? (status ?? 1) : 1;
