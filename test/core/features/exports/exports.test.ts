import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PaperNotPrinted, type DesktopControl, type Saving } from '../../../../src-main/core/base/control.ts';
import type { ExportOrder } from '../../../../src-main/core/features/exports/exportJob.ts';
import { Exports } from '../../../../src-main/core/features/exports/exports.ts';
import { noControl } from '../../../../src-main/core/features/ports.ts';
import type { ConsoleStore } from '../../../../src-main/core/state/consoleStore.ts';
import { exportFormats, exportVerbs, type ExportJob } from '../../../../src-preload/contract/index.ts';
import { flush, until, type VirtualClock } from '../../../support/clock.ts';
import { createFeatureRig, type FeatureRig } from '../../featureRig.ts';
import { record, upsertOf } from '../../state/storeFixtures.ts';
import { said, saying } from '../../../support/messages.ts';

/** A place that the operator chose, and what was done to it. */
class FakeSaving implements Saving {
  readonly fileName = 'chosen.csv';
  readonly pieces: Buffer[] = [];
  kept = false;
  discarded = false;
  /** Called before each piece. */
  onWrite: () => void | Promise<void> = () => undefined;
  async write(bytes: Uint8Array): Promise<void> {
    await this.onWrite();
    this.pieces.push(Buffer.from(bytes));
  }
  keep(): Promise<void> {
    this.kept = true;
    return Promise.resolve();
  }
  discard(): Promise<void> {
    this.discarded = true;
    return Promise.resolve();
  }
  get text(): string {
    return Buffer.concat(this.pieces).toString();
  }
}

let rig: FeatureRig;
let clock: VirtualClock;
let store: ConsoleStore;
let feature: Exports;
let exported: ExportJob[];
let bytes: number;
let askedFor: string[];
let printPdf: DesktopControl['printPdf'];

const order = (change: Partial<ExportOrder> = {}): ExportOrder => ({
  subject: 'incidents',
  format: 'csv',
  incidents: 2,
  filters: 'none',
  byteOrderMark: false,
  ...change,
});

function openFeature(saveAs: DesktopControl['saveAs'] | null): void {
  const desktop: DesktopControl | null = saveAs && {
    tray: false,
    startsAtLogin: () => Promise.resolve(null),
    setStartAtLogin: () => Promise.resolve(false),
    saveAs: (name) => {
      askedFor.push(name);
      return saveAs(name);
    },
    printPdf: (document, signal) => printPdf(document, signal),
  };
  feature = new Exports(
    {
      ...rig,
      store,
      random: { fraction: () => 0, bytes: (length) => new Uint8Array(length).fill((bytes += 1)) },
      ports: { ...rig.ports, control: { ...noControl, desktop } },
    },
    (job) => void exported.push(job),
  );
}

beforeEach(async () => {
  rig = createFeatureRig();
  ({ clock, store } = rig);
  store.set('deployments', {
    known: [
      {
        id: 'harbour',
        name: 'Harbour station',
        infrastructureHost: 'a',
        coordinationHost: 'b',
        source: 'added',
      },
    ],
    chosen: 'harbour',
    proposal: null,
  });
  exported = [];
  askedFor = [];
  printPdf = () => Promise.reject(new PaperNotPrinted('nothing is to be printed'));
  bytes = 0;
  await store.applyRows({
    upserts: ['a', 'b', 'c'].map((id) => upsertOf(record(id, { createdAt: clock.wallNow() }))),
    removals: [],
  });
  openFeature(null);
});
afterEach(() => feature.close());

