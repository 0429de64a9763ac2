import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditFacts } from '../../../../../src-main/core/features/missions/audit/auditEntry.ts';
import { AuditList } from '../../../../../src-main/core/features/missions/audit/auditList.ts';
import { auditEntrySchema } from '../../../../../src-preload/contract/index.ts';
import { createRecordingLogger } from '../../../../support/ports.ts';
import { MemoryRecords } from '../../../memoryRecords.ts';
import { said, saying } from '../../../../support/messages.ts';

const facts = (number: number): AuditFacts => ({
  at: 1_000 + number,
  username: 'canary',
  event: {
    id: 'audit.doneWith.approve',
    values: { answer: `Event ${String(number)} with “quotes” and ✓.`, number },
  },
  missionId: `m-${String(number)}`,
  decision: 'approve',
  outcome: 'done',
  requestId: `req-${String(number)}`,
  key: null,
});

async function opened(records: MemoryRecords): Promise<AuditList> {
  const list = new AuditList(
    { logger: createRecordingLogger(), serverNow: () => 5, username: 'canary' },
    records,
  );
  await list.open();
  return list;
}

async function filled(count: number): Promise<MemoryRecords> {
  const records = new MemoryRecords();
  const list = await opened(records);
  for (let number = 1; number <= count; number += 1) await list.append(facts(number));
  return records;
}

const ids = (records: MemoryRecords): string[] => [...records.tables.audit.keys()].sort();
const text = (records: MemoryRecords, id: string | undefined): string =>
  records.tables.audit.get(id ?? '') ?? '';

describe('the audit list', () => {
  it('is intact after appends, the latest first, over a restart', async () => {
    const records = await filled(25);
    const list = await opened(records.copy());
    expect(list.state).toEqual({ count: 25, state: 'intact', problem: null });
    const { total, entries } = list.read(0, 10);
    expect(total).toBe(25);
    expect(entries.map(({ number }) => number)).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
    expect(entries.every((entry) => auditEntrySchema.parse(entry).intact)).toBe(true);
    expect(entries.map(({ event }) => 'id' in event && event.values['number'])).toEqual(
      entries.map(({ number }) => number),
    );
    expect(list.read(20, 10).entries).toHaveLength(5);
    expect(list.read(25, 10).entries).toEqual([]);
  });

  it('writes the row before the head, with what belongs to it, and one at a time', async () => {
    const records = new MemoryRecords();
    const list = await opened(records);
    records.calls.length = 0;
    const row = { table: 'decisions', id: 'x', text: '{}' } as const;
    await Promise.all([list.append(facts(1), [row]), list.append(facts(2))]);
    expect(records.calls).toEqual(['write decisions audit', 'writeHead', 'write audit', 'writeHead']);
    expect(records.tables.decisions.get('x')).toBe('{}');
  });

  it('takes in an append that a crash interrupted before its head', async () => {
    const records = await filled(3);
    const before = records.head;
    const list = await opened(records);
    await list.append(facts(4));
    records.head = before;
    const again = await opened(records);
    expect(again.state).toEqual({ count: 4, state: 'intact', problem: null });
    expect((await opened(records)).state.state).toBe('intact');
    expect(records.head).not.toBe(before);
  });

  it('shows that an older copy of the vault was put back, also after entries that follow it', async () => {
    const records = await filled(3);
    const older = records.copy();
    const list = await opened(records);
    await list.append(facts(4));
    await list.append(facts(5));
    // All of the vault is the older one; what lies outside of it is not.
    older.anchor = records.anchor;
    const back = await opened(older);
    expect(back.state).toMatchObject({ count: 6, state: 'damaged' });
    expect(said(back.read(0, 1).entries[0]?.event)).toContain(
      'an older copy was put back, entries 4 to 5 are missing',
    );
    await back.append(facts(7));
    expect((await opened(older.copy())).state).toMatchObject({ count: 7, state: 'damaged' });
  });

  it.each([
    ['older', 'an older copy of the vault was put back'],
    ['altered', 'exchanged for an older version'],
  ] as const)(
    'is never intact where the vault is %s, also when no entry is missing',
    async (rollback, what) => {
      const records = await filled(3);
      records.rollback = rollback;
      const list = await opened(records);
      expect(list.state).toMatchObject({ count: 4, state: 'damaged' });
      expect(said(list.read(0, 1).entries[0]?.event)).toContain(what);
      // What made it known is not seen any more at the next start.
      expect((await opened(records.copy())).state).toMatchObject({ count: 4, state: 'damaged' });
    },
  );

  it('gives the hash of its latest entry, which the export shows beside it', async () => {
    expect((await opened(new MemoryRecords())).hash).toBeNull();
    const list = await opened(await filled(3));
    expect(list.hash).toMatch(/^[0-9a-f]{64}$/);
    const lines = new TextDecoder()
      .decode(await list.export())
      .trim()
      .split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ entry: { number: 3 }, hmac: list.hash });
  });

  it('shows entries that were written in the place of others', async () => {
    const records = await filled(3);
    const other = records.copy();
    await (await opened(records)).append(facts(4));
    await (await opened(other)).append(facts(9));
    other.anchor = records.anchor;
    expect((await opened(other)).state).toMatchObject({ state: 'damaged' });
  });

  it('opens a list of a version without an anchor, and anchors it with the next entry', async () => {
    const records = await filled(3);
    records.anchor = null;
    const list = await opened(records);
    expect(list.state).toEqual({ count: 3, state: 'intact', problem: null });
    await list.append(facts(4));
    expect(records.anchor).toBe(records.head);
  });

  it('goes no further than one entry ahead of its head', async () => {
    const records = await filled(2);
    const list = await opened(records);
    records.refuses = (rows) => rows === 'head';
    await list.append(facts(3));
    await expect(list.append(facts(4))).rejects.toThrow('no head');
    records.refuses = () => false;
    await list.append(facts(4));
    expect((await opened(records.copy())).state).toMatchObject({ count: 4, state: 'intact' });
  });

  it('holds nothing of an append that failed', async () => {
    const records = await filled(2);
    const list = await opened(records);
    records.refuses = () => true;
    await expect(list.append(facts(3))).rejects.toThrow('no space');
    records.refuses = () => false;
    expect(list.state.count).toBe(2);
    await list.append(facts(3));
    expect((await opened(records)).state).toMatchObject({ count: 3, state: 'intact' });
  });
});

