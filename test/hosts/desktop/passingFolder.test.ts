import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { passingFolder } from '../../../src-main/hosts/desktop/passingFolder.ts';
import { unfriendly } from './fake/facts.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'field-console-parent-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** One process: it ends when it is told to, with Chromium's files open or not. */
function start(facts = unfriendly) {
  const steps: (() => void)[] = [];
  let ending = false;
  const folder = passingFolder('self-test', Date.now(), {
    parent,
    remove: (path) => {
      if (ending && !facts.openFilesCanBeRemoved) throw new Error('EBUSY: resource busy or locked');
      rmSync(path, { recursive: true, force: true });
    },
    atExit: (step) => void steps.push(step),
  });
  return {
    name: basename(folder),
    end: () => {
      ending = true;
      for (const step of steps) step();
    },
  };
}
const age = (name: string): void => {
  const then = Date.now() / 1_000 - 2 * 3_600;
  utimesSync(join(parent, name), then, then);
};

it('is removed when the process ends, where the system lets it', () => {
  const { name, end } = start({ ...unfriendly, openFilesCanBeRemoved: true });
  expect(readdirSync(parent)).toEqual([name]);
  end();
  expect(readdirSync(parent)).toEqual([]);
});

it('is removed by a later start where its files are open until the very end (fact 20)', () => {
  const first = start();
  first.end();
  expect(readdirSync(parent)).toEqual([first.name]);
  age(first.name);
  mkdirSync(join(parent, 'field-console-other'));
  age('field-console-other');
  const second = start();
  // Of a process that may still run nothing is removed, and nothing of another name.
  const third = start();
  expect(readdirSync(parent).sort()).toEqual(['field-console-other', second.name, third.name].sort());
});
