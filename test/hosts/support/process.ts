import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { endOnRequest } from '../../support/ending.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program under test, with what it wrote. */
export class Program {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  #waiting: (() => void)[] = [];

  constructor(args: readonly string[], environment: Record<string, string> = {}) {
    const inherited = { ...process.env };
    for (const name of ['FIELD_CONSOLE_DEPLOYMENT', 'FIELD_CONSOLE_DATA_DIR', 'DISPLAY', 'WAYLAND_DISPLAY']) {
      delete inherited[name];
    }
    this.child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...inherited, ...environment },
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#wake();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#wake();
    });
    this.ended = new Promise((done) => {
      this.child.once('close', (code, signal) => {
        done({ code, signal });
        this.#wake();
      });
    });
  }
  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
  /** The address in the ready line, as soon as it stands there. */
  async ready(): Promise<string> {
    for (;;) {
      const url = /^Console ready at (\S+)$/m.exec(this.stdout)?.[1];
      if (url !== undefined) return url;
      if (this.child.exitCode !== null)
        throw new Error(`It ended with ${this.child.exitCode}: ${this.stderr}`);
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }
  kill(signal: NodeJS.Signals): Promise<Ended> {
    if (signal !== 'SIGKILL') return endOnRequest(this, signal);
    this.child.kill(signal);
    return this.ended;
  }
}

export const serve = (args: readonly string[], environment?: Record<string, string>): Program =>
  new Program([resolve('out/main/serve.js'), ...args], environment);

/** Builds when sources are newer than the build, as `npm run serve` does. */
export function ensureBuilt(): void {
  const build = spawnSync(process.execPath, ['build/launch.mjs', 'serve', '--version'], { encoding: 'utf8' });
  if (build.status !== 0) throw new Error(build.stderr);
}
