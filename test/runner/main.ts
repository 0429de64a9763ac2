/**
 * Runs the stages or groups of stages (check, usual, slow) that are named as arguments, without one those of
 * `npm test`. A stage that fails does not stop the next ones, so that one run tells everything.
 *
 * `--changed` runs of them only what the working tree's change can reach, and says what it leaves out.
 * `--loaded` runs them beside other work, for a load of about 20, and repeats no test.
 * The last lines stay in test-results, in a file named by the arguments.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { countsProcessorTime, ProcessorTime } from '../support/processorTime.ts';
import { readAttacks } from './attacks.ts';
import { followsImports, selectStages } from './changed.ts';
import { countsOf, skipped, summaryOf, type Result } from './counts.ts';
import { startLoad } from './load.ts';
import { runAll } from './schedule.ts';
import { groups, results, stages, type Stage } from './stages.ts';

const { values, positionals } = parseArgs({
  options: { changed: { type: 'boolean' }, loaded: { type: 'boolean' } },
  allowPositionals: true,
});
/** A test that a loaded machine breaks is to be seen, not to be repeated. */
const repeats = values.loaded === true ? { FIELD_CONSOLE_RETRIES: '0' } : {};
/** With what the tests compute themselves, a load of about 20. */
const loadCount = 15;
const say = (text: string) => process.stdout.write(text);

interface Ended {
  readonly status: number;
  readonly output: string;
  /** In seconds; null where the system counts none. */
  readonly processor: number | null;
}

/** Runs a command to its end. `hold` keeps its output for the end: two stages side by side would mix their lines. */
function run({ command, env = {} }: Stage, hold: boolean): Promise<Ended> {
  const [program = '', ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', hold ? 'pipe' : 'inherit', hold ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env, ...repeats },
    });
    const time = new ProcessorTime(child.pid ?? process.pid);
    const looking = setInterval(() => time.look(), lookMs);
    const ended = (status: number, output: string) => {
      clearInterval(looking);
      resolve({ status, output, processor: countsProcessorTime ? time.look() : null });
    };
    const held: Buffer[] = [];
    const output = () => Buffer.concat(held).toString();
    child.stdout?.on('data', (chunk: Buffer) => held.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => held.push(chunk));
    child.on('error', (error) => {
      ended(1, `${output()}${error.message}\n`);
    });
    child.on('close', (code) => {
      ended(code ?? 1, output());
    });
  });
}

const attacks = readAttacks();
const lookMs = 500;

async function runStage(name: string, stage: Stage): Promise<Result> {
  const { report, notHere = () => null } = stage;
  const reason = notHere();
  if (reason !== null) return { stage: `${name} (${reason})`, wall: 0, processor: null, ...skipped };
  if (report !== undefined) rmSync(report, { force: true });
  const begun = performance.now();
  const hold = stage.cores === 1;
  if (!hold) say(`\n── ${name}\n`);
  const { status, output, processor } = await run(stage, hold);
  if (hold) say(`\n── ${name}\n${output}`);
  const wall = (performance.now() - begun) / 1000;
  return { stage: name, wall, processor, ...countsOf(name, report, status, attacks) };
}

/** The files that differ from the last commit, and those that are in none. */
function changedFiles(): readonly string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\0');
  const differ = git('diff', '--name-only', '--no-renames', '-z', 'HEAD');
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  return [...differ, ...added].filter((file) => file !== '');
}

/** The stages of these names that the change reaches, and the same with what it cannot reach left out of Vitest. */
function ofTheChange(names: readonly string[]) {
  const changed = changedFiles();
  const { run: reached, left } = selectStages(names, stages, changed);
  for (const { stage, why } of left) say(`Left out: ${stage} (${why})\n`);
  if (!followsImports(changed)) return { names: reached, stages };
  const narrow = (name: string, stage: Stage): Stage => {
    // A part of the tests cannot reach the coverage that the desktop host has to have.
    if (!stage.command.some((one) => one.endsWith('/vitest.mjs')) || name === 'desktop') return stage;
    say(`Left out: of ${name} the files that import nothing of the change\n`);
    return { ...stage, command: [...stage.command, '--changed', '--passWithNoTests'] };
  };
  // What is narrowed runs a part of the attacks only.
  const kept = reached.filter((name) => name !== 'abuse:part');
  if (kept.length < reached.length) say('Left out: abuse:part (it reads whole runs)\n');
  const narrowed = kept.map((name) => [name, narrow(name, stages[name] as Stage)] as const);
  return { names: kept, stages: Object.fromEntries(narrowed) };
}

const asked = positionals.length === 0 ? ['usual'] : positionals;
const names = [...new Set(asked.flatMap((name) => groups[name] ?? [name]))];
const unknown = names.filter((name) => !(name in stages));
if (unknown.length > 0) {
  const known = [...Object.keys(groups), ...Object.keys(stages)].join(', ');
  process.stderr.write(`No such stage: ${unknown.join(', ')}. Stages: ${known}\n`);
  process.exit(2);
}

mkdirSync(results, { recursive: true });
const chosen = values.changed === true ? ofTheChange(names) : { names, stages };
const load = values.loaded === true ? startLoad(loadCount) : null;
const done = await runAll(chosen.names, chosen.stages, runStage);
if (load !== null) say(`\n${load.stop()}`);
const summary = summaryOf(done);
say(summary);
writeFileSync(`${results}/${asked.join('-').replaceAll(':', '.')}.txt`, summary);
process.exit(done.some(({ failed }) => failed > 0) ? 1 : 0);
