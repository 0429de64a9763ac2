import { onTestFinished, describe, expect, it } from 'vitest';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import {
  EvidenceFiles,
  type OpenedContent,
} from '../../../../../src-main/core/features/evidence/content/contents.ts';
import { GatewayClient } from '../../../../../src-main/core/service/gateway/gatewayClient.ts';
import { newDataKeys, recordKeysOf } from '../../../../../src-main/core/vault/seal.ts';
import { contentsSchema, type EvidencePreview } from '../../../../../src-preload/contract/index.ts';
import { flush } from '../../../../support/clock.ts';
import { said } from '../../../../support/messages.ts';
import { HeliaGateway } from '../../../../support/gateway/heliaGateway.ts';
import { accountLife } from '../../../accountLife.ts';
import { createFeatureRig } from '../../../featureRig.ts';
import { createTestNetwork } from '../../../../support/ports.ts';
import { hastyClock, plainAddress, someBytes } from './fetchRig.ts';

const png = (seed: number, length = 3_000): Uint8Array => {
  const bytes = someBytes(length, seed);
  bytes.set([
    0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 128, 0, 0, 1, 224,
  ]);
  return bytes;
};

async function contentsRig({ cacheBytes = 2 ** 30, preview = 'ask' as EvidencePreview } = {}) {
  const parts = createFeatureRig();
  const gateway = await HeliaGateway.start();
  const gateways = [gateway.url];
  const client = new GatewayClient({
    address: plainAddress,
    gateways,
    clock: hastyClock(5_000),
    network: createTestNetwork(),
    serverNow: () => parts.serverNow(),
  });
  const feature = accountLife(
    parts,
    (opening) =>
      new EvidenceFiles(
        {
          ...parts,
          ...opening,
          gateways: client,
          deployment: { gateways, evidencePreview: preview, evidenceCache: cacheBytes },
        },
        () => [],
      ),
  );
  const vaultId = 'b'.repeat(32);
  const keys = recordKeysOf(
    newDataKeys((length) => new Uint8Array(length).fill(7)),
    vaultId,
  );
  const open = (fresh: boolean) => parts.records.open({ vaultId, keys, now: 0, fresh });
  await mkdir(join(parts.dataDir, 'vaults', vaultId), { recursive: true, mode: 0o700 });
  let records = await open(true);
  await feature.start(records);
  onTestFinished(async () => {
    await feature.stop();
    await records.close();
    await client.close();
    await gateway.close();
  });
  const folder = join(parts.dataDir, 'vaults', vaultId, 'contents');
  return {
    ...parts,
    gateway,
    feature,
    folder,
    state: () => contentsSchema.parse(parts.store.slice('contents')),
    of: (cid: string) => feature.fileOf(cid),
    saveData: (saving: boolean) => parts.store.patch('line', { saving }),
    /**
     * Waits until nothing is on its way; the queue looks again after 2 s. The clock runs slowly enough for a real
     * gateway, which must not seem to drip.
     */
    settled: async () => {
      for (let round = 0; round < 550; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await flush();
        await parts.clock.advance(100);
        const { moving } = parts.store.slice('contents');
        if (moving.length === 0 && round > 24) return;
      }
      throw new Error('It goes on and on');
    },
    /** `early` runs before what is stored was read, `between` while nothing does. */
    restart: async (early = (): void => undefined, between = () => Promise.resolve()) => {
      await feature.stop();
      await records.close();
      await between();
      records = await open(false);
      const started = feature.start(records);
      early();
      await started;
    },
    read: async (opened: OpenedContent | null, start = 0, end = opened?.bytes ?? 0): Promise<Buffer> => {
      const pieces: Uint8Array[] = [];
      for await (const piece of opened?.pieces(start, end) ?? []) pieces.push(Uint8Array.from(piece));
      return Buffer.concat(pieces);
    },
  };
}

const value = <T>(result: { readonly ok: boolean; readonly value?: T }): T => {
  if (!result.ok || result.value === undefined) throw new Error(JSON.stringify(result));
  return result.value;
};

