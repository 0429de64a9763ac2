import { expect } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { patience } from '../support/patience.ts';

/** Orca, which says everything into a log. Its voice is a module of speech-dispatcher that makes no sound. */
export class ScreenReader {
  readonly #orca: ChildProcess;
  readonly #log: string;
  #from = 0;

  private constructor(orca: ChildProcess, log: string) {
    this.#orca = orca;
    this.#log = log;
  }

  /** `home`: the folder of the session's settings. */
  static async start(home: string): Promise<ScreenReader> {
    const settings = join(home, '.config', 'speech-dispatcher');
    await mkdir(settings, { recursive: true });
    await writeFile(join(settings, 'speechd.conf'), 'AddModule "dummy" "sd_dummy" ""\nDefaultModule dummy\n');
    const log = join(home, `orca-${String(Date.now())}.log`);
    const orca = spawn('/usr/bin/orca', ['--replace', `--debug-file=${log}`], { stdio: 'ignore' });
    const reader = new ScreenReader(orca, log);
    await reader.expectSpoken(/Screen reader on/);
    return reader;
  }

  /** What was said since the last mark, in one line. */
  async spoken(): Promise<string> {
    const said = [...(await this.#text()).matchAll(/SPEECH OUTPUT: '(.*?)'(?:\{|$)/gm)].map(
      ([, words]) => words,
    );
    return said.join(' ');
  }

  /** What was said before counts no longer. */
  async mark(): Promise<void> {
    this.#from += (await this.#text()).length;
  }

  /**
   * Waits until it has said this since the last mark. On a busy machine Orca drops what happens while the page changes;
   * a person who hears nothing does it `again`.
   */
  async expectSpoken(words: RegExp, again?: () => Promise<void>): Promise<void> {
    const said = async (): Promise<string> => {
      const spoken = await this.spoken();
      if (!words.test(spoken)) await again?.();
      return spoken;
    };
    const often = again && { intervals: [1_000, 10_000] };
    await expect.poll(said, { timeout: patience.step, ...often }).toMatch(words);
  }

  async stop(): Promise<void> {
    const ended = once(this.#orca, 'exit');
    this.#orca.kill('SIGKILL');
    await ended;
  }

  async #text(): Promise<string> {
    const text = await readFile(this.#log, 'utf8').catch(() => '');
    return text.slice(this.#from);
  }
}

/** The folder of this session's settings: `test/spoken/run.ts` made it. */
export const sessionHome = (): string => {
  const { HOME: home = '', XDG_RUNTIME_DIR: runtime } = process.env;
  if (home === '' || home !== runtime) throw new Error('Run it with node test/run.mjs spoken');
  return home;
};
