import { Alarms } from '../../../../src-main/core/features/alarms/alarms.ts';
import { watchForForgetting } from '../../../../src-main/core/features/alarms/forgetting.ts';
import type { ConsoleStore } from '../../../../src-main/core/state/consoleStore.ts';
import type { IncidentRecord } from '../../../../src-main/core/state/incident.ts';
import {
  alarmsSchema,
  sirenSchema,
  type AlarmsState,
  type Health,
  type Level,
  type SirenState,
} from '../../../../src-preload/contract/index.ts';
import { flush, type VirtualClock } from '../../../support/clock.ts';
import type { RecordingLogger } from '../../../support/ports.ts';
import { accountLife, type AccountLife } from '../../accountLife.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { record } from '../../state/storeFixtures.ts';
import { english } from '../../../../src-main/core/base/messages/message.ts';

export interface AlarmRig {
  readonly clock: VirtualClock;
  readonly store: ConsoleStore;
  readonly feature: Alarms & AccountLife;
  /** What was told of acknowledgements: their sentence, with the note, and whether it was taken back. */
  readonly told: string[];
  readonly logger: RecordingLogger;
  alarms(): AlarmsState;
  siren(): SirenState;
  sentences(): string[];
  /** What the service returned: in one change of rows, as just arrived unless it is the `first` reading. */
  rows(records: readonly IncidentRecord[], arrivedAt?: number): Promise<void>;
  /** What the cache gave back, seen an hour ago and at several times since. */
  restore(records: readonly IncidentRecord[]): Promise<void>;
  /** What the sync says of itself. */
  phase(phase: 'idle' | 'detecting' | 'first' | 'rolling' | 'unfiltered', wasRead?: boolean): void;
  integrations(levels: Readonly<Record<string, Level>>): void;
  needDecision(count: number, available?: boolean): void;
  /** An alarm desk over the same store and clock, as after a restart of the console. */
  again(): Alarms & AccountLife;
}

export function createAlarmRig(options: { readonly store?: ConsoleStore } = {}): AlarmRig {
  const rig = createFeatureRig(options);
  const { clock, store, logger } = rig;
  const told: string[] = [];
  let stopForgetting: (() => void) | null = null;
  const make = () =>
    accountLife(rig, (opening) => {
      stopForgetting?.();
      return new Alarms({ ...rig, ...opening });
    });
  rig.on('shift-line', ({ kind, alarm, subject }) => {
    const said = alarm ? english(alarm) : '';
    told.push(kind === 'acknowledgement-undone' ? `undone: ${said}` : `${said} ${subject ?? ''}`.trim());
  });
  rig.on('alarms-ended', (heard) => {
    stopForgetting = heard.settings.session ? watchForForgetting(rig, heard) : null;
  });
  const ar: AlarmRig = {
    clock,
    store,
    logger,
    feature: make(),
    told,
    alarms: () => alarmsSchema.parse(store.slice('alarms')),
    siren: () => sirenSchema.parse(store.slice('siren')),
    sentences: () => ar.alarms().active.map(({ sentence }) => english(sentence)),
    async rows(records, arrivedAt = clock.wallNow()) {
      const seenAt = clock.wallNow();
      await store.applyRows({
        upserts: records.map((one) => ({ record: one, sighting: { seenAt, arrivedAt } })),
        removals: [],
      });
      await flush();
    },
    async restore(records) {
      const firstSeenAt = clock.wallNow() - 3_600_000;
      await store.restore(
        records.map((one) => ({
          record: one,
          firstSeenAt,
          lastSeenAt: firstSeenAt + 60_000,
          arrivedAt: 0,
          notReturnedSince: null,
        })),
      );
    },
    phase(phase, wasRead = phase === 'rolling') {
      store.patch('sync', { phase });
      if (wasRead) store.patch('incidents', { lastReadAt: clock.wallNow() });
    },
    integrations(levels) {
      const integrations: Health['integrations'] = Object.entries(levels).map(([field, level]) => ({
        field,
        label: { text: `Label of ${field}` },
        kind: 'flag',
        value: '',
        level,
        since: clock.wallNow(),
      }));
      store.patch('health', { integrations });
    },
    needDecision(count, available = true) {
      const { counts } = store.slice('outbox');
      store.patch('outbox', { available, counts: { ...counts, 'needs-decision': count } });
    },
    again: make,
  };
  return ar;
}

/** A desk whose first reading is through, of these incidents. */
export async function running(records: readonly IncidentRecord[] = []): Promise<AlarmRig> {
  const ar = createAlarmRig();
  await ar.feature.start(null);
  ar.phase('first');
  await ar.rows(records, 0);
  ar.phase('rolling');
  await ar.feature.acknowledgeAll();
  return ar;
}

export const many = (count: number, change: Partial<IncidentRecord> = {}, prefix = 'INC'): IncidentRecord[] =>
  Array.from({ length: count }, (_, index) => record(`${prefix}-${String(index)}`, change));
