import { z } from 'zod';
import { foldWord } from './wordFold.ts';

/**
 * The severities that have a mark, the least first: a mark lies over those before it. `unknown` is drawn for
 * every word that has no rank.
 */
export const severityNames = ['low', 'medium', 'high', 'unknown', 'critical'] as const;
export type SeverityName = (typeof severityNames)[number];

/** The order in which counts and legends show them. */
export const severitiesWorstFirst: readonly SeverityName[] = severityNames.toReversed();

const builtIn = ['critical', 'high', 'medium', 'low'] as const;
type BuiltIn = (typeof builtIn)[number];

/**
 * Words for the severities of the specification: abbreviations, and the severities of the Common Alerting
 * Protocol (OASIS CAP 1.2). A word that could mean two severities is none of them: it has no rank.
 */
const usualSynonyms: Readonly<Record<BuiltIn, readonly string[]>> = {
  critical: ['crit', 'extreme'],
  high: ['severe'],
  medium: ['med', 'moderate'],
  low: ['minor'],
};

/** An administrator's severities from worst to least; null for none. */
export const severityRankingSchema = z
  .array(z.strictObject({ name: z.string(), synonyms: z.array(z.string()) }))
  .readonly()
  .nullable();
export type SeverityRanking = z.infer<typeof severityRankingSchema>;

/** What several spellings of one severity are to every filter, count and alarm. */
export interface SeverityClass {
  /** The same for every spelling, and for no spelling of another class. */
  readonly key: string;
  /** How it is named where the service's own spelling is not asked for. */
  readonly name: string;
  /** Greater for the worse. What has no rank weighs as much as the worst: nothing proves that it is less. */
  readonly weight: number;
  readonly mark: SeverityName;
  /** Whether it has a rank; where not, its mark is that of the unknown. */
  readonly known: boolean;
}

/** Which spellings are one severity, and which severity is worse. */
export interface SeverityScale {
  /** Those that have a rank, the worst first. */
  readonly ranked: readonly SeverityClass[];
  /** The class of a severity as the service wrote it. */
  readonly classOf: (text: string) => SeverityClass;
}

interface Ranked {
  readonly name: string;
  readonly words: readonly string[];
  readonly mark: BuiltIn;
}

/** What is wrong with a ranking. */
export type RankingFault = 'blank' | 'twice' | 'order';

/**
 * Whether a ranking can be used; null when it can, else what is wrong, and with which of its entries. A word
 * is in it once, however it is written, and critical, high, medium and low keep their order: their marks do.
 */
export function rankingFault(
  ranking: NonNullable<SeverityRanking>,
): { readonly fault: RankingFault; readonly at: number } | null {
  const seen = new Set<string>();
  let worst = 0;
  for (const [at, { name, synonyms }] of ranking.entries()) {
    const words = [name, ...synonyms].map(foldWord);
    const ranks = words.map((word) => builtIn.indexOf(word as BuiltIn)).filter((rank) => rank >= 0);
    for (const word of words) {
      if (word === '') return { fault: 'blank', at };
      if (seen.has(word)) return { fault: 'twice', at };
      seen.add(word);
    }
    if (ranks.some((rank) => rank < worst)) return { fault: 'order', at };
    worst = Math.max(worst, ...ranks);
  }
  return null;
}

/** Severities of the specification among an entry's words, the worst first. */
const builtInAmong = (words: readonly string[]): BuiltIn | undefined =>
  builtIn.find((name) => words.includes(name));

/**
 * The marks of a ranking's entries. One that names a severity of the specification has its mark, another that
 * of the next worse entry that does, or of the worst. A ranking that names none is spread over all four.
 */
function marksOf(entries: readonly (readonly string[])[]): BuiltIn[] {
  const named = entries.map(builtInAmong);
  if (named.every((name) => name === undefined)) {
    const perMark = Math.max(1, entries.length / builtIn.length);
    return entries.map((_, at) => builtIn[Math.floor(at / perMark)] ?? 'low');
  }
  let mark: BuiltIn = 'critical';
  return named.map((name) => (mark = name ?? mark));
}

/** A ranking with what it does not name of the specification's severities: after the last entry of their mark. */
function completed(ranking: SeverityRanking): Ranked[] {
  const entries = (ranking ?? []).map(({ name, synonyms }) => [name, ...synonyms].map(foldWord));
  const marks = marksOf(entries);
  const taken = new Set(entries.flat());
  return builtIn.flatMap((mark) => {
    const free = usualSynonyms[mark].filter((word) => !taken.has(word));
    const own = entries.flatMap((words, at): Ranked[] => {
      if (marks[at] !== mark) return [];
      const more = builtIn.filter((name) => words.includes(name)).flatMap((name) => usualSynonyms[name]);
      const usual = more.filter((word) => !taken.has(word));
      return [{ name: ranking?.[at]?.name.trim() ?? '', words: [...words, ...usual], mark }];
    });
    return taken.has(mark) ? own : [...own, { name: mark, words: [mark, ...free], mark }];
  });
}

/** How many words a scale keeps the classes of: a service may send a new one with every incident. */
const mostKnown = 4096;

function makeScale(ranking: SeverityRanking): SeverityScale {
  const entries = completed(ranking);
  const worst = entries.length - 1;
  const ranked = entries.map(({ name, words, mark }, at): SeverityClass => ({
    key: words[0] ?? '',
    name,
    weight: worst - at,
    mark,
    known: true,
  }));
  const byWord = new Map(
    entries.flatMap(({ words }, at) => words.map((word) => [word, ranked[at]] as const)),
  );
  const known = new Map<string, SeverityClass>();
  const classOf = (text: string): SeverityClass => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const key = foldWord(text);
    const made = byWord.get(key) ?? { key, name: text.trim(), weight: worst, mark: 'unknown', known: false };
    if (known.size < mostKnown) known.set(text, made);
    return made;
  };
  return { ranked, classOf };
}

const usualScale = makeScale(null);
/** Made once for each ranking: the state holds one, and every incident is looked up. */
const scales = new WeakMap<object, SeverityScale>();

/**
 * The scale of a deployment; of none for null. The one place that says which spellings are the same severity
 * and which is worse: core, page and the map's worker all ask it. It stands in the contract, since the page
 * may import nothing of the core.
 */
export function scaleOf(ranking: SeverityRanking): SeverityScale {
  if (ranking === null) return usualScale;
  const known = scales.get(ranking) ?? makeScale(ranking);
  scales.set(ranking, known);
  return known;
}
