/** A repeatable source of chance: the same seed and name give the same numbers in the same order. */
export interface Seeded {
  /** A number in [0, 1). */
  next(): number;
  /** An integer in [0, below). */
  below(below: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
  /** The waiting time to the next event of a Poisson process, in the unit of `mean`. */
  wait(mean: number): number;
}

/**
 * A 32-bit number that depends on every character of `text` and on `seed`.
 *
 * FNV-1a over the UTF-16 units, then an avalanche, so that ids differing in the last digit only are
 * far apart.
 */
export function mix(seed: number, text: string): number {
  let hash = (seed ^ 0x811c9dc5) >>> 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return avalanche(hash);
}

/** The finishing steps of MurmurHash3: every input bit reaches every output bit. */
function avalanche(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * One stream per `name`, so that drawing more from one (say, by adding an incident by hand) does
 * not shift what another yields. Not for secrets.
 */
export function seeded(seed: number, name: string): Seeded {
  let state = mix(seed, name);
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    return avalanche(state) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    wait: (mean) => -mean * Math.log(1 - next()),
  };
}
