import { useMediaQuery } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, onScopeDispose, shallowRef, watch } from 'vue';
import { brushOf, windowOf, type Brush } from './brush.ts';
import { latestPerFrame, pageFrames, ticker } from '../../base/frames.ts';
import { followFor, paced } from '../../base/pace.ts';
import * as replays from './replay.ts';
import { histogram } from '../../table/histogram.ts';
import { severityNames } from '../../../src-preload/contract/index.ts';
import { severityRanks } from '../../table/severity.ts';
import { openRows } from '../../table/worstOpen.ts';
import { binEdges, binSize, localCalendar, utcCalendar } from '../../table/timeBins.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useRows } from '../incidents/index.ts';
import { useUi, type TimeWindow } from '../../base/stores/ui.ts';

/** A bin narrower than this, in CSS pixels, cannot be hit. */
const leastBinWidth = 6;
/** With reduced motion the replay goes on in steps this far apart, in milliseconds. */
const stillMs = 1_000;
/** What an empty console shows, in milliseconds. */
const emptyRange = 86_400_000;

const same = (a: Float64Array, b: Float64Array | undefined): b is Float64Array =>
  b !== undefined && a.length === b.length && a.every((edge, index) => edge === b[index]);

/** Incidents over time: bins, the brush over them, and the replay. The window itself is the page's (ui). */
export const useTimeline = defineStore('timeline', () => {
  const mirror = useMirror();
  const clock = useClock();
  const rows = useRows();
  const ui = useUi();

  /** Of the drawn bars, in CSS pixels. */
  const width = shallowRef(0);
  /** How far the replay's bar stands over the map, in CSS pixels. */
  const raised = shallowRef(0);
  const calendar = computed(() => (mirror.zone === 'utc' ? utcCalendar : localCalendar));

  /** The oldest of the shown incidents, for a range without a beginning. */
  const oldest = computed(() => {
    const { createdAt } = mirror.table.columns;
    let least = Infinity;
    for (const row of rows.inRange) least = Math.min(least, createdAt[row] as number);
    return least;
  });
  /** The edges stay the same array while they have the same values, so that nothing is drawn anew. */
  const edges = computed<Float64Array>((before) => {
    const to = clock.decasecond;
    const from = rows.from ?? Math.min(oldest.value, to);
    const begin = Number.isFinite(from) && from < to ? from : to - emptyRange;
    const size = binSize(to - begin, Math.max(1, Math.floor(width.value / leastBinWidth)));
    const made = binEdges(begin, to, size, calendar.value);
    return same(made, before) ? before : made;
  });
  const bins = computed(() => edges.value.length - 1);
  const counted = computed(() => histogram(mirror.table, rows.inRange, edges.value));
  /** Of these, what is open: the rest is drawn back. */
  const countedOpen = computed(() =>
    histogram(mirror.table, openRows(mirror.table, rows.inRange), edges.value),
  );

  const replay = shallowRef<replays.Replay>(replays.off);
  const tail = shallowRef<replays.Tail>(null);
  /** Null for the one that fits the period. */
  const chosenSpeed = shallowRef<replays.Speed | null>(null);
  const period = computed<replays.Period>(() =>
    replay.value.state === 'off'
      ? (ui.timeWindow ?? { from: edges.value[0] ?? 0, to: (edges.value[bins.value] ?? 0) - 1 })
      : replay.value,
  );
  const speed = computed(() => chosenSpeed.value ?? replays.fittingSpeed(period.value));
  const replaying = computed(() => replay.value.state !== 'off');
  /** Whether what the list shows is of the replay: it follows the bar after a moment. */
  const followed = shallowRef(false);

  /** What the brush was moved to, until list and map show it too. */
  const asked = shallowRef<{ readonly window: TimeWindow | null } | null>(null);
  /** The window as the hand has it; list and map follow in a task of their own. */
  const brushed = computed(() => (asked.value === null ? ui.timeWindow : asked.value.window));
  const brush = computed(() => brushOf(brushed.value, edges.value));
  const brushedPeriod = computed(() => periodOf(brushed.value));
  const narrowed = computed(() => ui.timeWindow !== null);
  /**
   * What is shown, its end not included: the window as it is, which other bins than those it was drawn on may
   * not meet.
   */
  const shown = computed(() => periodOf(ui.timeWindow));
  function periodOf(window: TimeWindow | null): replays.Period {
    if (window === null) return { from: edges.value[0] ?? 0, to: edges.value[bins.value] ?? 0 };
    return { from: window.from, to: window.to + 1 };
  }
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

  const frames = pageFrames();
  const wishes = latestPerFrame<TimeWindow | null>(frames, (window) => {
    asked.value = null;
    ui.timeWindow = window;
  });
  function dropBrush(): void {
    wishes.drop();
    asked.value = null;
  }
  /** Moves the brush; list and map are filtered by it after that, at most once an animation frame. */
  function setBrush(next: Brush): void {
    if (replaying.value) return;
    const window = windowOf(next, edges.value);
    asked.value = { window };
    wishes.ask(window);
  }
  function clearWindow(): void {
    dropBrush();
    ui.timeWindow = null;
  }

  // A window that reached to the end of the range stays there as time goes on.
  watch(edges, (now, past) => {
    const window = ui.timeWindow;
    const end = now[now.length - 1] ?? 0;
    const pastEnd = past[past.length - 1] ?? 0;
    if (window === null || replaying.value || window.to !== pastEnd - 1 || end <= pastEnd) return;
    ui.timeWindow = { from: window.from, to: end - 1 };
  });

  /** What stood before the replay, and when the console began it. */
  let before: TimeWindow | null = null;
  const startedAt = shallowRef(0);
  const cameMeanwhile = computed(() => {
    void mirror.tableRevision;
    if (!replaying.value) return 0;
    let came = 0;
    for (const at of mirror.table.columns.arrivedAt) if (at > startedAt.value) came += 1;
    return came;
  });

  const reducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)');
  const still = computed(() => reducedMotion.value || mirror.preferences?.motion === 'reduced');
  function show(): void {
    following.drop();
    const shown = replays.shownOf(replay.value, tail.value);
    if (shown === null) return;
    ui.timeWindow = shown;
    followed.value = true;
  }
  /** How long list and page took to be drawn after a running replay had moved on, in milliseconds. */
  let drawMs = 0;
  // In a task of its own: list and map in the head's own frame would hold that frame up.
  const following = paced({ leastMs: () => followFor(drawMs), restMs: () => 0 }, () => {
    const from = performance.now();
    show();
    // The second frame comes when the first one has been drawn.
    frames.request(() => {
      frames.request(() => {
        drawMs = performance.now() - from;
      });
    });
  });
  const loop = ticker(
    frames,
    () => (still.value ? stillMs : 0),
    (elapsed) => {
      replay.value = replays.advance(replay.value, elapsed, speed.value);
      if (replay.value.state === 'playing') following.ask();
      else set(replay.value);
    },
  );

  /** Goes on with another state of the replay; list and map show it at once. */
  function set(next: replays.Replay): void {
    replay.value = next;
    if (next.state === 'playing') loop.start();
    else loop.stop();
    show();
  }

  /** Replays the brushed period, or the whole range. */
  function start(): void {
    dropBrush();
    before = ui.timeWindow;
    startedAt.value = clock.serverNow();
    replay.value = replays.start(period.value);
    loop.start();
    // The bar says at once that it began; the list is emptied after it.
    following.ask();
  }
  /** Leaves the replay: what was shown before it is shown again. */
  function stop(): void {
    if (!replaying.value) return;
    forget();
    ui.timeWindow = before;
  }
  function forget(): void {
    dropBrush();
    following.drop();
    loop.stop();
    replay.value = replays.off;
    followed.value = false;
  }
  const seek = (at: number): void => {
    set(replays.seek(replay.value, at));
  };
  /** To the next edge of a bin, or the one before. */
  function step(direction: 1 | -1): void {
    const now = replay.value;
    if (now.state === 'off') return;
    const next =
      direction === 1
        ? edges.value.find((edge) => edge - 1 > now.at)
        : edges.value.findLast((edge) => edge - 1 < now.at);
    seek(next === undefined ? (direction === 1 ? now.to : now.from) : next - 1);
  }

  watch(tail, show);
  // Another range is another question: a part of the old one would leave nothing of it, and nobody would see why.
  watch(
    () => mirror.incidents?.query.range,
    (_, past) => {
      if (past === undefined) return;
      forget();
      clearWindow();
    },
  );
  // A replay that goes on would change the window of the next operator.
  onScopeDispose(forget);

  return {
    width,
    raised,
    calendar,
    edges,
    bins,
    counted,
    countedOpen,
    brush,
    brushed,
    brushedPeriod,
    narrowed,
    shown,
    held,
    setBrush,
    clearWindow,
    replay,
    replaying,
    followed,
    tail,
    speed,
    chosenSpeed,
    period,
    cameMeanwhile,
    start,
    stop,
    play: () => {
      set(replays.play(replay.value));
    },
    pause: () => {
      set(replays.pause(replay.value));
    },
    seek,
    step,
  };
});