const jobs = (): readonly ExportJob[] => store.slice('exports').jobs;
const job = (): ExportJob => {
  const [first] = jobs();
  if (!first) throw new Error('There is no export');
  return first;
};
/** The keys of incidents are counted from 1, as they were stored. */
const keyBytes = (...keys: number[]): Buffer => {
  const buffer = Buffer.alloc(keys.length * 4);
  keys.forEach((key, at) => buffer.writeUInt32LE(key, at * 4));
  return buffer;
};
async function* body(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
function begin(change: Partial<ExportOrder> = {}): { jobId: string } {
  const begun = feature.begin(order(change));
  if (!begun.ok) throw new Error(said(begun.failure.sentence));
  return begun.value;
}
async function fetched(): Promise<{ text: string; name: string; signal: AbortSignal }> {
  const stream = feature.exported(job().exportId ?? '');
  if (!stream) throw new Error('Nothing waits');
  const pieces: Uint8Array[] = [];
  for await (const piece of stream.pieces) pieces.push(piece);
  return { text: Buffer.concat(pieces).toString('latin1'), name: stream.fileName, signal: stream.signal };
}

describe('for a browser', () => {
  it('writes the incidents in the order of the keys, while the file is fetched, once', async () => {
    const { jobId } = begin();
    expect(job()).toMatchObject({ state: 'rows', incidents: 2, exportId: null });
    expect(await feature.receive(jobId, body(keyBytes(3), keyBytes(1)))).toBe('kept');
    expect(job().state).toBe('ready');
    const { exportId } = job();
    const { text, name, signal } = await fetched();
    // What is whole may still be on its way to the page.
    expect(signal.aborted).toBe(false);
    expect(name).toBe('harbour-incidents-20261120-1200.csv');
    expect(text.split('\r\n').map((line) => line.slice(0, 3))).toEqual(['id,', '"c"', '"a"', '']);
    expect(text).toContain('Harbour station');
    expect(job()).toMatchObject({ state: 'done', written: 2, gone: 0, bytes: text.length, exportId: null });
    expect(exported.map(({ id }) => id)).toEqual([jobId]);
    expect(feature.exported(exportId ?? '')).toBeNull();
  });

  it('counts keys that are no longer known', async () => {
    const { jobId } = begin();
    await feature.receive(jobId, body(keyBytes(2, 99)));
    await fetched();
    expect(job()).toMatchObject({ state: 'done', written: 1, gone: 1 });
  });

  it('writes an incident as it is known when its turn comes', async () => {
    const { jobId } = begin({ incidents: 1 });
    await feature.receive(jobId, body(keyBytes(1)));
    await store.applyRows({ upserts: [upsertOf(record('a', { status: 'resolved' }))], removals: [] });
    expect((await fetched()).text).toContain('"resolved"');
  });

  it.each([
    ['too few', [keyBytes(1)]],
    ['too many', [keyBytes(1, 2, 3)]],
    ['a part of one', [keyBytes(1), Buffer.from([1, 0])]],
  ])('refuses %s keys', async (_name, pieces) => {
    const { jobId } = begin();
    expect(await feature.receive(jobId, body(...pieces))).toBe('refused');
    expect(job()).toMatchObject({ state: 'failed' });
    expect(said(job().failure?.sentence)).toMatch(/than announced/);
    expect(await feature.receive(jobId, body(keyBytes(1, 2)))).toBeNull();
  });

  it('gives up keys that do not come, and a file that is not fetched', async () => {
    begin();
    await clock.advance(60_000);
    expect(said(job().failure?.sentence)).toBe('The export’s incidents did not arrive.');
    const { jobId } = begin();
    await feature.receive(jobId, body(keyBytes(1, 2)));
    await clock.advance(5 * 60_000);
    expect(job()).toMatchObject({ state: 'failed', exportId: null });
  });

  it('ends when the reader stops', async () => {
    const { jobId } = begin();
    await feature.receive(jobId, body(keyBytes(1, 2)));
    const stream = feature.exported(job().exportId ?? '');
    for await (const _piece of stream?.pieces ?? []) break;
    expect(job().state).toBe('cancelled');
    expect(exported).toEqual([]);
  });

  it('ends a fetch when it is cancelled, and tells its host', async () => {
    const { jobId } = begin();
    await feature.receive(jobId, body(keyBytes(1, 2)));
    const stream = feature.exported(job().exportId ?? '');
    if (!stream) throw new Error('Nothing waits');
    expect(stream.signal.aborted).toBe(false);
    expect(feature.cancel(jobId).ok).toBe(true);
    expect(stream.signal.aborted).toBe(true);
    const iterator = stream.pieces[Symbol.asyncIterator]();
    await expect(iterator.next()).rejects.toThrow();
    expect(job().state).toBe('cancelled');
  });

  it.each(['lock', 'session'] as const)('ends everything at the end of the %s', async (slice) => {
    const { jobId } = begin();
    await feature.receive(jobId, body(keyBytes(1, 2)));
    const { exportId } = job();
    if (slice === 'lock') {
      store.patch('lock', { locked: true });
      expect(job().state).toBe('cancelled');
    } else {
      store.patch('session', { vault: 'closed' });
      expect(jobs()).toEqual([]);
    }
    expect(feature.exported(exportId ?? '')).toBeNull();
  });

  it('has three under way at most, and a list of sixteen', async () => {
    const first = begin();
    begin();
    begin();
    expect(feature.begin(order())).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    expect(feature.dismiss(first.jobId)).toMatchObject({ ok: false });
    feature.cancel(first.jobId);
    expect(feature.cancel(first.jobId)).toMatchObject({ ok: false, failure: { code: 'not-found' } });
    expect(feature.dismiss(first.jobId).ok).toBe(true);
    expect(jobs()).toHaveLength(2);
    for (let made = 0; made < 20; made += 1) feature.cancel(begin().jobId);
    expect(jobs()).toHaveLength(16);
    expect(jobs().filter(({ state }) => state === 'rows')).toHaveLength(2);
  });

  it('takes keys once at a time, and nothing under an id that it did not give', async () => {
    const { jobId } = begin();
    let release = (): void => undefined;
    async function* slow(): AsyncGenerator<Uint8Array> {
      await new Promise<void>((resolve) => (release = resolve));
      yield keyBytes(1, 2);
    }
    const first = feature.receive(jobId, slow());
    expect(await feature.receive(jobId, body(keyBytes(1, 2)))).toBe('busy');
    expect(feature.receive('0000000000000000', body())).toBeNull();
    release();
    expect(await first).toBe('kept');
  });

  it('holds any count of keys against what was announced', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 5 }),
        fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 4 }),
        async (incidents, pieces) => {
          const { jobId } = begin({ incidents });
          const taken = await feature.receive(jobId, body(...pieces));
          const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
          expect(taken).toBe(length === incidents * 4 ? 'kept' : 'refused');
          feature.cancel(jobId);
        },
      ),
    );
  });
});

