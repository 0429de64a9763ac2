import { expect, test } from 'vitest';
import { patternOf, readAttacks, tell } from './attacks.ts';

const page = `
## Attacks

| attacker | what it does | test |
| -------- | ------------ | ---- |
| A        | asks twice   | \`test/a.test.ts\`: “refuses %s (twice)” |
| A        | waits        | \`test/b.test.ts\`: “does not wait” |
| B        | lies         | \`test/b.test.ts\`: “does not believe” |

## Else
`;
const outcome = (file: string, fullName: string, status = 'passed') => ({ file, fullName, status });

test('attacks are read from their table', () => {
  expect(readAttacks(page).map(({ attacker, what, test: { title } }) => [attacker, what, title])).toEqual([
    ['A', 'asks twice', 'refuses %s (twice)'],
    ['A', 'waits', 'does not wait'],
    ['B', 'lies', 'does not believe'],
  ]);
  expect('host refuses PUT (twice)').toMatch(new RegExp(`${patternOf('refuses %s (twice)')}$`));
});

test('the last lines count what was tried and what held', () => {
  const outcomes = [
    outcome('test/a.test.ts', 'host refuses PUT (twice)'),
    outcome('test/a.test.ts', 'host refuses GET (twice)'),
    outcome('test/b.test.ts', 'does not wait', 'pending'),
    outcome('test/b.test.ts', 'does not believe'),
    outcome('test/c.test.ts', 'does not wait', 'failed'),
  ];
  expect(tell(readAttacks(page), outcomes)).toEqual({
    held: true,
    lines: [
      'not tried: A waits (test/b.test.ts)',
      'A: 1 attacks tried in 2 tests, 1 held',
      'B: 1 attacks tried in 1 tests, 1 held',
    ],
  });
});

test('one case that fails is an attack that did not hold', () => {
  const outcomes = [
    outcome('test/a.test.ts', 'host refuses PUT (twice)'),
    outcome('test/a.test.ts', 'host refuses GET (twice)', 'failed'),
  ];
  const { held, lines } = tell(readAttacks(page), outcomes);
  expect(held).toBe(false);
  expect(lines).toContain('DID NOT HOLD: A asks twice (test/a.test.ts)');
  expect(lines).toContain('A: 1 attacks tried in 2 tests, 0 held');
});
