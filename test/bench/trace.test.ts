import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  frameInterval,
  longestTask,
  readTrace,
  toNextPaint,
  toShown,
  type PageTrace,
  type TraceEvent,
} from './trace.ts';

/**
 * Recorded with Chromium 156 while two keys were pressed in the search box under load, cut down to what the
 * reader looks at; the mark of the observer was put ten milliseconds after the first key.
 */
const recorded = async (): Promise<TraceEvent[]> =>
  JSON.parse(
    await readFile(new URL('../fixtures/bench/trace.json', import.meta.url), 'utf8'),
  ) as TraceEvent[];
const without = (events: readonly TraceEvent[], name: string): PageTrace =>
  readTrace(events.filter((event) => event.name !== name));

test('an input counts from its arrival to the presentation that the browser noted', async () => {
  const trace = readTrace(await recorded());
  expect(toNextPaint(trace, 'keydown')).toEqual([454.096, 858.56]);
  expect(toNextPaint(trace, 'KEY_PRESSED').map(Math.round)).toEqual([454, 859]);
  expect(toNextPaint(trace, 'pointerup')).toEqual([]);
});

test('what was shown later counts to the first frame made after it, and not to a forked one', async () => {
  const trace = readTrace(await recorded());
  expect(trace.frames).toHaveLength(2);
  expect(toShown(trace, 'keydown').map((ms) => ms.toFixed(1))).toEqual(['454.1']);
  expect(toShown(without(await recorded(), 'bench-shown'), 'keydown')).toEqual([]);
  expect(frameInterval(trace)).toBeCloseTo(311.6, 1);
  expect(frameInterval(without(await recorded(), 'Commit'))).toBeNaN();
});

test('another process’s reports, forked ones and ends without a beginning change nothing', async () => {
  const events = await recorded();
  const trace = readTrace(events);
  const report = events.find(({ name, ph }) => name === 'PipelineReporter' && ph === 'b');
  const ended = events.find(({ name, ph }) => name === 'EventLatency' && ph === 'e');
  if (!report || !ended) throw new Error('The recording has no reports');
  const forked = { frame_sequence: 2042, frame_type: 'FORKED', state: 'STATE_PRESENTED_ALL' };
  const more: TraceEvent[] = [
    { ...report, id2: { local: 'f' }, args: { frame_reporter: forked } },
    { ...ended, name: report.name, id2: { local: 'f' }, ts: ended.ts + 5_000_000 },
    { ...ended, ts: ended.ts + 1 },
  ];
  expect(readTrace([...events, ...more])).toEqual(trace);
  const stranger = { frame_sequence: 2042, state: 'STATE_PRESENTED_ALL' };
  const theirs = ['b', 'e'].map((ph) => ({
    ...report,
    ph,
    pid: 1,
    ts: report.ts + 1,
    args: { frame_reporter: stranger },
  }));
  expect(readTrace([...events, ...theirs])).toEqual(trace);
});

test('a stall is the page’s own: neither another process’s nor what came before the marks', async () => {
  const events = await recorded();
  expect(longestTask(readTrace(events))).toBeCloseTo(103.6, 1);
  const marks = events.filter(({ name }) => name.startsWith('bench-'));
  const [first] = marks;
  if (!first) throw new Error('The recording has no marks');
  const earlier = { ...first, name: 'RunTask', ph: 'X', ts: first.ts - 900_000, dur: 800_000 };
  expect(longestTask(readTrace([...events, earlier]))).toBeCloseTo(103.6, 1);
  expect(longestTask(readTrace(marks))).toBe(0);
});

test('what Playwright does in the page to find a button is no stall of the page', async () => {
  const events = await recorded();
  const before = longestTask(readTrace(events));
  const task = events.find(({ name, dur }) => name === 'RunTask' && dur === before * 1000);
  if (!task) throw new Error('The recording has no task');
  const message = (tag: string): TraceEvent => ({
    ...task,
    name: 'Receive mojo message',
    ts: task.ts + 40,
    dur: (task.dur ?? 0) - 50,
    args: { chrome_mojo_event_info: { mojo_interface_tag: tag } },
  });
  expect(longestTask(readTrace([...events, message('blink.mojom.FrameWidget')]))).toBe(before);
  expect(longestTask(readTrace([...events, message('blink.mojom.DevToolsSession')]))).toBeLessThan(before);
});

test('a trace without the marks is no trace of the bench', () => {
  expect(() => readTrace([])).toThrow('marks');
});
