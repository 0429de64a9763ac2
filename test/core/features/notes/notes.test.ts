import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanNote } from '../../../../src-main/core/features/notes/noteText.ts';
import { mostEntries } from '../../../../src-main/core/features/notes/shiftLog.ts';
import { mostNotes, mostPins } from '../../../../src-preload/contract/index.ts';
import { flush } from '../../../support/clock.ts';
import { MemoryRecords } from '../../memoryRecords.ts';
import { anyText, begunWatch, noWords } from './notesRig.ts';

const idOf = (result: unknown): string => (result as { value: { id: string } }).value.id;

describe('notes', () => {
  it('come back after a restart with author and times, in the order of writing', async () => {
    const first = await begunWatch();
    const one = idOf(await first.feature.addNote('inc-1', '  Road is blocked.\r\n'));
    await first.clock.advance(60_000);
    const two = idOf(await first.feature.addNote('inc-2', 'Second'));
    await first.clock.advance(60_000);
    expect(await first.feature.changeNote(one, 'Road is open.')).toMatchObject({ ok: true });
    await first.stop();

    const again = await begunWatch({ records: first.records?.copy() ?? null });
    const { notes } = again.feature.readNotes({ incidentId: null, text: '' }, 0, 10);
    expect(notes.map(({ id }) => id)).toEqual([two, one]);
    const [, changed] = notes;
    expect(changed).toMatchObject({ text: 'Road is open.', username: 'ann', incidentId: 'inc-1' });
    expect((changed?.changedAt ?? 0) - (changed?.at ?? 0)).toBe(120_000);
    expect(again.shown()).toMatchObject({ noted: ['inc-2', 'inc-1'], notes: 2, damaged: 0, problem: null });
  });

  it('are durable before the answer, together with their line of the log', async () => {
    const { feature, records } = await begunWatch();
    let goOn = (): void => undefined;
    if (records) records.gate = () => new Promise((resolve) => (goOn = resolve));
    let answered = false;
    const adding = feature.addNote('inc-1', 'Wait').finally(() => (answered = true));
    await flush();
    expect(answered).toBe(false);
    expect(feature.readNotes({ incidentId: null, text: '' }, 0, 1).total).toBe(0);
    goOn();
    const id = idOf(await adding);
    expect(records?.tables.notes.has(id)).toBe(true);
    expect([...(records?.tables.shift.values() ?? [])].join('')).toContain('note-added');
  });

  it('are not there when they could not be written, nor is a line that says so', async () => {
    const { feature, records, kinds, shown } = await begunWatch();
    const kept = idOf(await feature.addNote('inc-1', 'Kept'));
    if (records) records.refuses = () => true;
    expect(await feature.addNote('inc-1', 'Lost')).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(await feature.changeNote(kept, 'Lost')).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(await feature.removeNote(kept)).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(await feature.pin('inc-1', true)).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(feature.readNotes({ incidentId: 'inc-1', text: '' }, 0, 9).notes).toMatchObject([
      { text: 'Kept' },
    ]);
    expect(kinds()).toEqual(['note-added', 'shift-began']);
    expect(shown().pins).toEqual([]);
    if (records) records.refuses = () => false;
    expect(await feature.removeNote(kept)).toEqual({ ok: true, value: null });
    expect(shown()).toMatchObject({ noted: [], notes: 0 });
  });

  it('are cleaned: no control characters, no space around, nothing of nothing', async () => {
    const { feature } = await begunWatch();
    for (const text of ['', '   ', '\u0000\u0007', '\r\n']) {
      expect(await feature.addNote('inc-1', text)).toMatchObject({ failure: { code: 'malformed-request' } });
    }
    fc.assert(
      fc.property(anyText, (text) => {
        const cleaned = cleanNote(text);
        expect(cleaned.length).toBeLessThanOrEqual(text.length);
        expect(cleaned).toBe(cleanNote(cleaned));
        expect(/[^\P{Cc}\n\t]/u.test(cleaned)).toBe(false);
        expect(cleaned.isWellFormed()).toBe(true);
      }),
    );
    expect(cleanNote('a\r\nb\rc\td')).toBe('a\nb\nc\td');
  });

  it('are found by incident and by their words, whatever the case, page by page', async () => {
    const { feature } = await begunWatch();
    for (let at = 0; at < 5; at += 1) await feature.addNote(`inc-${String(at % 2)}`, `Bridge ${String(at)}`);
    await feature.addNote('inc-0', 'Harbour');
    const texts = (incidentId: string | null, text: string, from = 0, count = 9) =>
      feature.readNotes({ incidentId, text }, from, count).notes.map((note) => note.text);
    expect(texts('inc-1', '')).toEqual(['Bridge 3', 'Bridge 1']);
    expect(texts(null, ' BRIDGE ')).toHaveLength(5);
    expect(texts('inc-0', 'bridge', 1, 1)).toEqual(['Bridge 2']);
    expect(feature.readNotes({ incidentId: null, text: 'none' }, 0, 9)).toEqual({ total: 0, notes: [] });
  });

  it('are refused where nothing can be stored; pins and log work in memory, and the page shows that', async () => {
    const { feature, shown, kinds } = await begunWatch({ records: null });
    expect(await feature.addNote('inc-1', 'x')).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(await feature.pin('inc-1', true)).toEqual({ ok: true, value: null });
    expect(kinds()).toEqual(['incident-pinned', 'shift-began']);
    expect(shown().problem).toMatchObject({ code: 'storage-failed' });
  });

  it('stop at 10,000', async () => {
    const records = new MemoryRecords();
    for (let at = 0; at < mostNotes; at += 1) {
      const id = at.toString(16).padStart(32, '0');
      const note = { id, incidentId: 'inc', text: 'x', username: 'ann', at, changedAt: null };
      records.tables.notes.set(id, JSON.stringify({ version: 1, number: at, note }));
    }
    const { feature } = await begunWatch({ records });
    expect(await feature.addNote('inc', 'one more')).toMatchObject({ failure: { code: 'conflict' } });
    expect(await feature.removeNote('0'.repeat(32))).toMatchObject({ ok: true });
    expect(await feature.addNote('inc', 'one more')).toMatchObject({ ok: true });
  });
});

