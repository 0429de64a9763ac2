import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { ensureBuilt, Program, serve } from './process.ts';

export interface Serving {
  /** A data folder of the test's own. */
  readonly folder: string;
  /** What is asked to end after the test. */
  readonly started: Program[];
  /** Starts the browser host on that folder. */
  start(...args: string[]): Program;
}

/** For the one file of each tier that starts what is built: two files at once would build it at once. */
export function serving(): Serving {
  let folder = '';
  const started: Program[] = [];
  beforeAll(() => ensureBuilt(), 120_000);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'field-console-serve-'));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((program) => program.kill('SIGTERM')));
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
    started,
    start: (...args) => {
      const program = serve(['--no-open', '--data-dir', folder, ...args]);
      started.push(program);
      return program;
    },
  };
}

export const launch = (...args: string[]): Program => new Program(['build/launch.mjs', ...args]);
