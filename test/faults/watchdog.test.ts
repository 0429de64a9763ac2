import process from 'node:process';
import { expect, it } from 'vitest';
import { seeded, type Seeded } from '../../src-main/training/seeded.ts';
import { campaignTimeoutMs, casesOf, runCampaign } from '../support/campaign.ts';
import { tellStory } from './support/story.ts';
import { troubles } from './support/troubles.ts';
import { openWatch, type Watch } from './support/watch.ts';

const minute = 60_000;
const hour = 60 * minute;
const hours = casesOf({ whole: 72, part: 2 });

it(
  'after every fault of the training service, in random order, the console is consistent with it by itself',
  async () => {
    await runCampaign({ name: 'watchdog', whole: 4, part: 1 }, async (draw) => {
      const began = performance.now();
      await watching(draw, async (watch) => {
        await watch.signInIfEnded();
        const from = watch.scene.clock.elapsed();
        const story = await tellStory(watch, draw, hours * hour);
        const { counts, world } = watch;
        const driven = [...story.driven.values()].reduce((sum, count) => sum + count, 0);
        const passed = (watch.scene.clock.elapsed() - from) / hour;
        process.stdout.write(
          `watchdog: ${passed.toFixed(1)} virtual hours (a poll every 15 s) in ${((performance.now() - began) / 1000).toFixed(1)} s, ` +
            `${String(driven)} faults of ${String(story.driven.size)} kinds, ${String(counts.requests)} requests, ` +
            `${String(counts.logins)} logins, ${String(counts.signIns)} sign-ins by hand, ` +
            `at most ${String(counts.mostRequestsPerMinute)} requests and ${String(counts.mostLoginsPerMinute)} ` +
            `logins a minute, ${String(world.peaks.timers)} timers, ${String(world.peaks.requests)} at once, ` +
            `${String(story.calms)} calms, back within ${(story.longestReturnMs / minute).toFixed(1)} minutes ` +
            `(${(story.longestSlowReturnMs / minute).toFixed(1)} where an hour is by design), ` +
            `digest ${watch.digest()}\n`,
        );
        expect([...story.driven.keys()].sort()).toEqual(troubles.map(({ name }) => name).sort());
        expect(counts.rejections).toBe(0);
        // Everything is read anew within a minute where windows are not followed any more, or again.
        expect(counts.mostRequestsPerMinute).toBeLessThanOrEqual(200);
        // The shortest token that is driven lives 5 s.
        expect(counts.mostLoginsPerMinute).toBeLessThanOrEqual(15);
        expect(world.peaks.timers).toBeLessThanOrEqual(40);
        expect(world.peaks.requests).toBeLessThanOrEqual(16);
      });
      return 'consistent';
    });
  },
  campaignTimeoutMs,
);

async function watching<T>(draw: Seeded, use: (watch: Watch) => Promise<T>): Promise<T> {
  const watch = await openWatch(draw);
  try {
    return await use(watch);
  } finally {
    await watch.close();
  }
}

it('the watchdog tells the same story again for the same seed, to the millisecond of every request', async () => {
  const tell = (): Promise<string> =>
    watching(seeded(7, 'replay'), async (watch) => {
      await watch.signInIfEnded();
      await tellStory(watch, seeded(8, 'replay'), hour / 2, { each: false });
      return watch.digest();
    });
  expect(await tell()).toBe(await tell());
});

it('a scope that is withdrawn is asked for again with the next token, and not before', async () => {
  await watching(seeded(1, 'scope'), async ({ scene, world, signInIfEnded, untilConsistent }) => {
    const asked = (): number => scene.training.counts.requests['GET /incidents'] ?? 0;
    await scene.set({ tokenLifetimeSeconds: 900 });
    await signInIfEnded();
    await untilConsistent(10 * minute);
    await scene.set({ incidentScope: false });
    await world.advance(minute);
    const before = asked();
    await world.advance(8 * minute);
    expect(asked()).toBe(before);
    await scene.set({ incidentScope: true });
    await untilConsistent(10 * minute);
  });
});

it('tokens that end while several requests are under way cost one login', async () => {
  await watching(seeded(2, 'revoked'), async ({ scene, world, counts, signInIfEnded, untilConsistent }) => {
    await signInIfEnded();
    await untilConsistent(10 * minute);
    await scene.set({ latencyMs: 14_000 });
    await world.advance(2 * minute);
    const before = counts.logins;
    scene.training.revokeTokens();
    await world.advance(4 * minute);
    expect(counts.logins).toBe(before + 1);
  });
});

it.each([25, 48])(
  'a service clock that was %i h ahead, and is right again, leaves nothing waiting for that time',
  async (ahead) => {
    await watching(
      seeded(3, 'ahead'),
      async ({ scene, world, signInIfEnded, untilConsistent, expectQuietMinutes }) => {
        await signInIfEnded();
        await untilConsistent(10 * minute);
        await scene.set({ clockOffsetMs: ahead * hour });
        await untilConsistent(10 * minute, { serviceAheadMs: ahead * hour });
        expect((await scene.refresh()).ok).toBe(true);
        // What fails now is put off, by the service's clock as it is now.
        const takeBack = scene.training.failNext(50, 'wrong-types', '/incidents');
        await world.advance(10 * minute);
        takeBack();
        await scene.set({ timestampUnit: 'milliseconds' });
        await world.advance(10 * minute);
        await scene.set({ timestampUnit: 'seconds', clockOffsetMs: 0 });
        await untilConsistent(90 * minute);
        await expectQuietMinutes();
      },
    );
  },
);
