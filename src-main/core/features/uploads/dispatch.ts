import type { ApiConnection, Failure, OutboxState } from '../../../../src-preload/contract/index.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { CoordinationApi } from '../../service/api/coordination.ts';
import type { Account } from '../../vault/account.ts';
import type { Spool } from '../../vault/records.ts';
import { eventAfter } from './afterAttempt.ts';
import { Attempt, sendOnce, type SendReport, type StopReason } from './attempt.ts';
import { backoffMs, restMs } from './backoff.ts';
import { attemptsOf, type UploadItem, type UploadTarget } from './item.ts';
import type { UploadEvent } from './machine.ts';
import { blockOf, type Block } from './messages.ts';
import type { Progress } from './progress.ts';
import { isProvenYoung, makeUploadKey } from './uploadKey.ts';
import type { Entry } from './uploadList.ts';
import type { UploadRepository } from './uploadRepository.ts';

export interface DispatchOptions extends Pick<Account, 'scope'> {
  readonly repository: UploadRepository;
  readonly api: Pick<CoordinationApi, 'upload'>;
  readonly spool: Spool;
  readonly progress: Progress;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow' | 'verified'>;
  readonly account: string;
  readonly target: UploadTarget;
  readonly cidField: string;
  readonly session: () => 'live' | 'waiting' | 'ended';
  readonly connection: () => ApiConnection['state'];
  readonly uploadToken: () => OutboxState['uploadToken'];
}

const mostAtOnce = 2;
const afterFaultMs = 60_000;

/**
 * Chooses what is sent when: in the order of the list, two at a time, each when its own wait is over.
 *
 * Nothing is sent while `blockOf` names a reason that concerns all. Offline is the exception: nothing
 * else may ask this API, so one upload at a time tries the link, with growing pauses.
 */
