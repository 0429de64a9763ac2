import type { SyncAccount } from '../../../../../src-main/core/features/incidents/sync/syncAccount.ts';

export type SyncDeployment = SyncAccount['deployment'];
type Sync = SyncDeployment['sync'];

/** What the sync needs of a deployment: reads every 15 s, and no limit that matters, unless a test says so. */
export interface SyncPlan extends Partial<Sync> {
  readonly unit?: SyncDeployment['timestampUnit'];
  readonly intervalMs?: number;
  readonly retention?: SyncDeployment['retention'];
}

export const syncDeployment = ({
  unit = 'seconds',
  intervalMs = 15_000,
  retention = { days: null, incidents: 1_000_000, notReturnedDays: 30 },
  ...sync
}: SyncPlan = {}): SyncDeployment => ({
  timestampUnit: unit,
  pollIntervals: { incidentsMs: intervalMs, healthMs: intervalMs },
  sync: { requestsPerMinute: 3_000, bytesPerHour: null, pageSize: 200, ...sync },
  retention,
});
