import { describe, expect, it } from 'vitest';
import { cidOf, createOutboxRig, fileIn, valueOf } from './uploadsRig.ts';

describe('the outbox', () => {
  it('sends a file once, and shows what the service made of it', async () => {
    const rig = await createOutboxRig();
    const id = await rig.add('photo.jpg', 'bytes of a photo');
    await rig.settle();
    expect(rig.item(id)).toMatchObject({
      state: 'sent',
      fileName: 'photo.jpg',
      cid: cidOf(Buffer.from('bytes of a photo')),
      verdict: 'match',
      profile: 'v1-raw-256k',
      requestId: 'req-1',
    });
    expect(rig.service.effects).toHaveLength(1);
    expect(Buffer.from(fileIn(rig.service.effects[0]?.body ?? '')).toString()).toBe('bytes of a photo');
    expect(rig.disk.files.size).toBe(0);
    expect(rig.unsent).toEqual([0, 1, 0]);
  });

  it('writes the sidecar and then the row before the first byte leaves', async () => {
    const rig = await createOutboxRig();
    let logAtCall: string[] = [];
    rig.service.behave = () => {
      logAtCall = [...rig.disk.log];
      return { kind: 'take' };
    };
    const id = await rig.add('a', 'x');
    await rig.settle();
    expect(logAtCall.slice(-3)).toEqual([`sidecar ${id}`, `row ${id}`, 'row latest-server-time']);
    const row = JSON.parse(rig.disk.rows.get(`uploads/${id}`) ?? '{}') as { key: { attempts: number } };
    expect(row.key.attempts).toBe(1);
    expect(valueOf(await rig.outbox.discardSent())).toBeNull();
    expect(rig.items()).toEqual([]);
  });
});
