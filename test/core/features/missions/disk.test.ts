import { mkdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VaultRecords } from '../../../../src-main/core/vault/records.ts';
import { createTestPorts, type TestPorts } from '../../../support/ports.ts';
import { createMissionRig, cut, took } from './missionRig.ts';

const vaultId = 'a'.repeat(32);
const key = (value: number): Uint8Array => new Uint8Array(32).fill(value);

const open = (ports: TestPorts, fresh: boolean): Promise<VaultRecords> =>
  ports.records.open({
    vaultId,
    keys: {
      identity: vaultId,
      rows: key(1),
      lookup: key(2),
      head: key(3),
      files: key(4),
      sidecars: key(5),
      contents: key(7),
      contentNotes: key(8),
      audit: key(6),
    },
    now: 0,
    fresh,
  });

/** What the next start finds after `change` was done to the files. */
async function laterThan(change: (folder: string) => Promise<void>) {
  const ports = createTestPorts();
  const folder = join(ports.dataDir, 'vaults', vaultId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const first = await open(ports, true);
  const rig = createMissionRig();
  await rig.start(first);
  for (let number = 1; number <= 5; number += 1) {
    rig.decide = () => (number === 5 ? cut() : took());
    await rig.approve(`m-${String(number)}`);
  }
  expect(rig.slice().audit).toEqual({ count: 10, state: 'intact', problem: null });
  await rig.feature.stop();
  await first.close();
  await change(folder);
  const second = await open(ports, false);
  const later = createMissionRig();
  await later.start(second);
  const slice = later.slice();
  await later.feature.stop();
  await second.close();
  await ports.records.close();
  return slice;
}

describe('on a disk', () => {
  it('decisions and the audit list are there at the next start', async () => {
    const { audit, missions } = await laterThan(() => Promise.resolve());
    expect(audit).toEqual({ count: 10, state: 'intact', problem: null });
    expect(missions.map(({ id, decided }) => `${id} ${String(decided?.outcome)}`)).toEqual(
      expect.arrayContaining(['m-1 done', 'm-4 done', 'm-5 unknown']),
    );
    expect(missions[0]?.decided?.sameAgainUntil).not.toBeNull();
  });

  it('a database that was cut off is detected by the head', async () => {
    const { audit } = await laterThan((folder) => truncate(join(folder, 'outbox.sqlite'), 100));
    expect(audit).toMatchObject({ state: 'damaged', count: 11 });
    expect(audit.problem).toContain('entries 1 to 10 are missing');
  });

  it('a head that was removed is detected', async () => {
    const { audit } = await laterThan((folder) => rm(join(folder, 'actions.head')));
    expect(audit).toMatchObject({ state: 'damaged', count: 11 });
    expect(audit.problem).toContain('is missing');
  });

  it('a head that was overwritten is detected', async () => {
    const { audit } = await laterThan((folder) => truncate(join(folder, 'actions.head'), 20));
    expect(audit).toMatchObject({ state: 'damaged', count: 11 });
    expect(audit.problem).toContain('is damaged');
  });
});
