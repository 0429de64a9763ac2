import { expect, it } from 'vitest';
import { record } from '../../../state/storeFixtures.ts';
import { begun } from './changesRig.ts';

it('waits with any number of incidents for its document', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { store, started, shown } = await begun(new Map(), [], promise);
  await store.applyRows({
    upserts: Array.from({ length: 600_000 }, (_, at) => ({
      record: record(`live-${at}`),
      sighting: { seenAt: 2, arrivedAt: 7 },
    })),
    removals: [],
  });
  resolve();
  await started;
  expect(shown().fresh.at(-1)).toBe('live-599999');
});
