import { isQuickLine, type Failure, type OutboxState } from '../../../../src-preload/contract/index.ts';
import { doubled } from '../../base/backoff.ts';
import type { Random } from '../../base/ports.ts';
import { Timer } from '../../base/timer.ts';
import { bytesLeft } from '../../state/dataUse.ts';
import type { Spool } from '../../vault/records.ts';
import { eventAfter } from './afterAttempt.ts';
import { Attempt, sendOnce, type SendReport, type StopReason } from './attempt.ts';
import { attemptsOf, type UploadItem } from './item.ts';
import type { UploadEvent } from './machine.ts';
import { blockOf, lineWaitOf, type Block } from './messages.ts';
import type { Progress } from './progress.ts';
import { isProvenYoung, makeUploadKey, targetOf } from './uploadKey.ts';
import type { Entry } from './uploadList.ts';
import type { UploadRepository, UploadsAccount } from './uploadRepository.ts';

/** What uploads need of other features. */
export interface UploadSources {
  /** Whether requests can be signed now. `waiting`: they can be later without an operator. */
  readonly session: () => 'live' | 'waiting' | 'ended';
  readonly uploadToken: () => OutboxState['uploadToken'];
  /** Reads the whole list of evidence and looks for one of these CIDs. */
  readonly findEvidence: (cids: readonly string[]) => Promise<'found' | 'not-found' | 'unknown'>;
}

interface DispatchParts extends Pick<UploadSources, 'session' | 'uploadToken'> {
  readonly repository: UploadRepository;
  readonly spool: Spool;
  readonly progress: Progress;
}

const mostAtOnce = 2;
const afterFaultMs = 60_000;
const firstWaitMs = 2_000;
const longestWaitMs = 300_000;
/** The longest wait that the service may ask for, milliseconds. */
const longestAskedMs = 600_000;
/**
 * After a second 401 in a row the session rests (core/service/transport/authorize.ts): an earlier try would only cost
 * logins.
 */
const after401Ms = 300_000;

/**
 * Chooses what is sent when: in the order of the list, two at a time, each after its wait.
 *
 * Nothing is sent while `blockOf` gives a reason. Offline is the exception: no other request may reach this API, so one
 * upload at a time tries the connection, with growing pauses.
 */
export class Dispatch {
  readonly #account: UploadsAccount;
  readonly #parts: DispatchParts;
  readonly #attempts = new Map<string, Attempt>();
  #probe: { at: number; tries: number } | null = null;
  readonly #timer: Timer;

  constructor(account: UploadsAccount, parts: DispatchParts) {
    this.#account = account;
    this.#parts = parts;
    this.#timer = new Timer(account.clock, () => this.review());
  }

  /** After loading: waits that the service asked for before the restart continue. */
  restore(): void {
    const { clock, serverNow } = this.#account;
    const { repository } = this.#parts;
    for (const entry of repository.order) {
      const { phase } = entry.item;
      if (phase.state !== 'waiting' || phase.failure.retryAt === null) continue;
      entry.asked = entry.due = clock.elapsed() + restMs(phase.failure, serverNow());
    }
  }

