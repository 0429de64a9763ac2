import {
  isPaperFormat,
  mostListedRows,
  ok,
  type ExportFormat,
  type ExportJob,
  type PaperFormat,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { PaperNotPrinted, type DesktopControl, type Saving } from '../../base/control.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { SpoolAnswer } from '../../base/spoolAnswer.ts';
import type { AppContext } from '../context.ts';
import { countIncidents, exportFacts } from './exportFacts.ts';
import { spoolFailure, writingFailure, type SpoolFault } from './exportFailures.ts';
import { exportFileName, mediaTypes, writeExport } from './exportFormats.ts';
import {
  Cancelled,
  isUnderWay,
  makeJob,
  type ExportOrder,
  type ExportStream,
  type Job,
} from './exportJob.ts';
import { ExportList } from './exportList.ts';
import { readBody, readKeys } from './spooled.ts';

/** The most exports that run at once: each goes through the same incidents. */
const mostRunning = 3;
/** How long an export waits for the page's rows, and for the file to be fetched, milliseconds. */
const rowsWithinMs = 60_000;
const fetchedWithinMs = 5 * 60_000;
/** Bytes: for a map of 32 MiB, which a document has as text, and the fonts of every language. */
const largestDocument = 64 * 1024 * 1024;

/** How many incidents are on a job's paper, and how many are not. */
const listed = ({ order: { incidents } }: Job): Pick<ExportJob, 'written' | 'leftOut'> => ({
  written: Math.min(incidents, mostListedRows),
  leftOut: Math.max(0, incidents - mostListedRows),
});

/**
 * Exports of incidents.
 *
 *   rows --keys or document whole--> asking --place chosen--> writing --> done        (desktop)
 *   rows --keys or document whole--> ready --fetched--> writing --> done              (browser)
 *   done                                                                  (paper that a browser prints)
 *   rows, ready --not fetched--> failed      writing --disk full, ...--> failed
 *   any of the first four --cancelled, locked, signed out--> cancelled
 *
 * The keys fix which incidents are written, and in which order; each is written as it is when its turn comes. The
 * page makes the documents for people (docs/adr/0038). After any other end than `done` nothing stays on the disk.
 */
export class Exports {
  readonly #app: AppContext;
  readonly #onExported: (job: ExportJob) => void;
  readonly #list: ExportList;
  readonly #running = new Set<Promise<void>>();
  readonly #stops: (() => void)[];

  /** `onExported` is called for each file that was saved. */
  constructor(app: AppContext, onExported: (job: ExportJob) => void) {
    const { store } = app;
    this.#app = app;
    this.#onExported = onExported;
    this.#list = new ExportList(app);
    this.#stops = [
      store.watch('lock', ({ locked }) => {
        if (locked) this.#list.cancelAll();
      }),
      store.watch('session', ({ vault }) => {
        if (vault !== 'open') this.#list.forgetAll();
      }),
    ];
  }

  begin(order: ExportOrder): Result<{ jobId: string }> {
    const { store, ports, random, clock, serverNow } = this.#app;
    if (this.#list.underWay.length >= mostRunning) {
      return this.#refuse('conflict', message('export.tooMany.sentence'), message('export.tooMany.remedy'));
    }
    const { known, chosen } = store.slice('deployments');
    const job = makeJob({
      order,
      fileName: exportFileName({
        deploymentId: known.find(({ id }) => id === chosen)?.id ?? 'console',
        subject: order.subject,
        format: order.format,
        at: serverNow(),
      }),
      makeId: () => Buffer.from(random.bytes(8)).toString('hex'),
      elapsed: clock.elapsed(),
    });
    this.#list.add(job);
    if (order.format === 'pdf' && ports.control.desktop === null) this.#printed(job);
    else this.#wait(job, rowsWithinMs, 'silent');
    return ok({ jobId: job.shown.id });
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

  /** Takes the keys or the document of an announced export; null when none was announced under this id. */
  receive(id: string, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> | null {
    const job = this.#list.find((one) => one.shown.id === id && isUnderWay(one));
    if (!job) return null;
    if (job.shown.state !== 'rows' || job.receiving) return Promise.resolve('busy');
    return this.#take(job, body);
  }

  /** A file that can be fetched once; null when there is none. */
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

  /** Ends every export. Resolves when none of their bytes are on the disk. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#list.cancelAll();
    await Promise.allSettled(this.#running);
  }

  /** The page's browser prints it or saves it as a PDF. What the operator does in that dialog is not known. */
  #printed(job: Job): void {
    this.#list.show(job, listed(job));
    this.#done(job);
  }

  async #take(job: Job, body: AsyncIterable<Uint8Array>): Promise<SpoolAnswer> {
    job.receiving = true;
    job.stopWaiting();
    const { clock } = this.#app;
    const { signal } = job.controller;
    const paper = isPaperFormat(job.order.format);
    const most = paper ? largestDocument : job.order.incidents * 4;
    const taken = await readBody({ body, most, exactly: !paper, clock, signal });
    if (taken.kind !== 'whole') {
      if (taken.kind !== 'ended') this.#list.fail(job, spoolFailure(taken.kind, this.#app.serverNow()));
      return 'refused';
    }
    if (signal.aborted) return 'refused';
    if (paper) job.document = taken.bytes;
    else job.keys = readKeys(taken.bytes);
    const { desktop } = this.#app.ports.control;
    if (desktop === null) this.#offer(job);
    else this.#keepTrack(this.#save(job, desktop));
    return 'kept';
  }

  #offer(job: Job): void {
    const exportId = Buffer.from(this.#app.random.bytes(16)).toString('hex');
    this.#wait(job, fetchedWithinMs, 'not-fetched');
    this.#list.show(job, { state: 'ready', exportId });
  }

  async *#handedOut(job: Job): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* this.#pieces(job);
      this.#done(job);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.#list.fail(job, writingFailure(error, this.#app.serverNow()));
      throw error;
    } finally {
      // The page stopped reading.
      if (isUnderWay(job)) this.#list.end(job, { state: 'cancelled' });
    }
  }

  async #save(job: Job, { saveAs }: DesktopControl): Promise<void> {
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
      this.#app.logger.warn('export-failed', { format: job.order.format });
      this.#list.fail(job, writingFailure(error, this.#app.serverNow()));
    }
  }

  async *#pieces(job: Job): AsyncGenerator<Uint8Array, void, undefined> {
    const { signal } = job.controller;
    const { format } = job.order;
    let { bytes } = job.shown;
    try {
      for await (const piece of isPaperFormat(format) ? this.#paper(job, format) : this.#data(job, format)) {
        if (signal.aborted) throw new Cancelled();
        bytes += piece.byteLength;
        job.shown = { ...job.shown, bytes };
        yield piece;
        if (signal.aborted) throw new Cancelled();
      }
    } catch (error) {
      // A cancelled write may fail with any error.
      throw signal.aborted ? new Cancelled() : error;
    }
  }

  /** The file for programs, written from the incidents. */
  async *#data(
    job: Job,
    format: Exclude<ExportFormat, PaperFormat>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { store, version, serverNow } = this.#app;
    const { order } = job;
    const keys = job.keys ?? new Uint32Array(0);
    const find = (key: number) => store.incidents.storedByKey(key);
    const { scale } = store;
    const counts = await countIncidents(keys, find, scale, job.controller.signal);
    const facts = exportFacts({
      counts,
      version,
      filters: order.filters,
      madeAt: serverNow(),
      slice: (name) => store.slice(name),
    });
    yield* writeExport(format, order, {
      facts,
      scale,
      keys,
      find,
      onTally: (tally) => {
        this.#list.showProgress(job, tally);
      },
    });
  }

  /** The document that the page made, printed when it is to be a PDF. */
  async *#paper(job: Job, format: PaperFormat): AsyncGenerator<Uint8Array, void, undefined> {
    const document = job.document ?? new Uint8Array(0);
    const { desktop } = this.#app.ports.control;
    this.#list.showProgress(job, listed(job));
    if (format === 'html') yield document;
    else if (desktop === null) throw new PaperNotPrinted('this host does not print');
    else yield await desktop.printPdf(document, job.controller.signal);
  }

  #done(job: Job): void {
    if (!isUnderWay(job)) return;
    this.#list.end(job, { state: 'done' });
    this.#onExported(job.shown);
  }

  #wait(job: Job, ms: number, otherwise: SpoolFault): void {
    job.stopWaiting = this.#app.clock.schedule(ms, () => {
      this.#list.fail(job, spoolFailure(otherwise, this.#app.serverNow()));
    });
  }

  #keepTrack(work: Promise<void>): void {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  #refuse(code: 'conflict' | 'not-found', sentence: Message, remedy: Message | null = null): Result<never> {
    return this.#app.refuse({ code, sentence, remedy });
  }
}
