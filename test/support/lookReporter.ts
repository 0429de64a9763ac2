import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import process from 'node:process';

/** One state in one language and theme, and what was found there. */
export interface Look {
  readonly state: string;
  readonly language: string;
  /** Null where the state was not reached, and so no theme. */
  readonly theme: string | null;
  readonly found: readonly string[];
}

/**
 * What a run looked at, counted from its looks: a line for each language, with the states that only others
 * reached, and a last one over all of them, in which states that have their own languages or themes are
 * expected in all of those of the run.
 */
export function lookCounts(looks: readonly Look[], minutes: number): string[] {
  const seen = looks.filter(({ theme }) => theme !== null);
  const each = (name: 'state' | 'language' | 'theme') => [...new Set(seen.map((look) => String(look[name])))];
  const [states, languages, themes] = [each('state'), each('language'), each('theme')];
  const lines = languages.map((language) => {
    const own = seen.filter((look) => look.language === language);
    const reached = new Set(own.map(({ state }) => state));
    const without = states.filter((state) => !reached.has(state));
    const missing = without.length === 0 ? '' : `; without ${without.join(', ')}`;
    return `${language}: ${reached.size} states, ${own.length} looks${missing}`;
  });
  const whole = states.length * languages.length * themes.length;
  const found = looks.reduce((sum, look) => sum + look.found.length, 0);
  return [
    ...lines,
    `Looked at ${states.length} states in ${themes.length} themes and ${languages.length} languages: ` +
      `${seen.length} of ${whole} looks, ${found} findings, ${minutes.toFixed(1)} minutes`,
  ];
}

/** Says at the end of a run what it looked at; each look is an annotation of its test. */
export default class LookReporter implements Reporter {
  readonly #looks: Look[] = [];
  #begun = 0;

  onBegin(): void {
    this.#begun = performance.now();
  }

  onTestEnd(_: TestCase, { annotations, retry }: TestResult): void {
    if (retry > 0) return;
    for (const { type, description = '' } of annotations) {
      if (type === 'look') this.#looks.push(JSON.parse(description) as Look);
    }
  }

  onEnd(): void {
    const lines = lookCounts(this.#looks, (performance.now() - this.#begun) / 60_000);
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}
