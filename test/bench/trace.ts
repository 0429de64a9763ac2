import type { Browser, Page } from '@playwright/test';

/** An event of Chromium's trace, as much of it as is read here. Times are in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly cat?: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly id2?: { readonly local?: string };
  readonly args?: {
    readonly data?: { readonly type?: string; readonly duration?: number };
    readonly chrome_mojo_event_info?: { readonly mojo_interface_tag?: string };
    readonly frameSeqId?: number;
    readonly event_latency?: { readonly event_type?: string };
    readonly frame_reporter?: {
      readonly frame_sequence?: number;
      readonly frame_type?: string;
      readonly state?: string;
    };
  };
}

/** Milliseconds of the trace's own clock. */
interface Stretch {
  readonly from: number;
  readonly ms: number;
}

interface Input extends Stretch {
  /** `keydown`, `pointerup`, ... as the Event Timing API names them, or `MOUSE_DRAGGED`, ... of the compositor. */
  readonly type: string;
}

/** What one page did between two marks; all times in milliseconds of one clock. */
export interface PageTrace {
  /** From an event's arrival to the presentation of the first frame after it. */
  readonly inputs: readonly Input[];
  /** Every task of the page's main thread but those of the program that gives the input. */
  readonly tasks: readonly Stretch[];
  /** Moments at which the bench's observer saw the page say what was asked for. */
  readonly shown: readonly number[];
  /** Frames that the main thread made: when it handed one over, and when it was presented. */
  readonly frames: readonly { readonly committed: number; readonly presented: number }[];
}

const categories = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'devtools.timeline.frame',
  'blink.user_timing',
  'mojom',
  'cc',
  'benchmark',
  'input',
];
/** From a frame's making to its presentation, where there is no graphics card. */
const presentMs = 200;
const begins = 'bench-begins';
const ends = 'bench-ends';
/** Through it Playwright looks into the page, for the button that it clicks: no operator does that. */
const playwrights = 'blink.mojom.DevToolsSession';
/** What the bench's observer marks when the page shows what it waits for. */
export const shownMark = 'bench-shown';

/**
 * Records what a page does while `run` gives it input: Chromium's trace, which holds the Event Timing entries
 * with their presentation times. One at a time in a browser.
 */
export async function recordTrace(
  browser: Browser,
  page: Page,
  run: () => Promise<void>,
): Promise<PageTrace> {
  await browser.startTracing(page, { categories });
  const mark = (name: string): Promise<void> =>
    page.evaluate((text) => {
      performance.mark(text);
    }, name);
  await mark(begins);
  await run();
  await mark(ends);
  // An entry of the Event Timing API is written when its frame has been presented.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.waitForTimeout(presentMs);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return readTrace(traceEvents);
}

/**
 * Reads the trace of the page that set the bench's marks.
 *
 * @throws where there are none
 */
export function readTrace(events: readonly TraceEvent[]): PageTrace {
  const first = events.find(({ name }) => name === begins);
  const last = events.find(({ name }) => name === ends);
  if (!first || !last) throw new Error('The trace does not hold the marks of the bench');
  const { pid, tid } = first;
  const own = events.filter((event) => event.pid === pid).sort((a, b) => a.ts - b.ts);
  const isBetween = ({ ts }: TraceEvent): boolean => ts >= first.ts && ts <= last.ts;
  const main = own.filter((event) => event.tid === tid && isBetween(event));
  const presented = presentations(own);
  return {
    inputs: [...eventTimings(main), ...latencies(own, isBetween)],
    tasks: tasksOf(main),
    shown: main.flatMap(({ name, ts }) => (name === shownMark ? [ts / 1000] : [])),
    frames: main.flatMap(({ name, ts, args }) => {
      const at = name === 'Commit' ? presented.get(args?.frameSeqId ?? -1) : undefined;
      return at === undefined ? [] : [{ committed: ts / 1000, presented: at / 1000 }];
    }),
  };
}

