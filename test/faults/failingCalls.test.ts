import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { storageErrorOf } from '../../src-main/adapters/vault/reason.ts';
import { openConsole, startService, type OpenConsole } from '../core/scopes/appFixtures.ts';
import { campaignTimeoutMs, runCampaign } from '../support/campaign.ts';
import { createTestPorts, type TestPorts } from '../support/ports.ts';

const codes = ['EIO', 'ENOSPC', 'EMFILE', 'EROFS'] as const;
const again = 31_000;
/** Calls to the disk that an opening makes, at the least. */
const leastCalls = 8;

/** The ports, whose vaults and records count their calls, and fail once with `code` at the call of number `at`. */
function failingOnce(ports: TestPorts, at: number, code: string): { ports: TestPorts; calls: () => number } {
  let calls = 0;
  const failing = <T extends object>(files: T): T =>
    new Proxy(files, {
      get(target, name) {
        const found: unknown = Reflect.get(target, name);
        // These two have no answer.
        if (typeof found !== 'function' || name === 'prepare' || name === 'hasher') return found;
        return (...given: unknown[]): unknown => {
          calls += 1;
          if (calls - 1 === at) {
            return Promise.reject(storageErrorOf(Object.assign(new Error('the disk failed'), { code })));
          }
          return (found as (...of: unknown[]) => unknown).apply(target, given);
        };
      },
    });
  const { vaults, records } = ports;
  return { ports: { ...ports, vaults: failing(vaults), records: failing(records) }, calls: () => calls };
}

it(
  'one failing call at any place of an opening costs no session and loses nothing',
  async () => {
    let mostCalls = 0;
    const campaign = { name: 'failing calls', whole: 200, part: 6 };
    await runCampaign(campaign, async (draw, index) => {
      const folder = await mkdtemp(join(tmpdir(), 'field-console-failing-'));
      const ports = createTestPorts();
      const service = await startService(ports);
      const { infrastructureUrl, coordinationUrl } = service;
      const path = join(folder, 'field.json');
      const deployment = { version: 1, id: 'field', name: 'Field', infrastructureUrl, coordinationUrl };
      await writeFile(path, JSON.stringify({ ...deployment, timestampUnit: 'seconds' }));
      const start = (change: TestPorts): Promise<OpenConsole> =>
        openConsole({ ports: change, named: [{ source: 'command-line', path }] });
      const note = async (console: OpenConsole, text: string): Promise<void> => {
        await console.shows(({ incidents }) => incidents?.count === 20, 'all incidents');
        expect(await console.call('addNote', { incidentId: 'real-1', text })).toMatchObject({ ok: true });
      };
      let open: OpenConsole | null = null;
      try {
        // A new vault, or one with a note in it.
        const isNew = index % 2 === 0;
        if (!isNew) {
          open = await start(ports);
          await open.signIn(service);
          await note(open, 'before');
          await open.close();
        }
        const code = draw.pick(codes);
        // More than there are: then none fails at the opening.
        const at = draw.below(Math.max(leastCalls, mostCalls));
        const failing = failingOnce(ports, at, code);
        open = await start(failing.ports);
        expect(await open.signIn(service)).toMatchObject({ ok: true });
        await open.shows(({ incidents }) => incidents?.count === 20, 'all incidents all the same');
        await ports.clock.advance(again);
        await open.shows(
          ({ storage }) => storage?.keeping === 'disk' && storage.problem === null,
          `the vault to open after ${code} at call ${String(at)}`,
        );
        mostCalls = Math.max(mostCalls, failing.calls());
        await note(open, 'after');
        await open.close();
        await service.goDown();
        open = await start(ports);
        await open.signIn(service);
        await open.shows(({ watch }) => watch?.notes === (isNew ? 1 : 2), 'the notes on the disk');
        return `${code} at a ${isNew ? 'new' : 'kept'} vault`;
      } finally {
        await open?.close();
        await service.close();
        await ports.records.close();
        await ports.vaults.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
    expect(mostCalls).toBeGreaterThan(leastCalls);
  },
  campaignTimeoutMs,
);
