import fc from 'fast-check';
import type { HandoverMessages } from '../../../../src-main/core/features/notes/handover/facts.ts';
import type { GivenHandover } from '../../../../src-main/core/features/notes/handover/handovers.ts';
import { Notes } from '../../../../src-main/core/features/notes/notes.ts';
import {
  handoverReportSchema,
  watchSchema,
  type Failure,
  type HandoverReport,
  type Upload,
} from '../../../../src-preload/contract/index.ts';
import { flush } from '../../../support/clock.ts';
import { accountLife } from '../../accountLife.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { said } from '../../../support/messages.ts';

/** Any code units in any order: control characters and lone surrogates too. */
export const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 100 })
  .map((units) => String.fromCharCode(...units));

/** A desk at work for `username` on these actions; null: nothing can be kept. */
export async function begunWatch(
  options: {
    readonly records?: MemoryRecords | null;
    readonly username?: string;
    readonly uploads?: readonly Upload[];
    readonly auditHash?: string | null;
    readonly notStored?: Failure | null;
  } = {},
) {
  const {
    records = new MemoryRecords(),
    username = 'ann',
    uploads = [],
    auditHash = null,
    notStored = null,
  } = options;
  const rig = createFeatureRig();
  const { store } = rig;
  /** What the next operator gets. */
  const given: GivenHandover[] = [];
  const feature = accountLife(
    rig,
    (opening) =>
      new Notes(
        { ...rig, ...opening },
        {
          readUploads: (from, count) => ({ total: uploads.length, items: uploads.slice(from, from + count) }),
          auditHash: () => auditHash,
          handovers: {
            give: (handover) => {
              given.push(handover);
              return Promise.resolve(notStored);
            },
          },
        },
      ),
  );
  await feature.start(records, username);
  await flush();
  return {
    ...rig,
    feature,
    records,
    given,
    shown: () => watchSchema.parse(store.slice('watch')),
    entries: () => feature.readShift(0, 200).entries,
    kinds: () => feature.readShift(0, 200).entries.map(({ kind }) => kind),
    stop: () => feature.stop(),
  };
}

export type WatchRig = Awaited<ReturnType<typeof begunWatch>>;

/** Nothing is written for the next operator. */
export const noWords = { summary: '', successor: '', language: 'en' } as const;

/** What the report says, as the page would fetch it. */
export async function reportOf(
  { feature, downloads }: WatchRig,
  messages: Partial<HandoverMessages> = {},
): Promise<HandoverReport> {
  const handed = await feature.handOver({ ...noWords, ...messages });
  if (!handed.ok) throw new Error(said(handed.failure.sentence));
  const bytes = downloads.take(handed.value.report?.exportId ?? '') ?? new Uint8Array();
  return handoverReportSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
}