describe('pins', () => {
  it('are kept in the order of pinning, once each, 500 at most', async () => {
    const { feature, shown, records, stop, entries } = await begunWatch();
    for (const id of ['b', 'a', 'c', 'a'])
      expect(await feature.pin(id, true)).toEqual({ ok: true, value: null });
    await feature.pin('b', false);
    await feature.pin('b', false);
    await feature.pin('b', true);
    expect(shown().pins).toEqual(['a', 'c', 'b']);
    expect(entries().filter(({ incidentId }) => incidentId === 'b')).toHaveLength(3);
    await stop();
    const again = await begunWatch({ records: records?.copy() ?? null });
    expect(again.shown().pins).toEqual(['a', 'c', 'b']);
    for (let at = 3; at < mostPins; at += 1) await again.feature.pin(`inc-${String(at)}`, true);
    expect(await again.feature.pin('one more', true)).toMatchObject({ failure: { code: 'conflict' } });
    expect(await again.feature.pin('a', true)).toMatchObject({ ok: true });
  });
});

describe('the log of a shift', () => {
  it('begins at the sign-in when none runs, and goes on over restarts', async () => {
    const first = await begunWatch();
    const startedAt = first.shown().shift?.startedAt;
    await first.clock.advance(5_000);
    first.feature.log({ kind: 'upload-sent', subject: 'photo.jpg' });
    await first.stop();
    const again = await begunWatch({ records: first.records?.copy() ?? null });
    expect(again.shown().shift).toEqual({ startedAt, entries: 2, folded: 0, handedOverAt: null });
    expect(again.entries()[0]).toMatchObject({ kind: 'upload-sent', subject: 'photo.jpg', username: 'ann' });
  });

  it('holds what an alarm said as a message, and of a very long one its English', async () => {
    const first = await begunWatch();
    const alarm = { id: 'alarm.sessionBack', values: { backAt: 0 } };
    first.feature.log({ kind: 'alarm-acknowledged', alarm, subject: 'Crew 4 goes' });
    const place = { text: 'x'.repeat(9_000) };
    const long = { id: 'alarm.new', values: { heading: 'High', type: 'fire', place } };
    first.feature.log({ kind: 'alarm-acknowledged', alarm: long });
    await first.stop();
    const entries = (await begunWatch({ records: first.records?.copy() ?? null })).entries();
    expect(entries.map((entry) => [entry.subject, entry.alarm])).toEqual([
      [null, { text: expect.stringMatching(/^High: fire, x{3000}/) as string }],
      ['Crew 4 goes', alarm],
      [null, null],
    ]);
  });

  it('takes lines that come while it is read, and while the vault is left', async () => {
    const first = await begunWatch();
    let leave = (): void => undefined;
    const others = new Promise<void>((resolve) => (leave = resolve));
    const stopped = first.feature.stop(others);
    first.feature.log({ kind: 'upload-sent', subject: 'the last one' });
    expect(first.shown()).toMatchObject({ shift: null, pins: [] });
    leave();
    await stopped;
    first.feature.log({ kind: 'upload-sent', subject: 'nobody is there' });
    const texts = [...(first.records?.tables.shift.values() ?? [])].join('');
    expect(texts).toContain('the last one');
    expect(texts).not.toContain('nobody is there');

    const started = first.feature.start(first.records, 'ann');
    first.feature.log({ kind: 'exported', subject: 'a.csv', outcome: 'csv' });
    await started;
    await flush();
    expect(first.kinds()).toEqual(['exported', 'upload-sent', 'shift-began']);
  });

  it('keeps in memory what cannot be written, says so, and writes it when the disk is well again', async () => {
    const { feature, records, clock, shown, kinds } = await begunWatch();
    if (records) records.refuses = () => true;
    feature.log({ kind: 'alarm-acknowledged', subject: 'An alarm' });
    await flush();
    expect(kinds()[0]).toBe('alarm-acknowledged');
    expect(shown().problem).toMatchObject({ code: 'storage-failed' });
    if (records) records.refuses = () => false;
    await clock.advance(30_000);
    await flush();
    expect(shown().problem).toBeNull();
    expect([...(records?.tables.shift.values() ?? [])].join('')).toContain('An alarm');
  });

  it('folds its oldest lines beyond 10,000 into a count, on the disk too', async () => {
    const { feature, shown, records } = await begunWatch();
    for (let at = 0; at < mostEntries + 24; at += 1)
      feature.log({ kind: 'upload-sent', subject: String(at) });
    await flush();
    // With the line that began it.
    expect(shown().shift).toMatchObject({ entries: mostEntries, folded: 25 });
    expect(feature.readShift(0, 1).entries).toMatchObject([{ subject: String(mostEntries + 23) }]);
    expect(feature.readShift(mostEntries - 1, 5).entries).toMatchObject([{ subject: '24' }]);
    expect(records?.tables.shift.size).toBe(mostEntries + 1);
    feature.log({ kind: 'upload-sent', subject: 'one more' });
    await flush();
    expect(shown().shift).toMatchObject({ entries: mostEntries, folded: 26 });
    const again = await begunWatch({ records: records?.copy() ?? null });
    expect(again.shown().shift).toMatchObject({ entries: mostEntries, folded: 26 });
  });

  it('is ended by a handover; what comes after it is the next shift’s, which the next sign-in begins', async () => {
    const { feature, records, stop, clock, kinds, shown } = await begunWatch();
    await feature.addNote('inc-1', 'Stays');
    await clock.advance(1_000);
    expect((await feature.handOver(noWords)).ok).toBe(true);
    const handedOverAt = shown().shift?.handedOverAt;
    expect(handedOverAt).toBe(clock.wallNow());
    await clock.advance(1_000);
    feature.log({ kind: 'upload-sent', subject: 'late' });
    await flush();
    expect(kinds()).toEqual(['upload-sent', 'handed-over', 'note-added', 'shift-began']);
    await stop();
    const again = await begunWatch({ records: records?.copy() ?? null, username: 'ben' });
    expect(again.kinds()).toEqual(['shift-began', 'upload-sent']);
    expect(again.shown()).toMatchObject({ notes: 1, shift: { startedAt: handedOverAt, handedOverAt: null } });
  });

  it('begins again on request, with nothing of the one before', async () => {
    const { feature, kinds, shown, clock, records } = await begunWatch();
    await feature.pin('inc-1', true);
    await clock.advance(7_000);
    expect(await feature.beginShift()).toEqual({ ok: true, value: null });
    expect(kinds()).toEqual(['shift-began']);
    expect(shown()).toMatchObject({ pins: ['inc-1'], shift: { startedAt: clock.wallNow(), entries: 1 } });
    expect(records?.tables.shift.size).toBe(2);
    if (records) records.refuses = () => true;
    await clock.advance(7_000);
    expect(await feature.beginShift()).toMatchObject({ failure: { code: 'storage-failed' } });
    expect(shown().shift?.startedAt).toBe(clock.wallNow() - 7_000);
  });
});

