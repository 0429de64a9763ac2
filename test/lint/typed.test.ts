import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { expect, it } from 'vitest';
import { stages } from '../runner/stages.ts';

const folder = 'test/fixtures/typed';

/** The rules that files of a folder break, as `file:line rule`, by the program of that stage. */
function broken(): readonly string[] {
  const [, program = ''] = stages['lint:types']?.command ?? [];
  const { stdout } = spawnSync(process.execPath, [program, folder, '--format=unix'], { encoding: 'utf8' });
  const found = stdout.matchAll(/^(\S+):(\d+):\d+: .*\(([\w-]+)\)\]$/gm);
  return [...found]
    .map(([, file = '', line, rule]) => `${file.slice(folder.length + 1)}:${line} ${rule}`)
    .sort();
}

it('finds each rule in scripts and in components, at its line', () => {
  expect(broken()).toEqual([
    'floating.ts:2 no-floating-promises',
    'misused.ts:2 no-misused-promises',
    'misused.ts:4 no-misused-promises',
    'src-renderer/Component.vue:10 switch-exhaustiveness-check',
    'src-renderer/Component.vue:6 no-floating-promises',
    'src-renderer/Component.vue:9 await-thenable',
    'src-renderer/Component.vue:9 no-misused-promises',
    'switch.ts:4 switch-exhaustiveness-check',
    'thenable.ts:2 await-thenable',
  ]);
});

it('is part of the check', () => {
  expect(stages['lint:types']?.check).toBe(true);
});
