import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import {
  callsInFlight,
  closeCodes,
  largestHello,
  verbs,
  type ConsoleMessage,
  type PageMessage,
} from '../../../src-preload/contract/index.ts';
import { nameOf } from '../../core/base/errors.ts';
import type { Clock } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import type { Subscription } from '../../core/state/publisher.ts';
import { hostFailure } from '../failures.ts';
import type { ExchangeOptions } from './exchange.ts';
import type { WireCodec } from './protocol.ts';

/** How long a page may take for its hello, in milliseconds. */
const helloWithinMs = 5_000;
/** The most bytes before the hello is complete: a hello with its frame, and a ping. */
const largestBeforeHello = largestHello + 256;
/** How long a page may take to answer a close message, in milliseconds. Without a limit it would hold its place. */
const closeWithinMs = 1_000;
/** Milliseconds between two pings. A page that misses one is disconnected. */
const pingEveryMs = 20_000;
/** A page with this many unread bytes is disconnected. It reconnects to a snapshot. */
const largestBacklog = 256 * 1024 * 1024;

/** Learns about the traffic of one admitted page. */
export interface PageListener {
  /** A push was sent to the page. */
  sent(): void;
  /** The page acknowledged one. */
  answered(): void;
  closed(): void;
}

export interface SocketOptions extends Pick<ExchangeOptions, 'logger' | 'warnings'> {
  readonly socket: WebSocket;
  /** The connection under `socket`. */
  readonly wire: Duplex;
  readonly app: App;
  readonly codec: WireCodec;
  readonly clock: Clock;
  readonly version: string;
  /** Whether the proof in a hello belongs to the cookie with which the socket was opened. */
  readonly admits: (proof: string) => boolean;
  /** Called when the page is admitted; null when nothing listens to its traffic. */
  readonly onAdmitted: () => PageListener | null;
}

/** Carries verbs and pushes between one page and the console until either closes. */
export function serveSocket(options: SocketOptions): void {
  new PageSocket(options);
}

/**
 * One page's socket. It waits for the hello, and closes when none comes, when its proof is wrong or when it is too
 * large. Then it carries calls and pushes, and sends pings. One timer runs at a time.
 */
class PageSocket {
  readonly #options: SocketOptions;
  /** Null before the hello. */
  #subscription: Subscription | null = null;
  #listener: PageListener | null = null;
  #cancelTimer: () => void;
  /** Whether the last ping was answered. */
  #alive = true;
  /** Calls without a reply yet. */
  #inFlight = 0;
  #bytesBeforeHello = 0;

  constructor(options: SocketOptions) {
    const { socket, wire, clock, logger } = options;
    this.#options = options;
    this.#cancelTimer = clock.schedule(helloWithinMs, () => this.#cut(closeCodes.tooSlow, 'no hello'));
    // Before ws, which would first buffer a whole message of `largestMessage` bytes.
    wire.prependListener('data', this.#countBeforeHello);
    socket.on('pong', () => {
      this.#alive = true;
    });
    socket.on('message', (data, binary) => {
      // After a close message, ws still delivers what the page had already sent.
      if (socket.readyState !== socket.OPEN) return;
      this.#take(binary && data instanceof Uint8Array ? data : null);
    });
    socket.on('error', (error) => logger.warn('page-socket-error', { error: error.message }));
    socket.once('close', () => {
      this.#cancelTimer();
      this.#subscription?.close();
      this.#listener?.closed();
    });
  }

  #send(message: ConsoleMessage): void {
    const { socket, codec, logger } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > largestBacklog) {
      logger.warn('page-too-slow', { bytes: socket.bufferedAmount });
      socket.terminate();
      return;
    }
    socket.send(codec.encode(message), { binary: true, compress: false });
  }

  #cut(code: number, reason: string): void {
    const { socket, clock, warnings } = this.#options;
    warnings.warn('page-cut', reason);
    socket.close(code, reason);
    this.#cancelTimer();
    this.#cancelTimer = clock.schedule(closeWithinMs, () => socket.terminate());
  }

  readonly #countBeforeHello = (chunk: Uint8Array): void => {
    const { socket } = this.#options;
    this.#bytesBeforeHello += chunk.byteLength;
    if (this.#bytesBeforeHello <= largestBeforeHello || socket.readyState !== socket.OPEN) return;
    this.#cut(closeCodes.malformed, 'too much before the hello');
    // Messages that are still on their way are not read.
    socket.pause();
  };

  /** Takes one message of the page; null when it is not binary. */
  #take(bytes: Uint8Array | null): void {
    const { codec } = this.#options;
    if (this.#subscription === null) {
      const proof = bytes === null ? null : codec.proofOf(bytes);
      if (proof === null) this.#cut(closeCodes.malformed, 'malformed hello');
      else this.#greet(proof);
      return;
    }
    const message = bytes === null ? null : codec.decode(bytes);
    if (message === null) {
      this.#cut(closeCodes.malformed, 'malformed message');
      return;
    }
    switch (message.kind) {
      case 'link':
        this.#listener?.answered();
        this.#subscription.answer(message.message);
        return;
      case 'call':
        void this.#call(message);
        return;
    }
  }

  #greet(proof: string): void {
    const { wire, app, clock, version, admits, onAdmitted } = this.#options;
    if (!admits(proof)) {
      this.#cut(closeCodes.notAdmitted, 'not admitted');
      return;
    }
    wire.off('data', this.#countBeforeHello);
    this.#cancelTimer();
    this.#send({ kind: 'welcome', version });
    this.#listener = onAdmitted();
    this.#subscription = app.subscribe((push) => {
      this.#send({ kind: 'push', push });
      this.#listener?.sent();
    });
    this.#cancelTimer = clock.schedule(pingEveryMs, this.#ping);
  }

  readonly #ping = (): void => {
    const { socket, clock, logger } = this.#options;
    if (!this.#alive) {
      logger.warn('page-silent');
      socket.terminate();
      return;
    }
    this.#alive = false;
    socket.ping();
    this.#cancelTimer = clock.schedule(pingEveryMs, this.#ping);
  };

  async #call({ id, verb, request }: Extract<PageMessage, { kind: 'call' }>): Promise<void> {
    const { app, clock, logger } = this.#options;
    const refuse = (code: 'malformed-request' | 'throttled' | 'internal'): void =>
      this.#send({ kind: 'reply', id, result: { ok: false, failure: hostFailure(code, clock.wallNow()) } });
    if (!Object.hasOwn(verbs, verb)) {
      refuse('malformed-request');
      return;
    }
    if (this.#inFlight >= callsInFlight) {
      refuse('throttled');
      return;
    }
    this.#inFlight += 1;
    try {
      this.#send({ kind: 'reply', id, result: await app.call(verb, request) });
    } catch (error) {
      logger.error('call-broke', { verb, error: nameOf(error) });
      refuse('internal');
    } finally {
      this.#inFlight -= 1;
    }
  }
}
