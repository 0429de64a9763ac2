import process from 'node:process';
import { patience } from './patience.ts';
import { seeded, type Seeded } from '../../src-main/training/seeded.ts';

export interface CampaignOptions {
  readonly name: string;
  /** How many cases a whole run does, and how many of them `npm test` does. */
  readonly whole: number;
  readonly part: number;
  /** Whether its cases met what the test needs, which is chance; more cases follow until then. */
  readonly enough?: () => boolean;
}

/**
 * `part`, the usual, for `npm test`; `slow`, so many times the part, for `npm run test:slow`; `whole` for
 * `npm run test:faults`.
 */
const extent = process.env['CAMPAIGN'] ?? 'part';
const timesThePart = 12;
const seed = Number(process.env['CAMPAIGN_SEED'] ?? 42);
const grouped = new Intl.NumberFormat('en');
/** So many times its cases a campaign tries until it has enough. */
const timesUntilEnough = 10;
/** So often a run of minutes tells how far it is, so that one that is cut has said what it tried. */
const parts = 10;

/** How long one test may take: a part takes a minute at most on a machine with nothing else to do. */
export const campaignTimeoutMs = extent === 'part' ? 2 * patience.test : 7_200_000;

/** How many cases this run does. */
export function casesOf({ whole, part }: Pick<CampaignOptions, 'whole' | 'part'>): number {
  if (extent === 'whole') return whole;
  return extent === 'slow' ? Math.min(whole, part * timesThePart) : part;
}

/**
 * Runs the cases of a campaign one after the other and prints one line with what came of them.
 *
 * Each case draws from a stream of its own, so a case fails alone as it fails among the others. The
 * run stops at the first case whose check throws, and names its number and seed. A check answers
 * with one word for its outcome, which the line counts.
 */
export async function runCampaign(
  options: CampaignOptions,
  check: (draw: Seeded, index: number) => Promise<string> | string,
): Promise<ReadonlyMap<string, number>> {
  const { name, enough = () => true } = options;
  const cases = casesOf(options);
  const outcomes = new Map<string, number>();
  let done = 0;
  let crashed = 0;
  try {
    for (; done < cases || (done < cases * timesUntilEnough && !enough()); done += 1) {
      const outcome = await check(seeded(seed, `${name} ${String(done)}`), done);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (extent === 'whole' && (done + 1) % Math.ceil(cases / parts) === 0) {
        process.stdout.write(
          `campaign ${name}: ${grouped.format(done + 1)} of ${grouped.format(cases)} so far\n`,
        );
      }
      // Thousands of cases that never wait would keep the runner from hearing that this test lives.
      if (done % 200 === 199) await new Promise((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    crashed = 1;
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`Campaign ${name}, case ${String(done)} of seed ${String(seed)}: ${said}`, {
      cause: error,
    });
  } finally {
    const counts = [...outcomes].sort(([a], [b]) => (a < b ? -1 : 1));
    const words = counts.map(([word, count]) => `${grouped.format(count)} ${word}`);
    process.stdout.write(
      `campaign ${name}: ${grouped.format(done + crashed)} of ${grouped.format(options.whole)} ` +
        `(seed ${String(seed)}): ${[...words, `${String(crashed)} crashed`].join(', ')}\n`,
    );
  }
  return outcomes;
}
