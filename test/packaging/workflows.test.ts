import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '../../build/first-light/limits.ts';
import { packageEndings } from '../../build/first-light/packages.ts';
import { systems } from '../../build/first-light/report.ts';

const folder = resolve('.github/workflows');
const names = await readdir(folder);
const workflows = await Promise.all(
  names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
);
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(await readFile(resolve('package.json'), 'utf8')));

/** The jobs of a workflow, as the texts between their names. */
const jobs = (text: string): string[] => (text.split(/^jobs:$/m)[1] ?? '').split(/^ {2}[\w-]+:$/m).slice(1);

test('the workflows run scripts and files that exist', () => {
  for (const { name, text } of workflows) {
    const run = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script ?? '');
    expect(
      run.filter((script) => !(script in scripts)),
      name,
    ).toEqual([]);
    const files = [...text.matchAll(/(?:\.\.\/)?(build\/[\w/-]+\.(?:ts|sh))/g)].map(([, file]) => file ?? '');
    expect(
      files.filter((file) => !existsSync(resolve(file))),
      name,
    ).toEqual([]);
  }
});

test('only the job that publishes may write, and it installs nothing', () => {
  for (const { name, text } of workflows) {
    expect(text, name).toMatch(/^permissions:\n {2}contents: read$/m);
    for (const job of jobs(text).filter((words) => words.includes('contents: write'))) {
      expect(job, name).not.toMatch(/\bnp[mx] /);
    }
  }
});

test('the private key of updates is in no job that installs packages of npm', () => {
  for (const { name, text } of workflows) {
    for (const job of jobs(text).filter((words) => /\bnpm ci\b/.test(words))) {
      expect(job, name).not.toMatch(/\$\{\{ *secrets\.FIELD_CONSOLE_UPDATE_KEY *\}\}/);
    }
  }
});

test('where signing secrets are, each action is pinned to a commit, with its version beside it', () => {
  const secret = workflows.filter(({ text }) => /\$\{\{[^}]*\bsecrets\./.test(text));
  expect(secret.map(({ name }) => name)).toEqual(['release.yml']);
  for (const { name, text } of secret) {
    const used = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action ?? '');
    expect(used.length).toBeGreaterThan(0);
    for (const action of used)
      expect(action, name).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test('first light is run on each kind of system, and with each kind of package', () => {
  const text = workflows.find(({ name }) => name === 'first-light.yml')?.text ?? '';
  const kept = [...text.matchAll(/name: first-light-(.*)$/gm)].flatMap(([, name]) =>
    name === 'linux-${{ matrix.session }}' ? ['linux-x11', 'linux-wayland'] : [name],
  );
  expect(kept.sort()).toEqual(Object.keys(systems).sort());
  expect(text).toContain('session: [x11, wayland]');
  for (const ending of packageEndings)
    expect(text.toLowerCase(), ending).toMatch(new RegExp(`--install dist/\\S*\\${ending}`));
});

test('first light reports before its runner is taken away, and has what a desktop has', () => {
  const text = workflows.find(({ name }) => name === 'first-light.yml')?.text ?? '';
  const jobs = text.split(/^ {2}(?=\w+:$)/m).filter((job) => job.includes('npm run first-light'));
  expect(jobs).toHaveLength(3);
  for (const job of jobs) {
    const minutes = (pattern: RegExp): number[] =>
      [...job.matchAll(pattern)].map(([, found]) => Number(found));
    const [whole = 0] = minutes(/^ {4}timeout-minutes: (\d+)$/gm);
    const steps = minutes(/^ {8}timeout-minutes: (\d+)$/gm);
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) {
      expect(step * 60_000).toBeGreaterThan(limits.whole + limits.step);
      // Packing comes before.
      expect(whole).toBeGreaterThanOrEqual(step + 30);
    }
    expect(job).toMatch(/uses: actions\/upload-artifact@v\d+\n\s+if: always\(\)/);
  }
  expect(text).toMatch(/xvfb-run .*dbus-run-session .*openbox/s);
  expect(text).toMatch(/dbus-run-session -- build\/first-light\/wayland\.sh/);
});

describe('the end-to-end tests', () => {
  const countOf = async (tag: string): Promise<number> => {
    const specs = resolve('test/e2e');
    const texts = await Promise.all(
      (await readdir(specs))
        .filter((name) => name.endsWith('.spec.ts'))
        .map((name) => readFile(join(specs, name), 'utf8')),
    );
    return texts.join('\n').split(`'${tag}'`).length - 1;
  };

  test('on the packed application are few, and there are some', async () => {
    const tagged = await countOf('@smoke');
    expect(tagged).toBeGreaterThan(4);
    expect(tagged).toBeLessThanOrEqual(8);
  });

  test('of every run are 25 to 30', async () => {
    const tagged = await countOf('@journey');
    expect(tagged).toBeGreaterThanOrEqual(25);
    expect(tagged).toBeLessThanOrEqual(30);
  });
});
