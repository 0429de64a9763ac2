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

/** How long an event loop was held up, milliseconds. */
export interface LoopDelay {
  readonly longest: number;
  readonly p999: number;
}

/** The main process's event loop at one kind of work, beside an idle process in the same time. */
export interface LoopLine {
  readonly what: string;
  readonly size: number;
  readonly ours: LoopDelay;
  readonly control: LoopDelay;
}

export interface SizeLine {
  readonly what: string;
  readonly size: number;
  readonly value: string;
}

/** A part of a way that has no floor: its milliseconds, and those that it may take. */
export interface StepLine {
  readonly what: string;
  readonly size: number;
  readonly runs: number;
  readonly p50: number;
  readonly max: number;
  readonly aim: number | null;
}

export function steps({
  what,
  size,
  aim,
  samples,
}: Pick<StepLine, 'what' | 'size' | 'aim'> & { readonly samples: readonly number[] }): StepLine {
  return { what, size, runs: samples.length, p50: median(samples), max: Math.max(...samples), aim };
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

export interface BenchResults {
  readonly measures: readonly Measure[];
  readonly stalls: readonly Stall[];
  readonly loops: readonly LoopLine[];
  readonly memory: readonly SizeLine[];
  readonly firstLook: readonly StepLine[];
  readonly towns: readonly StepLine[];
}

export function table({ measures, stalls, loops, memory, firstLook, towns }: BenchResults): string {
  const lines = measures.map(
    ({ what, size, oursP50, floorP50, ratio, goal, floor, runs }) =>
      `${what.padEnd(14)}${String(size).padStart(8)}${ms(oursP50)}${ms(floorP50)}${ratio.toFixed(2).padStart(8)}` +
      `${(goal === null ? '-' : goal.toFixed(1)).padStart(6)}${String(runs).padStart(6)}  ${floor}`,
  );
  const stallLines = stalls.map(
    ({ what, size, longest, idleLongest, floorLongest }) =>
      `${what.padEnd(14)}${String(size).padStart(8)}${ms(longest)}${ms(floorLongest)}  idle ${ms(idleLongest).trim()} ms`,
  );
  const loopLines = loops.map(
    ({ what, size, ours, control }) =>
      `${what.padEnd(18)}${String(size).padStart(8)}${ms(ours.longest)}${ms(ours.p999)}${ms(control.longest)}${ms(control.p999)}`,
  );
  const memoryLines = memory.map(
    ({ what, size, value }) => `${what.padEnd(28)}${String(size).padStart(8)}  ${value}`,
  );
  const stepLine = ({ what, size, p50, max, aim, runs }: StepLine): string =>
    `${what.padEnd(30)}${String(size).padStart(6)}${ms(p50)}${ms(max)}${(aim === null ? '-' : String(aim)).padStart(6)}${String(runs).padStart(6)}`;
  return [
    'what              size ours ms   floor   ratio  goal  runs  floor is',
    ...lines,
    '',
    'longest stall     size    ours   floor',
    ...stallLines,
    '',
    'main process loop     size longest   p99.9 control   p99.9',
    ...loopLines,
    '',
    ...memoryLines,
    '',
    'first look                      size  p50 ms     max   aim  runs',
    ...firstLook.map(stepLine),
    '',
    'nearest towns                   size  p50 ms     max   aim  runs',
    ...towns.map(stepLine),
    '',
  ].join('\n');
}
