import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining, type TrainingServer } from '../support/training/index.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { syntheticIncidents } from '../support/dataset.ts';
import { Lives } from './support/lives.ts';

/** In every id and in a field of every incident: found in a file, it was written as it is. */
const canary = 'canary-5f1d';
const incidents = 3000;
/** After so many kills the next one begins without a vault. */
const killsPerVault = 25;

type Line = readonly [
  kind: 'loaded' | 'stored' | 'open',
  ids?: readonly string[],
  removed?: readonly string[],
];

let service: TrainingServer;
let lives: Lives<Line>;

beforeAll(async () => {
  service = await startTraining({
    clock: createClock(),
    seed: 11,
    dataset: syntheticIncidents(incidents, 3).map((incident, index) => ({
      ...incident,
      id: `${canary}-${String(index)}`,
      note: canary,
    })),
    switches: { arrivals: false, integrationScript: false, pageLimit: 50, pageLimitEnforced: true },
  });
  lives = await Lives.create<Line>({
    program: 'syncing',
    service,
    deployment: {
      pollIntervals: { incidentsMs: 1000, healthMs: 60_000 },
      sync: { requestsPerMinute: 6000 },
    },
    opens: 'open',
  });
});
afterAll(async () => {
  await service.close();
  await lives.close();
});

/** Starts a console, kills it at some moment, and answers with what it said. */
const syncUntilKilled = (draw: Seeded): Promise<readonly Line[]> =>
  lives.live(service.credentials, async ({ said, whileStarting, whileWorking }) => {
    // One in four is killed before its vault is open.
    if (draw.below(4) === 0) return whileStarting(draw);
    await said('open');
    const stop = changeSome(draw);
    await whileWorking(draw);
    stop();
  });

/** Incidents go on changing while the console reads them. */
function changeSome(draw: Seeded): () => void {
  const timer = setInterval(() => {
    for (let count = 0; count < 20; count += 1) {
      const id = `${canary}-${String(draw.below(incidents))}`;
      service.changeIncident(id, { evidence_count: draw.below(1000) });
    }
  }, 20);
  return () => clearInterval(timer);
}

it(
  'a cache opens after any SIGKILL during a sync, with all that was acknowledged, and sealed',
  async () => {
    let kept = new Set<string>();
    let acknowledged = 0;
    let opened = 0;
    const enough = (): boolean => opened > 1 && acknowledged > 0;
    await runCampaign({ name: 'kills during a sync', whole: 1000, part: 6, enough }, async (draw, index) => {
      if (index % killsPerVault === 0) {
        await lives.forget();
        kept = new Set();
      }
      const lines = await syncUntilKilled(draw);
      let loaded = false;
      for (const [kind, ids = [], removed = []] of lines) {
        if (kind === 'loaded') {
          loaded = true;
          opened += 1;
          const found = new Set(ids);
          const lost = [...kept].filter((id) => !found.has(id));
          expect(lost, 'acknowledged, and lost').toEqual([]);
          kept = found;
        }
        for (const id of removed) kept.delete(id);
        if (kind === 'stored') {
          acknowledged += ids.length;
          for (const id of ids) kept.add(id);
        }
      }
      await lives.expectSealed(canary, service.credentials.password);
      return loaded ? 'while syncing' : 'while starting';
    });
    expect(opened).toBeGreaterThan(1);
    expect(acknowledged).toBeGreaterThan(0);
    process.stdout.write(
      `campaign kills during a sync: ${String(acknowledged)} rows acknowledged, ${String(opened)} caches opened, 0 lost\n`,
    );
  },
  campaignTimeoutMs,
);
