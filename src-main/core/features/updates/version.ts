/** A version by the rules of Semantic Versioning 2.0.0. The part after `+` has no order. */
interface Version {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  readonly before: readonly string[];
}

const number = '(0|[1-9]\\d{0,8})';
const part = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][\\dA-Za-z-]*)';
const form = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${part}(?:\\.${part})*))?(?:\\+[\\dA-Za-z-]+(?:\\.[\\dA-Za-z-]+)*)?$`,
);

function parse(text: string): Version | null {
  const found = text.length > 64 ? null : form.exec(text);
  if (found === null) return null;
  const [, major, minor, patch, before] = found;
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    before: before === undefined ? [] : before.split('.'),
  };
}

export const isVersion = (text: string): boolean => parse(text) !== null;

/** Below 0 when `a` is older than `b`, 0 when neither is older; null when one of them is no version. */
export function compareVersions(a: string, b: string): number | null {
  const [one, other] = [parse(a), parse(b)];
  if (one === null || other === null) return null;
  for (const [index, value] of one.numbers.entries()) {
    const difference = value - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (one.before.length === 0 || other.before.length === 0) {
    return Math.min(1, other.before.length) - Math.min(1, one.before.length);
  }
  for (const [index, word] of one.before.entries()) {
    const against = other.before[index];
    if (against === undefined) return 1;
    const difference = compareWords(word, against);
    if (difference !== 0) return difference;
  }
  return one.before.length - other.before.length;
}

function compareWords(a: string, b: string): number {
  const [first, second] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (first && second) return a.length - b.length || (a < b ? -1 : Number(a > b));
  if (first !== second) return first ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
