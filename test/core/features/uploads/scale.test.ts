import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { writeItem } from '../../../../src-main/core/features/uploads/itemText.ts';
import { account, createOutboxRig, Disk, valueOf } from './uploadsRig.ts';

const many = 10_000;

/** A disk with ten thousand uploads, one in ten of which was sent. */
function fullDisk(): Disk {
  const disk = new Disk();
  for (let n = 0; n < many; n += 1) {
    const id = n.toString(16).padStart(16, '0');
    const bytes = Buffer.from(`file ${String(n)}`);
    const isSent = n % 10 === 9;
    const confirmation = {
      at: 5,
      cid: null,
      verdict: null,
      profile: null,
      requestId: null,
      note: null,
    };
    const text = writeItem({
      id,
      fileName: `photo-${String(n)}.jpg`,
      bytes: bytes.byteLength,
      addedAt: n,
      incidentId: null,
      place: n + 1,
      step: 3,
      paused: false,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      computed: [],
      key: null,
      endedKeys: [],
      phase: isSent
        ? { state: 'sent', ...confirmation }
        : { state: 'queued', consented: false, newKey: false },
    });
    disk.rows.set(`uploads/${id}`, text);
    if (isSent) continue;
    disk.sidecars.set(id, text);
    disk.files.set(id, bytes);
  }
  return disk;
}

it('holds ten thousand uploads: a page is a page, a move writes one row, the slice stays small', async () => {
  const disk = fullDisk();
  const rig = await createOutboxRig({ disk });
  valueOf(await rig.outbox.pause(null, true));
  await rig.settle();
  expect(rig.slice()).toMatchObject({ available: true });
  expect(rig.outbox.read(5_000, 200).items.map(({ fileName }) => fileName)[7]).toBe('photo-5007.jpg');
  expect(rig.outbox.read(9_990, 200).items).toHaveLength(10);
  expect(rig.outbox.read(20_000, 200)).toMatchObject({ total: many, items: [] });
  expect(JSON.stringify(rig.slice()).length).toBeLessThan(2_000);

  const id = (9_998).toString(16).padStart(16, '0');
  disk.log.length = 0;
  valueOf(await rig.outbox.move(id, 0));
  expect(disk.log.filter((line) => line.startsWith('row') && !line.endsWith('time'))).toEqual([`row ${id}`]);
  expect(rig.outbox.read(0, 1).items[0]?.id).toBe(id);

  const unsent = rig.slice().unsent;
  disk.log.length = 0;
  valueOf(await rig.outbox.discardSent());
  expect(rig.slice().counts.sent).toBe(0);
  expect(rig.slice().unsent).toBe(unsent);
  await rig.outbox.stop();
  await rig.outbox.start(disk.open(), account);
  expect(rig.outbox.read(0, 1)).toMatchObject({ total: unsent });
  expect(rig.outbox.read(0, 1).items[0]?.id).toBe(id);
});
