import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { unfriendly } from '../hosts/desktop/fake/facts.ts';
import { namedTests, standsIn } from '../runner/attacks.ts';

/** A fact with its number, what it says, how it is tried (in brackets), and its tests, each on a line. */
const rows = [
  ...readFileSync('docs/electron-facts.md', 'utf8').matchAll(/^(\d+)\. (.+) \((.+)\)\n((?: {3,4}.+\n)+)/gm),
].map(([, fact, what = '', how = '', tests = '']) => ({ fact: Number(fact), what, how, tests }));

it('every fact about Electron is in the list, in order', () => {
  expect(rows.map(({ fact }) => fact)).toEqual(Array.from({ length: 38 }, (_, at) => at + 1));
});

it('each has its switch of the fake, or says what is real, and no switch is without a fact', () => {
  const real = rows.filter(({ how }) => how.startsWith('real: '));
  for (const { how } of real)
    expect(existsSync(how.slice('real: '.length).replaceAll('`', '')), how).toBe(true);
  const switches = rows.filter((row) => !real.includes(row)).map(({ how }) => how.replaceAll('`', ''));
  expect(switches.toSorted()).toEqual(Object.keys(unfriendly).toSorted());
});

it('the switches say the number of their fact', () => {
  const source = readFileSync('test/hosts/desktop/fake/facts.ts', 'utf8');
  const said = [...source.matchAll(/Fact (\d+):(?:(?!Fact \d).)*?readonly (\w+): boolean/gs)];
  const numbers = said.map(([, fact, name]) => [name, Number(fact)]);
  const named = rows.filter(({ how }) => !how.startsWith('real: '));
  expect(Object.fromEntries(numbers)).toEqual(
    Object.fromEntries(named.map(({ how, fact }) => [how.replaceAll('`', ''), fact])),
  );
});

it('each names tests that exist', () => {
  for (const { fact, tests } of rows) {
    expect(namedTests(tests), `fact ${fact}`).not.toEqual([]);
    for (const test of namedTests(tests)) expect(standsIn(test), `${test.file}: ${test.title}`).toBe(true);
  }
});

it('the switches of the fake all stand at the unfriendly case', () => {
  expect(new Set(Object.values(unfriendly))).toEqual(new Set([false]));
});
