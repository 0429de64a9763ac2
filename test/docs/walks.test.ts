import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

const walks = readFileSync('docs/walks.md', 'utf8');
const steps = [...walks.matchAll(/^\d+\. `([^`]+)`, `(src-[^`]+)`/gm)];

/** Whether the text of a file makes this function, method or class. */
const makes = (text: string, name: string): boolean =>
  new RegExp(
    `^ *(?:export )?(?:async )?(?:function |const |class )?${name}(?:<|\\(| =|: | \\{| implements )`,
    'm',
  ).test(text);

it('all steps of the walks are read', () => {
  expect(steps).toHaveLength(walks.match(/^\d+\. /gm)?.length ?? 0);
  expect(steps.length).toBeGreaterThan(60);
  expect(makes('  run(answer) {', 'run')).toBe(true);
  expect(makes('  await this.run(answer);', 'run')).toBe(false);
});

it.each(steps.map(([, name = '', file = '']) => ({ name, file })))('$file has $name', ({ name, file }) => {
  expect(basename(file) === `${name}.vue` || makes(readFileSync(file, 'utf8'), name)).toBe(true);
});
