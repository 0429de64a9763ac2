import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { VaultRecords } from '../../../../src-main/core/vault/records.ts';
import { opened, placeOf } from '../../../adapters/vault/records/support.ts';
import { stepUntil } from '../../../support/clock.ts';
import { createTestPorts } from '../../../support/ports.ts';
import { account, createOutboxRig, fileIn, valueOf, type OutboxRig } from './uploadsRig.ts';

interface RealRig {
  readonly rig: OutboxRig;
  /** The vault's folder. */
  readonly folder: string;
  /** Leaves the vault, does something to its files, and opens it again. */
  again(between?: () => Promise<void>): Promise<void>;
  /** Lets time pass, virtual and real, until it holds. */
  until(condition: () => boolean): Promise<void>;
  leave(): Promise<void>;
}

/** An outbox on the real database and spool. */
async function onRealDisk(): Promise<RealRig> {
  const { dataDir } = createTestPorts();
  const state: { records: VaultRecords | null } = { records: null };
  const open = async (): Promise<VaultRecords> =>
    (state.records = await opened(dataDir, { fresh: state.records === null }));
  const rig = await createOutboxRig({ open });
  const leave = async (): Promise<void> => {
    await rig.outbox.stop();
    await state.records?.close();
  };
  return {
    rig,
    folder: placeOf(dataDir),
    leave,
    async again(between) {
      await leave();
      await between?.();
      await rig.outbox.start(await open(), account);
    },
    until: (condition) => stepUntil(rig.clock, condition, { what: 'the outbox', stepMs: 50 }),
  };
}

it('queues three files offline and sends each once after a restart, from the real disk', async () => {
  const { rig, folder, again, until, leave } = await onRealDisk();
  rig.at.connection = 'offline';
  rig.outbox.review();
  const contents = [Buffer.alloc(2_500_000, 7), Buffer.alloc(0), Buffer.from('a small one')];
  const ids: string[] = [];
  for (const [n, content] of contents.entries()) ids.push(await rig.add(`file ${String(n)}`, content));
  expect(rig.slice().counts.waiting).toBe(3);
  await again();
  expect(ids.map((id) => rig.state(id))).toEqual(['waiting', 'waiting', 'waiting']);
  expect(rig.service.calls).toHaveLength(0);
  rig.at.connection = 'online';
  rig.outbox.review();
  await until(() => rig.slice().counts.sent === 3);
  expect(rig.items().map(({ verdict }) => verdict)).toEqual(['match', 'match', 'match']);
  const sent = rig.service.effects.map(({ body }) => fileIn(body).byteLength).sort((a, b) => a - b);
  expect(sent).toEqual([0, 11, 2_500_000]);
  await again();
  expect(rig.slice().counts.sent).toBe(3);
  expect((await readdir(folder, { recursive: true })).filter((name) => /sealed|sidecar/.test(name))).toEqual(
    [],
  );
  await leave();
});

it.each([
  ['missing', (file: string) => rm(file)],
  ['overwritten', (file: string) => writeFile(file, 'this is no database')],
])('makes a %s database again from the sidecars, and sends nothing twice', async (_, damage) => {
  const { rig, folder, again, until, leave } = await onRealDisk();
  rig.service.behave = () => ({ kind: 'lose-answer' });
  const lost = await rig.add('lost', 'its answer was lost');
  await until(() => rig.item(lost).attempts === 1 && rig.state(lost) === 'waiting');
  valueOf(await rig.outbox.pause(null, true));
  const queued = await rig.add('queued', 'it waits its turn');
  await again(async () => {
    for (const name of ['outbox.sqlite-wal', 'outbox.sqlite-shm'])
      await rm(join(folder, name), { force: true });
    await damage(join(folder, 'outbox.sqlite'));
  });
  rig.service.behave = () => ({ kind: 'take' });
  await until(() => rig.state(queued) === 'sent');
  expect(rig.item(lost)).toMatchObject({ state: 'needs-decision', decision: 'outcome-unknown' });
  expect(rig.service.effects).toHaveLength(2);
  await leave();
});

it('finds a damaged file in the real spool before it is sent whole', async () => {
  const { rig, folder, again, until, leave } = await onRealDisk();
  valueOf(await rig.outbox.pause(null, true));
  const id = await rig.add('a', Buffer.alloc(1_500_000, 1));
  await again(async () => {
    const names = await readdir(folder, { recursive: true });
    const name = names.find((one) => one.endsWith(`${id}.sealed`));
    const bytes = await readFile(join(folder, name ?? ''));
    bytes[bytes.byteLength - 100] = (bytes[bytes.byteLength - 100] ?? 0) ^ 1;
    await writeFile(join(folder, name ?? ''), bytes);
  });
  valueOf(await rig.outbox.pause(null, false));
  await until(() => rig.state(id) === 'failed');
  expect(rig.item(id).failure?.code).toBe('file-damaged');
  expect(rig.service.effects).toHaveLength(0);
  await leave();
});
