/** A row of the table of attacks in SECURITY.md. */
export interface Attack {
  readonly attacker: string;
  readonly what: string;
  readonly test: NamedTest;
}

/** A test by its file and its title, as it stands in the file. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** What a run of Vitest says of one test; `fullName` begins with the titles around it. */
export interface Outcome {
  readonly file: string;
  readonly fullName: string;
  readonly status: string;
}

const named = /`(test\/[^`]+)`: “([^”]+)”/g;

/** All tests that a text names, as `file`: “title”. */
export const namedTests = (text: string): NamedTest[] =>
  [...text.matchAll(named)].map(([, file = '', title = '']) => ({ file, title }));

export const sectionOf = (page: string, heading: string): string =>
  (page.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')[0] ?? '';

export function readAttacks(page: string): Attack[] {
  return sectionOf(page, 'Attacks')
    .split('\n')
    .flatMap((line) => {
      const [test] = namedTests(line);
      const [, attacker = '', what = ''] = line.split('|').map((cell) => cell.trim());
      return test === undefined ? [] : [{ attacker, what, test }];
    });
}

/** A pattern for the full names of a test, whose title may have places for values (%s). */
export const patternOf = (title: string): string =>
  title
    .split(/%[a-z]/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('.*');

/**
 * One line for each attacker, and one for each attack that did not hold or was not tried. An attack is held when all
 * tests of its name passed, and not tried when none of them ran.
 */
export function tell(
  attacks: readonly Attack[],
  outcomes: readonly Outcome[],
): { lines: string[]; held: boolean } {
  const counts = new Map<string, { tried: number; held: number; cases: number }>();
  const missed: string[] = [];
  for (const { attacker, what, test } of attacks) {
    const count = counts.get(attacker) ?? { tried: 0, held: 0, cases: 0 };
    counts.set(attacker, count);
    const pattern = new RegExp(`${patternOf(test.title)}$`);
    const ran = outcomes.filter(
      ({ file, fullName, status }) =>
        file === test.file && pattern.test(fullName) && (status === 'passed' || status === 'failed'),
    );
    const holds = ran.every(({ status }) => status === 'passed');
    count.cases += ran.length;
    if (ran.length === 0) missed.push(`not tried: ${attacker} ${what} (${test.file})`);
    else count.tried += 1;
    if (ran.length > 0 && holds) count.held += 1;
    if (!holds) missed.push(`DID NOT HOLD: ${attacker} ${what} (${test.file})`);
  }
  const lines = [...counts].map(
    ([attacker, { tried, held, cases }]) =>
      `${attacker}: ${String(tried)} attacks tried in ${String(cases)} tests, ${String(held)} held`,
  );
  return {
    lines: [...missed, ...lines],
    held: [...counts.values()].every(({ tried, held }) => tried === held),
  };
}
