/** The application that a first light starts, on Electron or on the stand-in. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';

/** One run of the application. */
export interface Running {
  readonly pid: number;
  /** Resolves to the exit status; null where a signal ended it. */
  readonly exited: Promise<number | null>;
  output(): { readonly stdout: string; readonly stderr: string };
  /** Ends it in order, as a person or the system does. */
  quit(): void;
}

export interface Application {
  readonly host: 'desktop' | 'desktop host on stand-in';
  /** What is started, for the report: the folder's name in `dist`, or in words. Names no folder of this computer. */
  readonly started: string;
  /** Starts what is shipped. */
  start(args: readonly string[]): Running;
  /** Starts it with the inspector of its main process, which what is shipped refuses. */
  startInspected(args: readonly string[]): Promise<Running>;
  close(): Promise<void>;
  /** Steps that cannot succeed here, each with the reason. */
  readonly cannot: Readonly<Record<string, string>>;
}

/**
 * @param command the executable, and what comes before the console's own arguments
 * @param makeCopy makes the executable that has the inspector
 */
export function electronApplication(
  started: string,
  command: readonly [string, ...string[]],
  makeCopy: () => Promise<string>,
): Application {
  const [program, ...before] = command;
  return {
    host: 'desktop',
    started,
    cannot: {},
    start: (args) => startProcess(program, [...before, ...args]),
    startInspected: async (args) => startProcess(await makeCopy(), ['--inspect=0', ...before, ...args]),
    close: () => Promise.resolve(),
  };
}

function startProcess(program: string, args: readonly string[]): Running {
  const { ELECTRON_RUN_AS_NODE: _set, ...env } = process.env;
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const failed = new Promise<null>((resolve) =>
    child.once('error', (error) => {
      stderr += error.message;
      resolve(null);
    }),
  );
  return {
    pid: child.pid ?? -1,
    exited: Promise.race([once(child, 'close').then(([code]) => code as number | null), failed]),
    output: () => ({ stdout, stderr }),
    quit: () => {
      // Windows has no signal that asks; this closes the windows, which ends the application.
      if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid)], { stdio: 'ignore' });
      else child.kill('SIGTERM');
    },
  };
}