describe('paper', () => {
  const sheet = Buffer.from('<!doctype html><p>A sheet</p>');
  const printed = Buffer.from('%PDF-1.7');

  it('of a web page is the document as the page made it', async () => {
    const { jobId } = begin({ format: 'html', incidents: 2_003 });
    expect(await feature.receive(jobId, body(sheet.subarray(0, 9), sheet.subarray(9)))).toBe('kept');
    const { text, name } = await fetched();
    expect(text).toBe(sheet.toString());
    expect(name).toBe('harbour-incidents-20261120-1200.html');
    expect(job()).toMatchObject({ state: 'done', written: 2_000, leftOut: 3, bytes: sheet.length });
  });

  it('that a browser prints is done when the page may begin, and is logged', () => {
    const { jobId } = begin({ format: 'pdf', incidents: 2 });
    expect(job()).toMatchObject({ state: 'done', written: 2, leftOut: 0, bytes: 0, exportId: null });
    expect(exported.map(({ id }) => id)).toEqual([jobId]);
    expect(feature.receive(jobId, body(sheet))).toBeNull();
    // It is none of those that are under way.
    for (let more = 0; more < 4; more += 1) begin({ format: 'pdf' });
  });

  it('is printed by the desktop once a place is chosen', async () => {
    const saving = new FakeSaving();
    const documents: string[] = [];
    printPdf = (document) => {
      documents.push(Buffer.from(document).toString());
      return Promise.resolve(printed);
    };
    openFeature(() => Promise.resolve(saving));
    await feature.receive(begin({ format: 'pdf' }).jobId, body(sheet));
    await until(() => job().state === 'done', 'the end');
    expect(documents).toEqual([sheet.toString()]);
    expect(saving).toMatchObject({ kept: true, text: printed.toString() });
    expect(askedFor).toEqual(['harbour-incidents-20261120-1200.pdf']);
    expect(job()).toMatchObject({ written: 2, bytes: printed.length });
  });

  it('of a handover is a PDF and nothing else', () => {
    const { request } = exportVerbs.beginExport;
    const allowed = exportFormats.filter(
      (format) => request.safeParse(order({ subject: 'handover', format })).success,
    );
    expect(allowed).toEqual(['pdf']);
  });

  it('of a handover is named after it', async () => {
    const saving = new FakeSaving();
    printPdf = () => Promise.resolve(printed);
    openFeature(() => Promise.resolve(saving));
    await feature.receive(begin({ subject: 'handover', format: 'pdf', incidents: 0 }).jobId, body(sheet));
    await until(() => job().state === 'done', 'the end');
    expect(askedFor).toEqual(['harbour-handover-20261120-1200.pdf']);
    expect(job()).toMatchObject({ subject: 'handover', written: 0, leftOut: 0, bytes: printed.length });
  });

  it('that cannot be printed is a failure, and leaves nothing', async () => {
    const saving = new FakeSaving();
    printPdf = () => Promise.reject(new PaperNotPrinted('it took too long'));
    openFeature(() => Promise.resolve(saving));
    await feature.receive(begin({ format: 'pdf' }).jobId, body(sheet));
    await until(() => job().state === 'failed', 'the failure');
    expect(job().failure).toMatchObject({
      code: 'internal',
      sentence: saying('Can’t draw the sheet.'),
    });
    expect(saving).toMatchObject({ kept: false, discarded: true });
  });

  it('is given up while it is printed', async () => {
    const saving = new FakeSaving();
    let given: AbortSignal | null = null;
    printPdf = (_document, signal) =>
      new Promise((_resolve, reject) => {
        given = signal;
        signal.addEventListener('abort', () => reject(new PaperNotPrinted('it was cancelled')));
      });
    openFeature(() => Promise.resolve(saving));
    const { jobId } = begin({ format: 'pdf' });
    await feature.receive(jobId, body(sheet));
    await until(() => given !== null, 'the printing');
    feature.cancel(jobId);
    await until(() => saving.discarded, 'the file to go');
    expect(given).toMatchObject({ aborted: true });
    expect(job()).toMatchObject({ state: 'cancelled', failure: null });
  });

  it('is refused where its document is larger than any that a page makes', async () => {
    const piece = new Uint8Array(8 * 1024 * 1024);
    const { jobId } = begin({ format: 'html' });
    expect(await feature.receive(jobId, body(...Array.from({ length: 9 }, () => piece)))).toBe('refused');
    expect(job()).toMatchObject({ state: 'failed' });
  });
});

