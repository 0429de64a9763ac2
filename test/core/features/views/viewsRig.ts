import { Views } from '../../../../src-main/core/features/views/views.ts';
import { workspaceSchema } from '../../../../src-preload/contract/index.ts';
import { accountLife } from '../../accountLife.ts';
import { createFeatureRig, type FeatureRigOptions } from '../../featureRig.ts';
import { MemoryRecords } from '../../memoryRecords.ts';

/** A workspace that is not begun yet. */
export function createWorkspaceRig(options: FeatureRigOptions = {}) {
  const rig = createFeatureRig(options);
  const { store } = rig;
  const feature = accountLife(
    rig,
    (opening) =>
      new Views({ ...rig, ...opening }, (query) => {
        store.patch('incidents', { query });
      }),
  );
  return {
    ...rig,
    feature,
    shown: () => workspaceSchema.parse(store.slice('workspace')),
    query: () => store.slice('incidents').query,
    views: () => store.slice('workspace').views,
    names: () => store.slice('workspace').views.map(({ name }) => name),
  };
}

/** The same at work on a vault with these documents. */
export async function begunWorkspace(texts = new Map<string, string>(), options: FeatureRigOptions = {}) {
  const made = createWorkspaceRig(options);
  const records = new MemoryRecords(texts);
  await made.feature.start(records);
  return { ...made, records, texts };
}
