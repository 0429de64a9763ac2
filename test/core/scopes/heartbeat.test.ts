import { afterEach, expect, it } from 'vitest';
import type { Push } from '../../../src-preload/contract/index.ts';
import { openConsole, type OpenConsole } from './appFixtures.ts';

/**
 * Both hosts take a page for dead that leaves a push unanswered for 20 s (hosts/recovery/heartbeat.ts).
 * That notices a death soon only as long as every page is told something often.
 */
let open: OpenConsole | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

it.each(['at the sign-in page', 'signed in', 'locked'] as const)(
  'a page %s is told of the time at least every 10 s',
  async (where) => {
    open = await openConsole();
    const { console, ports } = open;
    if (where !== 'at the sign-in page') expect((await open.signIn()).ok).toBe(true);
    if (where === 'locked') expect((await open.call('lock', {})).ok).toBe(true);
    const told: number[] = [];
    const subscription = console.subscribe((push: Push) => {
      if (push.slices.time) told.push(ports.clock.elapsed());
      subscription.answer({ kind: 'acknowledge', epoch: push.epoch, revision: push.revision });
    });
    await ports.clock.advance(60_000);
    subscription.close();
    const gaps = told.slice(1).map((at, index) => at - (told[index] ?? 0));
    expect(told.length).toBeGreaterThanOrEqual(6);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(10_500);
  },
);
