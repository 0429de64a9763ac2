import { afterEach, expect, it, vi } from 'vitest';
import { span } from '../../../../src-renderer/base/format.ts';
import { useClock } from '../../../../src-renderer/base/stores/clock.ts';
import { useLive } from '../../../../src-renderer/base/stores/live.ts';
import { createPage } from '../../pageRig.ts';

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
  expect(span(until - clock.second), 'a countdown').toBe('57 s');
  expect(live.frozen).toBe(true);
  link({ state: 'up' });
  tell(start + 603_000);
  vi.advanceTimersByTime(1_000);
  expect(clock.second).toBe(start + 604_000);
  expect(live.frozen).toBe(false);
});
