import { describe, expect, it } from 'vitest';
import { createOutboxRig, valueOf, type OutboxRig } from './uploadsRig.ts';
import { said } from '../../../support/messages.ts';

/** One that is queued, one whose answer was lost, one that is sent and one that was refused. */
async function four() {
  const rig = await createOutboxRig();
  rig.service.behave = ({ contentLength }) =>
    contentLength === sizes.lost
      ? { kind: 'lose-answer' }
      : contentLength === sizes.refused
        ? { kind: 'refuse', status: 422 }
        : { kind: 'take' };
  const sizes = { lost: 0, refused: 0 };
  const measure = await rig.add('m', '1');
  await rig.settle();
  const base = (rig.service.calls[0]?.body.length ?? 0) - 1;
  sizes.lost = base + 22;
  sizes.refused = base + 33;
  const lost = await rig.add('l', 'l'.repeat(22));
  const refused = await rig.add('r', 'r'.repeat(33));
  await rig.settle();
  await rig.outbox.pause(lost, true);
  valueOf(await rig.outbox.pause(null, true));
  const queued = await rig.add('q', 'q');
  expect([measure, lost, refused, queued].map((id) => rig.state(id))).toEqual([
    'sent',
    'waiting',
    'failed',
    'queued',
  ]);
  return { rig, sent: measure, lost, refused, queued };
}

describe('a lost database', () => {
  it('is made again from the sidecars, and what may have arrived is asked about', async () => {
    const { rig, sent, lost, refused, queued } = await four();
    const calls = rig.service.calls.length;
    rig.disk.loseRows();
    await rig.kill();
    expect(rig.state(sent)).toBeUndefined();
    expect(rig.item(lost)).toMatchObject({ state: 'needs-decision', decision: 'outcome-unknown' });
    expect(rig.state(refused)).toBe('failed');
    expect(rig.state(queued)).toBe('sent');
    expect(rig.service.calls).toHaveLength(calls + 1);
    expect(rig.notices.at(-1)).toContain('3 uploads were restored');
    // And stays so, though the next start finds a database.
    await rig.kill();
    expect([lost, refused, queued].map((id) => rig.state(id))).toEqual(['needs-decision', 'failed', 'sent']);
    expect(rig.notices).toHaveLength(1);
  });

  it('keeps files of which nothing is known, as they cannot be told from work', async () => {
    const { rig, queued } = await four();
    rig.disk.sidecars.set(queued, null);
    rig.disk.loseRows();
    await rig.kill();
    expect(rig.state(queued)).toBeUndefined();
    expect(rig.disk.files.has(queued)).toBe(true);
  });
});

describe('a damaged row', () => {
  it.each([
    ['that is gone', (rig: OutboxRig, id: string) => void rig.disk.rows.delete(`uploads/${id}`)],
    [
      'that cannot be read',
      (rig: OutboxRig, id: string) => void rig.disk.rows.set(`uploads/${id}`, '{"id":1}'),
    ],
  ])('%s is made again from its sidecar', async (_, damage) => {
    const { rig, lost, queued } = await four();
    rig.disk.damagedRows = 1;
    damage(rig, lost);
    await rig.kill();
    expect(rig.item(lost)).toMatchObject({ state: 'needs-decision', decision: 'outcome-unknown' });
    expect(rig.state(queued)).toBe('queued');
  });
});

