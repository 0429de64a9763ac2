import type { Failure } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';
import { Timer } from '../../base/timer.ts';
import { Yielding } from '../../base/yielding.ts';
import type { EventStream } from '../../service/api/coordination.ts';
import { isUsedUp } from '../../state/dataUse.ts';
import { EventBoard, eventsAtStart, type EventsAccount } from './eventBoard.ts';
import { EventIntake, type EventSources } from './eventIntake.ts';
import { EventReader } from './eventReader.ts';
import { Reconnection } from './reconnection.ts';

/** One connection, from its request to its end. */
interface Connection {
  readonly abort: AbortController;
  /** `Clock.elapsed()` when its head came, null before; and when its last byte came. */
  openedAt: number | null;
  heardAt: number;
}

/**
 * Listens to the Coordination API's server-sent events (interface: Events) and passes on what they are about. Events
 * only hasten reads that happen at an interval anyway: without the stream nothing is missed.
 *
 * Opens the stream again when it ends, fails or falls silent, with the last event's id. A missing scope (403) waits for
 * the next token. A path that does not exist (404), and an answer that asks not to connect again (204, HTML standard:
 * server-sent events), end it until the account closes.
 */
export class LiveEvents {
  readonly #account: EventsAccount;
  readonly #sources: EventSources;
  readonly #board: EventBoard;
  readonly #intake: EventIntake;
  readonly #pauses: Reconnection;
  #connection: Connection | null = null;
  /** How many streams were opened. */
  #streams = 0;
  readonly #next: Timer;
  /** When the next try is due, and the time that the service asked to wait for; `Clock.elapsed()`. */
  #nextAt = 0;
  #notBefore = 0;
  readonly #silence: Timer;
  /** No tries: for good, or until there is another token than the refused one. */
  #halted: 'refused' | 'for-good' | null = null;
  #refusedToken: number | null = null;

  constructor(account: EventsAccount, sources: EventSources) {
    const { scope, clock, store } = account;
    this.#account = account;
    this.#sources = sources;
    this.#next = new Timer(clock, () => this.#go());
    this.#silence = new Timer(clock, () => this.#lookForSilence());
    this.#pauses = new Reconnection(account);
    this.#board = new EventBoard(account, sources.knowsIncident, () => this.#intake.settle());
    this.#intake = new EventIntake(account, this.#board, sources);
    scope.onEnd(() => {
      this.#disconnect();
      store.set('events', eventsAtStart);
    });
  }

  /** Begins to listen. */
  open(): void {
    this.#go();
  }

