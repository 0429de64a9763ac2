import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { nextTick, watch } from 'vue';
import { defaultPreferences } from '../../../../src-main/core/features/preferences/preferences.ts';
import {
  encodeIncidentFrame,
  type ConsoleState,
  type Range,
} from '../../../../src-preload/contract/index.ts';
import { useMirror } from '../../../../src-renderer/base/stores/mirror.ts';
import { useUi } from '../../../../src-renderer/base/stores/ui.ts';
import { useRows } from '../../../../src-renderer/features/incidents/rowsStore.ts';
import { useTimeline } from '../../../../src-renderer/features/timeline/timelineStore.ts';
import { createPage } from '../../pageRig.ts';
import { FrameMaker, type ModelRow } from '../../table/frames.ts';

const [minute, hour] = [60_000, 3_600_000];
const now = Date.UTC(2026, 10, 20, 12);

const row = (key: number, createdAt: number, change: Partial<ModelRow> = {}): ModelRow => ({
  key,
  id: `incident-${key}`,
  severity: 'low',
  status: 'open',
  type: 'fire',
  createdAt,
  latitude: 1,
  longitude: 2,
  arrivedAt: now - hour,
  evidenceCount: 0,
  anchorCount: 0,
  notReturned: 0,
  ...change,
});
/** One a half hour, and one without a place. */
const rows = [
  ...Array.from({ length: 48 }, (_, index) => row(index + 1, now - index * 30 * minute - minute)),
  row(900, now - 90 * minute, { latitude: NaN, longitude: NaN, severity: 'critical' }),
];

let frames: ((now: number) => void)[] = [];
let clock = 0;
beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: (at: number) => void) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', (handle: number) => {
    frames[handle - 1] = () => undefined;
  });
  // After the page is gone, which lets its last frame go.
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});
function frame(ms = 16): void {
  clock += ms;
  const due = frames;
  frames = [];
  for (const callback of due) callback(clock);
  vi.advanceTimersByTime(ms);
}

function open() {
  const page = createPage();
  const stores = page.run(() => ({
    mirror: useMirror(),
    ui: useUi(),
    rows: useRows(),
    timeline: useTimeline(),
  }));
  const maker = new FrameMaker();
  let revision = 0;
  const send = async (slices: Partial<ConsoleState>, held: readonly ModelRow[] | null = null) => {
    revision += 1;
    const incidents = held === null ? null : encodeIncidentFrame(maker.frame(held, revision === 1));
    page.push({ epoch: 'a', revision, base: revision === 1 ? null : revision - 1, slices, incidents });
    await nextTick();
  };
  const meta = (range: Range) =>
    ({
      query: { range, severities: [], statuses: [], types: [], openOnly: false },
    }) as unknown as ConsoleState['incidents'];
  const time = (serverNow: number) => ({ serverNow, verified: true, skewMs: 0 }) as ConsoleState['time'];
  const session = (vault: 'open' | 'closed') =>
    ({ vault, username: 'kim', session: { state: 'active', expiresAt: 1 } }) as ConsoleState['session'];
  return { ...stores, send, meta, time, session };
}

async function opened() {
  const page = open();
  const { send, meta, time, session } = page;
  await send(
    { session: session('open'), incidents: meta('24h'), time: time(now), preferences: defaultPreferences },
    rows,
  );
  page.timeline.width = 600;
  return page;
}

