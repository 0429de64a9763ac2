import { existsSync, readFileSync } from 'node:fs';
import type { TestOutcome } from './report.ts';

/** A line of the attacks in docs/security-evidence.md, which stand below their attacker. */
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

/** Whether the file is there and a test or group of that title stands in it. */
export function standsIn({ file, title }: NamedTest): boolean {
  if (!existsSync(file)) return false;
  const source = readFileSync(file, 'utf8');
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
}

const named = /`(test\/[^`]+)`: “([^”]+)”/g;

/** All tests that a text names, as `file`: “title”. */
export const namedTests = (text: string): NamedTest[] =>
  [...text.matchAll(named)].map(([, file = '', title = '']) => ({ file, title }));

export const sectionOf = (page: string, heading: string): string =>
  (page.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')[0] ?? '';

/** The attacks of this page: docs/security-evidence.md unless another is given. */
export function readAttacks(page = readFileSync('docs/security-evidence.md', 'utf8')): Attack[] {
  return sectionOf(page, 'Attacks')
    .split(/^### /m)
    .slice(1)
    .flatMap((group) => {
      const [attacker = '', ...lines] = group.split('\n');
      return lines.flatMap((line) => {
        const [test] = namedTests(line);
        const what = /^- (.*?): `/.exec(line)?.[1];
        return test === undefined || what === undefined ? [] : [{ attacker, what, test }];
      });
    });
}

/** A pattern for the full names of a test, whose title may have places for values (%s). */
export const patternOf = (title: string): string =>
  title
    .split(/%[a-z]/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
    .join('.*');

type Result = 'held' | 'did not hold' | 'not tried';

/**
 * One line for each attack that did not hold or was not tried, then one for each attacker and one for all. An attack is held when all
 * tests of its name passed, and not tried when none of them ran. `complete`: no attack succeeded, and each has a test;
 * a test that is skipped on this machine is enough.
 */
export function tell(
  attacks: readonly Attack[],
  outcomes: readonly TestOutcome[],
): { lines: string[]; complete: boolean } {
  const counts = new Map<string, Record<Result | 'tests', number>>();
  const missed: string[] = [];
  let complete = true;
  for (const { attacker, what, test } of attacks) {
    const count = counts.get(attacker) ?? { held: 0, 'did not hold': 0, 'not tried': 0, tests: 0 };
    counts.set(attacker, count);
    const pattern = new RegExp(`${patternOf(test.title)}$`);
    const found = outcomes.filter(({ file, title }) => file === test.file && pattern.test(title));
    const ran = found.filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'unended');
    const holds = ran.every(({ outcome }) => outcome === 'passed');
    const result: Result = ran.length === 0 ? 'not tried' : holds ? 'held' : 'did not hold';
    count.tests += ran.length;
    count[result] += 1;
    if (found.length === 0 || result === 'did not hold') complete = false;
    if (result !== 'held')
      missed.push(
        `${result}${found.length === 0 ? ', no such test' : ''}: ${attacker} ${what} (${test.file})`,
      );
  }
  const lines = [...counts].map(
    ([attacker, { tests, ...results }]) =>
      `${attacker}: ${Object.entries(results)
        .map(([result, times]) => `${String(times)} ${result}`)
        .join(', ')} (tests run: ${String(tests)})`,
  );
  const sum = (name: Result | 'tests'): number =>
    [...counts.values()].reduce((total, count) => total + count[name], 0);
  const tried = attacks.length - sum('not tried');
  const all = `All attackers: ${String(tried)} of ${String(attacks.length)} attacks tried, ${String(sum('held'))} held (tests run: ${String(sum('tests'))})`;
  return { lines: [...missed, ...lines, all], complete };
}
