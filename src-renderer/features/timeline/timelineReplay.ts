import { useMediaQuery } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue';
import { ticker, type FrameSource } from '../../base/frames.ts';
import { followFor, paced } from '../../base/pace.ts';
import { useClock } from '../../base/stores/clock.ts';
import { useMirror } from '../../base/stores/mirror.ts';
import { useUi, type TimeWindow } from '../../base/stores/ui.ts';
import * as replays from './replay.ts';

interface TimelineReplayOptions {
  readonly frames: FrameSource;
  readonly edges: ComputedRef<Float64Array>;
  readonly range: ComputedRef<replays.Period>;
  /** Forgets what the brush was moved to last. */
  readonly dropBrush: () => void;
}

/** With reduced motion the replay moves in steps this far apart, in milliseconds. */
const stillMs = 1_000;

/**
 * Shows what a running replay has come to, as often as list and page can be drawn. In a separate task: list and map in
 * the frame of the bar's head would hold that frame up.
 */
function followedBy(show: () => void, frames: FrameSource) {
  /** How long list and page took to be drawn the last time, in milliseconds. */
  let drawMs = 0;
  return paced({ leastMs: () => followFor(drawMs), restMs: () => 0 }, () => {
    const from = performance.now();
    show();
    // The second frame comes when the first one has been drawn.
    frames.request(() => {
      frames.request(() => {
        drawMs = performance.now() - from;
      });
    });
  });
}

/** How many incidents came since the console began a replay; 0 while there is none. */
function useArrivedMeanwhile(replaying: ComputedRef<boolean>) {
  const mirror = useMirror();
  const clock = useClock();
  const startedAt = shallowRef(0);
  const arrivedMeanwhile = computed(() => {
    void mirror.tableRevision;
    if (!replaying.value) return 0;
    let arrived = 0;
    for (const at of mirror.table.columns.arrivedAt) if (at > startedAt.value) arrived += 1;
    return arrived;
  });
  return {
    arrivedMeanwhile,
    begin: (): void => {
      startedAt.value = clock.serverNow();
    },
  };
}

/** What is replayed, how far it is, how fast it runs. */
function useReplayState(range: ComputedRef<replays.Period>) {
  const ui = useUi();
  const replay = shallowRef<replays.Replay>(replays.off);
  const tail = shallowRef<replays.Tail>(null);
  /** Null for the one that fits the period. */
  const chosenSpeed = shallowRef<replays.Speed | null>(null);
  const period = computed<replays.Period>(() =>
    replay.value.state === 'off'
      ? (ui.timeWindow ?? { from: range.value.from, to: range.value.to - 1 })
      : replay.value,
  );
  const speed = computed(() => chosenSpeed.value ?? replays.fittingSpeed(period.value));
  const replaying = computed(() => replay.value.state !== 'off');
  return { replay, tail, chosenSpeed, period, speed, replaying };
}

/** The next edge of a bin from where a replay is, or the one before; the end or the beginning where there is none. */
function edgeBeside({ from, to, at }: replays.RunningReplay, edges: Float64Array, direction: 1 | -1): number {
  const edge =
    direction === 1 ? edges.find((edge) => edge - 1 > at) : edges.findLast((edge) => edge - 1 < at);
  return edge === undefined ? (direction === 1 ? to : from) : edge - 1;
}

/** The replay (replay.ts) as it runs in this page: its head moves with the frames, and the time window follows it. */
export function useTimelineReplay({ frames, edges, range, dropBrush }: TimelineReplayOptions) {
  const mirror = useMirror();
  const ui = useUi();

  const { replay, tail, chosenSpeed, period, speed, replaying } = useReplayState(range);
  /** Whether what the list shows is of the replay: it follows the bar after a moment. */
  const followed = shallowRef(false);
  const { arrivedMeanwhile, begin } = useArrivedMeanwhile(replaying);
  /** What stood before the replay. */
  let before: TimeWindow | null = null;

  function show(): void {
    following.drop();
    const shown = replays.shownOf(replay.value, tail.value);
    if (shown === null) return;
    ui.timeWindow = shown;
    followed.value = true;
  }
  const following = followedBy(show, frames);
  const reducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)');
  const still = computed(() => reducedMotion.value || mirror.preferences?.motion === 'reduced');
  const loop = ticker(
    frames,
    () => (still.value ? stillMs : 0),
    (elapsed) => {
      replay.value = replays.advance(replay.value, elapsed, speed.value);
      if (replay.value.state === 'playing') following.ask();
      else set(replay.value);
    },
  );

  /** Takes the next state of the replay; list and map show it at once. */
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
    begin();
    replay.value = replays.start(period.value);
    loop.start();
    // The bar says at once that it began; the list is emptied after it.
    following.ask();
  }
  /** Ends it; the time window stays where it came to. */
  function forget(): void {
    dropBrush();
    following.drop();
    loop.stop();
    replay.value = replays.off;
    followed.value = false;
  }
  /** Leaves the replay: what was shown before it is shown again. */
  function stop(): void {
    if (!replaying.value) return;
    forget();
    ui.timeWindow = before;
  }
  const seek = (at: number): void => {
    set(replays.seek(replay.value, at));
  };
  function step(direction: 1 | -1): void {
    if (replay.value.state !== 'off') seek(edgeBeside(replay.value, edges.value, direction));
  }

  watch(tail, show);
  // A replay that kept running would change the window of the next operator.
  onScopeDispose(forget);

  return {
    replay,
    tail,
    chosenSpeed,
    period,
    speed,
    replaying,
    followed,
    arrivedMeanwhile,
    start,
    stop,
    forget,
    play: () => {
      set(replays.play(replay.value));
    },
    pause: () => {
      set(replays.pause(replay.value));
    },
    seek,
    step,
  };
}
