import { defineStore } from 'pinia';
import { computed, shallowRef, watch, type ComputedRef } from 'vue';
import { severityNames } from '../../../src-preload/contract/index.ts';
import { latestPerFrame, pageFrames, type FrameSource } from '../../base/frames.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi, type TimeWindow } from '../../base/stores/ui.ts';
import { histogram } from '../../table/histogram.ts';
import { severityRanks } from '../../table/severity.ts';
import { binEdges, binSize, localCalendar, utcCalendar } from '../../table/timeBins.ts';
import { openRows } from '../../table/worstOpen.ts';
import { useRows } from '../incidents/index.ts';
import { brushOf, windowOf, type Brush } from './brush.ts';
import type { Period } from './replay.ts';
import { useTimelineReplay } from './timelineReplay.ts';

/** A bin narrower than this, in CSS pixels, cannot be hit. */
const leastBinWidth = 6;
/** What an empty console shows, in milliseconds. */
const emptyRange = 86_400_000;

const same = (a: Float64Array, b: Float64Array | undefined): b is Float64Array =>
  b !== undefined && a.length === b.length && a.every((edge, index) => edge === b[index]);

/** The bins of the chosen range, and how many incidents are in each. */
function useTimelineBins() {
  const mirror = useMirror();
  const clock = useClock();
  const rows = useRows();

  /** Of the drawn bars, in CSS pixels. */
  const width = shallowRef(0);
  const calendar = computed(() => (mirror.zone === 'utc' ? utcCalendar : localCalendar));

  /** The oldest of the shown incidents, for a range without a beginning. */
  const oldest = computed(() => {
    const { createdAt } = mirror.table.columns;
    let least = Infinity;
    for (const row of rows.inRange) {
      const at = createdAt[row] as number;
      if (at < least) least = at;
    }
    return least;
  });
  /** Unix ms, one more than there are bins. The same array while they have the same values, so that nothing is drawn again. */
  const edges = computed<Float64Array>((before) => {
    const to = clock.decasecond;
    const from = rows.from ?? Math.min(oldest.value, to);
    const begin = Number.isFinite(from) && from < to ? from : to - emptyRange;
    const size = binSize(to - begin, Math.max(1, Math.floor(width.value / leastBinWidth)));
    const made = binEdges(begin, to, size, calendar.value);
    return same(made, before) ? before : made;
  });
  const bins = computed(() => edges.value.length - 1);
  /** From the first edge to the last, which is not included. */
  const range = computed(() => ({ from: edges.value[0] ?? 0, to: edges.value[bins.value] ?? 0 }));
  const counted = computed(() => histogram(mirror.table, rows.inRange, edges.value));
  /** Of these, what is open: the rest is drawn back. */
  const countedOpen = computed(() =>
    histogram(mirror.table, openRows(mirror.table, rows.inRange), edges.value),
  );

  return { width, calendar, edges, bins, range, counted, countedOpen };
}

/** The brush over the bins. The hand moves it at once; the page's time window follows in a separate task. */
function useTimelineBrush(frames: FrameSource, edges: ComputedRef<Float64Array>, range: ComputedRef<Period>) {
  const ui = useUi();

  /** What the brush was moved to, until list and map show it too. */
  const asked = shallowRef<{ readonly window: TimeWindow | null } | null>(null);
  /** The window as the hand has it. */
  const brushed = computed(() => (asked.value === null ? ui.timeWindow : asked.value.window));
  const brush = computed(() => brushOf(brushed.value, edges.value));
  /** The end of a period is not included, that of a window is. */
  const periodOf = (window: TimeWindow | null): Period =>
    window === null ? range.value : { from: window.from, to: window.to + 1 };
  const brushedPeriod = computed(() => periodOf(brushed.value));
  const narrowed = computed(() => ui.timeWindow !== null);
  /** What list and map show: the window as it is, which other bins than those it was drawn on may not meet. */
  const shown = computed(() => periodOf(ui.timeWindow));

  const wishes = latestPerFrame<TimeWindow | null>(frames, (window) => {
    asked.value = null;
    ui.timeWindow = window;
  });
  /** Forgets what list and map do not show yet. */
  function drop(): void {
    wishes.drop();
    asked.value = null;
  }
  /** Moves the brush; list and map are filtered by it after that, at most once an animation frame. */
  function move(next: Brush): void {
    const window = windowOf(next, edges.value);
    asked.value = { window };
    wishes.ask(window);
  }
  function clearWindow(): void {
    drop();
    ui.timeWindow = null;
  }

  return { brush, brushed, brushedPeriod, narrowed, shown, move, drop, clearWindow };
}

/** Incidents over time: bins, the brush over them, and the replay. The window itself is the page's (ui). */
export const useTimeline = defineStore('timeline', () => {
  const mirror = useMirror();
  const rows = useRows();
  const ui = useUi();

  /** How far the replay's bar stands over the map, in CSS pixels. */
  const raised = shallowRef(0);
  const frames = pageFrames();
  const { range, ...bins } = useTimelineBins();
  const { move, drop, ...brush } = useTimelineBrush(frames, bins.edges, range);
  const { forget, ...replay } = useTimelineReplay({ frames, edges: bins.edges, range, dropBrush: drop });

  /** How many incidents are shown, by severity rank. */
  const held = computed(() => {
    const { columns } = mirror.table;
    const ranks = severityRanks(mirror.table);
    const counts = new Array<number>(severityNames.length).fill(0);
    for (const row of rows.everywhere) {
      const rank = ranks[columns.severity[row] as number] as number;
      counts[rank] = (counts[rank] as number) + 1;
    }
    return counts;
  });

  /** Moves the brush. During a replay it stays: the replay has the time window. */
  function setBrush(next: Brush): void {
    if (!replay.replaying.value) move(next);
  }

  // A window that reached to the end of the range stays there as time passes.
  watch(bins.edges, (now, past) => {
    const window = ui.timeWindow;
    const end = now[now.length - 1] ?? 0;
    const pastEnd = past[past.length - 1] ?? 0;
    if (window === null || replay.replaying.value || window.to !== pastEnd - 1 || end <= pastEnd) return;
    ui.timeWindow = { from: window.from, to: end - 1 };
  });
  // Another range is another question: a part of the old one would leave nothing of it, with no reason on screen.
  watch(
    () => mirror.incidents?.query.range,
    (_, past) => {
      if (past === undefined) return;
      forget();
      brush.clearWindow();
    },
  );

  return { ...bins, ...brush, ...replay, raised, held, setBrush };
});
