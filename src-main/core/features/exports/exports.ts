import { failed, ok, scaleOf, type ExportJob, type Result } from '../../../../src-preload/contract/index.ts';
import type { DesktopControl, Saving } from '../../base/control.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { BasePorts } from '../../base/ports.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import { countIncidents, exportFacts } from './exportFacts.ts';
import { spoolFailure, writingFailure, type SpoolFault } from './exportFailures.ts';
import { exportFileName, mediaTypes, writeExport } from './exportFormats.ts';
import { Cancelled, isUnderWay, makeJob, type ExportStream, type Job } from './exportJob.ts';
import { ExportList } from './exportList.ts';
import type { ExportOrder } from './exportOrder.ts';
import type { SheetPress } from './sheet/sheetPress.ts';
import { readKeys, takeBody, takePicture } from './spooled.ts';

export interface ExportsOptions {
  readonly ports: Pick<BasePorts, 'clock' | 'random' | 'logger'> & {
    /** `desktop` null in the browser host. */
    readonly control: { readonly desktop: DesktopControl | null };
    readonly press: SheetPress;
  };
  readonly store: ConsoleStore;
  readonly version: string;
  /** Server time, Unix milliseconds. */
  readonly now: () => number;
  /** Hears of each file that was saved. */
  readonly onExported: (job: ExportJob) => void;
}

/** So many are under way at most: each works through the same incidents. */
const mostRunning = 3;
/** How long rows, and who fetches the file, are waited for, milliseconds. */
const rowsWithinMs = 60_000;
const fetchedWithinMs = 5 * 60_000;

/**
 * Exports of incidents.
 *
 *   rows --keys whole--> asking --place chosen--> writing --> done        (desktop)
 *   rows --keys whole--> ready --fetched--> writing --> done              (browser)
 *   rows, ready --nobody came--> failed      writing --disk full, ...--> failed
 *   any of the first four --cancelled, locked, signed out--> cancelled
 *
 * Which incidents are written, and in which order, is fixed by the keys; each is written as it is known when
 * its turn comes. In every way out but `done` nothing is left on the disk.
 */
export class Exports {
  readonly #options: ExportsOptions;
  readonly #list: ExportList;
  readonly #running = new Set<Promise<void>>();
  readonly #stops: (() => void)[];

