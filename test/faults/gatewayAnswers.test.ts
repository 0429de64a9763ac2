import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { CID } from 'multiformats/cid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClock } from '../../src-main/adapters/clock.ts';
import { createRecordFolders } from '../../src-main/adapters/vault/records/folders.ts';
import { momentsOf } from '../../src-main/core/base/failure.ts';
import { ContentStore } from '../../src-main/core/features/evidence/content/contentStore.ts';
import { GatewayForms } from '../../src-main/core/features/evidence/content/gatewayForms.ts';
import { transfer } from '../../src-main/core/features/evidence/content/transfer.ts';
import { contentKeyOf } from '../../src-main/core/features/evidence/cid/parse.ts';
import { GatewayClient } from '../../src-main/core/service/gateway/gatewayClient.ts';
import type { RecordFolders, VaultRecords } from '../../src-main/core/vault/records.ts';
import { campaignTimeoutMs, casesOf, runCampaign } from '../support/campaign.ts';
import { createRecordingLogger, createSeededRandom, createTestNetwork } from '../support/ports.ts';
import { gatewayFile } from './support/gatewayFaults.ts';

const mostBytes = 200_000;
/**
 * What the console's memory may grow by once a tenth of the answers came, bytes. `--expose-gc` is not asked for: what waits
 * to be collected counts as well.
 */
const mostGrowth = 256 * 1024 * 1024;

let verified = 0;
/** A busy machine may take an answer for one that does not come. */
const campaign = { name: 'gateway answers', whole: 10_000, part: 170, enough: () => verified > 0 };

let child: ChildProcess;
let client: GatewayClient;
let folder: string;
let folders: RecordFolders;
let records: VaultRecords;
let store: ContentStore;
let gateway: string;
let cid: string;
const clock = createClock();
const hasty = {
  ...clock,
  schedule: (ms: number, run: () => void) => clock.schedule(Math.min(ms, ms >= 15_000 ? 40 : 0), run),
};

const account = (evidenceCache: number, seed: number) => ({
  deployment: { gateways: [gateway], evidencePreview: 'ask' as const, evidenceCache },
  ...{ clock: hasty, random: createSeededRandom(seed), logger: createRecordingLogger() },
  ...momentsOf(() => 0),
});

beforeAll(async () => {
  child = fork(fileURLToPath(new URL('programs/answering.ts', import.meta.url)));
  [{ gateway, cid }] = (await once(child, 'message')) as [{ gateway: string; cid: string }];
  client = new GatewayClient({
    address: {
      ca: null,
      systemAuthorities: false,
      proxy: null,
      attemptTimeoutMs: 15_000,
    },
    gateways: [gateway],
    clock: hasty,
    network: createTestNetwork(),
    serverNow: () => 0,
  });
  folder = await mkdtemp(join(tmpdir(), 'field-console-gateway-'));
  folders = createRecordFolders({ dataDir: folder });
  records = await folders.openTemporary();
  store = new ContentStore(account(2 ** 30, 5), records.contents, () => false);
});
afterAll(async () => {
  await client.close();
  await records.close();
  await folders.close();
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  await rm(folder, { recursive: true, force: true });
});

/** What the gateway of a case answers from now on. */
async function answersAs(stream: string): Promise<void> {
  const heard = once(child, 'message');
  child.send(stream);
  expect(await heard).toContain(stream);
}

it(
  'whatever a gateway answers, nothing is taken for verified that is not, and memory is bounded',
  { timeout: campaignTimeoutMs },
  async () => {
    let least = Number.POSITIVE_INFINITY;
    let most = 0;
    await runCampaign(campaign, async (draw, index) => {
      await answersAs(`gateway answers ${String(draw.below(2 ** 31))}`);
      const content = contentKeyOf(cid) ?? '';
      const failure = await transfer(account(mostBytes, index), {
        cid: CID.parse(cid).toString(),
        content,
        addresses: [],
        forms: new GatewayForms(),
        ask: (request) => client.ask(request),
        stored: store,
        signal: new AbortController().signal,
        mayStay: () => true,
        pace: () => Promise.resolve(),
        onProgress: () => undefined,
      });
      const { rss } = process.memoryUsage();
      if (index > casesOf(campaign) / 10) [least, most] = [Math.min(least, rss), Math.max(most, rss)];
      const stored = store.find(content);
      if (failure !== null) {
        expect(stored).toBe(null);
        expect(failure.code).not.toBe('internal');
        return failure.code;
      }
      if (stored === null) throw new Error('It is said to be there');
      const pieces: Uint8Array[] = [];
      for await (const piece of store.read(stored, 0, stored.bytes)) pieces.push(Uint8Array.from(piece));
      if (stored.isVerified) expect(Buffer.concat(pieces).equals(gatewayFile)).toBe(true);
      await store.remove(stored);
      if (stored.isVerified) verified += 1;
      return stored.isVerified ? 'verified' : 'marked as not verifiable';
    });
    expect(verified).toBeGreaterThan(0);
    process.stdout.write(
      `gateway answers: memory between ${String(least >> 20)} and ${String(most >> 20)} MiB\n`,
    );
    expect(most - least).toBeLessThan(mostGrowth);
    expect((await records.contents.list()).size).toBe(0);
  },
);