export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #attempts = new Map<string, Attempt>();
  #probe: { at: number; tries: number } | null = null;
  #cancelTimer: (() => void) | null = null;

  constructor(options: DispatchOptions) {
    this.#options = options;
  }

  /** After the load: what was asked to wait before the restart waits on. */
  restore(): void {
    const { repository, clock, serverTime } = this.#options;
    for (const entry of repository.order) {
      const { phase } = entry.item;
      if (phase.state !== 'waiting' || phase.failure.retryAt === null) continue;
      entry.asked = entry.due = clock.elapsed() + restMs(phase.failure, serverTime.serverNow());
    }
  }

  /** Something changed that may let uploads go on. */
  review(): void {
    const { repository } = this.#options;
    if (this.#options.scope.isOver) return;
    const before = repository.block;
    const block = this.#block();
    if (block !== 'offline') this.#probe = null;
    repository.setBlock(block);
    if (before !== null && block === null) this.#release(before);
    this.#pump();
  }

  /** Ends the attempt under way, if there is one; answers when its outcome is written down. */
  async stopOne(id: string, reason: StopReason): Promise<void> {
    await this.#attempts.get(id)?.stop(reason);
  }

  async stopAll(reason: StopReason): Promise<void> {
    await Promise.all([...this.#attempts.values()].map((attempt) => attempt.stop(reason)));
  }

  #block(): Block | null {
    const { session, connection, uploadToken } = this.#options;
    return blockOf({
      session: session(),
      uploadToken: uploadToken(),
      isOffline: connection() === 'offline',
    });
  }

  /** What waited for the link, the session or the token need not wait for its own time any more. */
  #release(block: Block): void {
    for (const entry of this.#options.repository.order) {
      const { phase } = entry.item;
      if (phase.state !== 'waiting') continue;
      // A 401 rests until there is another session or token, and not for longer.
      const isNew = block !== 'offline' && phase.failure.status === 401;
      entry.due = isNew ? 0 : entry.asked;
      entry.failures = 0;
    }
  }

  #pump(): void {
    const { repository, clock } = this.#options;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const isOffline = repository.block === 'offline';
    if (this.#options.scope.isOver || repository.paused || (repository.block !== null && !isOffline)) return;
    const now = clock.elapsed();
    if (isOffline) {
      this.#probe ??= this.#nextProbe(0);
      if (now < this.#probe.at) {
        this.#plan(this.#probe.at - now);
        return;
      }
    }
    const slots = isOffline ? 1 : mostAtOnce;
    let next = Infinity;
    for (const entry of repository.order) {
      if (this.#attempts.size >= slots) return;
      if (!this.#isSendable(entry)) continue;
      const due = isOffline ? entry.asked : entry.due;
      if (due > now) {
        next = Math.min(next, due);
        continue;
      }
      if (this.#probe !== null) this.#probe = this.#nextProbe(this.#probe.tries);
      this.#begin(entry);
    }
    if (this.#attempts.size < slots && next < Infinity) this.#plan(next - now);
  }

  #plan(ms: number): void {
    this.#cancelTimer = this.#options.clock.schedule(Math.max(ms, 1), () => {
      this.review();
    });
  }

  #nextProbe(tries: number): { at: number; tries: number } {
    const { clock, random } = this.#options;
    return { at: clock.elapsed() + backoffMs(tries + 1, random), tries: tries + 1 };
  }

  #isSendable({ id, item }: Entry): boolean {
    const { session, serverTime } = this.#options;
    if (item.paused || (item.phase.state !== 'queued' && item.phase.state !== 'waiting')) return false;
    if (this.#attempts.has(id)) return false;
    // With a token of its own an upload can go before any answer told the time. What was sent before
    // then waits for it, rather than being called too old.
    return attemptsOf(item) === 0 || serverTime.verified() || session() === 'live';
  }

  #begin(entry: Entry): void {
    const attempt = new Attempt();
    this.#attempts.set(entry.id, attempt);
    attempt.start(
      this.#attempt(entry, attempt)
        .catch((error: unknown) => {
          // A fault of ours must not stop the others, nor be tried again at once.
          const detail = error instanceof Error ? error.message : String(error);
          this.#options.logger.error('outbox.fault', { upload: entry.id, detail });
          entry.due = entry.asked = this.#options.clock.elapsed() + afterFaultMs;
        })
        .finally(() => {
          this.#attempts.delete(entry.id);
          this.#options.progress.end(entry.id);
          this.review();
        }),
    );
  }

  async #attempt(entry: Entry, attempt: Attempt): Promise<void> {
    const { repository, api, spool, progress, logger } = this.#options;
    const { id } = entry;
    const step = await repository.stepFirst(id, (item) => this.#beginning(item));
    if (step?.failure) {
      const until = this.#rest(entry, step.failure);
      repository.showUnable(entry, step.failure, until);
      return;
    }
    if (step?.after.phase.state !== 'sending') return;
    progress.begin(id, 'sending', step.after.bytes);
    const report: SendReport | null =
      attempt.stopped !== null
        ? null
        : await sendOnce({
            item: step.after,
            api,
            spool,
            separateToken: this.#options.uploadToken() !== 'not-used',
            signal: attempt.signal,
            now: () => this.#now(),
            onProgress: (bytes) => {
              progress.note(id, bytes);
            },
          });
    this.#noteTime();
    const event = eventAfter({
      item: step.after,
      report,
      stopped: attempt.stopped,
      cidField: this.#options.cidField,
      now: this.#now(),
      rest: (failure) => this.#rest(entry, failure),
    });
    const requestId = 'requestId' in event ? event.requestId : null;
    logger.info('outbox.attempt', {
      upload: id,
      attempt: step.after.key?.attempts,
      outcome: event.kind,
      requestId,
    });
    await repository.step(id, () => event);
  }

  #beginning(item: UploadItem): UploadEvent {
    const { repository, serverTime, random, account, target } = this.#options;
    const young = isProvenYoung(item.key, serverTime, repository.latestServerTime);
    this.#noteTime();
    return {
      kind: 'begin',
      fresh: makeUploadKey({ item, account, target, random }),
      young,
      anchor: serverTime.verified() ? this.#now() : null,
      at: this.#now(),
    };
  }

  /** Lets the item rest after a failure; answers until when, in server time. */
  #rest(entry: Entry, failure: Failure): number {
    const { clock, random } = this.#options;
    const now = this.#now();
    entry.failures += 1;
    const askedMs = restMs(failure, now);
    const ms = askedMs + backoffMs(entry.failures, random);
    entry.asked = clock.elapsed() + askedMs;
    entry.due = clock.elapsed() + ms;
    return now + ms;
  }

  #noteTime(): void {
    if (this.#options.serverTime.verified()) this.#options.repository.noteServerTime(this.#now());
  }

  #now(): number {
    return this.#options.serverTime.serverNow();
  }
}
