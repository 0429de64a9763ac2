import { describe, expect, it } from 'vitest';
import { createOutboxRig, pieces, valueOf, type OutboxRig } from './uploadsRig.ts';
import { said } from '../../../support/messages.ts';

const announced = async (rig: OutboxRig, bytes: number, name = 'a'): Promise<string> =>
  valueOf(await rig.outbox.begin(name, bytes, null)).uploadId;

/** A body that a test feeds by hand. */
function fed(): {
  body: AsyncIterable<Uint8Array>;
  give: (bytes: number) => void;
  end: () => void;
  cut: () => void;
} {
  const waiting: ((result: IteratorResult<Uint8Array> | Error) => void)[] = [];
  const ready: (IteratorResult<Uint8Array> | Error)[] = [];
  const push = (result: IteratorResult<Uint8Array> | Error): void => {
    const next = waiting.shift();
    if (next) next(result);
    else ready.push(result);
  };
  const next = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve, reject) => {
      const take = (result: IteratorResult<Uint8Array> | Error): void => {
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      const one = ready.shift();
      if (one) take(one);
      else waiting.push(take);
    });
  return {
    body: { [Symbol.asyncIterator]: () => ({ next }) },
    give: (bytes) => push({ done: false, value: new Uint8Array(bytes) }),
    end: () => push({ done: true, value: undefined }),
    cut: () => push(new Error('the connection went')),
  };
}

const nothingLeft = (rig: OutboxRig): void => {
  expect([rig.disk.files.size, rig.disk.halves.size, rig.disk.sidecars.size]).toEqual([0, 0, 0]);
};

describe('an announced file', () => {
  it.each([
    ['more bytes', 11],
    ['fewer bytes', 9],
    ['none at all', 0],
  ])('with %s than announced changed while it was read', async (_, bytes) => {
    const rig = await createOutboxRig();
    const id = await announced(rig, 10);
    expect(rig.outbox.knows(id)).toBe(true);
    expect(rig.state(id)).toBe('receiving');
    expect(await rig.outbox.receive(id, pieces(new Uint8Array(bytes)))).toBe('refused');
    expect(rig.item(id)).toMatchObject({ state: 'failed', failure: { code: 'file-refused' } });
    expect(said(rig.item(id).why)).toContain('changed during reading');
    nothingLeft(rig);
    expect(rig.outbox.knows(id)).toBe(false);
    expect(await rig.outbox.retry(id)).toMatchObject({ ok: false });
    valueOf(await rig.outbox.discard(id, 'failed'));
    expect(rig.items()).toEqual([]);
  });

  it('may be empty', async () => {
    const rig = await createOutboxRig();
    const id = await rig.add('empty', '');
    await rig.settle();
    expect(rig.state(id)).toBe('sent');
  });

  it.each(['receive', 'take', 'finish'] as const)(
    'on a full disk (%s) leaves nothing behind',
    async (work) => {
      const rig = await createOutboxRig();
      const id = await announced(rig, 3_000);
      rig.disk.fails = (one) => (one === work ? 'full' : null);
      expect(await rig.outbox.receive(id, pieces(new Uint8Array(3_000)))).toBe('refused');
      rig.disk.fails = () => null;
      expect(rig.item(id)).toMatchObject({ state: 'failed', failure: { code: 'storage-failed' } });
      expect(said(rig.item(id).why)).toContain('Disk full');
      if (work !== 'receive') nothingLeft(rig);
    },
  );

  it('whose connection breaks may come again for a while', async () => {
    const rig = await createOutboxRig();
    const id = await announced(rig, 4);
    const broken = fed();
    const answer = rig.outbox.receive(id, broken.body);
    broken.give(2);
    await rig.settle();
    expect(await rig.outbox.receive(id, pieces(new Uint8Array(4)))).toBe('busy');
    broken.cut();
    expect(await answer).toBe('refused');
    expect(rig.state(id)).toBe('receiving');
    await rig.pass(9_000);
    expect(await rig.outbox.receive(id, pieces(new Uint8Array(4)))).toBe('kept');
    await rig.pass(60_000);
    expect(rig.state(id)).toBe('sent');
  });

  it('that does not come again failed, as it may have been removed', async () => {
    const rig = await createOutboxRig();
    const id = await announced(rig, 4);
    const broken = fed();
    const answer = rig.outbox.receive(id, broken.body);
    broken.cut();
    await answer;
    await rig.pass(11_000);
    expect(rig.item(id)).toMatchObject({ state: 'failed', failure: { code: 'file-refused' } });
    expect(said(rig.item(id).why)).toContain('changed or been removed');
    nothingLeft(rig);
  });

  it('that never comes, or stops coming, is given up', async () => {
    const rig = await createOutboxRig();
    const never = await announced(rig, 4);
    const stops = await announced(rig, 4);
    const half = fed();
    void rig.outbox.receive(stops, half.body);
    half.give(1);
    await rig.pass(59_000);
    expect(rig.state(never)).toBe('receiving');
    await rig.pass(70_000);
    expect([rig.state(never), rig.state(stops)]).toEqual(['failed', 'failed']);
    nothingLeft(rig);
  });

  it('can be cancelled before and while it comes', async () => {
    const rig = await createOutboxRig();
    const [one, two] = [await announced(rig, 4), await announced(rig, 4)];
    const half = fed();
    const answer = rig.outbox.receive(two, half.body);
    half.give(2);
    await rig.settle();
    valueOf(await rig.outbox.cancel(one));
    valueOf(await rig.outbox.cancel(two));
    expect(await answer).toBe('refused');
    expect([rig.item(one).failure?.code, rig.item(two).failure?.code]).toEqual(['cancelled', 'cancelled']);
    nothingLeft(rig);
    expect(await rig.outbox.receive(one, pieces(new Uint8Array(4)))).toBe('unknown');
  });

  it('failed when the vault was left, and when the console was killed', async () => {
    const rig = await createOutboxRig();
    const [one, two] = [await announced(rig, 4), await announced(rig, 4)];
    const half = fed();
    const answer = rig.outbox.receive(two, half.body);
    half.give(2);
    await rig.settle();
    await rig.restart();
    expect(await answer).toBe('refused');
    expect([rig.state(one), rig.state(two)]).toEqual(['failed', 'failed']);
    const three = await announced(rig, 4);
    await rig.kill();
    expect(said(rig.item(three).why)).toContain('before the file was copied');
    expect([one, two, three].map((id) => rig.item(id).failure?.code)).toEqual(Array(3).fill('copy-cut-off'));
    nothingLeft(rig);
  });

  it('whose copying a kill cut off stands on top at the next start, in the order they were added', async () => {
    const rig = await createOutboxRig();
    valueOf(await rig.outbox.pause(null, true));
    const whole = [await rig.add('a', 'a'), await rig.add('b', 'b')];
    const first = [await announced(rig, 4), await announced(rig, 5)];
    await rig.kill();
    expect(rig.items().map(({ id }) => id)).toEqual([...first, ...whole]);
    const later = await announced(rig, 6);
    await rig.kill();
    expect(rig.items().map(({ id }) => id)).toEqual([later, ...first, ...whole]);
    await rig.kill();
    expect(rig.items().map(({ id }) => id)).toEqual([later, ...first, ...whole]);
    const added = await rig.add('c', 'c');
    expect(rig.items().at(-1)?.id).toBe(added);
  });

  it('is on the disk before any page sees it', async () => {
    const rig = await createOutboxRig();
    const seen: number[] = [];
    rig.disk.fails = (work) => {
      if (work === 'row') seen.push(rig.items().length, rig.slice().counts.receiving);
      return null;
    };
    await announced(rig, 4);
    expect(seen.slice(0, 2)).toEqual([0, 0]);
    expect(rig.slice().counts.receiving).toBe(1);
  });

  it('comes beside others', async () => {
    const rig = await createOutboxRig();
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => announced(rig, n + 1)));
    const answers = ids.map((id, n) => rig.outbox.receive(id, pieces(new Uint8Array(n + 1).fill(n), 3)));
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['kept']));
    await rig.pass(1_000);
    expect(rig.slice().counts.sent).toBe(20);
  });

  it('of the same bytes at the same time is asked about once', async () => {
    const rig = await createOutboxRig();
    const ids = [await announced(rig, 4), await announced(rig, 4)];
    await Promise.all(ids.map((id) => rig.outbox.receive(id, pieces(new Uint8Array(4)))));
    await rig.settle();
    expect(ids.map((id) => rig.state(id)).sort()).toEqual(['needs-decision', 'sent']);
    expect(rig.service.effects).toHaveLength(1);
  });
});

