import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Application, Running } from './application.ts';
import { stepSchema, type Report, type ReportedStep } from './report.ts';

/** A start of the console, also on a slow machine, in milliseconds. */
const startWithinMs = 120_000;
/** All of a first light in the console: the largest upload goes to a slow disk twice. */
const wholeWithinMs = 45 * 60_000;
const quitWithinMs = 30_000;

const selfTestSchema = z.looseObject({
  version: z.string(),
  versions: z.strictObject({
    electron: z.string().nullable(),
    chrome: z.string().nullable(),
    node: z.string().nullable(),
  }),
  steps: z.array(z.looseObject(stepSchema.shape)),
});

export interface InConsole {
  readonly version: string | null;
  readonly versions: Pick<Report['versions'], 'electron' | 'chrome' | 'node'>;
  readonly steps: ReportedStep[];
}

/** Takes a step. What `run` answers with was seen; what it throws is wrong. */
export async function take(id: string, name: string, run: () => Promise<string>): Promise<ReportedStep> {
  const from = performance.now();
  const seen = await run().then(
    (detail) => ({ outcome: 'passed' as const, detail }),
    (error: unknown) => ({ outcome: 'failed' as const, detail: (error as Error).message }),
  );
  return { id, name, ...seen, detail: seen.detail.slice(0, 2_000), milliseconds: performance.now() - from };
}
export const notRun = (id: string, name: string, detail: string): ReportedStep => ({
  ...{ id, name, detail },
  outcome: 'not-run',
  milliseconds: 0,
});

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

/** What the console finds out about itself (src-main/hosts/desktop/selfTest), and how long it took to quit. */
export async function runInConsole(
  application: Application,
  megabytes: number,
  report: string,
): Promise<InConsole> {
  const running = application.start(['--first-light', String(megabytes), '--self-test-report', report]);
  let reportedAt: number | null = null;
  const look = setInterval(() => {
    if (reportedAt === null && existsSync(report)) reportedAt = performance.now();
  }, 20);
  const end = await take('self-test', 'The console ran its first light', async () => {
    const status = await endOf(running, wholeWithinMs);
    if (!existsSync(report)) {
      throw new Error(
        `It left with status ${String(status)} and no report: ${running.output().stderr.slice(-600)}`,
      );
    }
    return `It ran to its end, with status ${String(status)}.`;
  });
  clearInterval(look);
  const unknown = { electron: null, chrome: null, node: null };
  if (end.outcome === 'failed') return { version: null, versions: unknown, steps: [end] };
  const endedAt = performance.now();
  const read = selfTestSchema.safeParse(JSON.parse(await readFile(report, 'utf8')));
  if (!read.success) {
    const detail = 'What the console reported cannot be read.';
    return { version: null, versions: unknown, steps: [end, { ...end, outcome: 'failed', detail }] };
  }
  const { version, versions, steps } = read.data;
  const reason = (id: string): string | undefined => application.cannot[id];
  const own = steps.map(({ id, name, outcome, detail, milliseconds }): ReportedStep => {
    const cannot = outcome === 'failed' ? reason(id) : undefined;
    return cannot === undefined ? { id, name, outcome, detail, milliseconds } : notRun(id, name, cannot);
  });
  const quitMs = reportedAt === null ? null : endedAt - reportedAt;
  const quit =
    quitMs === null
      ? notRun('quit', 'The console quits', 'The end came together with the report.')
      : {
          ...end,
          id: 'quit',
          name: 'The console quits',
          detail: `${String(Math.round(quitMs))} ms.`,
          milliseconds: quitMs,
        };
  return { version, versions, steps: [end, ...own, quit] };
}

/** How many starts of the console in this folder opened a window, by its log. */
async function opensOf(dataDir: string): Promise<number> {
  const folder = join(dataDir, 'logs');
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return texts.join('').split('"console-open"').length - 1;
}

async function started(running: Running, dataDir: string, before: number): Promise<void> {
  let left: number | null | undefined;
  void running.exited.then((status) => (left = status));
  for (const from = performance.now(); performance.now() - from < startWithinMs; await pause(100)) {
    if ((await opensOf(dataDir)) > before) return;
    if (left !== undefined) {
      throw new Error(`It left with status ${String(left)}: ${running.output().stderr.slice(-600)}`);
    }
  }
  throw new Error(`It did not open within ${String(startWithinMs / 1_000)} s.`);
}

/** Kills the main process, and starts another one on the same data. */
export async function killMain(application: Application, dataDir: string): Promise<ReportedStep[]> {
  const args = ['--training', '--data-dir', dataDir];
  const killed = await take('main-killed', 'The main process is killed', async () => {
    const running = application.start(args);
    await started(running, dataDir, 0);
    process.kill(running.pid, 'SIGKILL');
    await endOf(running, quitWithinMs);
    return 'It was gone at once.';
  });
  if (killed.outcome === 'failed') return [killed];
  let running: Running | null = null;
  const again = await take('main-again', 'The next start opens the same data', async () => {
    running = application.start(args);
    await started(running, dataDir, 1);
    return 'It opened: the lock of the killed one was free.';
  });
  const quit = await take('quit-in-order', 'It ends in order when it is asked to', async () => {
    if (running === null) throw new Error('There is none.');
    const from = performance.now();
    running.quit();
    const status = await endOf(running, quitWithinMs);
    if (status !== 0) throw new Error(`It left with status ${String(status)}.`);
    return `Status 0 after ${String(Math.round(performance.now() - from))} ms.`;
  });
  return [killed, again, quit];
}
