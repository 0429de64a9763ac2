import { createHash } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { casesOf } from '../../../../support/campaign.ts';
import { testStart } from '../../../../support/clock.ts';
import { ListService, weekOfIncidents } from './listService.ts';
import { createSyncRig } from './syncRig.ts';

const measuredMs = 600_000;
const hourMs = 3_600_000;

const tag = (_: unknown, body: string): Record<string, string> => ({
  etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
});

/** Megabytes an hour, without health, missions and evidence, which are 0.3 of them. */
const goals = [
  ['validators', 2_000, 0.7],
  ['no validators', 2_000, 2.7],
  ['validators', 100, 0.5],
  ['no validators', 100, 0.5],
  ['validators', 20_000, 1.5],
  ['no validators', 20_000, 11.7],
] as const;

it.each(goals.slice(0, casesOf({ part: 2, whole: goals.length })))(
  'on 64 kbit/s, what does not change costs little, and what does is known: %s, %d incidents, %d MB an hour',
  async (how, count, most) => {
    const service = new ListService(weekOfIncidents({ count, now: testStart }));
    const rig = await createSyncRig(service, {
      requestsPerMinute: 120,
      line: { readsAtOnce: (reads) => Math.min(reads, 2), lastRate: 8_000 },
    });
    onTestFinished(() => rig.close());
    if (how === 'validators') rig.tag = tag;
    rig.sync.start({ ledger: null });
    for (let parts = 0; parts < 8; parts += 1) await rig.pass(measuredMs / 4);
    expect(rig.meta().completeness).toBe('complete');
    const from = rig.asked.length;
    await rig.pass(measuredMs);
    const bytes = rig.asked.slice(from).reduce((sum, one) => sum + one.bytes, 0);
    expect((bytes * hourMs) / measuredMs / 1e6).toBeLessThan(most);
    const old = service.incidents.find(({ status }) => status === 'open')?.id ?? '';
    service.incidents = service.incidents.map((one) => (one.id === old ? { ...one, status: 'closed' } : one));
    await rig.pass(1.5 * measuredMs);
    expect(rig.store.incidents.recordOf(old)?.status).toBe('closed');
  },
);
