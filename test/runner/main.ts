/**
 * Runs the stages or groups of stages (check, usual, slow) that are named as arguments, without one those of
 * `npm test`. A stage that fails does not stop the next ones, so that one run tells everything.
 *
 * `--totals=FILE` adds the results to those that an earlier run left in that file, and ends with the sum of both.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { addTo, countsOf, summaryOf, type Result } from './counts.ts';
import { runAll } from './schedule.ts';
import { groups, results, stages, type Stage } from './stages.ts';

const say = (text: string) => process.stdout.write(text);

/** Runs a command to its end. `hold` keeps its output for the end: two stages side by side would mix their lines. */
function run({ command, env = {} }: Stage, hold: boolean): Promise<{ status: number; output: string }> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', hold ? 'pipe' : 'inherit', hold ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env },
    });
    const held: Buffer[] = [];
    const output = () => Buffer.concat(held).toString();
    child.stdout?.on('data', (chunk: Buffer) => held.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => held.push(chunk));
    child.on('error', (error) => {
      resolve({ status: 1, output: `${output()}${error.message}\n` });
    });
    child.on('close', (code) => {
      resolve({ status: code ?? 1, output: output() });
    });
  });
}

async function runStage(name: string): Promise<Result> {
  const stage = stages[name];
  if (stage === undefined) throw new Error(`No such stage: ${name}`);
  if (stage.report !== undefined) rmSync(stage.report.file, { force: true });
  const begun = performance.now();
  const hold = stage.cores === 1;
  if (!hold) say(`\n── ${name}\n`);
  const { status, output } = await run(stage, hold);
  if (hold) say(`\n── ${name}\n${output}`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { stage: name, seconds, ...countsOf(name, stage, status) };
}

const { values, positionals } = parseArgs({
  options: { totals: { type: 'string' } },
  allowPositionals: true,
});
const asked = positionals.length === 0 ? ['usual'] : positionals;
const names = [...new Set(asked.flatMap((name) => groups[name] ?? [name]))];
const unknown = names.filter((name) => !(name in stages));
if (unknown.length > 0) {
  const known = [...Object.keys(groups), ...Object.keys(stages)].join(', ');
  process.stderr.write(`No such stage: ${unknown.join(', ')}. Stages: ${known}\n`);
  process.exit(2);
}

mkdirSync(results, { recursive: true });
const done = await runAll(names, stages, runStage);
const all = values.totals === undefined ? done : addTo(values.totals, done);
say(summaryOf(all));
process.exit(all.some(({ failed }) => failed > 0) ? 1 : 0);
