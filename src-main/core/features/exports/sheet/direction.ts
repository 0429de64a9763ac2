/** A stretch of a line that runs one way, by its characters in reading order. */
export interface Stretch {
  readonly text: string;
  readonly rightToLeft: boolean;
}

export type Direction = 'ltr' | 'rtl';

/** Around words that are not the console's own, so that they order themselves and nothing else. */
const [opens, closes] = ['\u2068', '\u2069'];
/** Words of their own direction, whatever stands around them. */
export const isolated = (text: string): string => `${opens}${text}${closes}`;

type Kind = 'L' | 'R' | 'AL' | 'EN' | 'AN' | 'ES' | 'ET' | 'CS' | 'NSM' | 'N';

const kinds: readonly (readonly [Kind, RegExp])[] = [
  ['NSM', /^\p{M}/u],
  ['AN', /^[\u0660-\u0669\u066b\u066c\u06dd]/],
  ['EN', /^[0-9\u06f0-\u06f9]/],
  ['ES', /^[+\-]/],
  ['ET', /^[#$%°‰€£¢¥]/],
  ['CS', /^[,.:/\u00a0\u060c]/],
  ['AL', /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u],
  ['R', /^[\p{Script=Hebrew}\p{Script=Nko}]/u],
  ['L', /^[\p{L}\p{N}]/u],
];
const kindOf = (token: string): Kind => kinds.find(([, pattern]) => pattern.test(token))?.[0] ?? 'N';

const mirrored: Readonly<Record<string, string>> = Object.fromEntries(
  ['()', '[]', '{}', '<>', '«»', '‹›'].flatMap(([left = '', right = '']) => [
    [left, right],
    [right, left],
  ]),
);

/**
 * The stretches of a line from left to right, by the Unicode Bidirectional Algorithm (UAX #9) as far as one line
 * without embeddings needs it: weak and neutral characters, brackets, isolates, mirrored signs.
 *
 * @param base null: that of the first character that has one.
 */
export function fromLeftToRight(text: string, base: Direction | null): Stretch[] {
  const tokens = tokensOf(text);
  const own = tokens.map((token) => (token.startsWith(opens) ? 'N' : kindOf(token)));
  const isRtl = (base ?? directionOf(own)) === 'rtl';
  const levels = levelsOf(tokens, own, isRtl);
  return reordered(runsOf(tokens, levels));
}

/** Single characters, and isolates as a whole. One that is not closed goes on to the end. */
const tokensOf = (text: string): string[] =>
  Array.from(text.matchAll(/\u2068[^\u2069]*\u2069?|[^\u2069]/gsu), ([token]) => token);

function directionOf(own: readonly Kind[]): Direction {
  const first = own.find((kind) => kind === 'L' || kind === 'R' || kind === 'AL');
  return first === 'R' || first === 'AL' ? 'rtl' : 'ltr';
}

function levelsOf(tokens: readonly string[], own: readonly Kind[], isRtl: boolean): number[] {
  const edge: Kind = isRtl ? 'R' : 'L';
  const now = strong(brackets(tokens, numbers([...own], edge), edge), edge);
  return now.map((kind) => (kind === 'L' ? (isRtl ? 2 : 0) : kind === 'R' ? 1 : 2));
}

/** Rules W1 to W7: marks, numbers and what belongs to them. */
function numbers(now: Kind[], edge: Kind): Kind[] {
  let last = edge;
  now.forEach((kind, at) => {
    if (kind === 'NSM') now[at] = now[at - 1] ?? edge;
    else if (kind === 'L' || kind === 'R' || kind === 'AL') last = kind;
    else if (kind === 'EN' && last === 'AL') now[at] = 'AN';
  });
  now.forEach((kind, at) => {
    const [before, after] = [now[at - 1], now[at + 1]];
    if (kind === 'AL') now[at] = 'R';
    else if (before !== after) return;
    else if (before === 'EN' && (kind === 'CS' || kind === 'ES')) now[at] = 'EN';
    else if (before === 'AN' && kind === 'CS') now[at] = 'AN';
  });
  now.forEach((kind, at) => {
    if (kind === 'ET' && (now[at - 1] === 'EN' || now[at + 1] === 'EN')) now[at] = 'EN';
    else if (kind === 'ES' || kind === 'ET' || kind === 'CS') now[at] = 'N';
  });
  last = edge;
  now.forEach((kind, at) => {
    if (kind === 'L' || kind === 'R') last = kind;
    else if (kind === 'EN' && last === 'L') now[at] = 'L';
  });
  return now;
}

const sideOf = (kind: Kind | undefined, edge: Kind): Kind =>
  kind === undefined ? edge : kind === 'L' ? 'L' : 'R';

/** Rule N0: brackets go with what they hold; where that runs against the line, with what stands before them too. */
function brackets(tokens: readonly string[], now: Kind[], edge: Kind): Kind[] {
  const open: { readonly closing: string; readonly at: number }[] = [];
  const pairs: (readonly [from: number, to: number])[] = [];
  tokens.forEach((token, at) => {
    if (token === '(' || token === '[' || token === '{') open.push({ closing: mirrored[token] ?? '', at });
    const found = open.findLastIndex(({ closing }) => closing === token);
    if (found >= 0) pairs.push([open.splice(found)[0]?.at ?? at, at]);
  });
  for (const [from, to] of pairs.sort(([a], [b]) => a - b)) {
    const sides = now.slice(from + 1, to).filter((kind) => kind !== 'N');
    if (sides.length === 0) continue;
    const along = sides.some((kind) => sideOf(kind, edge) === edge);
    const before = sideOf(
      now.slice(0, from).findLast((kind) => kind !== 'N'),
      edge,
    );
    now[from] = along ? edge : before;
    now[to] = along ? edge : before;
  }
  return now;
}

/** Rules N1 and N2: what has no direction takes that of both its sides, or else the line's. */
function strong(now: Kind[], edge: Kind): Kind[] {
  for (let from = 0; from < now.length; from += 1) {
    if (now[from] !== 'N') continue;
    let to = from;
    while (now[to] === 'N') to += 1;
    const [before, after] = [sideOf(now[from - 1], edge), sideOf(now[to], edge)];
    now.fill(before === after ? before : edge, from, to);
    from = to;
  }
  return now;
}

interface Run {
  readonly level: number;
  readonly stretches: readonly Stretch[];
}

function runsOf(tokens: readonly string[], levels: readonly number[]): Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const [token, level = 0] = [tokens[at], levels[from]];
    const isolate = token?.startsWith(opens) === true;
    if (token !== undefined && !isolate && levels[at] === level) continue;
    const rightToLeft = level % 2 === 1;
    const own = tokens.slice(from, at).map((sign) => (rightToLeft ? (mirrored[sign] ?? sign) : sign));
    if (own.length > 0) runs.push({ level, stretches: [{ text: own.join(''), rightToLeft }] });
    from = at;
    if (!isolate) continue;
    const inner = token.replaceAll(/[\u2068\u2069]/g, '');
    runs.push({ level: levels[at] ?? 0, stretches: fromLeftToRight(inner, null) });
    from = at + 1;
  }
  return runs;
}

/** Rule L2, on runs: those of the highest level are turned first. */
function reordered(runs: Run[]): Stretch[] {
  for (let level = 2; level > 0; level -= 1) {
    for (let from = 0; from < runs.length; from += 1) {
      let to = from;
      while ((runs[to]?.level ?? -1) >= level) to += 1;
      if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return runs.flatMap(({ stretches }) => stretches);
}