describe('for a desktop', () => {
  it('asks where to, writes there, and keeps the file at the end', async () => {
    const saving = new FakeSaving();
    openFeature(() => Promise.resolve(saving));
    const { jobId } = begin();
    expect(await feature.receive(jobId, body(keyBytes(2, 1)))).toBe('kept');
    await until(() => job().state === 'done', 'the file');
    expect(askedFor).toEqual(['harbour-incidents-20261120-1200.csv']);
    expect(saving).toMatchObject({ kept: true, discarded: false });
    expect(saving.text).toContain('"b","fire"');
    expect(job()).toMatchObject({
      fileName: 'chosen.csv',
      written: 2,
      bytes: Buffer.byteLength(saving.text),
    });
    expect(exported).toHaveLength(1);
  });

  it('is cancelled with the dialog', async () => {
    openFeature(() => Promise.resolve(null));
    await feature.receive(begin().jobId, body(keyBytes(2, 1)));
    await until(() => job().state === 'cancelled', 'the dialog');
  });

  it('keeps nothing of a place that is chosen after the export was cancelled', async () => {
    const saving = new FakeSaving();
    let choose = (_saving: Saving | null): void => undefined;
    openFeature(() => new Promise((resolve) => (choose = resolve)));
    const { jobId } = begin();
    await feature.receive(jobId, body(keyBytes(2, 1)));
    expect(job().state).toBe('asking');
    feature.cancel(jobId);
    choose(saving);
    await until(() => saving.discarded, 'the file to go');
    expect(saving.kept).toBe(false);
    expect(job().state).toBe('cancelled');
  });

  it('removes what was written when it is cancelled in the middle', async () => {
    const saving = new FakeSaving();
    openFeature(() => Promise.resolve(saving));
    const { jobId } = begin();
    saving.onWrite = () => void feature.cancel(jobId);
    await feature.receive(jobId, body(keyBytes(2, 1)));
    await until(() => saving.discarded, 'the file to go');
    expect(saving.kept).toBe(false);
    expect(job().state).toBe('cancelled');
  });

  it.each([
    ['ENOSPC', 'Disk full. The file was not saved.'],
    ['EACCES', 'Can’t save files in this folder.'],
    ['EIO', 'The folder is gone or its disk fails. The file was not saved.'],
    ['EWHAT', 'Can’t write the file.'],
  ])('says what %s means, and leaves nothing', async (code, sentence) => {
    const saving = new FakeSaving();
    saving.onWrite = () => Promise.reject(Object.assign(new Error('no'), { code }));
    openFeature(() => Promise.resolve(saving));
    await feature.receive(begin().jobId, body(keyBytes(2, 1)));
    await until(() => job().state === 'failed', 'the failure');
    expect(job().failure).toMatchObject({ code: 'storage-failed', sentence: saying(sentence) });
    expect(saving).toMatchObject({ kept: false, discarded: true });
    expect(exported).toEqual([]);
  });

  it('says when no file can be begun in the chosen folder', async () => {
    openFeature(() => Promise.reject(Object.assign(new Error('no'), { code: 'EROFS' })));
    await feature.receive(begin().jobId, body(keyBytes(2, 1)));
    await until(() => job().state === 'failed', 'the failure');
    expect(said(job().failure?.sentence)).toBe('Can’t save files in this folder.');
  });

  it('waits at its close until nothing is left behind', async () => {
    const saving = new FakeSaving();
    let go = (): void => undefined;
    saving.onWrite = () => new Promise<void>((resolve) => (go = resolve));
    openFeature(() => Promise.resolve(saving));
    await feature.receive(begin().jobId, body(keyBytes(2, 1)));
    await flush();
    const closed = feature.close();
    expect(saving.discarded).toBe(false);
    go();
    await closed;
    expect(saving.discarded).toBe(true);
  });

  it('tells how far it is four times a second at most', async () => {
    await store.applyRows({
      upserts: Array.from({ length: 4_000 }, (_, at) => upsertOf(record(`many-${at}`))),
      removals: [],
    });
    const saving = new FakeSaving();
    saving.onWrite = () => clock.advance(100);
    openFeature(() => Promise.resolve(saving));
    const told: number[] = [];
    const stop = store.watch('exports', ({ jobs: [first] }) => {
      if (first?.state === 'writing') told.push(first.written);
    });
    const { jobId } = begin({ incidents: 4_000 });
    await feature.receive(jobId, body(keyBytes(...Array.from({ length: 4_000 }, (_, at) => at + 4))));
    await until(() => job().state === 'done', 'the file');
    stop();
    const pieces = saving.pieces.length;
    expect(pieces).toBeGreaterThan(9);
    expect(told.length).toBeGreaterThan(2);
    // A piece takes 100 ms here, so that a quarter of a second is three of them.
    expect(told.length).toBeLessThanOrEqual(2 + Math.ceil(pieces / 3));
    expect([...told].sort((a, b) => a - b)).toEqual(told);
  });
});