describe('a start', () => {
  it('believes the later one of a row and its sidecar', async () => {
    const { rig, queued } = await four();
    const row = rig.disk.rows.get(`uploads/${queued}`) ?? '';
    // Killed between the two: the sidecar says that it was begun.
    rig.service.behave = () => ({ kind: 'lose-answer' });
    valueOf(await rig.outbox.pause(null, false));
    await rig.settle();
    expect(rig.item(queued).attempts).toBe(1);
    rig.disk.rows.set(`uploads/${queued}`, row);
    rig.service.behave = () => ({ kind: 'take' });
    const effects = rig.service.effects.length;
    await rig.kill();
    await rig.settle();
    expect(rig.item(queued)).toMatchObject({ state: 'sent', attempts: 2 });
    expect(rig.service.effects).toHaveLength(effects);
  });

  it('removes what was sent, and what a discard left', async () => {
    const { rig, sent, queued } = await four();
    rig.disk.files.set(sent, Buffer.from('1'));
    rig.disk.files.set('ffffffffffffffff', Buffer.from('orphan'));
    await rig.kill();
    expect([...rig.disk.files.keys()].sort()).not.toContain(sent);
    expect(rig.disk.files.has('ffffffffffffffff')).toBe(false);
    expect(rig.disk.files.has(queued)).toBe(true);
    expect(rig.state(sent)).toBe('sent');
  });

  it('does not send again what its sidecar knows as sent', async () => {
    const { rig, queued } = await four();
    const file = rig.disk.files.get(queued) ?? new Uint8Array();
    // The row could not be written, nor the bytes removed, before the kill.
    rig.disk.fails = (work, id) =>
      work === 'remove' ||
      (work === 'row' && rig.disk.log.at(-1) === `sidecar ${id}` && sidecarSays(rig, queued, 'sent'))
        ? 'full'
        : null;
    valueOf(await rig.outbox.pause(null, false).then(() => ({ ok: true, value: null })));
    await rig.settle();
    expect(rig.disk.files.get(queued)).toEqual(file);
    rig.disk.fails = () => null;
    const effects = rig.service.effects.length;
    await rig.kill();
    await rig.pass(60_000);
    expect(rig.state(queued)).toBe('sent');
    expect(rig.service.effects).toHaveLength(effects);
    expect(rig.disk.files.has(queued)).toBe(false);
  });

  it('says that a file is damaged, or asks where it may have arrived', async () => {
    const { rig, lost, queued } = await four();
    rig.disk.files.delete(queued);
    rig.disk.files.set(lost, Buffer.from('shorter'));
    await rig.kill();
    expect(rig.item(queued)).toMatchObject({ state: 'failed', failure: { code: 'file-damaged' } });
    expect(rig.item(lost)).toMatchObject({ state: 'needs-decision', failure: { code: 'file-damaged' } });
    expect(said(rig.item(lost).why)).toContain('may have arrived');
  });

  it('finds damage while it sends, before the service has the whole body', async () => {
    const { rig, lost, queued } = await four();
    rig.disk.fails = (work) => (work === 'read' ? 'broken' : null);
    const effects = rig.service.effects.length;
    valueOf(await rig.outbox.pause(lost, false));
    valueOf(await rig.outbox.pause(null, false));
    await rig.settle();
    expect(rig.item(queued)).toMatchObject({ state: 'failed', failure: { code: 'file-damaged' } });
    await rig.pass(10_000);
    expect(rig.item(lost)).toMatchObject({ state: 'needs-decision', failure: { code: 'file-damaged' } });
    expect(rig.service.effects).toHaveLength(effects);
  });

  it('asks where a key belongs to another account', async () => {
    const { rig, lost, queued } = await four();
    await rig.kill({ account: 'somebody else' });
    expect(rig.item(lost)).toMatchObject({
      state: 'needs-decision',
      decision: 'outcome-unknown',
      attempts: 0,
    });
    expect(rig.state(queued)).toBe('queued');
    valueOf(await rig.outbox.pause(null, false));
    valueOf(await rig.outbox.decide(lost, 'send'));
    rig.service.behave = () => ({ kind: 'take' });
    await rig.pass(60_000);
    expect(rig.state(lost)).toBe('sent');
  });

  it('is tried again where the store cannot be read', async () => {
    const { rig, queued } = await four();
    await rig.outbox.stop();
    rig.disk.fails = () => 'busy';
    await rig.outbox.start(rig.disk.open(), 'operator');
    expect(rig.slice()).toMatchObject({ available: false, problem: { code: 'storage-failed' } });
    rig.disk.fails = () => null;
    await rig.pass(31_000);
    expect(rig.slice()).toMatchObject({ available: true, problem: null });
    expect(rig.state(queued)).toBe('queued');
  });
});