describe('damage', () => {
  it('costs the rows that are damaged, which are counted and said', async () => {
    const first = await begunWatch();
    const lost = idOf(await first.feature.addNote('inc-1', 'Lost'));
    await first.feature.addNote('inc-2', 'Kept');
    await first.feature.pin('inc-2', true);
    await first.stop();
    const records = first.records?.copy() ?? new MemoryRecords();
    records.tables.notes.set(lost, '{"version":1');
    records.tables.pins.set('x', '{}');
    records.tables.shift.set('head', 'nonsense');
    records.damaged = { notes: 2 };
    const { shown, entries, logger } = await begunWatch({ records });
    expect(shown()).toMatchObject({ damaged: 5, noted: ['inc-2'], pins: ['inc-2'] });
    // The head is lost, and the shift is not.
    expect(entries()).toHaveLength(4);
    expect(logger.lines.some(({ event }) => event === 'watch-rows-damaged')).toBe(true);
    expect(JSON.stringify(logger.lines)).not.toContain('Lost');
  });

  it('that keeps all from being read is said, and read again later; nothing is overwritten meanwhile', async () => {
    const first = await begunWatch();
    await first.feature.addNote('inc-1', 'Kept');
    await first.stop();
    const records = first.records?.copy() ?? new MemoryRecords();
    const { rows } = records.store;
    let broken = true;
    Object.assign(records, {
      store: {
        ...records.store,
        rows: (table: 'notes') => (broken ? Promise.reject(new Error('x')) : rows(table)),
      },
    });
    const { feature, shown, clock } = await begunWatch({ records });
    expect(shown().problem).toMatchObject({ code: 'storage-failed' });
    expect(await feature.addNote('inc-1', 'Not now')).toMatchObject({ failure: { code: 'storage-failed' } });
    feature.log({ kind: 'upload-sent', subject: 'meanwhile' });
    broken = false;
    await clock.advance(30_000);
    await flush();
    expect(shown()).toMatchObject({ problem: null, notes: 1, shift: { entries: 3 } });
  });
});

it('notes are gone from the page when the vault is left', async () => {
  const { feature, stop, shown } = await begunWatch();
  await feature.addNote('inc-1', 'x');
  await stop();
  expect(await feature.addNote('inc-1', 'y')).toMatchObject({ failure: { code: 'signed-out' } });
  expect(await feature.handOver(noWords)).toMatchObject({ failure: { code: 'signed-out' } });
  expect(shown()).toMatchObject({ noted: [], pins: [], shift: null });
});