  /** Something changed, so that uploads may continue. */
  review(): void {
    const { repository } = this.#parts;
    if (this.#account.scope.isOver) return;
    const before = repository.block;
    const block = this.#block();
    if (block !== 'offline') this.#probe = null;
    repository.setBlock(block);
    repository.setRoom(bytesLeft(this.#account.store));
    this.#releasePostponed();
    if (before !== null && block === null) this.#release(before);
    this.#pump();
  }

  /** Ends the running attempt, if there is one. Resolves when its outcome is stored. */
  async stopOne(id: string, reason: StopReason): Promise<void> {
    await this.#attempts.get(id)?.stop(reason);
  }

  async stopAll(reason: StopReason): Promise<void> {
    await Promise.all([...this.#attempts.values()].map((attempt) => attempt.stop(reason)));
  }

  #block(): Block | null {
    const { session, uploadToken } = this.#parts;
    return blockOf({
      session: session(),
      uploadToken: uploadToken(),
      isOffline: this.#account.connection('coordination').state === 'offline',
    });
  }

  /** Uploads that waited for connection, session or token are due at once. */
  #release(block: Block): void {
    for (const entry of this.#parts.repository.order) {
      const { phase } = entry.item;
      if (phase.state !== 'waiting') continue;
      // A 401 delays only until there is another session or token.
      const isNew = block !== 'offline' && phase.failure.status === 401;
      entry.due = isNew ? 0 : entry.asked;
      entry.failures = 0;
    }
  }

  /** The line is quick now: what waited for that is due. */
  #releasePostponed(): void {
    const { store } = this.#account;
    const { repository } = this.#parts;
    if (!isQuickLine(store.slice('line'))) return;
    for (const { id, item } of repository.order) {
      if (item.paused !== 'slow-link') continue;
      void repository.step(id, () => ({ kind: 'pause', paused: false })).then(() => this.review());
    }
  }

  #pump(): void {
    const { clock } = this.#account;
    const { repository } = this.#parts;
    this.#timer.stop();
    const isOffline = repository.block === 'offline';
    if (this.#account.scope.isOver || repository.paused || (repository.block !== null && !isOffline)) return;
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
    this.#timer.set(Math.max(ms, 1));
  }

  #nextProbe(tries: number): { at: number; tries: number } {
    const { clock, random } = this.#account;
    return { at: clock.elapsed() + backoffMs(tries + 1, random), tries: tries + 1 };
  }

  #isSendable({ id, item }: Entry): boolean {
    if (item.paused !== false || (item.phase.state !== 'queued' && item.phase.state !== 'waiting'))
      return false;
    if (this.#attempts.has(id) || lineWaitOf(item, this.#room()) !== null) return false;
    // With a separate token, an upload can be sent before any answer gave the service's time. An upload that was sent
    // before then waits for that time, because its age is not known yet.
    return attemptsOf(item) === 0 || this.#account.serverTime.verified() || this.#parts.session() === 'live';
  }

  /** What the hour has left beside the running uploads. */
  #room(): number {
    const { store } = this.#account;
    const { repository } = this.#parts;
    const running = [...this.#attempts.keys()].reduce(
      (sum, id) => sum + (repository.entry(id)?.item.bytes ?? 0),
      0,
    );
    return bytesLeft(store) - running;
  }

  #begin(entry: Entry): void {
    const attempt = new Attempt();
    this.#attempts.set(entry.id, attempt);
    attempt.start(
      this.#attempt(entry, attempt)
        .catch((error: unknown) => {
          // A bug of the console must not stop the other uploads, nor cause repeated tries.
          const detail = error instanceof Error ? error.message : String(error);
          this.#account.logger.error('outbox.fault', { upload: entry.id, detail });
          entry.due = entry.asked = this.#account.clock.elapsed() + afterFaultMs;
        })
        .finally(() => {
          this.#attempts.delete(entry.id);
          this.#parts.progress.end(entry.id);
          this.review();
        }),
    );
  }

  async #attempt(entry: Entry, attempt: Attempt): Promise<void> {
    const { deployment, serverNow, logger } = this.#account;
    const { repository, spool, progress } = this.#parts;
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
        : await sendOnce(this.#account, step.after, spool, {
            separateToken: this.#parts.uploadToken() !== 'not-used',
            signal: attempt.signal,
            onProgress: (bytes) => {
              progress.note(id, bytes);
            },
          });
    this.#noteTime();
    const event = eventAfter({
      item: step.after,
      report,
      stopped: attempt.stopped,
      cidField: deployment.upload.cidField,
      now: serverNow(),
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
    const { serverTime, serverNow, random, username, deployment } = this.#account;
    const now = serverTime.verified() ? serverNow() : null;
    const young = isProvenYoung(item.key, now, this.#parts.repository.latestServerTime);
    this.#noteTime();
    return {
      kind: 'begin',
      fresh: makeUploadKey({ item, account: username, target: targetOf(deployment.upload), random }),
      young,
      anchor: now,
      at: this.#account.serverNow(),
    };
  }

  /** Delays the item after a failure. Returns until when, in server time. */
  #rest(entry: Entry, failure: Failure): number {
    const { clock, random } = this.#account;
    const now = this.#account.serverNow();
    entry.failures += 1;
    const askedMs = restMs(failure, now);
    const ms = askedMs + backoffMs(entry.failures, random);
    entry.asked = clock.elapsed() + askedMs;
    entry.due = clock.elapsed() + ms;
    return now + ms;
  }

  #noteTime(): void {
    const { serverTime, serverNow } = this.#account;
    if (serverTime.verified()) this.#parts.repository.noteServerTime(serverNow());
  }
}

/** Milliseconds to the next attempt after `failures` in a row: full jitter, below 2 s, 4 s ... 5 min. */
function backoffMs(failures: number, random: Random): number {
  const bound = doubled(firstWaitMs, failures - 1, longestWaitMs);
  return random.fraction() * bound;
}

/** The least wait in milliseconds: what the service asked for, and the rest after a 401. */
function restMs({ retryAt, status }: Failure, now: number): number {
  const asked = retryAt === null ? 0 : Math.min(Math.max(retryAt - now, 0), longestAskedMs);
  return status === 401 ? Math.max(asked, after401Ms) : asked;
}