describe('damage', () => {
  const count = 12;
  /** Each makes one change and says from which number the list cannot hold any more. */
  const changes = {
    'an edited text': (records: MemoryRecords, at: number, to: number) => {
      const id = ids(records)[at];
      const before = text(records, id);
      const place = to % before.length;
      const other = String.fromCharCode(before.charCodeAt(place) ^ 1);
      records.tables.audit.set(id ?? '', before.slice(0, place) + other + before.slice(place + 1));
      return at + 1;
    },
    'a removed entry': (records: MemoryRecords, at: number) => {
      records.tables.audit.delete(ids(records)[at] ?? '');
      return at + 1;
    },
    'two entries swapped': (records: MemoryRecords, at: number, to: number) => {
      const other = (at + 1 + (to % (count - 1))) % count;
      const [a, b] = [ids(records)[at] ?? '', ids(records)[other] ?? ''];
      const kept = text(records, a);
      records.tables.audit.set(a, text(records, b));
      records.tables.audit.set(b, kept);
      return Math.min(at, other) + 1;
    },
    'an entry put in twice': (records: MemoryRecords, at: number) => {
      records.tables.audit.set('000000000013', text(records, ids(records)[at]));
      return count + 1;
    },
    'a damaged row': (records: MemoryRecords, at: number) => {
      records.tables.audit.delete(ids(records)[at] ?? '');
      records.damaged = { audit: 1 };
      return at + 1;
    },
    'the end cut off': (records: MemoryRecords, at: number) => {
      for (const id of ids(records).slice(at)) records.tables.audit.delete(id);
      return at + 1;
    },
    'a removed head': (records: MemoryRecords) => {
      records.head = null;
      return count + 1;
    },
    'a removed head and the end cut off': (records: MemoryRecords, at: number) => {
      const left = Math.max(1, at);
      for (const id of ids(records).slice(left)) records.tables.audit.delete(id);
      records.head = null;
      return left + 1;
    },
    'a damaged head': (records: MemoryRecords) => {
      records.headDamaged = true;
      records.head = null;
      return count + 1;
    },
    'an edited head': (records: MemoryRecords, _at: number, to: number) => {
      const head = records.head ?? '';
      const place = to % head.length;
      records.head =
        head.slice(0, place) + String.fromCharCode(head.charCodeAt(place) ^ 1) + head.slice(place + 1);
      return count + 1;
    },
    'a head made for fewer entries': (records: MemoryRecords, at: number) => {
      const row = JSON.parse(text(records, ids(records)[at])) as { hmac: string };
      for (const id of ids(records).slice(at + 1)) records.tables.audit.delete(id);
      const head = JSON.parse(records.head ?? '') as object;
      records.head = JSON.stringify({ ...head, count: at + 1, hmac: row.hmac });
      return at === count - 1 ? null : at + 2;
    },
    'another key': (records: MemoryRecords) => {
      records.auditKey = new Uint8Array(32);
      return 1;
    },
  };

  it.each(Object.entries(changes))('%s is found, wherever it is', async (_name, change) => {
    const whole = await filled(count);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: count - 1 }), fc.nat(10_000), async (at, to) => {
        const records = whole.copy();
        const from = change(records, at, to);
        const list = await opened(records);
        if (from === null) {
          expect(list.state.state).toBe('intact');
          return;
        }
        expect(list.state.state).toBe('damaged');
        const named = /from entry (\d+) on/.exec(list.state.problem ?? '')?.[1];
        expect(Number(named)).toBe(from);
        const { entries } = list.read(0, 50);
        for (const { number, intact } of entries) {
          const isRestart = number === list.state.count;
          if (isRestart) expect(intact).toBe(true);
          else expect(intact, String(number)).toBe(number < from);
        }
      }),
      { numRuns: 40 },
    );
  });

  it.each(Object.entries(changes))('after %s the list goes on, and stays marked', async (name, change) => {
    const records = await filled(count);
    const from = change(records, 4, 7) ?? 0;
    const list = await opened(records);
    await list.append(facts(90));
    await list.append(facts(91));
    const later = await opened(records.copy());
    expect(later.state.state, name).toBe('damaged');
    // The same damage is told once.
    expect(later.state.count).toBe(list.state.count);
    expect(later.read(0, 100).entries).toEqual(list.read(0, 100).entries);
    const [last, one, restart] = later.read(0, 3).entries;
    expect([last?.intact, one?.intact, restart?.intact]).toEqual([true, true, true]);
    expect(said(restart?.event)).toContain(`from entry ${String(from)} on`);
  });

  it('is a head that was put back', async () => {
    const records = await filled(5);
    const { head } = records;
    const list = await opened(records);
    for (let number = 6; number <= 9; number += 1) await list.append(facts(number));
    records.head = head;
    const later = await opened(records);
    expect(later.state.problem).toContain('from entry 10 on');
    expect(later.state.problem).toContain('older than the list');
    expect((await opened(records)).state.count).toBe(10);
  });

  it('is an entry of another history of the same list', async () => {
    const one = await filled(4);
    const other = one.copy();
    const [list, fork] = [await opened(one), await opened(other)];
    for (let number = 5; number <= 8; number += 1) {
      await list.append(facts(number));
      await fork.append(facts(number + 100));
    }
    const id = ids(other)[5] ?? '';
    one.tables.audit.set(id, text(other, id));
    const later = await opened(one);
    expect(later.state.problem).toContain('from entry 6 on');
  });

  it('is found again behind damage that was told', async () => {
    const records = await filled(count);
    records.tables.audit.delete(ids(records)[7] ?? '');
    const list = await opened(records);
    await list.append(facts(50));
    records.tables.audit.delete(ids(records)[2] ?? '');
    const later = await opened(records);
    expect(later.state.problem).toContain('from entry 3 on');
    const last = await opened(records);
    expect(last.state.count).toBe(later.state.count);
    expect(
      last
        .read(0, 100)
        .entries.filter(({ intact }) => intact)
        .map(({ number }) => number),
    ).toEqual([15, 2, 1]);
  });

  it('is a whole list that went missing with its database', async () => {
    const records = new MemoryRecords();
    records.lost = 'missing';
    const list = await opened(records);
    expect(list.state).toMatchObject({ state: 'damaged', count: 1 });
    records.lost = null;
    expect((await opened(records)).state.state).toBe('damaged');
  });

  it('is a database that was replaced beside its head', async () => {
    const records = await filled(count);
    records.tables.audit.clear();
    records.lost = 'unreadable';
    const list = await opened(records);
    expect(list.state.problem).toContain('entries 1 to 12 are missing');
    expect(list.state.count).toBe(13);
    const { entries } = list.read(0, 20);
    expect(entries.map(({ number }) => number)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(entries[1]).toMatchObject({
      intact: false,
      event: saying('This entry is missing or cannot be read.'),
    });
  });

  it('is not claimed of a list that is new', async () => {
    const records = new MemoryRecords();
    expect((await opened(records)).state).toEqual({ count: 0, state: 'intact', problem: null });
    expect((await opened(records.copy())).state).toEqual({ count: 0, state: 'intact', problem: null });
  });
});

