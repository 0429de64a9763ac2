import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';

/** Deployment file of a service on loopback, as a station's administrator would write it. */
export interface DeploymentText {
  readonly id: string;
  readonly name: string;
  readonly infrastructureUrl: string;
  readonly coordinationUrl: string;
  readonly [setting: string]: unknown;
}

/** A running console process, of either host. */
export interface RunningConsole {
  readonly dataDir: string;
  readonly pid: number;
  /** What the process wrote so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  /** Stops it as a system would (SIGTERM) and answers with its exit status. */
  stop(): Promise<number | null>;
}

export interface ServedConsole extends RunningConsole {
  readonly url: string;
}

export const temporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'field-console-e2e-'));
export const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

export async function writeDeployment(folder: string, deployment: DeploymentText): Promise<string> {
  const path = join(folder, `${deployment.id}.json`);
  await writeFile(path, JSON.stringify({ version: 1, ...deployment }));
  return path;
}

/** The browser host that is tested: the built one, or the one inside the packed application. */
/** What an earlier console on this computer left as its preferences; nothing is written over. */
export async function givePreferences(dataDir: string, preferences: object): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'preferences.json');
  await writeFile(path, JSON.stringify(preferences), { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}

export const serveProgram = (): string => process.env['FIELD_CONSOLE_SERVE'] ?? resolve('out/main/serve.js');

/** Starts the browser host, or another program with what it is to be told first, and waits for its ready line. */
export async function serveConsole(
  dataDir: string,
  args: readonly string[],
  program: readonly string[] = [serveProgram()],
): Promise<ServedConsole> {
  const child = spawn(process.execPath, [...program, '--no-open', '--data-dir', dataDir, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const url = await new Promise<string>((ready, failed) => {
    lines.on('line', (line) => {
      stdout += `${line}\n`;
      const match = /^Console ready at (\S+)$/.exec(line);
      if (match?.[1]) ready(match[1]);
    });
    void exited.then((code) => failed(new Error(`The console left with status ${code}: ${stderr}`)));
  });
  return {
    url,
    dataDir,
    pid: child.pid ?? -1,
    output: () => ({ stdout, stderr }),
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}