describe('a file that an operator asks for', () => {
  it('is verified, sealed, told by its bytes and read in parts', async () => {
    const rig = await contentsRig();
    const bytes = png(1, 2_600_000);
    const cid = await rig.gateway.add(bytes);
    expect(rig.of(cid)?.state).toBe('absent');
    value(rig.feature.want(cid, true));
    await rig.settled();
    expect(rig.of(cid)).toMatchObject({
      state: 'verified',
      file: { kind: 'picture', mediaType: 'image/png', bytes: bytes.byteLength, width: 640, height: 480 },
    });
    const { ticket } = value(rig.feature.open(cid, false));
    expect((await rig.read(rig.feature.opened(ticket))).equals(bytes)).toBe(true);
    const part = await rig.read(rig.feature.opened(ticket), 1_048_570, 2_097_160);
    expect(part.equals(bytes.subarray(1_048_570, 2_097_160))).toBe(true);
    const last = await rig.read(rig.feature.opened(ticket), bytes.byteLength - 7, bytes.byteLength);
    expect(last.equals(bytes.subarray(bytes.byteLength - 7))).toBe(true);
    for (const name of await readdir(rig.folder)) {
      expect((await readFile(join(rig.folder, name))).includes(Buffer.from(bytes.subarray(100, 116)))).toBe(
        false,
      );
    }
  });

  it('is there after a restart, without the gateway', async () => {
    const rig = await contentsRig();
    const cid = await rig.gateway.add(png(2));
    rig.feature.want(cid, true);
    await rig.settled();
    await rig.gateway.close();
    await rig.restart();
    expect(rig.of(cid)?.state).toBe('verified');
    const { ticket } = value(rig.feature.open(cid, false));
    expect((await rig.read(rig.feature.opened(ticket))).equals(png(2))).toBe(true);
  });

  it('that does not match is reported, never shown, and nothing of it stays', async () => {
    const rig = await contentsRig();
    const bytes = png(3, 700_000);
    const cid = await rig.gateway.add(bytes);
    rig.gateway.isTrustless = false;
    rig.gateway.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end(png(4, 100));
      return true;
    };
    // A plain hash of bytes says that these are others.
    const small = await rig.gateway.add(png(5, 90_000));
    rig.feature.want(small, true);
    await rig.settled();
    expect(rig.of(small)).toMatchObject({ state: 'mismatch', failure: { code: 'content-mismatch' } });
    expect(rig.feature.open(small, true).ok).toBe(false);
    expect(await readdir(rig.folder)).toEqual([]);
    expect(cid).not.toBe(small);
  });

  it('that cannot be verified opens only for an operator who was told', async () => {
    const rig = await contentsRig();
    rig.gateway.isTrustless = false;
    // Chunks of a size that no profile has.
    const cid = await rig.gateway.add(png(6, 90_000), { chunkBytes: 1_000 });
    rig.feature.want(cid, true);
    await rig.settled();
    expect(rig.of(cid)?.state).toBe('unverified');
    expect(rig.feature.open(cid, false)).toMatchObject({ ok: false, failure: { code: 'policy-forbids' } });
    expect(rig.feature.open(cid, true).ok).toBe(true);
  });

  it('whose bytes alone come is verified by the profile that gives its CID', async () => {
    const rig = await contentsRig();
    rig.gateway.isTrustless = false;
    const cid = await rig.gateway.add(png(7, 900_000));
    rig.feature.want(cid, true);
    await rig.settled();
    expect(rig.of(cid)?.state).toBe('verified');
  });

  it('and a network’s own page is not taken for it', async () => {
    const rig = await contentsRig();
    rig.gateway.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
      return true;
    };
    const cid = await rig.gateway.add(png(8, 900_000));
    rig.feature.want(cid, true);
    await rig.settled();
    expect(rig.of(cid)).toMatchObject({ state: 'failed', failure: { code: 'answered-by-something-else' } });
  });

  it('can be cancelled, and nothing of it stays', async () => {
    const rig = await contentsRig();
    rig.gateway.fault = () => true;
    const cid = await rig.gateway.add(png(9));
    rig.feature.want(cid, true);
    await flush();
    expect(rig.of(cid)?.state).toBe('loading');
    rig.feature.cancel(cid);
    await rig.settled();
    expect(rig.of(cid)?.state).toBe('absent');
    expect(await readdir(rig.folder).catch(() => [])).toEqual([]);
  });
});

