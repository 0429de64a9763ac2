import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { writeItem } from '../../../../src-main/core/features/uploads/itemText.ts';
import { said } from '../../../support/messages.ts';
import { cidOf, createOutboxRig, valueOf, type OutboxRig } from './uploadsRig.ts';

const rawCid = (text: string): string => cidOf(Buffer.from(text));
const content = 'what a drone saw';
const right = rawCid(content);

async function answered(body: unknown, status = 200): Promise<{ rig: OutboxRig; id: string }> {
  const rig = await createOutboxRig();
  rig.service.behave = () => ({ kind: 'answer', status, body });
  const id = await rig.add('photo.jpg', content);
  await rig.pass(20 * 60_000);
  return { rig, id };
}
const isHere = ({ disk }: OutboxRig, id: string): boolean =>
  Buffer.from(disk.files.get(id) ?? []).toString() === content && disk.sidecars.has(id);

describe('an answer of 2xx', () => {
  it.each([[{ cid: right }], [{ Hash: right, error: null, success: true }], [right]])(
    'with the CID of these bytes proves that the service has them: %j',
    async (body) => {
      const { rig, id } = await answered(body);
      expect(rig.item(id)).toMatchObject({ state: 'sent', cid: right, verdict: 'match' });
      expect([rig.disk.files.size, rig.disk.sidecars.size]).toEqual([0, 0]);
    },
  );

  // The first eight are those of reviews/service.md, F8.
  it.each([
    [{ error: 'quota exceeded' }, 200, 'The service says: quota exceeded.'],
    [{ success: false, message: 'virus found' }, 200, 'The service says: virus found.'],
    [{ status: 'queued' }, 202, 'The service has accepted it'],
    [undefined, 204, 'The answer names no CID.'],
    [{ cid: null }, 200, 'The answer names no CID.'],
    [[], 200, 'The answer names no CID.'],
    ['', 200, 'The answer names no CID.'],
    [{}, 200, 'The answer names no CID.'],
    ['<html>Welcome to the harbour network</html>', 200, 'The answer names no CID.'],
    // A body lowers what the status and the CID prove, and raises nothing.
    [{ cid: right, error: 'quota exceeded' }, 200, 'quota exceeded'],
    [{ cid: right, success: 'false' }, 200, 'The answer says that it failed.'],
    [{ cid: right, status: 507 }, 200, 'The answer says that it failed.'],
    [{ data: { cid: right, status: 'failed' } }, 201, 'The answer says that it failed.'],
    [{ cid: right, status: 'rejected' }, 200, 'The answer says that it failed.'],
    [{ cid: right, status: 'pinning' }, 200, 'The service has accepted it'],
    [{ cid: right }, 202, 'The service has accepted it'],
    [{ cid: 'bafy-not-a-cid' }, 200, 'can’t be compared'],
  ])('without a proof keeps the copy: %j with %i', async (body, status, why) => {
    const { rig, id } = await answered(body, status);
    expect(rig.item(id)).toMatchObject({ state: 'unproven', requestId: 'req-1' });
    expect(said(rig.item(id).why)).toContain(why);
    expect(said(rig.item(id).remedy)).toContain('the copy stays here');
    expect(rig.service.calls).toHaveLength(1);
    for (const again of [() => rig.kill(), () => rig.restart(), () => rig.pass(48 * 3_600_000)]) {
      await again();
      expect(rig.state(id)).toBe('unproven');
      expect(isHere(rig, id)).toBe(true);
    }
    // It is no file that is still to be sent, and its copy must not be lost with the saved data.
    expect([rig.slice().unsent, rig.unsent.at(-1)]).toEqual([0, 1]);
    valueOf(await rig.outbox.discardSent());
    expect(isHere(rig, id)).toBe(true);
  });

  it('with a CID of other bytes needs a decision', async () => {
    const { rig, id } = await answered({ cid: rawCid('other') });
    expect(rig.item(id)).toMatchObject({
      state: 'needs-decision',
      decision: 'other-bytes',
      cid: rawCid('other'),
      verdict: 'differs',
      requestId: 'req-1',
    });
    await rig.kill();
    expect(isHere(rig, id)).toBe(true);
    rig.service.behave = () => ({ kind: 'take' });
    valueOf(await rig.outbox.decide(id, 'send'));
    await rig.settle();
    // Under its old key the service would only repeat its answer.
    expect(new Set(rig.service.calls.map(({ key }) => key)).size).toBe(2);
    expect(rig.item(id)).toMatchObject({ state: 'sent', verdict: 'match' });
    expect(rig.disk.files.size).toBe(0);
  });
});

