import type { Failure, LiveEvent } from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { message, type Message } from '../../base/messages/message.ts';
import type { Clock, Logger, Random } from '../../base/ports.ts';
import type { ServerTime } from '../../base/serverTime.ts';
import type { CoordinationApi, EventStream } from '../../service/api/coordination.ts';
import type { ConsoleStore } from '../../state/consoleStore.ts';
import type { Account } from '../../vault/account.ts';
import { EventBoard } from './eventBoard.ts';
import { EventIntake } from './eventIntake.ts';
import { EventReader } from './eventReader.ts';
import { eventsAtStart } from './eventsState.ts';
import { Reconnection } from './reconnection.ts';

export interface LiveEventsOptions extends Pick<Account, 'scope'> {
  readonly api: Pick<CoordinationApi, 'events'>;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly serverTime: Pick<ServerTime, 'serverNow'>;
  /** Where the stream is; null when the deployment names none. */
  readonly path: string | null;
  /** The member that holds a mission's id in this deployment. */
  readonly missionIdField: string;
  readonly knowsIncident: (id: string) => boolean;
  /** An event is about this incident, known or not; the id is empty where the event names none. */
  readonly onIncident: (id: string) => void;
  readonly onMission: (missionId: string, event: LiveEvent) => void;
  readonly onEvidence: () => void;
  /** How long nothing may come before the stream counts as dead, milliseconds. */
  readonly heartbeatMs: number;
  /** Whether requests can be signed: nothing is tried unless `live`. */
  readonly session: () => 'live' | 'waiting' | 'ended';
}

/** One connection, from its request to its end. */
interface Connection {
  readonly abort: AbortController;
  /** `Clock.elapsed()` at its head, null before, and at its last byte. */
  openedAt: number | null;
  heardAt: number;
}

/** How long events are read before the event loop gets its turn, milliseconds. */
const turnMs = 8;

/**
 * Listens to the Coordination API's server-sent events (interface: Events) and passes on what they are
 * about. It hastens what is read on an interval anyway: with the stream gone nothing is missed.
 *
 * The stream is opened again when it ends, fails or falls silent, from the last event's id on. A
 * missing scope (403) waits for the next token; a path that is not there (404), and an answer that
 * asks not to come back (204, HTML standard: server-sent events), end it for as long as the account is open.
 */
export class LiveEvents {
  readonly #options: LiveEventsOptions;
  readonly #board: EventBoard;
  readonly #intake: EventIntake;
  readonly #pauses: Reconnection;
  #connection: Connection | null = null;
  #cancelNext: (() => void) | null = null;
  /** When the next try is due, and before when the service wants none; `Clock.elapsed()`. */
  #nextAt = 0;
  #notBefore = 0;
  #cancelWatch: (() => void) | null = null;
  /** Nothing is tried: for good, or until there is another token than the one that was refused. */
  #halted: 'refused' | 'for-good' | null = null;
  #refusedToken: number | null = null;