describe('the export', () => {
  it('is JSON Lines of every entry, its HMAC and the head', async () => {
    const records = await filled(3);
    const list = await opened(records);
    const lines = new TextDecoder()
      .decode(await list.export())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatchObject({ version: 1, entries: 3, state: 'intact', head: { count: 3 } });
    expect(lines[3]).toMatchObject({ entry: { number: 3, event: said(facts(3).event) }, intact: true });
    expect((lines[0]?.['head'] as { hmac: string }).hmac).toBe(lines[3]?.['hmac']);
  });

  it('tells what is missing in one line', async () => {
    const records = await filled(9);
    for (const id of ids(records).slice(3, 6)) records.tables.audit.delete(id);
    const list = await opened(records);
    const lines = new TextDecoder()
      .decode(await list.export())
      .trimEnd()
      .split('\n');
    expect(JSON.parse(lines[4] ?? '')).toEqual({ missing: { from: 4, to: 6 } });
    expect(lines).toHaveLength(1 + 9 - 3 + 1 + 1);
  });
});

describe('10,000 entries', () => {
  it('are checked and read', async () => {
    const records = await filled(10_000);
    const began = performance.now();
    const list = await opened(records);
    const ms = performance.now() - began;
    process.stdout.write(`audit: 10,000 entries read and checked in ${ms.toFixed(0)} ms\n`);
    expect(list.state).toMatchObject({ count: 10_000, state: 'intact' });
    expect(list.read(9_999, 10).entries.map(({ number }) => number)).toEqual([1]);
  });
});
