import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClock } from '../../src-main/adapters/clock.ts';
import { seenFiles } from '../../src-main/training/evidence.ts';
import { startTraining, type TrainingServer } from '../support/training/index.ts';
import { someBytes } from '../core/features/evidence/content/fetchRig.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { HeliaGateway } from '../support/gateway/heliaGateway.ts';
import { Lives, type Life } from './support/lives.ts';

/** After its vault is open a console lives so many times its start at most. */
const longestLife = 4;
/** From the middle of each picture: found in the data folder, it was written as it is. */
const canaries = seenFiles().map(({ bytes }) =>
  Buffer.from(bytes.subarray(bytes.byteLength >> 1, (bytes.byteLength >> 1) + 48)),
);

/** Large enough for several pieces of 1 MiB. */
const large = someBytes(6_000_000);

type Line = readonly ['has', cids: readonly string[]] | readonly ['stored', cid: string] | readonly ['all'];

let service: TrainingServer;
let helia: HeliaGateway;
let lives: Lives<Line>;

beforeAll(async () => {
  service = await startTraining({
    clock: createClock(),
    seed: 12,
    switches: { arrivals: false, integrationScript: false, tokenLifetimeSeconds: 86_400 },
  });
  helia = await HeliaGateway.start();
  lives = await Lives.create<Line>({
    program: 'keeping',
    service,
    deployment: { gateways: [service.gatewayUrl, helia.url] },
    opens: 'has',
  });
});
afterAll(async () => {
  await service.close();
  await helia.close();
  await lives.close();
});

/** Runs a console until `over` settles and kills it: what it had, and what it said that it stored. */
async function live(over: (life: Life<Line>) => Promise<unknown>): Promise<{
  readonly has: readonly string[] | null;
  readonly stored: readonly string[];
  readonly all: boolean;
}> {
  const lines = await lives.live(service.credentials, over);
  return {
    has: lines.find((line) => line[0] === 'has')?.[1] ?? null,
    stored: lines.flatMap((line) => (line[0] === 'stored' ? [line[1]] : [])),
    all: lines.some(([kind]) => kind === 'all'),
  };
}

it(
  'what was stored of evidence is there after any kill, and nothing of it lies plain on the disk',
  async () => {
    let known = new Set<string>();
    await runCampaign({ name: 'kills during fetching', whole: 300, part: 3 }, async (draw) => {
      if (known.size === 0) await lives.forget();
      await service.set({ gatewayFault: draw.pick(['none', 'none', 'none', 'bytes-only', 'slow'] as const) });
      const { has, stored, all } = await live((life) => life.whileWorking(draw, longestLife));
      const missing = [...known].filter((cid) => has !== null && !has.includes(cid));
      expect(missing, 'stored before the kill, and not there after it').toEqual([]);
      await lives.expectSealed(...canaries);
      known = new Set([...known, ...(has ?? []), ...stored]);
      const count = stored.length;
      if (all) known = new Set();
      return all ? 'with all there' : count === 0 ? 'before one came' : 'while they came';
    });
  },
  campaignTimeoutMs,
);

it('what was sealed of a large file before a kill is not asked for again', async () => {
  await lives.forget();
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
  await live(() => isCutOff.then(() => pause(500)));
  await lives.expectSealed(...canaries);
  const before = new Set(leaves().slice(1, 1 + 12));
  helia.asked.length = 0;
  helia.fault = (request, response) => {
    if (!request.url?.includes('format=car')) return false;
    response.writeHead(406).end();
    return true;
  };
  let isAll = false;
  for (let count = 0; count < 8 && !isAll; count += 1)
    ({ all: isAll } = await live(({ said }) => said('all')));
  expect(isAll).toBe(true);
  // Three pieces of 1 MiB hold twelve leaves.
  expect(before.size).toBe(12);
  expect(leaves().filter((path) => before.has(path))).toEqual([]);
  await lives.expectSealed(...canaries);
});