describe('a file that is cut off', () => {
  const leaf = 262_144;
  const bytes = png(30, 20 * leaf);
  const noCar = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!request.url?.includes('format=car')) return false;
    response.writeHead(406).end();
    return true;
  };
  const raw = (rig: Awaited<ReturnType<typeof contentsRig>>): string[] =>
    rig.gateway.asked.map(({ path }) => path).filter((path) => path.includes('format=raw'));
  /** Its root and 13 leaves come, 3.25 MiB, and nothing more. */
  async function cutOff(rig: Awaited<ReturnType<typeof contentsRig>>): Promise<string> {
    const cid = await rig.gateway.add(bytes);
    rig.gateway.fault = (request, response) => noCar(request, response) || raw(rig).length > 14;
    value(rig.feature.keep([cid], true));
    for (let received = 0; received < 13 * leaf;) {
      await rig.clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
      received = rig.state().moving[0]?.received ?? 0;
    }
    rig.gateway.fault = noCar;
    return cid;
  }
  const expectWhole = async (rig: Awaited<ReturnType<typeof contentsRig>>, cid: string): Promise<void> => {
    expect(rig.of(cid)?.state).toBe('verified');
    const { ticket } = value(rig.feature.open(cid, false));
    expect((await rig.read(rig.feature.opened(ticket))).equals(bytes)).toBe(true);
    const names = await readdir(rig.folder);
    expect(names.map((name) => name.replace(/.*\./, '')).toSorted()).toEqual(['sealed', 'sidecar']);
  };

  it('goes on after a restart with the first piece that was not sealed', async () => {
    const rig = await contentsRig();
    const cid = await cutOff(rig);
    await rig.restart();
    rig.gateway.asked.length = 0;
    await rig.settled();
    await expectWhole(rig, cid);
    // The root says where the rest lies; three of its MiB are here.
    expect(raw(rig)).toHaveLength(1 + 20 - 12);
  });

  it('goes on in the same way after a pause', async () => {
    const rig = await contentsRig();
    const cid = await cutOff(rig);
    rig.saveData(true);
    await rig.settled();
    rig.gateway.asked.length = 0;
    rig.saveData(false);
    await rig.settled();
    await expectWhole(rig, cid);
    expect(raw(rig)).toHaveLength(1 + 20 - 12);
  });

  it('goes on by a range where a gateway gives bytes only, and all of it is held against the CID', async () => {
    const rig = await contentsRig();
    rig.gateway.isTrustless = false;
    const cid = await rig.gateway.add(bytes);
    rig.gateway.fault = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': String(bytes.byteLength) });
      response.write(bytes.subarray(0, 13 * leaf));
      return true;
    };
    value(rig.feature.keep([cid], true));
    for (let received = 0; received < 13 * leaf; received = rig.state().moving[0]?.received ?? 0) {
      await rig.clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    rig.gateway.fault = null;
    await rig.restart();
    rig.gateway.asked.length = 0;
    await rig.settled();
    await expectWhole(rig, cid);
    expect(rig.gateway.asked.map(({ headers }) => headers.range)).toEqual([`bytes=${String(3 * 2 ** 20)}-`]);
  });

  it('begins again where a piece that was left is damaged', async () => {
    const rig = await contentsRig();
    const cid = await cutOff(rig);
    await rig.restart(
      () => undefined,
      async () => {
        for (const name of await readdir(rig.folder)) {
          if (!name.endsWith('.partial')) continue;
          const path = join(rig.folder, name);
          const sealed = await readFile(path);
          sealed[1_500_000] = (sealed[1_500_000] ?? 0) ^ 1;
          await writeFile(path, sealed);
        }
      },
    );
    rig.gateway.asked.length = 0;
    await rig.settled();
    await expectWhole(rig, cid);
    expect(raw(rig).length).toBeGreaterThanOrEqual(21);
  });

  it('leaves nothing once it is cancelled', async () => {
    const rig = await contentsRig();
    const cid = await cutOff(rig);
    await rig.restart();
    rig.saveData(true);
    await rig.settled();
    rig.feature.cancel(cid);
    await rig.settled();
    expect(await readdir(rig.folder)).toEqual([]);
  });
});

