import { afterEach, expect, it } from 'vitest';
import { momentsOf } from '../../../../src-main/core/base/failure.ts';
import { Alarms } from '../../../../src-main/core/features/alarms/alarms.ts';
import type { WireIncident } from '../../../support/training/index.ts';
import { alarmsSchema } from '../../../../src-preload/contract/index.ts';
import { testStart } from '../../../support/clock.ts';
import { accountLife } from '../../accountLife.ts';
import { createFeatureRig } from '../../featureRig.ts';
import { createTestStore } from '../../state/storeFixtures.ts';
import { wireIncident } from '../../state/wireIncident.ts';
import { ListService, weekOfIncidents } from '../incidents/sync/listService.ts';
import { createSyncRig, intervalMs, wasRead, type SyncRig } from '../incidents/sync/syncRig.ts';
import { said } from '../../../support/messages.ts';

const rigs: SyncRig[] = [];
afterEach(async () => {
  for (const sr of rigs.splice(0)) await sr.close();
});

const alarmsOn = (sr: SyncRig) => {
  const parts = createFeatureRig({ ports: sr.rig.ports, store: sr.store });
  const moments = momentsOf(sr.rig.serverTime.serverNow);
  return accountLife(sr.rig.ports, (opening) => new Alarms({ ...parts, ...moments, ...opening }));
};
const active = (sr: SyncRig) => alarmsSchema.parse(sr.store.slice('alarms')).active;
const burning = (id: string, at: number): WireIncident => ({
  ...(wireIncident(id, new Date(at).toISOString()) as WireIncident),
  severity: 'critical',
});

it('hears from a real sync one summary first, then what is new, and after a restart what came meanwhile', async () => {
  const service = new ListService(weekOfIncidents({ count: 1_707, now: testStart }));
  const first = await createSyncRig(service);
  rigs.push(first);
  const feature = alarmsOn(first);
  await feature.start(null);
  first.sync.start({ ledger: null });
  await first.until(() => wasRead(first), 'the first reading');
  await first.pass(1_000);
  const summaries = active(first);
  expect(summaries).toHaveLength(1);
  const urgent = service.incidents.filter(
    ({ severity, status }) => !['low', 'medium'].includes(severity) && status === 'open',
  );
  expect(summaries[0]?.count).toBe(urgent.length);
  const [alarming, critical] = [
    urgent.length,
    urgent.filter(({ severity }) => severity === 'critical').length,
  ];
  expect(said(summaries[0]?.sentence)).toBe(
    `${alarming.toLocaleString('en')} active incidents need attention, ${critical} of them critical.`,
  );
  await feature.acknowledgeAll();

  service.incidents.push(burning('NEW-1', first.clock.wallNow()));
  await first.until(() => active(first).length > 0, 'the alarm');
  await first.pass(4 * intervalMs);
  expect(active(first).map(({ incidentIds }) => incidentIds)).toEqual([['NEW-1']]);

  // The console is closed, and ten incidents come, one of them before the last that it had seen.
  const ledger = first.ledgers.at(-1) ?? null;
  const kept = [...first.store.incidents.ids()]
    .map((id) => first.store.incidents.stored(id))
    .filter((row) => row !== null);
  await first.stop();
  await feature.stop();
  const store = createTestStore();
  const second = await createSyncRig(service, { store });
  rigs.push(second);
  const now = second.clock.wallNow();
  for (let index = 0; index < 10; index += 1) {
    service.incidents.push(burning(`AWAY-${String(index)}`, index === 0 ? now - 3_600_000 : now - 1_000));
  }
  const next = alarmsOn(second);
  const started = next.start(null);
  await store.restore(kept);
  await started;
  second.sync.start({ ledger });
  const found = (): boolean => store.incidents.has('AWAY-0') && store.incidents.has('AWAY-9');
  for (let round = 0; round < 40 && !found(); round += 1) await second.pass(4 * intervalMs);
  const told = active(second);
  expect(told.reduce((sum, { count }) => sum + count, 0)).toBe(10);
  expect(told.length).toBeLessThanOrEqual(2);
  await next.stop();
});