describe('the brush', () => {
  it('is moved at once, and list and map are filtered after it, once a frame however often it is moved', async () => {
    const { timeline, ui, rows: shown } = await opened();
    expect(timeline.counted.largest).toBeGreaterThan(0);
    expect(shown.inRange).toHaveLength(rows.length);
    const all = shown.everywhere.length;
    const windows = new Set<unknown>();
    watch(
      () => ui.timeWindow,
      (window) => windows.add(window),
      { flush: 'sync' },
    );
    for (let end = 10; end > 3; end -= 1) timeline.setBrush({ first: 0, end });
    expect(timeline.brush, 'at once').toEqual({ first: 0, end: 4 });
    expect(ui.timeWindow, 'in a task of its own').toBeNull();
    vi.advanceTimersByTime(0);
    expect(timeline.brush).toEqual({ first: 0, end: 4 });
    const first = ui.timeWindow;
    expect(first).not.toBeNull();
    for (let end = 4; end > 2; end -= 1) timeline.setBrush({ first: 0, end });
    vi.advanceTimersByTime(0);
    expect(ui.timeWindow, 'once a frame').toBe(first);
    frame();
    expect(timeline.brush).toEqual({ first: 0, end: 3 });
    expect(windows.size).toBe(2);
    expect(shown.everywhere.length).toBeLessThan(all);
    expect(shown.inRange, 'the bars stay').toHaveLength(rows.length);
    timeline.setBrush({ first: 0, end: 5 });
    timeline.clearWindow();
    frame();
    frame();
    expect(shown.everywhere, 'nothing comes after it').toHaveLength(all);
    expect(timeline.brush).toEqual({ first: 0, end: timeline.bins });
  });

  it('counts what has no place on the map, in whatever part of the time it lies', async () => {
    const { timeline, rows: shown } = await opened();
    const counted = (): number => timeline.held.reduce((all, one) => all + one, 0);
    expect(shown.rows).toHaveLength(rows.length);
    expect(shown.mapRows).toHaveLength(rows.length - 1);
    expect(shown.notOnMap).toBe(1);
    expect(counted(), 'with the one').toBe(rows.length);
    const at = timeline.bins - 1;
    timeline.setBrush({ first: 0, end: at - 12 });
    frame();
    expect(shown.notOnMap).toBe(0);
    expect(counted(), 'without it').toBe(shown.rows.length);
    expect(counted()).toBeGreaterThan(0);
  });

  it('that reaches to the present goes on with it, another stays', async () => {
    const { timeline, ui, send, time } = await opened();
    timeline.setBrush({ first: 2, end: timeline.bins });
    frame();
    const before = ui.timeWindow;
    await send({ time: time(now + hour) });
    expect(ui.timeWindow?.from).toBe(before?.from);
    expect(ui.timeWindow?.to).toBe((before?.to ?? 0) + hour);
    timeline.setBrush({ first: 2, end: 9 });
    frame();
    const fixed = ui.timeWindow;
    await send({ time: time(now + 2 * hour) });
    expect(ui.timeWindow).toEqual(fixed);
  });

  it('does not outlive the range that it was a part of', async () => {
    const { timeline, ui, send, meta } = await opened();
    timeline.setBrush({ first: 0, end: 4 });
    frame();
    await send({ incidents: meta('1h') });
    expect(ui.timeWindow).toBeNull();
  });
});

describe('a replay', () => {
  it('shows more and more of the brushed period, waits, and leaves what was there', async () => {
    const { timeline, ui, rows: shown } = await opened();
    timeline.setBrush({ first: 4, end: 20 });
    frame();
    const before = ui.timeWindow;
    timeline.start();
    vi.advanceTimersByTime(0);
    expect(ui.timeWindow).toEqual({ from: before?.from, to: before?.from });
    const counts = [shown.everywhere.length];
    for (let step = 0; step < 40; step += 1) {
      frame(100);
      counts.push(shown.everywhere.length);
    }
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts.at(-1)).toBeGreaterThan(counts[0] ?? 0);
    timeline.pause();
    const waits = ui.timeWindow;
    frame(5_000);
    frame(5_000);
    expect(ui.timeWindow).toEqual(waits);
    timeline.step(1);
    expect(ui.timeWindow?.to).toBeGreaterThan(waits?.to ?? 0);
    expect(timeline.edges).toContain((ui.timeWindow?.to ?? 0) + 1);
    timeline.stop();
    expect(ui.timeWindow).toEqual(before);
    expect(timeline.replaying).toBe(false);
  });

  it('filters ten times a second at most, while its hand moves with every frame', async () => {
    const { timeline, ui } = await opened();
    timeline.start();
    const windows = new Set<unknown>();
    const hands = new Set<unknown>();
    for (let step = 0; step < 60; step += 1) {
      frame(16);
      windows.add(ui.timeWindow);
      hands.add(timeline.replay);
    }
    expect(hands.size).toBeGreaterThan(50);
    expect(windows.size).toBeLessThan(12);
    expect(windows.size).toBeGreaterThan(6);
  });

  it('filters in a task of its own, not in the frame in which its hand moves', async () => {
    const { timeline, ui } = await opened();
    timeline.start();
    frame(200);
    const before = ui.timeWindow;
    const due = frames;
    frames = [];
    for (const callback of due) callback((clock += 200));
    expect(timeline.replay).toMatchObject({ state: 'playing' });
    expect(ui.timeWindow).toBe(before);
    vi.advanceTimersByTime(100);
    expect(ui.timeWindow?.to).toBeGreaterThan(before?.to ?? Infinity);
  });

  it('counts what comes meanwhile', async () => {
    const { timeline, send, time } = await opened();
    timeline.start();
    expect(timeline.arrivedMeanwhile).toBe(0);
    await send({ time: time(now + minute) }, [row(901, now, { arrivedAt: now + minute })]);
    expect(timeline.arrivedMeanwhile).toBe(1);
  });

  it('does not bring back one operator’s window to the next', async () => {
    const { timeline, ui, send, session } = await opened();
    timeline.setBrush({ first: 0, end: 4 });
    frame();
    timeline.start();
    await send({ session: session('closed') });
    ui.reset();
    timeline.stop();
    frame(1_000);
    frame(1_000);
    expect(timeline.replaying).toBe(false);
    expect(ui.timeWindow).toBeNull();
  });
});
