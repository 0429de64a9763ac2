import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRecordFolders } from '../../src-main/adapters/vault/records/folders.ts';
import { createVaultStorage } from '../../src-main/adapters/vault/storage.ts';
import type { StoredChange } from '../../src-main/core/vault/storage.ts';
import type { Seeded } from '../../src-main/training/seeded.ts';
import { bytesOf, keysOf, placeOf, vaultId } from '../adapters/vault/records/actionBytes.ts';
import {
  createOutboxRig,
  fileIn,
  pieces,
  valueOf,
  type OutboxRig,
} from '../core/features/uploads/uploadsRig.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { createVirtualClock, stepUntil, type VirtualClock } from '../support/clock.ts';
import { watchThreads, type Threads } from '../support/threads.ts';
import { saying } from '../support/messages.ts';

/**
 * Threads of the console die at any moment, as a lack of memory or a fault of the runtime ends them.
 * What was acknowledged is there, what is queued is sent once, and what was lost is said.
 */
let threads: Threads;
let dataDir: string;
beforeEach(async () => {
  threads = watchThreads();
  dataDir = await mkdtemp(join(tmpdir(), 'field-console-threads-'));
});
afterEach(async () => {
  threads.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Kills a thread now and then while `work` goes on; the clock moves on so that waits end. */
async function whileKilling<T>(options: {
  readonly draw: Seeded;
  readonly names: readonly [string, ...string[]];
  readonly kills: number;
  readonly clock: VirtualClock;
  readonly work: () => Promise<T>;
}): Promise<{ readonly value: T; readonly killed: number }> {
  const { draw, names, kills, clock, work } = options;
  let settled = false;
  const done = work().finally(() => {
    settled = true;
  });
  // Whoever fails is heard at the end.
  done.catch(() => undefined);
  let killed = 0;
  for (let left = kills; !settled;) {
    await pause(draw.below(4));
    await clock.advance(200);
    if (left > 0 && draw.next() < 0.4) {
      left -= 1;
      if (await threads.kill(draw.pick(names), draw.pick(['oldest', 'youngest']))) killed += 1;
    }
  }
  return { value: await done, killed };
}

it(
  'a cache whose thread is killed holds every change that was acknowledged, and each of them whole',
  async () => {
    await runCampaign({ name: 'cache thread deaths', whole: 300, part: 4 }, async (draw, index) => {
      const clock = createVirtualClock();
      const storage = createVaultStorage({ dataDir, clock });
      const id = index.toString(16).padStart(32, '0');
      await storage.write(id, 'about.json', new Uint8Array(1));
      const keys = {
        identity: 'one',
        records: new Uint8Array(32).fill(1),
        lookup: new Uint8Array(32).fill(2),
        documents: new Uint8Array(32).fill(3),
      };
      const open = (fresh: boolean) => storage.openCache({ id, keys, now: clock.wallNow(), fresh });
      const { store } = await open(true);
      const known = new Map<string, string>();
      const { killed } = await whileKilling({
        draw,
        names: ['vault cache'],
        kills: 3,
        clock,
        work: async () => {
          for (let round = 0; round < 12; round += 1) {
            const ids = [...new Set(Array.from({ length: 150 }, () => `id-${String(draw.below(600))}`))];
            const texts = ids.map((name) => JSON.stringify({ name, round }));
            const removals = [...known.keys()].filter(() => draw.next() < 0.1);
            const change: StoredChange = {
              upserts: { ids, entries: new TextEncoder().encode(texts.join(',\n')) },
              removals,
              documents: { ledger: String(round) },
            };
            await store.write(change);
            for (const name of removals) known.delete(name);
            for (const [at, name] of ids.entries()) known.set(name, texts[at] ?? '');
          }
        },
      });
      await store.close();
      const again = await open(false);
      expect(again.lost).toBeNull();
      const found = new Map<string, string>();
      await again.store.load((json) => {
        const list = JSON.parse(Buffer.from(json).toString('utf8')) as { name: string; round: number }[];
        for (const one of list) found.set(one.name, JSON.stringify(one));
      });
      expect(found).toEqual(known);
      expect(await again.store.document('ledger')).toEqual({ text: '11', damaged: false });
      await again.store.close();
      await storage.close();
      return `${String(killed)} killed`;
    });
  },
  campaignTimeoutMs,
);

it(
  'files that were queued while threads die are sent once each; one that was not taken is said and can be added again',
  async () => {
    await runCampaign({ name: 'outbox thread deaths', whole: 150, part: 3 }, async (draw, index) => {
      const clock = createVirtualClock();
      const folder = join(dataDir, String(index));
      await mkdir(placeOf(folder), { recursive: true, mode: 0o700 });
      let lost = 0;
      const folders = createRecordFolders({ dataDir: folder, clock, onThreadLost: () => (lost += 1) });
      const open = (fresh: boolean) => folders.open({ vaultId, keys: keysOf(), now: clock.wallNow(), fresh });
      const records = await open(true);
      const rig = await createOutboxRig({ open: () => Promise.resolve(records), clock });
      const files = Array.from({ length: 6 }, (_, at) => ({
        name: `file ${String(at)}`,
        bytes: Uint8Array.from(bytesOf(1 + draw.below(1_500_000))).fill(at, 0, 1),
      }));
      const { value, killed } = await whileKilling({
        draw,
        names: ['vault outbox', 'spool'],
        kills: 3,
        clock,
        work: () => queueAll(rig, files),
      });
      // Beyond three deaths in five minutes nothing is started; three kills stay below that.
      expect(lost).toBe(0);
      const isSent = (): boolean => rig.slice().counts.sent === files.length;
      await stepUntil(clock, isSent, { what: 'all files to be sent', stepMs: 500 });
      const sent = rig.service.effects.map(({ body }) => Buffer.from(fileIn(body)).toString('base64'));
      expect(sent.sort()).toEqual(files.map(({ bytes }) => Buffer.from(bytes).toString('base64')).sort());
      expect(rig.service.violations).toEqual([]);
      await rig.outbox.stop();
      await records.close();
      const later = await open(false);
      expect(later.lost).toBeNull();
      expect((await later.store.rows('uploads')).damaged).toBe(0);
      await later.close();
      await folders.close();
      return `${String(killed)} killed and ${String(value)} added again`;
    });
  },
  campaignTimeoutMs,
);

/** Adds every file until it is in the outbox; answers how many had to be added again. */
async function queueAll(
  rig: OutboxRig,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<number> {
  let again = 0;
  for (const { name, bytes } of files) {
    for (;;) {
      const { uploadId } = valueOf(await rig.outbox.begin(name, bytes.byteLength, null));
      if ((await rig.outbox.receive(uploadId, pieces(bytes))) === 'kept') break;
      expect(rig.item(uploadId)).toMatchObject({
        state: 'failed',
        failure: { code: 'storage-failed', remedy: saying('Add the file again.') },
      });
      again += 1;
    }
  }
  return again;
}
