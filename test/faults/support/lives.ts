import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Seeded } from '../../../src-main/training/seeded.ts';

/** What a program says: one JSON array a line. */
type Line = readonly [kind: string, ...rest: readonly unknown[]];

/** A console that runs until it is killed. */
export interface Life<L extends Line> {
  /** What it has said so far. */
  readonly lines: readonly L[];
  /** Settles once it has said a line of this kind, or has ended. */
  said(kind: L[0]): Promise<void>;
  /** Settles at a moment of its start that `draw` chooses. */
  whileStarting(draw: Seeded): Promise<void>;
  /** Settles at a moment after its start that `draw` chooses: where nothing else is given, within one and a half starts. */
  whileWorking(draw: Seeded, starts?: number): Promise<void>;
}

interface LivesOptions<L extends Line> {
  /** A file of test/faults/programs, without its ending. It gets the data folder and the deployment file as arguments. */
  readonly program: string;
  readonly args?: readonly string[];
  readonly service: { readonly infrastructureUrl: string; readonly coordinationUrl: string };
  /** Further keys of the deployment file. */
  readonly deployment?: Readonly<Record<string, unknown>>;
  /** The kind of the line that says that its vault is open. */
  readonly opens: L[0];
}

/**
 * Consoles in processes, one after the other on the same data folder, each of which is killed. How long one lives is
 * measured in starts, so that kills meet the same moments on any machine.
 */
export class Lives<L extends Line> {
  readonly #options: LivesOptions<L>;
  readonly #folder: string;
  /** How long the last start took, ms; the first figure is that of a quiet machine. */
  #startMs = 600;

  private constructor(options: LivesOptions<L>, folder: string) {
    this.#options = options;
    this.#folder = folder;
  }

  static async create<L extends Line>(options: LivesOptions<L>): Promise<Lives<L>> {
    const lives = new Lives(
      options,
      await mkdtemp(join(tmpdir(), `field-console-${options.program}-kills-`)),
    );
    const { infrastructureUrl, coordinationUrl } = options.service;
    await lives.forget();
    await writeFile(
      join(lives.#folder, 'deployment.json'),
      JSON.stringify({
        ...{ version: 1, id: 'kills', name: 'Kills', infrastructureUrl, coordinationUrl },
        ...{ timestampUnit: 'seconds', ...options.deployment },
      }),
    );
    return lives;
  }

  /** Runs a console until `over` settles, kills it, and answers with what it said; `input` is its first line. */
  async live(
    input: unknown,
    over: (life: Life<L>) => Promise<unknown>,
    onLine: (line: L) => void = () => undefined,
  ): Promise<readonly L[]> {
    const program = fileURLToPath(new URL(`../programs/${this.#options.program}.ts`, import.meta.url));
    const places = [join(this.#folder, 'data'), join(this.#folder, 'deployment.json')];
    const begun = performance.now();
    const child = spawn(process.execPath, [program, ...places, ...(this.#options.args ?? [])], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.stdin.write(`${JSON.stringify(input)}\n`);
    const reader = createInterface({ input: child.stdout });
    const exited = once(child, 'exit');
    const drained = once(reader, 'close');
    const lines: L[] = [];
    const waiting = new Map<string, () => void>();
    reader.on('line', (text) => {
      // A line that the kill cut off acknowledges nothing.
      if (!text.endsWith(']')) return;
      const line = JSON.parse(text) as L;
      lines.push(line);
      if (line[0] === this.#options.opens) this.#startMs = performance.now() - begun;
      onLine(line);
      waiting.get(line[0])?.();
    });
    const said = (kind: L[0]): Promise<void> =>
      new Promise((resolve) => {
        if (lines.some(([other]) => other === kind)) resolve();
        waiting.set(kind, resolve);
        void exited.then(() => {
          resolve();
        });
      });
    await over({
      lines,
      said,
      whileStarting: (draw) => pause((draw.below(100) / 100) * this.#startMs),
      whileWorking: async (draw, starts = 1.5) => {
        await said(this.#options.opens);
        await pause((draw.below(100) / 100) * starts * this.#startMs);
      },
    });
    if (child.exitCode !== null) throw new Error(`The console ended by itself: ${errors}`);
    child.kill('SIGKILL');
    await exited;
    await drained;
    return lines;
  }

  /** Begins with an empty data folder. */
  async forget(): Promise<void> {
    const data = join(this.#folder, 'data');
    await rm(data, { recursive: true, force: true });
    await mkdir(data, { mode: 0o700 });
  }

  /** How many whole files lie in the spools of the data folder. */
  async copies(): Promise<number> {
    const entries = await readdir(join(this.#folder, 'data'), { recursive: true });
    return entries.filter((name) => name.endsWith('.sealed')).length;
  }

  /** None of these stands in a file of the data folder as it is. */
  async expectSealed(...secrets: readonly (string | Buffer)[]): Promise<void> {
    const data = join(this.#folder, 'data');
    for (const entry of await readdir(data, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      for (const secret of secrets)
        expect(bytes.includes(secret), `${entry.name} holds ${secret.toString()} as it is`).toBe(false);
    }
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
