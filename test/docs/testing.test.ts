import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { notOnHosts, reasonNotToRun } from '../e2e/support/notOnHosts.ts';
import { sectionOf, standsIn } from '../runner/attacks.ts';

const section = sectionOf(readFileSync('docs/testing.md', 'utf8'), 'The desktop host on a stand-in');
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

it('the page on testing names what does not run on the stand-in of Electron, as the run skips it', () => {
  const skipped = notOnHosts.filter(({ hosts }) => hosts.includes('stand-in'));
  expect(rows).toEqual(skipped.map(({ spec, title, why }) => [`\`${spec}\`: ${title ?? 'all'}`, why]));
});

it('what does not run in a host is there', () => {
  for (const { spec, title } of notOnHosts) {
    const test = { file: `test/e2e/${spec}.spec.ts`, title };
    expect(title === null ? existsSync(test.file) : standsIn({ ...test, title }), `${spec}: ${title}`).toBe(
      true,
    );
  }
});

it('a test does not run where it, its group or its spec is named', () => {
  const group = 'where a desktop’s updates are';
  expect(reasonNotToRun('stand-in', 'updates', ['updates.spec.ts', group, 'any'])).toMatch(/compose/);
  expect(reasonNotToRun('browser', 'updates', ['updates.spec.ts', group, 'any'])).toBeNull();
  expect(reasonNotToRun('stand-in', 'recovery', ['recovery.spec.ts', 'any'])).toMatch(/kill/);
  expect(reasonNotToRun('stand-in', 'outbox', ['outbox.spec.ts', group])).toBeNull();
});

it('the page on testing says how many cases a campaign has', () => {
  const sources = globSync('test/faults/*.test.ts').map((file) => readFileSync(file, 'utf8'));
  const campaigns = sources.flatMap((source) => [
    ...source.matchAll(/name: '([^']+)',\s*whole: ([\d_]+),\s*part: (\d+)/g),
  ]);
  const rows = campaigns.map(([, name = '', whole = '', part = '']) => [
    name,
    new Intl.NumberFormat('en').format(Number(whole.replaceAll('_', ''))),
    part,
  ]);
  expect(rows.length).toBeGreaterThan(10);
  const page = readFileSync('docs/testing.md', 'utf8');
  const said = [...page.matchAll(/^\| (\S.*?) +\| +([\d,]+) \| +(\d+) \|$/gm)].map((row) => row.slice(1));
  expect(said.toSorted()).toEqual(rows.toSorted());
});
