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
import { seenFiles } from '../../src-main/training/evidence.ts';
import { startTraining, type TrainingServer } from '../support/training/index.ts';
import { someBytes } from '../core/features/evidence/content/fetchRig.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { HeliaGateway } from '../support/gateway/heliaGateway.ts';

/** After the first file came, a console lives so long at most, milliseconds. */
const longestLifeMs = 2_500;
/** From the middle of each picture: found in the data folder, it was written as it is. */
const canaries = seenFiles().map(({ bytes }) =>
  Buffer.from(bytes.subarray(bytes.byteLength >> 1, (bytes.byteLength >> 1) + 48)),
);

/** Large enough for several pieces of 1 MiB. */
const large = someBytes(6_000_000);

let service: TrainingServer;
let helia: HeliaGateway;
let folder: string;
const data = (): string => join(folder, 'data');

beforeAll(async () => {
  service = await startTraining({
    clock: createClock(),
    seed: 12,
    switches: { arrivals: false, integrationScript: false, tokenLifetimeSeconds: 86_400 },
  });
  helia = await HeliaGateway.start();
  folder = await mkdtemp(join(tmpdir(), 'field-console-evidence-kills-'));
  const { infrastructureUrl, coordinationUrl, gatewayUrl } = service;
  await writeFile(
    join(folder, 'deployment.json'),
    JSON.stringify({
      version: 1,
      id: 'kills',
      name: 'Kills',
      infrastructureUrl,
      coordinationUrl,
      gateways: [gatewayUrl, helia.url],
      timestampUnit: 'seconds',
    }),
  );
});
afterAll(async () => {
  await service.close();
  await helia.close();
  await rm(folder, { recursive: true, force: true });
});

type Line = readonly ['has', cids: readonly string[]] | readonly ['stored', cid: string] | readonly ['all'];

/** Runs a console for a while and kills it: what it had, and what it said that it stored. */
async function live(lifeMs: number | Promise<void>): Promise<{
  readonly has: readonly string[] | null;
  readonly stored: readonly string[];
  readonly all: boolean;
}> {
  const program = fileURLToPath(new URL('programs/keeping.ts', import.meta.url));
  const child = spawn(process.execPath, [program, data(), join(folder, 'deployment.json')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.write(`${JSON.stringify(service.credentials)}\n`);
  const reader = createInterface({ input: child.stdout });
  const [exited, drained] = [once(child, 'exit'), once(reader, 'close')];
  let has: readonly string[] | null = null;
  let all = false;
  const stored: string[] = [];
  const begun = new Promise<void>((resolve) => {
    reader.on('line', (text) => {
      // A line that the kill cut off says nothing.
      if (!text.endsWith(']')) return;
      const line = JSON.parse(text) as Line;
      if (line[0] === 'has') [, has] = line;
      if (line[0] === 'stored') stored.push(line[1]);
      if (line[0] === 'all') all = true;
      resolve();
    });
    void exited.then(() => resolve());
  });
  await begun;
  await (typeof lifeMs === 'number' ? pause(lifeMs) : lifeMs);
  if (child.exitCode !== null) throw new Error(`The console ended by itself: ${errors}`);
  child.kill('SIGKILL');
  await exited;
  await drained;
  return { has, stored, all };
}

async function expectSealed(): Promise<void> {
  for (const entry of await readdir(data(), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    for (const canary of canaries) {
      expect(bytes.includes(canary), `${entry.name} holds a picture as it is`).toBe(false);
    }
  }
}

it(
  'what was stored of evidence is there after any kill, and nothing of it lies plain on the disk',
  async () => {
    let known = new Set<string>();
    await runCampaign({ name: 'kills during fetching', whole: 300, part: 3 }, async (draw) => {
      if (known.size === 0) {
        await rm(data(), { recursive: true, force: true });
        await mkdir(data(), { mode: 0o700 });
      }
      await service.set({ gatewayFault: draw.pick(['none', 'none', 'none', 'bytes-only', 'slow'] as const) });
      const { has, stored, all } = await live(draw.below(longestLifeMs));
      const missing = [...known].filter((cid) => has !== null && !has.includes(cid));
      expect(missing, 'stored before the kill, and not there after it').toEqual([]);
      await expectSealed();
      known = new Set([...known, ...(has ?? []), ...stored]);
      const count = stored.length;
      if (all) known = new Set();
      return all ? 'with all there' : count === 0 ? 'before one came' : 'while they came';
    });
  },
  campaignTimeoutMs,
);

it('what was sealed of a large file before a kill is not asked for again', { timeout: 120_000 }, async () => {
  await rm(data(), { recursive: true, force: true });
  await mkdir(data(), { mode: 0o700 });
  await service.set({ gatewayFault: 'none' });
  const cid = await helia.add(large);
  service.addEvidence({ cid, file_name: 'large.bin' });
  const leaves = (): string[] =>
    helia.asked.map(({ path }) => path).filter((path) => path.includes('format=raw'));
  const cutAfter = 1 + 15;
  let cutOff = (): void => undefined;
  const isCutOff = new Promise<void>((resolve) => (cutOff = resolve));
  helia.fault = (request, response) => {
    // Block by block, so that what is asked for tells what is missing; then nothing more comes.
    if (request.url?.includes('format=car')) response.writeHead(406).end();
    else if (leaves().length <= cutAfter) return false;
    else cutOff();
    return true;
  };
  await live(isCutOff.then(() => pause(500)));
  await expectSealed();
  const before = new Set(leaves().slice(1, 1 + 12));
  helia.asked.length = 0;
  helia.fault = (request, response) => {
    if (!request.url?.includes('format=car')) return false;
    response.writeHead(406).end();
    return true;
  };
  let isAll = false;
  for (let life = 0; life < 8 && !isAll; life += 1) ({ all: isAll } = await live(4_000));
  expect(isAll).toBe(true);
  // Three pieces of 1 MiB hold twelve leaves.
  expect(before.size).toBe(12);
  expect(leaves().filter((path) => before.has(path))).toEqual([]);
  await expectSealed();
});
