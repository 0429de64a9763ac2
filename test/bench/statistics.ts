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

/** One line of the bench's result. */
export type Row = Measure | Stall | LoopLine | SizeLine | StepLine;

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
const columns = (
  what: string,
  size: string,
  ours: string,
  floor: string,
  ratio: string,
  note: string,
): string =>
  `${what.padEnd(38)}${[size, ours, floor, ratio].map((value) => value.padStart(9)).join('')}  ${note}`;

/** Of the columns that `lineOf` fills. */
export const headline = columns('what', 'size', 'ours ms', 'floor ms', 'ratio', '');

export function lineOf(row: Row): string {
  const size = String(row.size);
  if ('ratio' in row) {
    const goal = row.goal === null ? '' : `goal ${row.goal.toFixed(1)}, `;
    const note = `${goal}${String(row.runs)} runs, floor: ${row.floor}`;
    return columns(row.what, size, ms(row.oursP50), ms(row.floorP50), row.ratio.toFixed(2), note);
  }
  if ('idleLongest' in row) {
    const { what, longest, floorLongest, idleLongest } = row;
    const note = `longest stall, idle ${ms(idleLongest)} ms`;
    return columns(what, size, ms(longest), ms(floorLongest), '-', note);
  }
  if ('control' in row) {
    const { what, ours, control } = row;
    const note = `longest hold of the main loop beside an idle process, p99.9 ${ms(ours.p999)} and ${ms(control.p999)} ms`;
    return columns(what, size, ms(ours.longest), ms(control.longest), '-', note);
  }
  if ('value' in row) return columns(row.what, size, '-', '-', '-', row.value);
  const aim = row.aim === null ? '' : `aim ${String(row.aim)} ms, `;
  const note = `${aim}${String(row.runs)} runs, longest ${ms(row.max)} ms`;
  return columns(row.what, size, ms(row.p50), '-', '-', note);
}