describe('a gateway that drips', () => {
  /** Starts these files; each gets one byte a second of the virtual clock, but for `good`. */
  async function dripping(
    rig: Awaited<ReturnType<typeof contentsRig>>,
    good: string,
  ): Promise<() => Promise<void>> {
    const open = new Set<ServerResponse>();
    rig.gateway.fault = (request, response) => {
      if (request.url?.includes(good)) return false;
      if (request.url?.includes('format=')) {
        response.writeHead(406).end();
        return true;
      }
      response.writeHead(200, { 'content-type': 'image/png' });
      response.write(Uint8Array.of(0x89));
      open.add(response);
      response.once('close', () => open.delete(response));
      return true;
    };
    return async () => {
      for (const response of open) response.write(Uint8Array.of(0));
      await new Promise((resolve) => setTimeout(resolve, 5));
      await rig.clock.advance(1_000);
    };
  }

  it('holds no place that another file waits for', async () => {
    const rig = await contentsRig();
    const [one = '', two = '', good = ''] = await Promise.all(
      [40, 41, 42].map((seed) => rig.gateway.add(png(seed))),
    );
    const second = await dripping(rig, good);
    for (const cid of [one, two]) rig.feature.want(cid, true);
    for (let seconds = 0; seconds < 150; seconds += 1) await second();
    // None waits: they may take their time.
    expect([one, two].map((cid) => rig.of(cid)?.state)).toEqual(['loading', 'loading']);
    rig.feature.want(good, true);
    for (let seconds = 0; seconds < 125; seconds += 1) await second();
    expect(rig.of(good)?.state).toBe('verified');
    for (const cid of [one, two]) {
      expect(rig.of(cid)).toMatchObject({ state: 'failed', failure: { code: 'timed-out' } });
      expect(said(rig.of(cid)?.failure?.sentence)).toBe('The gateway sends less than 1 kB/s.');
    }
  });

  it('does not hold back what is to stay, and is tried again', async () => {
    const rig = await contentsRig();
    const [drip = '', good = ''] = await Promise.all([43, 44].map((seed) => rig.gateway.add(png(seed))));
    const second = await dripping(rig, good);
    value(rig.feature.keep([drip, good], true));
    for (let seconds = 0; seconds < 125; seconds += 1) await second();
    expect(rig.of(good)?.state).toBe('verified');
    expect(rig.of(drip)?.state).not.toBe('failed');
    rig.gateway.fault = null;
    for (let round = 0; round < 20 && rig.of(drip)?.state !== 'verified'; round += 1) {
      await rig.clock.advance(60_000);
      await rig.settled();
    }
    expect(rig.of(drip)?.state).toBe('verified');
  });
});

describe('tickets', () => {
  it('open nothing once they are closed, the console is locked, or the vault is left', async () => {
    const rig = await contentsRig();
    const cid = await rig.gateway.add(png(10));
    rig.feature.want(cid, true);
    await rig.settled();
    const first = value(rig.feature.open(cid, false)).ticket;
    const second = value(rig.feature.open(cid, false)).ticket;
    const signal = rig.feature.opened(first)?.signal;
    rig.feature.close(first);
    expect(signal?.aborted).toBe(true);
    expect(rig.feature.opened(first)).toBe(null);
    expect(rig.feature.opened(second)).not.toBe(null);
    rig.store.patch('lock', { locked: true });
    expect(rig.feature.opened(second)).toBe(null);
  });
});

