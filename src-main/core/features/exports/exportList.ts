import type { ExportJob, Failure } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import { isUnderWay, type Job } from './exportJob.ts';

/** So many are listed, the running ones among them. */
const mostListed = 16;
/** Progress is told this often at most. */
const progressMs = 250;

/** The exports that pages are shown, the latest first, and how each of them stands. Owns the slice `exports`. */
export class ExportList {
  readonly #store: ConsoleStore;
  readonly #clock: Clock;
  #jobs: Job[] = [];

  constructor({ store, clock }: { readonly store: ConsoleStore; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  get underWay(): readonly Job[] {
    return this.#jobs.filter(isUnderWay);
  }

  find(matches: (job: Job) => boolean): Job | undefined {
    return this.#jobs.find(matches);
  }

  /** Lists another one; of those that have ended the oldest make room. */
  add(job: Job): void {
    this.#jobs = [job, ...this.#jobs];
    const ended = this.#jobs.filter((one) => !isUnderWay(one));
    const surplus = new Set(ended.slice(mostListed - (this.#jobs.length - ended.length)));
    this.#jobs = this.#jobs.filter((one) => !surplus.has(one));
    this.#tell();
  }

  remove(job: Job): void {
    this.#jobs = this.#jobs.filter((one) => one !== job);
    this.#tell();
  }

  show(job: Job, change: Partial<ExportJob>): void {
    job.shown = { ...job.shown, ...change };
    this.#tell();
  }

  /** Shows how far an export is, now or with what is told next. */
  showProgress(job: Job, change: Partial<ExportJob>): void {
    job.shown = { ...job.shown, ...change };
    const now = this.#clock.elapsed();
    if (now - job.toldAt < progressMs) return;
    job.toldAt = now;
    this.#tell();
  }

  end(job: Job, change: Pick<ExportJob, 'state'> & Partial<ExportJob>): void {
    job.stopWaiting();
    job.keys = null;
    job.document = null;
    this.show(job, { ...change, exportId: null });
    // Of a whole file the last pieces may still be on their way: that is not to be cut.
    if (change.state !== 'done') job.controller.abort();
  }

  fail(job: Job, failure: Failure): void {
    if (isUnderWay(job)) this.end(job, { state: 'failed', failure });
  }

  cancelAll(): void {
    for (const job of this.underWay) this.end(job, { state: 'cancelled' });
  }

  forgetAll(): void {
    if (this.#jobs.length === 0) return;
    this.cancelAll();
    this.#jobs = [];
    this.#tell();
  }

  #tell(): void {
    this.#store.set('exports', { jobs: this.#jobs.map(({ shown }) => shown) });
  }
}