const sidecarSays = (rig: OutboxRig, id: string, state: string): boolean =>
  (rig.disk.sidecars.get(id) ?? '').includes(`"state":"${state}"`);

describe('a disk that fails', () => {
  it('stops nothing: no byte leaves before it is written down, and it goes on by itself', async () => {
    const rig = await createOutboxRig();
    const id = await rig.add('a', 'x').then(async (added) => {
      return added;
    });
    await rig.settle();
    rig.disk.fails = (work) => (work === 'sidecar' ? 'full' : null);
    const other = await rig.add('b', 'y');
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
    expect(rig.item(other)).toMatchObject({
      state: 'waiting',
      failure: { code: 'storage-failed' },
      attempts: 0,
    });
    expect(rig.slice().problem).toMatchObject({ code: 'storage-failed' });
    expect(rig.service.calls).toHaveLength(1);
    rig.disk.fails = () => null;
    await rig.pass(10 * 60_000);
    expect(rig.state(other)).toBe('sent');
    expect(rig.slice().problem).toBeNull();
  });

  it('does not lose an answer that could not be written', async () => {
    const rig = await createOutboxRig();
    rig.service.behave = () => {
      rig.disk.fails = (work) => (work === 'row' || work === 'sidecar' ? 'full' : null);
      return { kind: 'take' };
    };
    const id = await rig.add('a', 'x');
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
    expect(rig.disk.files.has(id)).toBe(true);
    rig.disk.fails = () => null;
    await rig.pass(30_000);
    expect(rig.disk.files.has(id)).toBe(false);
    await rig.kill();
    expect(rig.state(id)).toBe('sent');
    expect(rig.service.effects).toHaveLength(1);
  });
});

it('stops by ending what is under way, and uses nothing afterwards', async () => {
  const rig = await createOutboxRig();
  rig.service.behave = () => ({ kind: 'hang' });
  const id = await rig.add('a', 'x');
  await rig.settle();
  expect(rig.state(id)).toBe('sending');
  await rig.outbox.stop();
  const { log } = rig.disk;
  const length = log.length;
  expect(rig.clock.pending()).toBeLessThanOrEqual(1);
  await rig.pass(3_600_000);
  expect(log).toHaveLength(length);
  expect(rig.slice()).toMatchObject({ available: false, unsent: 0, revision: 0 });
  expect(rig.unsent.at(-1)).toBe(1);
  rig.service.behave = () => ({ kind: 'take' });
  await rig.kill();
  await rig.settle();
  expect(rig.item(id)).toMatchObject({ state: 'sent', attempts: 2 });
});

describe('an older copy of the data folder that is put back', () => {
  it('sends a queued upload again under the key that it was spooled with, without a second effect', async () => {
    const rig = await createOutboxRig();
    valueOf(await rig.outbox.pause(null, true));
    const id = await rig.add('a', 'x');
    const rows = new Map(rig.disk.rows);
    const files = new Map(rig.disk.files);
    const sidecars = new Map(rig.disk.sidecars);
    valueOf(await rig.outbox.pause(null, false));
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
    for (const [name, text] of rows) rig.disk.rows.set(name, text);
    for (const [name, bytes] of files) rig.disk.files.set(name, bytes);
    for (const [name, text] of sidecars) rig.disk.sidecars.set(name, text);
    await rig.kill();
    valueOf(await rig.outbox.pause(null, false));
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
    const [one, two] = rig.service.calls;
    expect(two).toEqual(one);
    expect(rig.service.effects).toHaveLength(1);
  });
});
