/** The steps of a first light in which the application is started: three times, each in a folder of the test's. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Application, Running } from './application.ts';
import { drivenSteps, type Driven } from './driven.ts';
import { connect, inspectorIn, type Connected } from './inspector.ts';
import { limits } from './limits.ts';
import { stepSchema } from './report.ts';
import { NotRun, type StepList } from './stepList.ts';

const selfTestSchema = z.looseObject({
  version: z.string(),
  versions: z.strictObject({
    electron: z.string().nullable(),
    chrome: z.string().nullable(),
    node: z.string().nullable(),
  }),
});
/** A step among the lines that the console reported. */
const lineSchema = z.object(stepSchema.shape);

/** What each step that starts the application needs. */
export interface Starts {
  readonly list: StepList;
  readonly application: Application;
  /** Hears of each start, to keep what it wrote. */
  readonly onStart: (running: Running) => void;
}

/** The end of a run, or an error that says how it hung. It is killed then. */
async function endOf(running: Running, withinMs: number): Promise<number | null> {
  const waited = new AbortController();
  const late = pause(withinMs, 'late' as const, { signal: waited.signal }).catch(() => 'late' as const);
  const ended = await Promise.race([running.exited, late]);
  waited.abort();
  if (ended !== 'late') return ended;
  process.kill(running.pid, 'SIGKILL');
  throw new Error(`It did not end within ${String(withinMs / 1_000)} s.`);
}

/** What is found in time while it runs; `seek` has null until then. Else the run is killed. */
async function fromStart<T>(running: Running, seek: () => Promise<T | null>): Promise<T> {
  let left: number | null | undefined;
  void running.exited.then((status) => (left = status));
  for (const from = performance.now(); performance.now() - from < limits.start; await pause(100)) {
    const found = await seek();
    if (found !== null) return found;
    if (left !== undefined) throw new Error(`It left with status ${String(left)}: ${endingOf(running)}`);
  }
  process.kill(running.pid, 'SIGKILL');
  throw new Error(`It did not open within ${String(limits.start / 1_000)} s: ${endingOf(running)}`);
}

const endingOf = (running: Running): string => running.output().stderr.slice(-600);

/** The lines of JSON that can be read in a file; none where there is no file. */
export function linesOf(path: string): unknown[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        // The last one of a process that died while it wrote.
        return [];
      }
    });
}

/**
 * The self-test of the shipped application. Those of its steps that it reported are in the list also when it died in
 * the next one.
 *
 * @param report where it writes them
 * @returns what was started; null where it did not get so far
 */
export async function selfTest(
  { list, application, onStart }: Starts,
  report: string,
): Promise<z.infer<typeof selfTestSchema> | null> {
  const results: z.infer<typeof selfTestSchema>[] = [];
  await list.step('self-test', 'The shipped application tests itself', async () => {
    const running = application.start(['--self-test-report', report]);
    onStart(running);
    const status = await endOf(running, limits.work);
    const made = selfTestSchema.safeParse(linesOf(report).at(-1));
    if (!made.success)
      throw new Error(`It left with status ${String(status)} and no result: ${endingOf(running)}`);
    results.push(made.data);
    return `It ran to its end, with status ${String(status)}.`;
  });
  for (const line of linesOf(report)) {
    const step = lineSchema.safeParse(line);
    if (step.success) list.add(step.data);
  }
  return results[0] ?? null;
}

/** Starts the application with an inspector, takes the steps that need one, and ends it from inside. */
export async function driveConsole(
  { list, application, onStart }: Starts,
  options: Omit<Driven, 'list' | 'main' | 'kill'> & { readonly dataDir: string },
): Promise<void> {
  const opened: { readonly running: Running; readonly main: Connected }[] = [];
  await list.step('driven', 'A copy that has an inspector opens, and can be driven', async () => {
    const running = await application.startInspected(['--training', '--data-dir', options.dataDir]);
    onStart(running);
    const address = await fromStart(running, () => Promise.resolve(inspectorIn(running.output().stderr)));
    const main = await connect(address);
    opened.push({ running, main });
    await fromStart(running, async () => ((await opensOf(options.dataDir)) > 0 ? true : null));
    return 'Its window is open.';
  });
  const [copy] = opened;
  if (copy === undefined) return;
  const { main, running } = copy;
  await drivenSteps({ ...options, list, main, kill: (pid) => process.kill(pid, 'SIGKILL') });
  await list.step('quit', 'The console quits', async () => {
    const from = performance.now();
    const asked = main.evaluate(({ app }) => void setTimeout(() => app.quit()), null);
    const [status] = await Promise.all([endOf(running, limits.quit), asked.finally(() => main.close())]);
    if (status !== 0) throw new Error(`It left with status ${String(status)}.`);
    return `Status 0 after ${String(Math.round(performance.now() - from))} ms.`;
  });
}

/** How many starts of the console in this folder opened a window, by its log. */
async function opensOf(dataDir: string): Promise<number> {
  const folder = join(dataDir, 'logs');
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return texts.join('').split('"console-open"').length - 1;
}

/** Kills the main process, and starts another one on the same data. */
export async function killMain({ list, application, onStart }: Starts, dataDir: string): Promise<void> {
  const open = async (before: number): Promise<Running> => {
    const running = application.start(['--training', '--data-dir', dataDir]);
    onStart(running);
    await fromStart(running, async () => ((await opensOf(dataDir)) > before ? true : null));
    return running;
  };
  const killed = await list.step('main-killed', 'The main process is killed', async () => {
    const running = await open(0);
    process.kill(running.pid, 'SIGKILL');
    await endOf(running, limits.quit);
    return 'It was gone at once.';
  });
  if (!killed) return;
  const again: Running[] = [];
  await list.step('main-again', 'The next start opens the same data', async () => {
    again.push(await open(1));
    return 'It opened: the lock of the killed one was free.';
  });
  await list.step('quit-in-order', 'It ends in order when it is asked to', async () => {
    const [running] = again;
    if (running === undefined) throw new NotRun('There is none.');
    const from = performance.now();
    running.quit();
    const status = await endOf(running, limits.quit);
    if (status !== 0) throw new Error(`It left with status ${String(status)}.`);
    return `Status 0 after ${String(Math.round(performance.now() - from))} ms.`;
  });
}