  constructor(options: LiveEventsOptions) {
    this.#options = options;
    this.#pauses = new Reconnection(options);
    this.#board = new EventBoard({
      ...options,
      onTold: () => {
        this.#intake.settle();
      },
    });
    this.#intake = new EventIntake({ ...options, board: this.#board });
    options.scope.onEnd(() => {
      this.#disconnect();
      options.store.set('events', eventsAtStart);
    });
  }

  /** Begins to listen. */
  open(): void {
    this.#go();
  }

  /** The session changed, or time has passed. */
  review(): void {
    const session = this.#options.session();
    if (this.#halted === 'refused' && (session !== 'live' || this.#token() !== this.#refusedToken)) {
      this.#halted = null;
    }
    if (session === 'ended') this.#disconnect();
    this.#go();
  }

  connectionReturned(): void {
    this.#hasten();
  }

  /** The machine slept: a connection from before rarely lives on, and says so too late. */
  wake(): void {
    const connection = this.#connection;
    if (connection && this.#silentMs(connection) >= this.#options.heartbeatMs) this.#fellSilent(connection);
    this.#hasten();
  }

  /** Brings the next try forward, but not before the time that the service asked for. */
  #hasten(): void {
    const { clock } = this.#options;
    if (!this.#cancelNext) return;
    const ms = Math.max(this.#pauses.soon(), this.#notBefore - clock.elapsed());
    if (clock.elapsed() + ms < this.#nextAt) this.#retryIn(ms);
  }

  /** Connects, when nothing speaks against it. */
  #go(): void {
    if (this.#options.scope.isOver || this.#connection || this.#cancelNext || this.#halted) return;
    const { path, session } = this.#options;
    if (path === null) return;
    const state = session();
    if (state === 'ended') this.#rest({ state: 'off', failure: null });
    else if (state === 'waiting') this.#rest({ state: 'waiting', failure: null });
    else void this.#connect(path);
  }

  async #connect(path: string): Promise<void> {
    const { api, clock, logger } = this.#options;
    const connection: Connection = {
      abort: new AbortController(),
      openedAt: null,
      heardAt: clock.elapsed(),
    };
    this.#connection = connection;
    this.#board.patch({ state: 'connecting', since: this.#now(), until: null });
    this.#watch(connection);
    const { signal } = connection.abort;
    try {
      const opened = await api.events(path, { lastEventId: this.#intake.lastId, signal });
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
    const { clock } = this.#options;
    let dropped = 0;
    const reader = new EventReader({
      onId: (id) => {
        this.#intake.noteId(id);
      },
      onRetry: (ms) => {
        this.#pauses.asked(ms);
      },
    });
    let turnEnds = performance.now() + turnMs;
    try {
      for await (const piece of bytes) {
        if (this.#connection !== connection) return;
        connection.heardAt = clock.elapsed();
        for (const event of reader.read(piece)) {
          if (event) this.#intake.take(event);
          if (reader.dropped > dropped) this.#board.drop(reader.dropped - dropped);
          dropped = reader.dropped;
          if (performance.now() < turnEnds) continue;
          await new Promise<void>((resolve) => setImmediate(resolve));
          if (this.#connection !== connection) return;
          turnEnds = performance.now() + turnMs;
        }
      }
    } finally {
      reader.end();
    }
  }

  #over(connection: Connection, failure: Failure | null): void {
    if (this.#connection !== connection) return;
    const { clock, logger } = this.#options;
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
    const { clock } = this.#options;
    this.#cancelNext?.();
    this.#nextAt = clock.elapsed() + ms;
    this.#cancelNext = clock.schedule(ms, () => {
      this.#cancelNext = null;
      this.#go();
    });
    const now = this.#now();
    this.#board.patch({ state: 'waiting', since: now, until: now + ms });
  }

  /** Nothing happens until somebody else does something. */
  #rest(change: { readonly state: 'off' | 'waiting'; readonly failure: Failure | null }): void {
    const since = this.#board.state === change.state ? {} : { since: this.#now() };
    this.#board.patch({ ...change, ...since, until: null });
  }

  #disconnect(): void {
    this.#cancelNext?.();
    this.#cancelWatch?.();
    this.#cancelNext = this.#cancelWatch = null;
    const connection = this.#connection;
    this.#connection = null;
    connection?.abort.abort();
  }

  /** Looks when the silence would be too long whether it was one; not at each piece, of which there may be many. */
  #watch(connection: Connection): void {
    const { clock, heartbeatMs } = this.#options;
    this.#cancelWatch?.();
    this.#cancelWatch = clock.schedule(Math.max(1, heartbeatMs - this.#silentMs(connection)), () => {
      if (this.#silentMs(connection) >= heartbeatMs) this.#fellSilent(connection);
      else this.#watch(connection);
    });
  }

  #fellSilent(connection: Connection): void {
    this.#over(connection, this.#makeFailure('timed-out', message('events.silent')));
  }

  #silentMs({ heardAt }: Connection): number {
    return this.#options.clock.elapsed() - heardAt;
  }

  /** Tells one token from the next, as far as anybody outside the session may know. */
  #token(): number | null {
    const { session } = this.#options.store.slice('session');
    return 'expiresAt' in session ? session.expiresAt : null;
  }

  /** Why an answer is no stream of events (HTML standard: server-sent events); null when it is one. */
  #unusable({ status, requestId, contentType }: EventStream): Failure | null {
    const at = this.#now();
    if (status === 204) {
      const sentence = message('events.none');
      const remedy = message('events.noneRemedy');
      return makeFailure({ code: 'refused-by-service', at, status, requestId, sentence, remedy });
    }
    if (/^\s*text\/event-stream\s*(?:;|$)/i.test(contentType ?? '')) return null;
    return makeFailure({ code: 'answered-by-something-else', at, status, requestId });
  }

  #makeFailure(code: 'unreachable' | 'timed-out', sentence: Message): Failure {
    const remedy = message('events.remedy');
    return makeFailure({ code, at: this.#now(), sentence, remedy });
  }

  #now(): number {
    return this.#options.serverTime.serverNow();
  }
}
