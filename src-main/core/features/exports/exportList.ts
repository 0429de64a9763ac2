import type { ExportJob, Exports, Failure } from '../../../../src-preload/contract/index.ts';
import type { Clock } from '../../base/ports.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import { isUnderWay, type Job } from './exportJob.ts';

export const exportsAtStart: Exports = { jobs: [] };

/** The most exports in the list, running ones included. */
const mostListed = 16;
/** The shortest time between two progress reports. */
const progressMs = 250;

/** The exports that pages show, the latest first, with their state. Owns the slice `exports`. */
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

  /** Adds an export. Beyond the limit the oldest that have ended are removed. */
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

  /** Shows the progress of an export, now or with the next report. */
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
    // The last pieces of a finished file may still be on their way to the reader.
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
