import { expect, test } from 'vitest';
import type { TestOutcome } from './report.ts';
import { patternOf, readAttacks, tell } from './attacks.ts';

const page = `
## Attacks

### A

- asks twice: \`test/a.test.ts\`: “refuses %s (twice)”
- waits: \`test/b.test.ts\`: “does not wait”

### B

- lies: \`test/b.test.ts\`: “does not believe”

## Else
`;
const outcome = (file: string, title: string, result: TestOutcome['outcome'] = 'passed'): TestOutcome => ({
  file,
  title,
  outcome: result,
});

test('attacks are read from their lists', () => {
  expect(readAttacks(page).map(({ attacker, what, test: { title } }) => [attacker, what, title])).toEqual([
    ['A', 'asks twice', 'refuses %s (twice)'],
    ['A', 'waits', 'does not wait'],
    ['B', 'lies', 'does not believe'],
  ]);
  expect('host refuses PUT (twice)').toMatch(new RegExp(`${patternOf('refuses %s (twice)')}$`));
});

test('the last lines count what held and what was not tried', () => {
  const outcomes = [
    outcome('test/a.test.ts', 'host refuses PUT (twice)'),
    outcome('test/a.test.ts', 'host refuses GET (twice)'),
    outcome('test/b.test.ts', 'does not wait', 'skipped'),
    outcome('test/b.test.ts', 'does not believe'),
    outcome('test/c.test.ts', 'does not wait', 'failed'),
  ];
  expect(tell(readAttacks(page), outcomes)).toEqual({
    complete: true,
    lines: [
      'not tried: A waits (test/b.test.ts)',
      'A: 1 held, 0 did not hold, 1 not tried (tests run: 2)',
      'B: 1 held, 0 did not hold, 0 not tried (tests run: 1)',
      'All attackers: 2 of 3 attacks tried, 2 held (tests run: 3)',
    ],
  });
});

test('one case that fails is an attack that did not hold', () => {
  const outcomes = [
    outcome('test/a.test.ts', 'host refuses PUT (twice)'),
    outcome('test/a.test.ts', 'host refuses GET (twice)', 'failed'),
    outcome('test/b.test.ts', 'does not wait'),
    outcome('test/b.test.ts', 'does not believe'),
  ];
  const { complete, lines } = tell(readAttacks(page), outcomes);
  expect(complete).toBe(false);
  expect(lines).toContain('did not hold: A asks twice (test/a.test.ts)');
  expect(lines).toContain('A: 1 held, 1 did not hold, 0 not tried (tests run: 3)');
});

test('an attack whose test is not found is not a whole run', () => {
  const outcomes = [
    outcome('test/a.test.ts', 'host refuses PUT (twice)'),
    outcome('test/b.test.ts', 'does not wait'),
  ];
  const { complete, lines } = tell(readAttacks(page), outcomes);
  expect(complete).toBe(false);
  expect(lines).toContain('not tried, no such test: B lies (test/b.test.ts)');
});
