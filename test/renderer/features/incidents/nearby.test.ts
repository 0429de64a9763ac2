import { describe, expect, it } from 'vitest';
import { nextTick } from 'vue';
import { makeFailure } from '../../../../src-main/core/base/failure.ts';
import { encodeIncidentFrame, failed, ok, type NearbyPlace } from '../../../../src-preload/contract/index.ts';
import { nearbyText } from '../../../../src-renderer/features/incidents/nearbyStore.ts';
import { useNearby } from '../../../../src-renderer/features/incidents/nearbyStore.ts';
import { createPage } from '../../pageRig.ts';
import { FrameMaker, type ModelRow } from '../../table/frames.ts';

const vienna: NearbyPlace = { key: 1, town: 'Vienna', country: 'AT', metres: 12_340, from: 'nw' };

describe('the words', () => {
  it.each([
    [vienna, 'metric', '12 km NW of Vienna, AT'],
    [vienna, 'imperial', '8 mi NW of Vienna, AT'],
    [vienna, 'nautical', '7 NM NW of Vienna, AT'],
    [{ ...vienna, from: null }, 'metric', 'Vienna, AT'],
    [{ ...vienna, country: '', metres: 2_213_400, from: 's' }, 'metric', '2,213 km S of Vienna'],
  ] as const)('of %o in %s units are %s', (place, units, words) => {
    expect(nearbyText(place, units)).toBe(words);
  });
});

const row = (key: number, latitude = 48.28): ModelRow => ({
  key,
  id: `one-${key}`,
  severity: 'high',
  status: 'open',
  type: 'fire',
  createdAt: 1,
  latitude,
  longitude: 16.25,
  arrivedAt: 0,
  evidenceCount: 0,
  anchorCount: 0,
  notReturned: 0,
});

/** A page before a console that answers when it is let, and fails while the link is down. */
function open() {
  const asked: (readonly number[])[] = [];
  const answers = { fail: false, town: 'Vienna', held: Promise.resolve() };
  const page = createPage({
    readNearby: async ({ keys }: { keys: readonly number[] }) => {
      asked.push(keys);
      await answers.held;
      return answers.fail
        ? failed(makeFailure({ code: 'internal', at: 0 }))
        : ok({ places: keys.map((key) => ({ ...vienna, key, town: answers.town })) });
    },
  });
  const nearby = page.run(() => useNearby());
  const maker = new FrameMaker();
  let revision = 0;
  const push = (epoch: string, rows: readonly ModelRow[], complete: boolean): void => {
    revision += 1;
    page.push({
      epoch,
      revision,
      base: complete ? null : revision - 1,
      slices: {},
      incidents: encodeIncidentFrame(maker.frame(rows, complete)),
    });
  };
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await nextTick();
  };
  return { nearby, asked, answers, push, settle, link: (state: 'up' | 'connecting') => page.link({ state }) };
}

describe('the places of what is shown', () => {
  it('are asked for once and at once, and forgotten with the epoch', async () => {
    const page = open();
    page.push('first', [row(1), row(2)], true);
    expect([page.nearby.text(1, 48, 16), page.nearby.text(2, 48, 16), page.nearby.text(1, 48, 16)]).toEqual([
      '',
      '',
      '',
    ]);
    await page.settle();
    expect(page.nearby.text(2, 48, 16)).toBe('12 km NW of Vienna, AT');
    expect(page.asked).toEqual([[1, 2]]);
    page.push('second', [row(1)], true);
    expect(page.nearby.text(1, 48, 16)).toBe('');
  });

  it('stay on screen while those of a changed incident are asked for again', async () => {
    const page = open();
    page.push('first', [row(1), row(2)], true);
    page.nearby.nameOf(1);
    page.nearby.nameOf(2);
    await page.settle();
    page.answers.town = 'Graz';
    page.push('first', [row(1, 47)], false);
    expect(page.nearby.nameOf(1)).toBe('12 km NW of Vienna, AT');
    page.nearby.nameOf(2);
    await page.settle();
    expect(page.asked).toEqual([[1, 2], [1]]);
    expect(page.nearby.nameOf(1)).toBe('12 km NW of Graz, AT');
  });

  it('are coordinates where no name can be had, and names when the link is back', async () => {
    const page = open();
    page.push('first', [row(1)], true);
    page.answers.fail = true;
    page.nearby.nameOf(1);
    await page.settle();
    expect(page.nearby.text(1, 48.28, 16.25)).toContain('48.28');
    await page.settle();
    expect(page.asked).toHaveLength(1);
    page.answers.fail = false;
    page.link('up');
    await page.settle();
    page.nearby.nameOf(1);
    await page.settle();
    expect(page.nearby.nameOf(1)).toBe('12 km NW of Vienna, AT');
  });

  it('of more than the console names at a time are asked for in parts', async () => {
    const page = open();
    await page.nearby.load(Array.from({ length: 450 }, (_, at) => at));
    expect(page.asked.map((keys) => keys.length)).toEqual([200, 200, 50]);
    expect(page.nearby.nameOf(449)).toBe('12 km NW of Vienna, AT');
  });

  it('are asked for again after more were named than are kept', async () => {
    const page = open();
    page.nearby.nameOf(1);
    await page.settle();
    await page.nearby.load(Array.from({ length: 20_000 }, (_, at) => at + 2));
    expect(page.nearby.nameOf(20_001)).toBe('12 km NW of Vienna, AT');
    await page.nearby.load([30_000]);
    page.nearby.nameOf(1);
    await page.settle();
    expect(page.nearby.nameOf(1)).toBe('12 km NW of Vienna, AT');
    expect(page.asked.at(-1)).toEqual([1]);
  });

  it('that are asked for already are there when a load is done', async () => {
    const page = open();
    const { promise, resolve } = Promise.withResolvers<void>();
    page.answers.held = promise;
    page.nearby.nameOf(1);
    await page.settle();
    let done = false;
    const loaded = page.nearby.load([1]).then(() => (done = true));
    await page.settle();
    expect(done).toBe(false);
    resolve();
    await loaded;
    expect(page.asked).toEqual([[1]]);
    expect(page.nearby.nameOf(1)).toBe('12 km NW of Vienna, AT');
  });
});
