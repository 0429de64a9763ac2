/** One line of the bench: ours and the floor in ms, and what is said about how they were taken. */
export interface Measure {
  readonly what: string;
  readonly size: number;
  readonly runs: number;
  readonly oursP50: number;
  readonly floorP50: number;
  readonly ratio: number;
  readonly goal: number | null;
  readonly floor: string;
  readonly oursMax: number;
}

export interface Stall {
  readonly what: string;
  readonly size: number;
  /** Milliseconds: the longest in any run, and the longest of an idle control in the same run. */
  readonly longest: number;
  readonly idleLongest: number;
  readonly floorLongest: number;
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

export interface MeasureOptions {
  readonly what: string;
  readonly size: number;
  readonly goal: number | null;
  readonly floor: string;
  readonly ours: readonly number[];
  readonly floorSamples: readonly number[];
}

export function measure({ what, size, goal, floor, ours, floorSamples }: MeasureOptions): Measure {
  const oursP50 = median(ours);
  const floorP50 = median(floorSamples);
  return {
    what,
    size,
    runs: Math.min(ours.length, floorSamples.length),
    oursP50,
    floorP50,
    ratio: oursP50 / floorP50,
    goal,
    floor,
    oursMax: Math.max(...ours),
  };
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(8);

export function table(measures: readonly Measure[], stalls: readonly Stall[]): string {
  const lines = measures.map(
    ({ what, size, oursP50, floorP50, ratio, goal, floor, runs }) =>
      `${what.padEnd(14)}${String(size).padStart(8)}${ms(oursP50)}${ms(floorP50)}${ratio.toFixed(2).padStart(8)}` +
      `${(goal === null ? '-' : goal.toFixed(1)).padStart(6)}${String(runs).padStart(6)}  ${floor}`,
  );
  const stallLines = stalls.map(
    ({ what, size, longest, idleLongest, floorLongest }) =>
      `${what.padEnd(14)}${String(size).padStart(8)}${ms(longest)}${ms(floorLongest)}  idle ${ms(idleLongest).trim()} ms`,
  );
  const heading = 'what              size ours ms   floor   ratio  goal  runs  floor is';
  const stallHeading = 'longest stall     size    ours   floor';
  return [heading, ...lines, '', stallHeading, ...stallLines, ''].join('\n');
}
