import { onTestFinished } from 'vitest';
import { CID } from 'multiformats/cid';
import {
  ContentFetch,
  FetchFailed,
  type Fetched,
} from '../../../../../src-main/core/features/evidence/content/contentFetch.ts';
import { GatewayForms } from '../../../../../src-main/core/features/evidence/content/gatewayForms.ts';
import { GatewayClient } from '../../../../../src-main/core/service/gateway/gatewayClient.ts';
import { createClock } from '../../../../../src-main/adapters/clock.ts';
import { momentsOf } from '../../../../../src-main/core/base/failure.ts';
import type { Clock } from '../../../../../src-main/core/base/ports.ts';
import { HeliaGateway } from '../../../../support/gateway/heliaGateway.ts';
import { createTestNetwork } from '../../../../support/ports.ts';
import { patience } from '../../../../support/patience.ts';

export const plainAddress = {
  infrastructureUrl: 'https://service.example',
  coordinationUrl: 'https://service.example',
  loginPath: '/login',
  ca: null,
  systemAuthorities: false,
  proxy: null,
  attemptTimeoutMs: 15_000,
  totalTimeoutMs: 45_000,
};

/** Bytes that no chunk of which is like another. */
export function someBytes(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed >>> 0 || 1;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** Waits no longer than a millisecond for anything but an answer. */
export const hastyClock = (patienceMs = patience.step, clock: Clock = createClock()): Clock => ({
  ...clock,
  schedule: (ms, run) => clock.schedule(Math.min(ms, ms >= 15_000 ? patienceMs : 1), run),
});

export async function fetchRig({ patienceMs = patience.step } = {}) {
  const gateway = await HeliaGateway.start();
  const gateways = [gateway.url];
  const clock = hastyClock(patienceMs);
  const client = new GatewayClient({
    address: plainAddress,
    gateways,
    clock,
    network: createTestNetwork(),
    serverNow: () => Date.parse('2026-11-26'),
  });
  onTestFinished(async () => {
    await client.close();
    await gateway.close();
  });
  const forms = new GatewayForms();
  const parts: Uint8Array[] = [];
  const sizes: number[] = [];
  const rig = {
    gateway,
    gateways,
    client,
    forms,
    sizes,
    /** Of the items that name what is fetched. */
    addresses: [] as string[],
    abort: new AbortController(),
    write: (bytes: Uint8Array): Promise<void> => {
      parts.push(Uint8Array.from(bytes));
      return Promise.resolve();
    },
    bytes: () => Buffer.concat(parts),
    /** How it ended: what came, or the code of what did not. */
    fetch: async (cid: string, mostBytes = 2 ** 30): Promise<Fetched | string> => {
      const account = {
        deployment: { gateways, evidencePreview: 'ask' as const, evidenceCache: mostBytes },
        clock,
        random: { fraction: () => 0.5, bytes: (length: number) => new Uint8Array(length) },
        ...momentsOf(() => 0),
      };
      const options = {
        cid: CID.parse(cid).toString(),
        addresses: rig.addresses,
        forms,
        ask: (request: Parameters<GatewayClient['ask']>[0]) => client.ask(request),
        signal: rig.abort.signal,
      };
      const fetching = new ContentFetch(account, options, {
        before: null,
        write: (bytes) => rig.write(bytes),
        sized: (bytes) => {
          sizes.push(bytes);
          return Promise.resolve();
        },
      });
      try {
        return await fetching.run();
      } catch (error) {
        if (error instanceof FetchFailed) return error.failure.code;
        throw error;
      }
    },
  };
  return rig;
}