describe('an upload that is not proven', () => {
  const unproven = () => answered({}, 200);

  it('is proven by the list of evidence, when the operator asks or whenever the list is read', async () => {
    const { rig, id } = await unproven();
    for (const [evidence, why] of [
      ['unknown', 'Can’t read'],
      ['not-found', 'still unknown'],
    ] as const) {
      rig.at.evidence = evidence;
      valueOf(await rig.outbox.decide(id, 'check'));
      expect(said(rig.item(id).why)).toContain(why);
      expect(isHere(rig, id)).toBe(true);
    }
    await rig.outbox.prove((cids) => cids.includes(rawCid('other')));
    expect(isHere(rig, id)).toBe(true);
    await rig.outbox.prove((cids) => cids.includes(right));
    expect(rig.item(id)).toMatchObject({ state: 'sent', requestId: 'req-1' });
    expect(said(rig.item(id).why)).toBe('Found in the list of evidence.');
    expect(rig.disk.files.size).toBe(0);

    const other = await unproven();
    other.rig.at.evidence = 'found';
    valueOf(await other.rig.outbox.decide(other.id, 'check'));
    expect(other.rig.state(other.id)).toBe('sent');
    expect(other.rig.disk.files.size).toBe(0);
  });

  it('is looked for by the CID that the service gave too, where that may be of these bytes', async () => {
    const graph = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
    const { rig, id } = await answered({ cid: graph });
    expect(rig.item(id)).toMatchObject({ state: 'unproven', verdict: 'not-verifiable' });
    valueOf(await rig.outbox.decide(id, 'check'));
    expect(rig.asked.at(-1)).toContain(graph);
    const other = await answered({ cid: rawCid('other') });
    valueOf(await other.rig.outbox.decide(other.id, 'check'));
    expect(other.rig.asked.at(-1)).not.toContain(rawCid('other'));
  });

  it('loses its copy when the operator says so, and says that it was never proven', async () => {
    const { rig, id } = await unproven();
    valueOf(await rig.outbox.decide(id, 'erase'));
    expect(rig.state(id)).toBe('sent');
    expect(said(rig.item(id).why)).toContain('erased by an operator');
    expect([rig.disk.files.size, rig.disk.sidecars.size]).toEqual([0, 0]);
    // Only such a copy is erased so.
    expect(await rig.outbox.decide(id, 'erase')).toMatchObject({ failure: { code: 'conflict' } });
    const lost = await rig.add('other.jpg', 'other', null);
    expect(await rig.outbox.decide(lost, 'erase')).toMatchObject({ failure: { code: 'conflict' } });
  });

  it('is sent again under another key', async () => {
    const { rig, id } = await unproven();
    rig.service.behave = () => ({ kind: 'take' });
    valueOf(await rig.outbox.decide(id, 'send'));
    await rig.settle();
    expect(rig.item(id)).toMatchObject({ state: 'sent', verdict: 'match' });
    expect(new Set(rig.service.calls.map(({ key }) => key)).size).toBe(2);
  });

  it('keeps its copy when rows are lost, and says so when the copy is damaged', async () => {
    const { rig, id } = await unproven();
    rig.disk.loseRows();
    await rig.kill();
    expect(rig.state(id)).toBe('unproven');
    expect(isHere(rig, id)).toBe(true);
    rig.disk.files.set(id, Buffer.from('less'));
    await rig.kill();
    expect(rig.item(id)).toMatchObject({ state: 'needs-decision', decision: 'outcome-unknown' });
    expect(said(rig.item(id).why)).toContain('damaged');
  });

  it('takes room, which the refusal of a new file names', async () => {
    const { rig } = await unproven();
    rig.disk.room = 10;
    const refused = await rig.outbox.begin('large', 11, null);
    expect(refused).toMatchObject({ ok: false });
    if (!refused.ok) expect(said(refused.failure.remedy)).toContain('not proven take 16 bytes');
  });
});

it('an upload that version 0.2 sent has no copy, and opens as it is', async () => {
  const rig = await createOutboxRig();
  rig.service.behave = () => ({ kind: 'answer', status: 200, body: {} });
  const id = await rig.add('photo.jpg', content);
  await rig.settle();
  const stored = JSON.parse(rig.disk.rows.get(`uploads/${id}`) ?? '') as Parameters<typeof writeItem>[0];
  const note = { text: 'The service confirmed it, but the answer can’t be read. Its CID is unknown.' };
  const old = { ...stored, phase: { ...stored.phase, state: 'sent', note } } as typeof stored;
  rig.disk.rows.set(`uploads/${id}`, writeItem(old));
  rig.disk.files.delete(id);
  rig.disk.sidecars.delete(id);
  await rig.kill();
  expect(rig.item(id)).toMatchObject({ state: 'sent', cid: null, verdict: null, why: note });
  expect(createHash('sha256').update(content).digest('hex')).toBe(rig.item(id).sha256);
});