describe('what is to stay', () => {
  it('is fetched, survives a restart before and after, and is let go', async () => {
    const rig = await contentsRig();
    const cids = [await rig.gateway.add(png(11)), await rig.gateway.add(png(12))];
    rig.saveData(true);
    expect(value(rig.feature.keep(cids, true)).count).toBe(2);
    await rig.settled();
    expect(rig.state()).toMatchObject({ kept: 2, waiting: 2 });
    await rig.restart();
    expect(rig.state()).toMatchObject({ kept: 2, waiting: 2 });
    rig.saveData(false);
    await rig.settled();
    expect(rig.state()).toMatchObject({ kept: 2, waiting: 0, keptBytes: 6_000 });
    await rig.restart();
    expect(rig.state()).toMatchObject({ kept: 2, waiting: 0, keptBytes: 6_000 });
    rig.feature.keep(cids, false);
    expect(rig.state()).toMatchObject({ kept: 0, keptBytes: 0, bytes: 6_000 });
  });

  it('waits while data is saved, and lists ask for no previews', async () => {
    const rig = await contentsRig({ preview: 'auto' });
    expect(rig.state().preview).toBe('auto');
    rig.saveData(true);
    expect(rig.state().preview).toBe('ask');
    const cid = await rig.gateway.add(png(45));
    rig.feature.keep([cid], true);
    await rig.settled();
    expect(rig.state()).toMatchObject({ kept: 1, waiting: 1 });
    rig.saveData(false);
    await rig.settled();
    expect(rig.state()).toMatchObject({ kept: 1, waiting: 0, preview: 'auto' });
  });

  it('waits with all else while the hour’s data is used up', async () => {
    const rig = await contentsRig();
    const limit = { used: 2, bytes: 1, until: 0, state: 'used-up' } as const;
    rig.store.patch('line', { limit });
    const cids = [await rig.gateway.add(png(46)), await rig.gateway.add(png(47))] as const;
    rig.feature.keep([cids[0]], true);
    rig.feature.want(cids[1], true);
    await rig.settled();
    expect(cids.map((cid) => rig.of(cid)?.state)).toEqual(['queued', 'queued']);
    rig.store.patch('line', { limit: { ...limit, state: 'within' } });
    await rig.settled();
    expect(cids.map((cid) => rig.of(cid)?.state)).toEqual(['verified', 'verified']);
  });

  it('is counted before it is asked for: how much there is, what is missing, and what fits', async () => {
    const rig = await contentsRig();
    const here = await rig.gateway.add(png(40));
    const missing = await rig.gateway.add(png(41));
    value(rig.feature.keep([here], true));
    await rig.settled();
    const spelt = `f${Buffer.from(CID.parse(here).bytes).toString('hex')}`;
    expect(rig.feature.count([here, spelt, missing, 'no cid'])).toEqual({
      count: 2,
      missing: 1,
      room: 9_999,
    });
    expect(rig.of(missing)?.state).toBe('absent');
  });

  it('is not written over by what is asked for before it was read', async () => {
    const rig = await contentsRig();
    const [first = '', second = ''] = [await rig.gateway.add(png(13)), await rig.gateway.add(png(14))];
    rig.saveData(true);
    rig.feature.keep([first], true);
    await rig.restart(() => rig.feature.keep([second], true));
    expect(rig.state()).toMatchObject({ kept: 2 });
    await rig.restart();
    expect([first, second].map((cid) => rig.of(cid)?.kept)).toEqual([true, true]);
  });

  it('waits behind uploads and behind what an operator waits for', async () => {
    const rig = await contentsRig();
    const { counts } = rig.store.slice('outbox');
    rig.store.patch('outbox', { counts: { ...counts, sending: 1 } });
    const later = await rig.gateway.add(png(13));
    const soon = await rig.gateway.add(png(14));
    rig.feature.keep([later], true);
    rig.feature.want(soon, true);
    await rig.settled();
    expect([rig.of(soon)?.state, rig.of(later)?.state]).toEqual(['verified', 'queued']);
    rig.store.patch('outbox', { counts });
    await rig.settled();
    expect(rig.of(later)?.state).toBe('verified');
  });

  it('is tried again after a gateway had a fault, and a fault that lasts is for an operator', async () => {
    const rig = await contentsRig();
    let asked = 0;
    rig.gateway.fault = (_request, response) => {
      asked += 1;
      if (asked > 4) return false;
      response.writeHead(429, { 'retry-after': '20' }).end();
      return true;
    };
    const cid = await rig.gateway.add(png(15));
    rig.feature.keep([cid], true);
    await rig.settled();
    expect(rig.of(cid)).toMatchObject({ state: 'queued', failure: { code: 'too-many-requests' } });
    for (let round = 0; round < 12; round += 1) {
      await rig.clock.advance(60_000);
      await rig.settled();
    }
    expect(rig.of(cid)?.state).toBe('verified');
  });

  it('stays when room is made: what was shown longest ago goes first', async () => {
    const rig = await contentsRig({ cacheBytes: 10_000 });
    const cids: string[] = [];
    for (let at = 20; at < 23; at += 1) {
      const cid = await rig.gateway.add(png(at));
      cids.push(cid);
      rig.feature.want(cid, true);
      await rig.settled();
      await rig.clock.advance(60_000);
    }
    const [first = '', second = '', third = ''] = cids;
    rig.feature.keep([first], true);
    value(rig.feature.open(second, false));
    rig.feature.close(value(rig.feature.open(second, false)).ticket);
    const fourth = await rig.gateway.add(png(23));
    rig.feature.want(fourth, true);
    await rig.settled();
    const states = [first, second, third, fourth].map((cid) => rig.of(cid)?.state);
    expect(states).toEqual(['verified', 'verified', 'absent', 'verified']);
    expect(rig.state().bytes).toBe(9_000);
    // Nothing may go: the one that stays and the two that are kept leave no room.
    rig.feature.keep([second, fourth], true);
    const fifth = await rig.gateway.add(png(24));
    rig.feature.want(fifth, true);
    await rig.settled();
    expect(rig.of(fifth)).toMatchObject({ state: 'failed', failure: { code: 'storage-failed' } });
  });
});

it('fetches nothing where the policy or the deployment forbids it', () => {
  const parts = createFeatureRig();
  const feature = accountLife(
    parts,
    (opening) =>
      new EvidenceFiles(
        {
          ...parts,
          ...opening,
          gateways: null,
          deployment: { gateways: ['https://gateway.example/'], evidencePreview: 'ask', evidenceCache: 1 },
        },
        () => [],
      ),
  );
  return feature.start().then(async () => {
    expect(feature.want('bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy', true).ok).toBe(false);
    expect(feature.fileOf('bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy')).toBe(null);
    expect(contentsSchema.parse(parts.store.slice('contents')).preview).toBe('off');
    await feature.stop();
  });
});