function tasksOf(events: readonly TraceEvent[]): readonly Stretch[] {
  const looks = events.filter(({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === playwrights);
  return events.flatMap(({ name, ts, dur }) => {
    if (name !== 'RunTask' || dur === undefined) return [];
    if (looks.some((look) => look.ts >= ts && look.ts <= ts + dur)) return [];
    return [{ from: ts / 1000, ms: dur / 1000 }];
  });
}

const eventTimings = (events: readonly TraceEvent[]): readonly Input[] =>
  events.flatMap(({ name, ph, ts, args }) => {
    const { type, duration } = args?.data ?? {};
    if (name !== 'EventTiming' || ph !== 'b' || type === undefined || duration === undefined) return [];
    return [{ type, from: ts / 1000, ms: duration }];
  });

/** The same for what moves without an end, which the Event Timing API leaves out. */
const latencies = (events: readonly TraceEvent[], counts: (event: TraceEvent) => boolean): readonly Input[] =>
  pairs(events, 'EventLatency').flatMap(({ begin, end }) => {
    const type = begin.args?.event_latency?.event_type;
    return type === undefined || !counts(begin)
      ? []
      : [{ type, from: begin.ts / 1000, ms: (end.ts - begin.ts) / 1000 }];
  });

/** By the number of a frame: when it was presented with what the main thread had made. */
function presentations(events: readonly TraceEvent[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const { begin, end } of pairs(events, 'PipelineReporter')) {
    const { frame_sequence: frame, frame_type: type, state } = begin.args?.frame_reporter ?? {};
    // A forked report is of the compositor's part alone.
    if (frame !== undefined && type === undefined && state === 'STATE_PRESENTED_ALL')
      found.set(frame, end.ts);
  }
  return found;
}

/** Beginnings and ends that share an id; an id is used again once its pair is whole. */
function pairs(
  events: readonly TraceEvent[],
  wanted: string,
): { readonly begin: TraceEvent; readonly end: TraceEvent }[] {
  const open = new Map<string, TraceEvent>();
  const found: { readonly begin: TraceEvent; readonly end: TraceEvent }[] = [];
  for (const event of events) {
    const id = event.id2?.local;
    if (event.name !== wanted || id === undefined) continue;
    if (event.ph === 'b') {
      open.set(id, event);
      continue;
    }
    const begin = open.get(id);
    open.delete(id);
    if (begin && event.ph === 'e') found.push({ begin, end: event });
  }
  return found;
}

/** Milliseconds from each input of a type to its next paint. */
export const toNextPaint = ({ inputs }: PageTrace, wanted: string): number[] =>
  inputs.flatMap(({ type, ms }) => (type === wanted ? [ms] : []));

/**
 * Milliseconds from each input of a type to the frame that shows what it brought: the first one made after
 * the observer's mark. An input without a mark before the next one counts for nothing.
 */
export function toShown({ inputs, shown, frames }: PageTrace, wanted: string): number[] {
  const given = inputs.filter(({ type }) => type === wanted);
  return given.flatMap(({ from }, at) => {
    const until = given[at + 1]?.from ?? Infinity;
    const mark = shown.find((moment) => moment >= from && moment < until);
    const frame = mark === undefined ? undefined : frames.find(({ committed }) => committed >= mark);
    return frame === undefined ? [] : [frame.presented - from];
  });
}

/** Milliseconds: the longest task of the page's main thread. */
export const longestTask = ({ tasks }: PageTrace): number => Math.max(0, ...tasks.map(({ ms }) => ms));

/** Milliseconds between two presented frames on average; NaN with less than two. */
export function frameInterval({ frames }: PageTrace): number {
  const moments = [...new Set(frames.map(({ presented }) => presented))].sort((a, b) => a - b);
  const [first, last] = [moments[0], moments.at(-1)];
  return first === undefined || last === undefined ? NaN : (last - first) / (moments.length - 1);
}
