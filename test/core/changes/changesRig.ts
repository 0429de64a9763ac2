import { UnseenChanges } from '../../../src-main/core/changes/unseenChanges.ts';
import type { IncidentRecord } from '../../../src-main/core/domain/incident.ts';
import { createVirtualClock } from '../../support/clock.ts';
import { createRecordingLogger } from '../../support/ports.ts';
import { MemoryActions } from '../memoryActions.ts';
import { createTestStore } from '../store/storeFixtures.ts';

const clock = createVirtualClock();
/** When the vault began to watch. */
export const watched = clock.wallNow();

/** A console at work on a vault with these documents; what the cache held is there before anything is read. */
export async function begun(
  texts: Map<string, string>,
  cached: readonly IncidentRecord[] = [],
  ready: Promise<void> = Promise.resolve(),
) {
  const store = createTestStore();
  await store.restore(
    cached.map((one) => ({
      record: one,
      firstSeenAt: 1,
      lastSeenAt: 1,
      arrivedAt: 0,
      notReturnedSince: null,
    })),
  );
  const desk = new UnseenChanges({
    store,
    clock,
    logger: createRecordingLogger(),
    stationTime: { stationNow: () => clock.wallNow() },
  });
  const started = desk.start(Object.assign(new MemoryActions(texts), { ready }));
  const read = (one: IncidentRecord, arrivedAt = 0) =>
    store.applyRows({
      upserts: [{ record: one, sighting: { seenAt: 2, arrivedAt } }],
      removals: [],
    });
  return { store, desk, read, started, shown: () => store.slice('changes') };
}
