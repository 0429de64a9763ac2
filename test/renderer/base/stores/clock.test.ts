import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { effectScope, nextTick, ref, type ShallowRef } from 'vue';
import { span } from '../../../../src-renderer/base/format.ts';
import { useClock, useSecondAside, useSteadyNow } from '../../../../src-renderer/base/stores/clock.ts';
import { useLive } from '../../../../src-renderer/base/stores/live.ts';
import { createPage } from '../../pageRig.ts';
import { ordinary } from '../../../support/messages.ts';

const start = Date.UTC(2026, 10, 20, 20, 2, 14);

function open() {
  vi.useFakeTimers();
  const page = createPage();
  const stores = page.run(() => ({ clock: useClock(), live: useLive() }));
  const tell = (serverNow: number): void => {
    const time = { serverNow, verified: true, skewMs: 0 };
    page.push({ epoch: 'a', revision: 1, base: null, slices: { time }, incidents: null });
  };
  page.link({ state: 'up' });
  tell(start);
  return {
    ...stores,
    tell,
    lose: () => page.link({ state: 'lost', since: performance.now() }),
    link: page.link,
    run: page.run,
  };
}

afterEach(() => {
  vi.useRealTimers();
});

it('goes on between pushes while the console is there', () => {
  const { clock } = open();
  vi.advanceTimersByTime(3_000);
  expect(clock.second).toBe(start + 3_000);
  expect(clock.serverNow()).toBe(start + 3_000);
});

it('stands at the moment the console was lost, and goes on when it is back', () => {
  const { clock, live, lose, link, tell } = open();
  const until = start + 60_000;
  vi.advanceTimersByTime(3_000);
  lose();
  vi.advanceTimersByTime(600_000);
  expect(clock.second).toBe(start + 3_000);
  expect(clock.decasecond).toBe(start - 4_000);
  expect(clock.serverNow()).toBe(start + 3_000);
  expect(ordinary(span(until - clock.second)), 'a countdown').toBe('57 s');
  expect(live.frozen).toBe(true);
  link({ state: 'up' });
  tell(start + 603_000);
  vi.advanceTimersByTime(1_000);
  expect(clock.second).toBe(start + 604_000);
  expect(live.frozen).toBe(false);
});

it('stands steady while it says the same, and is never a time that says something else of what came since', () => {
  const { run } = open();
  const until = ref(0);
  const said = (now: number): string => (until.value > now ? 'wait' : 'go');
  const steady = run(() => useSteadyNow(said));
  expect(steady.value).toBe(start);
  vi.advanceTimersByTime(60_000);
  expect(steady.value).toBe(start);
  // Over by now, and still to come at the time that stood.
  until.value = start + 30_000;
  expect(steady.value).toBe(start + 60_000);
  until.value = start + 90_000;
  expect(said(steady.value)).toBe('wait');
  vi.advanceTimersByTime(30_000);
  expect(said(steady.value)).toBe('go');
});

it('follows a tenth of a second later for a clock, and at once where the time is another or stands', async () => {
  const { clock, lose, run, tell } = open();
  const scope = effectScope(true);
  onTestFinished(() => {
    scope.stop();
  });
  const aside = run(() => scope.run(useSecondAside)) as Readonly<ShallowRef<number>>;
  const settled = async (): Promise<number> => {
    await nextTick();
    return aside.value;
  };
  expect(await settled(), 'the first time').toBe(start);
  vi.advanceTimersByTime(1_000);
  expect(await settled()).toBe(start);
  vi.advanceTimersByTime(100);
  expect(await settled()).toBe(start + 1_000);
  tell(start + 3_600_000);
  expect(await settled(), 'another time').toBe(start + 3_600_000);
  vi.advanceTimersByTime(950);
  expect(await settled()).toBe(start + 3_600_000);
  lose();
  const stood = clock.second;
  expect(await settled(), 'a time that stands').toBe(stood);
  vi.advanceTimersByTime(5_000);
  expect(await settled()).toBe(stood);
});
