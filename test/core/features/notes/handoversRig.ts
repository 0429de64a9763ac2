import type {
  HandoverFiles,
  HandoverText,
} from '../../../../src-main/core/features/notes/handover/handoverFiles.ts';
import {
  Handovers,
  type GivenHandover,
} from '../../../../src-main/core/features/notes/handover/handovers.ts';
import { HandoverRepository } from '../../../../src-main/core/features/notes/handover/handoverRepository.ts';
import { StorageError } from '../../../../src-main/core/vault/storage.ts';
import { handoversSchema } from '../../../../src-preload/contract/index.ts';
import { momentsOf } from '../../../../src-main/core/base/failure.ts';
import { accountLife } from '../../accountLife.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { english } from '../../../../src-main/core/base/messages/message.ts';

/** What lies on one computer. `fault` meets the next calls: a text other than these, a shut key store, a full disk. */
export class MemoryHandovers implements HandoverFiles {
  readonly texts = new Map<string, string>();
  readonly aside: string[] = [];
  fault: 'none' | 'damaged' | 'shut' | 'full' = 'none';

  read(deployment: string): Promise<HandoverText> {
    if (this.fault === 'full') return Promise.reject(new StorageError('full', 'ENOSPC'));
    if (this.fault !== 'none') return Promise.resolve({ kind: this.fault });
    const text = this.texts.get(deployment);
    return Promise.resolve(text === undefined ? { kind: 'none' } : { kind: 'text', text });
  }

  write(deployment: string, text: string): Promise<'written' | 'shut'> {
    if (this.fault === 'full') return Promise.reject(new StorageError('full', 'ENOSPC'));
    if (this.fault === 'shut') return Promise.resolve('shut');
    this.texts.set(deployment, text);
    return Promise.resolve('written');
  }

  setAside(deployment: string): Promise<void> {
    this.aside.push(this.texts.get(deployment) ?? '');
    this.texts.delete(deployment);
    this.fault = 'none';
    return Promise.resolve();
  }
}

export const harbour = 'a'.repeat(32);
export const airport = 'b'.repeat(32);

/** The handovers of a deployment after a start of the console. `files` null: nothing is stored of it. */
export function openHandovers(
  options: {
    readonly files?: MemoryHandovers | null;
    readonly deployment?: string;
    readonly verified?: boolean;
    readonly seed?: number;
  } = {},
) {
  const { files = new MemoryHandovers(), deployment = harbour, verified = true, seed = 1 } = options;
  const rig = createFeatureRig({ seed });
  const { clock, store, logger } = rig;
  const notices: string[] = [];
  const taken: string[] = [];
  const time = { verified, ahead: 0 };
  const context = { ...rig, ...momentsOf(() => clock.wallNow() + time.ahead) };
  context.on('shift-line', ({ subject }) => taken.push(subject ?? ''));
  const repository = new HandoverRepository(
    {
      ...context,
      serverTime: { verified: () => time.verified },
      vault: { note: (notice) => notices.push(english(notice)) },
    },
    files,
    deployment,
  );
  const feature = accountLife(rig, (opening) => new Handovers({ ...context, ...opening }, repository));
  // Somebody who neither gives one nor takes one over.
  void feature.start(null, 'on duty');
  return {
    feature,
    files,
    clock,
    time,
    logger,
    notices,
    taken,
    shown: () => handoversSchema.parse(store.slice('handovers')),
    /** What an operator sees who signs in after another one. */
    seenBy: async (username: string) => {
      await feature.stop();
      await feature.start(null, username);
      return handoversSchema.parse(store.slice('handovers'));
    },
  };
}

export const given = (from: string, change: Partial<GivenHandover> = {}): GivenHandover => ({
  from,
  summary: 'The levee is watched.',
  successor: 'Night shift',
  counts: { decision: 0, alarm: 0, mission: 0, upload: 0, incident: 0 },
  actions: [],
  shift: 1,
  ...change,
});
