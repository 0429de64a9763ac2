import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClock } from '../../src-main/adapters/clock.ts';
import { startTraining, type TrainingServer } from '../support/training/index.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { syntheticIncidents } from '../support/dataset.ts';

/** In every id and in a field of every incident: found in a file, it was written as it is. */
const canary = 'canary-5f1d';
const incidents = 3000;
/** After so many kills the next one begins without a vault. */
const killsPerVault = 25;

let service: TrainingServer;
let folder: string;

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
  folder = await mkdtemp(join(tmpdir(), 'field-console-sync-kills-'));
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  const { infrastructureUrl, coordinationUrl } = service;
  await writeFile(
    join(folder, 'deployment.json'),
    JSON.stringify({
      version: 1,
      id: 'kills',
      name: 'Kills',
      infrastructureUrl,
      coordinationUrl,
      timestampUnit: 'seconds',
      pollIntervals: { incidentsMs: 1000, healthMs: 60_000 },
      sync: { requestsPerMinute: 6000 },
    }),
  );
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

type Line = readonly [
  kind: 'loaded' | 'stored' | 'open',
  ids?: readonly string[],
  removed?: readonly string[],
];

/** Starts a console, kills it `afterMs` after it opened its vault, and answers with what it said. */
async function syncUntilKilled(draw: Seeded): Promise<readonly Line[]> {
  const program = fileURLToPath(new URL('programs/syncing.ts', import.meta.url));
  const child = spawn(process.execPath, [program, join(folder, 'data'), join(folder, 'deployment.json')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.write(`${JSON.stringify(service.credentials)}\n`);
  const lines: Line[] = [];
  const reader = createInterface({ input: child.stdout });
  const exited = once(child, 'exit');
  const drained = once(reader, 'close');
  const open = new Promise<boolean>((resolve) => {
    reader.on('line', (text) => {
      // A line that the kill cut off acknowledges nothing.
      if (!text.endsWith(']')) return;
      const line = JSON.parse(text) as Line;
      lines.push(line);
      if (line[0] === 'open') resolve(true);
    });
    void exited.then(() => resolve(false));
  });
  // One in four is killed before its vault is open.
  if (draw.below(4) === 0) await pause(draw.below(600));
  else {
    if (!(await open)) throw new Error(`The console ended by itself: ${errors}`);
    const stop = changeSome(draw);
    await pause(draw.below(900));
    stop();
  }
  child.kill('SIGKILL');
  await exited;
  await drained;
  return lines;
}

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

async function expectSealed(): Promise<void> {
  for (const entry of await readdir(join(folder, 'data'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    expect(bytes.includes(canary), `${entry.name} holds an incident in plain text`).toBe(false);
    expect(bytes.includes(service.credentials.password), `${entry.name} holds the password`).toBe(false);
  }
}

it(
  'a cache opens after any SIGKILL during a sync, with all that was acknowledged, and sealed',
  async () => {
    let kept = new Set<string>();
    let acknowledged = 0;
    let opened = 0;
    await runCampaign({ name: 'kills during a sync', whole: 1000, part: 6 }, async (draw, index) => {
      if (index % killsPerVault === 0) {
        await rm(join(folder, 'data', 'vaults'), { recursive: true, force: true });
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
      await expectSealed();
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