  constructor(options: ExportsOptions) {
    const { store } = options;
    this.#options = options;
    this.#list = new ExportList({ store, clock: options.ports.clock });
    this.#stops = [
      store.watch('lock', ({ locked }) => {
        if (locked) this.#list.cancelAll();
      }),
      store.watch('session', ({ vault }) => {
        if (vault !== 'open') this.#list.forgetAll();
      }),
    ];
  }

  begin(order: ExportOrder): Result<{ jobId: string; pictureId: string | null }> {
    const { store, ports } = this.#options;
    const { random, clock } = ports;
    if (this.#list.underWay.length >= mostRunning) {
      return this.#refuse('conflict', message('export.tooMany.sentence'), message('export.tooMany.remedy'));
    }
    const { known, chosen } = store.slice('deployments');
    const job = makeJob({
      order,
      fileName: exportFileName({
        deploymentId: known.find(({ id }) => id === chosen)?.id ?? 'console',
        format: order.format,
        at: this.#options.now(),
      }),
      makeId: () => Buffer.from(random.bytes(8)).toString('hex'),
      elapsed: clock.elapsed(),
    });
    this.#list.add(job);
    this.#wait(job, rowsWithinMs, 'silent');
    return ok({ jobId: job.shown.id, pictureId: job.pictureId });
  }

  cancel(id: string): Result<null> {
    const job = this.#list.find(({ shown }) => shown.id === id);
    if (!job || !isUnderWay(job)) return this.#refuse('not-found', message('export.notUnderWay.sentence'));
    this.#list.end(job, { state: 'cancelled' });
    return ok(null);
  }

  dismiss(id: string): Result<null> {
    const job = this.#list.find(({ shown }) => shown.id === id);
    if (!job) return ok(null);
    if (isUnderWay(job)) {
      return this.#refuse('conflict', message('export.underWay.sentence'), message('export.underWay.remedy'));
    }
    this.#list.remove(job);
    return ok(null);
  }

  /** Takes the rows or the picture of an announced export; null when no such was announced. */
  receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> | null {
    const job = this.#list.find((one) => (one.shown.id === id || one.pictureId === id) && isUnderWay(one));
    if (!job) return null;
    if (job.shown.state !== 'rows' || job.receiving !== 'nothing') return Promise.resolve('busy');
    return id === job.pictureId ? this.#takePicture(job, body) : this.#takeRows(job, body);
  }

  /** A file that waits to be fetched, once; null when there is no such one. */
  exported(exportId: string): ExportStream | null {
    const job = this.#list.find(({ shown }) => shown.exportId === exportId && shown.state === 'ready');
    if (!job) return null;
    job.stopWaiting();
    this.#list.show(job, { state: 'writing' });
    const { fileName, format } = job.shown;
    return {
      fileName,
      mediaType: mediaTypes[format],
      pieces: this.#handedOut(job),
      signal: job.controller.signal,
    };
  }

  /** Ends every export; answers when nothing of them is on the disk. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#list.cancelAll();
    await Promise.allSettled(this.#running);
  }

  async #takePicture(job: Job, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    job.receiving = 'picture';
    const { clock } = this.#options.ports;
    const { signal } = job.controller;
    const picture = await takePicture({ body, clock, signal });
    job.receiving = 'nothing';
    // A sheet without its picture says so; that is better than no sheet.
    if (picture === null) return 'refused';
    job.picture = picture;
    return 'kept';
  }

  async #takeRows(job: Job, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    job.receiving = 'rows';
    job.stopWaiting();
    const { clock } = this.#options.ports;
    const { signal } = job.controller;
    const taken = await takeBody({ body, most: job.order.incidents * 4, exactly: true, clock, signal });
    if (taken.kind !== 'whole') {
      if (taken.kind !== 'ended') this.#list.fail(job, spoolFailure(taken.kind, this.#options.now()));
      return 'refused';
    }
    if (signal.aborted) return 'refused';
    job.keys = readKeys(taken.bytes);
    const { desktop } = this.#options.ports.control;
    if (desktop === null) this.#offer(job);
    else this.#keepTrack(this.#save(job, (name) => desktop.saveAs(name)));
    return 'kept';
  }

  #offer(job: Job): void {
    const exportId = Buffer.from(this.#options.ports.random.bytes(16)).toString('hex');
    this.#wait(job, fetchedWithinMs, 'not-fetched');
    this.#list.show(job, { state: 'ready', exportId });
  }

  async *#handedOut(job: Job): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* this.#pieces(job);
      this.#done(job);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.#list.fail(job, writingFailure(error, this.#options.now()));
      throw error;
    } finally {
      // The page went, or let go of it.
      if (isUnderWay(job)) this.#list.end(job, { state: 'cancelled' });
    }
  }

  async #save(job: Job, saveAs: (fileName: string) => Promise<Saving | null>): Promise<void> {
    this.#list.show(job, { state: 'asking' });
    let saving: Saving | null = null;
    try {
      saving = await saveAs(job.shown.fileName);
      if (saving === null || job.controller.signal.aborted) {
        await saving?.discard();
        this.#list.end(job, { state: 'cancelled' });
        return;
      }
      this.#list.show(job, { state: 'writing', fileName: saving.fileName.slice(0, 255) });
      for await (const piece of this.#pieces(job)) await saving.write(piece);
      if (job.controller.signal.aborted) throw new Cancelled();
      await saving.keep();
      this.#done(job);
    } catch (error) {
      await saving?.discard();
      if (error instanceof Cancelled) return;
      this.#options.ports.logger.warn('export-failed', { format: job.order.format });
      this.#list.fail(job, writingFailure(error, this.#options.now()));
    }
  }

  async *#pieces(job: Job): AsyncGenerator<Uint8Array, void, undefined> {
    const { store, version, now, ports } = this.#options;
    const { order, picture } = job;
    const { signal } = job.controller;
    const keys = job.keys ?? new Uint32Array(0);
    const find = (key: number) => store.incidents.storedByKey(key);
    const scale = scaleOf(store.slice('app').severities);
    const counts = await countIncidents(keys, find, scale, signal);
    const facts = exportFacts({
      counts,
      version,
      filters: order.filters,
      madeAt: now(),
      slice: (name) => store.slice(name),
    });
    let { bytes } = job.shown;
    const pieces = writeExport({
      order,
      facts,
      scale,
      keys,
      picture,
      find,
      press: ports.press,
      signal,
      onTally: (tally) => {
        this.#list.showProgress(job, { ...tally, bytes });
      },
    });
    try {
      for await (const piece of pieces) {
        if (signal.aborted) throw new Cancelled();
        bytes += piece.byteLength;
        yield piece;
        if (signal.aborted) throw new Cancelled();
      }
    } catch (error) {
      // What is cancelled in the middle may break off in ways of its own.
      throw signal.aborted ? new Cancelled() : error;
    }
    job.shown = { ...job.shown, bytes };
  }

  #done(job: Job): void {
    if (!isUnderWay(job)) return;
    this.#list.end(job, { state: 'done' });
    this.#options.onExported(job.shown);
  }

  #wait(job: Job, ms: number, otherwise: SpoolFault): void {
    job.stopWaiting = this.#options.ports.clock.schedule(ms, () => {
      this.#list.fail(job, spoolFailure(otherwise, this.#options.now()));
    });
  }

  #keepTrack(work: Promise<void>): void {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  #refuse(code: 'conflict' | 'not-found', sentence: Message, remedy: Message | null = null): Result<never> {
    return failed(makeFailure({ code, at: this.#options.now(), sentence, remedy }));
  }
}
