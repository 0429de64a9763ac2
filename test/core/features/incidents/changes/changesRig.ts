import { UnseenChanges } from '../../../../../src-main/core/features/incidents/changes/unseenChanges.ts';
import type { IncidentRecord } from '../../../../../src-main/core/state/incident.ts';
import { testStart } from '../../../../support/clock.ts';
import { accountLife } from '../../../accountLife.ts';
import { createFeatureRig } from '../../../featureRig.ts';
import { MemoryRecords } from '../../../memoryRecords.ts';

/** When the vault began to watch. */
export const watched = testStart;

/** A console at work on a vault with these documents; what the cache held is there before anything is read. */
export async function begun(
  texts: Map<string, string>,
  cached: readonly IncidentRecord[] = [],
  ready: Promise<void> = Promise.resolve(),
) {
  const rig = createFeatureRig();
  const { store } = rig;
  await store.restore(
    cached.map((one) => ({
      record: one,
      firstSeenAt: 1,
      lastSeenAt: 1,
      arrivedAt: 0,
      notReturnedSince: null,
    })),
  );
  const feature = accountLife(rig, (opening) => new UnseenChanges({ ...rig, ...opening }));
  const started = feature.start(Object.assign(new MemoryRecords(texts), { ready }));
  const read = (one: IncidentRecord, arrivedAt = 0) =>
    store.applyRows({
      upserts: [{ record: one, sighting: { seenAt: 2, arrivedAt } }],
      removals: [],
    });
  const shown = () => {
    const { changed, fresh } = store.slice('changes');
    return { changed: changed.map(({ id }) => id), fresh };
  };
  return { store, feature, read, started, shown };
}