describe('an announcement', () => {
  it('is refused where nothing can be kept', async () => {
    const rig = await createOutboxRig();
    await rig.outbox.stop();
    await rig.outbox.start(null, 'operator');
    expect(rig.slice()).toMatchObject({ available: false, problem: { code: 'storage-failed' } });
    expect(await rig.outbox.begin('a', 1, null)).toMatchObject({
      ok: false,
      failure: { code: 'storage-failed' },
    });
  });

  it('is refused over 5 GB, without a name, and without room', async () => {
    const rig = await createOutboxRig();
    expect(await rig.outbox.begin('a', 5 * 1024 ** 3 + 1, null)).toMatchObject({ ok: false });
    expect(await rig.outbox.begin('../..', 1, null)).toMatchObject({ ok: false });
    rig.disk.room = 100;
    expect(await rig.outbox.begin('a', 101, null)).toMatchObject({ ok: false });
    valueOf(await rig.outbox.begin('a', 60, null));
    // What is on its way has its room already.
    expect(await rig.outbox.begin('b', 60, null)).toMatchObject({
      ok: false,
      failure: { code: 'file-refused' },
    });
    valueOf(await rig.outbox.begin('b', 40, null));
    expect(rig.items()).toHaveLength(2);
  });

  it('that cannot be written down leaves nothing', async () => {
    const rig = await createOutboxRig();
    rig.disk.fails = (work) => (work === 'row' ? 'read-only' : null);
    expect(await rig.outbox.begin('a', 1, null)).toMatchObject({
      ok: false,
      failure: { code: 'storage-failed' },
    });
    expect(rig.items()).toEqual([]);
    rig.disk.fails = () => null;
    await rig.pass(20_000);
    expect(rig.slice().problem).toBeNull();
    expect([...rig.disk.rows.keys()].filter((name) => name.startsWith('uploads/'))).toEqual([]);
  });
});