  /** The session changed, or time passed. */
  review(): void {
    const session = this.#sources.session();
    if (this.#halted === 'refused' && (session !== 'live' || this.#token() !== this.#refusedToken)) {
      this.#halted = null;
    }
    if (session === 'ended' || isUsedUp(this.#account.store)) this.#disconnect();
    this.#go();
  }

  /**
   * When the open stream was opened, and when anything came on it last, `Clock.elapsed()`, and whether another one was
   * open before; null without a stream.
   */
  get heard(): { readonly since: number; readonly last: number; readonly isAgain: boolean } | null {
    const { openedAt = null, heardAt = 0 } = this.#connection ?? {};
    return openedAt === null ? null : { since: openedAt, last: heardAt, isAgain: this.#streams > 1 };
  }

  connectionReturned(): void {
    this.#hasten();
  }

  /** The machine slept. A connection from before rarely survives that, and would fail too late. */
  wake(): void {
    const connection = this.#connection;
    if (connection && this.#silentMs(connection) >= this.#account.deployment.timeouts.eventsMs)
      this.#fellSilent(connection);
    this.#hasten();
  }

  /** Brings the next try forward, but not before the time that the service asked for. */
  #hasten(): void {
    const { clock } = this.#account;
    if (!this.#next.isSet) return;
    const ms = Math.max(this.#pauses.soon(), this.#notBefore - clock.elapsed());
    if (clock.elapsed() + ms < this.#nextAt) this.#retryIn(ms);
  }

  /** Connects, unless something forbids it now. */
  #go(): void {
    if (this.#account.scope.isOver || this.#connection || this.#next.isSet || this.#halted) return;
    const { eventsPath: path } = this.#account.deployment;
    if (path === null) return;
    const state = this.#sources.session();
    if (state === 'ended') this.#rest({ state: 'off', failure: null });
    else if (state === 'waiting' || isUsedUp(this.#account.store))
      this.#rest({ state: 'waiting', failure: null });
    else void this.#connect(path);
  }

  async #connect(path: string): Promise<void> {
    const { coordination, clock, logger } = this.#account;
    const connection: Connection = {
      abort: new AbortController(),
      openedAt: null,
      heardAt: clock.elapsed(),
    };
    this.#connection = connection;
    this.#board.patch({ state: 'connecting', since: this.#now(), until: null });
    this.#lookForSilence();
    const { signal } = connection.abort;
    try {
      const opened = await coordination.events(path, { lastEventId: this.#intake.lastId, signal });
      if (this.#connection !== connection) return;
      if (!opened.ok) {
        this.#over(connection, opened.failure);
        return;
      }
      const unusable = this.#unusable(opened.value);
      if (unusable) {
        this.#over(connection, unusable);
        return;
      }
      connection.openedAt = connection.heardAt = clock.elapsed();
      this.#streams += 1;
      this.#board.patch({ state: 'open', since: this.#now(), failure: null });
      await this.#listen(opened.value.bytes, connection);
      this.#over(connection, null);
    } catch (error) {
      if (this.#connection !== connection) return;
      logger.info('event-stream-cut', { error: error instanceof Error ? error.name : '' });
      const sentence = message('events.cut');
      this.#over(connection, this.#makeFailure('unreachable', sentence));
    }
  }

  async #listen(bytes: EventStream['bytes'], connection: Connection): Promise<void> {
    const { clock } = this.#account;
    let dropped = 0;
    const reader = new EventReader(
      (id) => this.#intake.noteId(id),
      (ms) => this.#pauses.asked(ms),
    );
    const yielding = new Yielding();
    try {
      for await (const piece of bytes) {
        if (this.#connection !== connection) return;
        connection.heardAt = clock.elapsed();
        for (const event of reader.read(piece)) {
          if (event) this.#intake.take(event);
          if (reader.dropped > dropped) this.#board.drop(reader.dropped - dropped);
          dropped = reader.dropped;
          if (!yielding.over) continue;
          await yielding.next();
          if (this.#connection !== connection) return;
        }
      }
    } finally {
      reader.end();
    }
  }

  #over(connection: Connection, failure: Failure | null): void {
    if (this.#connection !== connection) return;
    const { clock, logger } = this.#account;
    const openMs = connection.openedAt === null ? 0 : clock.elapsed() - connection.openedAt;
    this.#disconnect();
    logger.info('event-stream-over', { code: failure?.code, requestId: failure?.requestId, openMs });
    if (failure?.code === 'not-granted') {
      this.#halted = 'refused';
      this.#refusedToken = this.#token();
      this.#rest({ state: 'waiting', failure });
    } else if (failure?.code === 'not-found' || failure?.status === 204) {
      this.#halted = 'for-good';
      this.#rest({ state: 'off', failure });
    } else {
      const { retryAt } = failure ?? { retryAt: null };
      const asked = retryAt === null ? 0 : Math.max(0, retryAt - this.#now());
      this.#notBefore = clock.elapsed() + asked;
      this.#board.patch({ failure });
      this.#retryIn(Math.max(this.#pauses.over(openMs), asked));
    }
  }

  #retryIn(ms: number): void {
    this.#nextAt = this.#account.clock.elapsed() + ms;
    this.#next.set(ms);
    const now = this.#now();
    this.#board.patch({ state: 'waiting', since: now, until: now + ms });
  }

  /** Waits until the session or the deployment changes. */
  #rest(change: { readonly state: 'off' | 'waiting'; readonly failure: Failure | null }): void {
    const since = this.#board.state === change.state ? {} : { since: this.#now() };
    this.#board.patch({ ...change, ...since, until: null });
  }

  #disconnect(): void {
    this.#next.stop();
    this.#silence.stop();
    const connection = this.#connection;
    this.#connection = null;
    connection?.abort.abort();
  }

  /** Checks at the time when the silence would be too long, and not at each piece, since there may be many. */
  #lookForSilence(): void {
    const connection = this.#connection;
    if (!connection) return;
    const left = this.#account.deployment.timeouts.eventsMs - this.#silentMs(connection);
    if (left <= 0) this.#fellSilent(connection);
    else this.#silence.set(Math.max(1, left));
  }

  #fellSilent(connection: Connection): void {
    this.#over(connection, this.#makeFailure('timed-out', message('events.silent')));
  }

  #silentMs({ heardAt }: Connection): number {
    return this.#account.clock.elapsed() - heardAt;
  }

  /** A number that changes with the token; the token itself stays in the session. */
  #token(): number | null {
    const { session } = this.#account.store.slice('session');
    return 'expiresAt' in session ? session.expiresAt : null;
  }

  /** Why an answer is not a stream of events (HTML standard: server-sent events); null when it is one. */
  #unusable({ status, requestId, contentType }: EventStream): Failure | null {
    if (status === 204) {
      const sentence = message('events.none');
      const remedy = message('events.noneRemedy');
      return this.#account.fail({ code: 'refused-by-service', status, requestId, sentence, remedy });
    }
    if (/^\s*text\/event-stream\s*(?:;|$)/i.test(contentType ?? '')) return null;
    return this.#account.fail({ code: 'answered-by-something-else', status, requestId });
  }

  #makeFailure(code: 'unreachable' | 'timed-out', sentence: Message): Failure {
    return this.#account.fail({ code, sentence, remedy: message('events.remedy') });
  }

  #now(): number {
    return this.#account.serverNow();
  }
}
