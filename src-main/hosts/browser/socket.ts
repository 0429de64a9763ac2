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
import type { Clock, Logger } from '../../core/base/ports.ts';
import type { App } from '../../core/scopes/app.ts';
import type { Subscription } from '../../core/state/publisher.ts';
import { hostFailure } from '../failures.ts';
import type { CountedWarnings } from './countedWarnings.ts';
import type { WireCodec } from './protocol.ts';

/** How long a page may take for its hello, in milliseconds. */
const helloWithinMs = 5_000;
/** A hello with its frame, and a ping beside it: what comes before the hello is not gathered beyond this. */
const largestBeforeHello = largestHello + 256;
/** How long a page may take to answer a close, in milliseconds; one that does not would keep its place. */
const closeWithinMs = 1_000;
/** Between two pings, in milliseconds; a page that misses one is cut. */
const pingEveryMs = 20_000;
/** A page that lets this many bytes pile up is cut; it comes back to a snapshot. */
const largestBacklog = 256 * 1024 * 1024;

/** What is told of one admitted page. */
export interface PageListener {
  /** A push went to the page. */
  sent(): void;
  /** The page answered one. */
  answered(): void;
  closed(): void;
}

export interface SocketOptions {
  readonly socket: WebSocket;
  /** The connection that carries `socket`. */
  readonly wire: Duplex;
  readonly console: App;
  readonly codec: WireCodec;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly warnings: CountedWarnings;
  readonly version: string;
  /** Whether the proof of a hello belongs to the cookie that the socket was opened with. */
  readonly admits: (proof: string) => boolean;
  /** Called when the page is in; null when nobody listens to it. */
  readonly onAdmitted: () => PageListener | null;
}

/** Carries verbs and pushes between one page and the console until either closes. */
export function serveSocket(options: SocketOptions): void {
  const { socket, wire, console, codec, clock, logger, warnings, version } = options;
  let subscription: Subscription | null = null;
  let inFlight = 0;
  let alive = true;
  let listener: PageListener | null = null;

  const send = (message: ConsoleMessage): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > largestBacklog) {
      logger.warn('page-too-slow', { bytes: socket.bufferedAmount });
      socket.terminate();
      return;
    }
    socket.send(codec.encode(message), { binary: true, compress: false });
  };
  const cut = (code: number, reason: string): void => {
    warnings.warn('page-cut', reason);
    socket.close(code, reason);
    cancelTimer();
    cancelTimer = clock.schedule(closeWithinMs, () => socket.terminate());
  };

  let cancelTimer = clock.schedule(helloWithinMs, () => cut(closeCodes.tooSlow, 'no hello'));
  const ping = (): void => {
    if (!alive) {
      logger.warn('page-silent');
      socket.terminate();
      return;
    }
    alive = false;
    socket.ping();
    cancelTimer = clock.schedule(pingEveryMs, ping);
  };
  socket.on('pong', () => {
    alive = true;
  });

  const call = async (message: Extract<PageMessage, { kind: 'call' }>): Promise<void> => {
    const { id, verb, request } = message;
    const refuse = (code: 'malformed-request' | 'throttled' | 'internal'): void =>
      send({ kind: 'reply', id, result: { ok: false, failure: hostFailure(code, clock.wallNow()) } });
    if (!Object.hasOwn(verbs, verb)) {
      refuse('malformed-request');
      return;
    }
    if (inFlight >= callsInFlight) {
      refuse('throttled');
      return;
    }
    inFlight += 1;
    try {
      send({ kind: 'reply', id, result: await console.call(verb, request) });
    } catch (error) {
      logger.error('call-broke', { verb, error: error instanceof Error ? error.name : 'unknown' });
      refuse('internal');
    } finally {
      inFlight -= 1;
    }
  };

  let before = 0;
  const countBeforeHello = (chunk: Uint8Array): void => {
    before += chunk.byteLength;
    if (before <= largestBeforeHello || socket.readyState !== socket.OPEN) return;
    cut(closeCodes.malformed, 'too much before the hello');
    // Whatever else is on its way stays where it is.
    socket.pause();
  };
  // Ahead of ws, which would gather a whole message of `largestMessage` bytes first.
  wire.prependListener('data', countBeforeHello);

  const greet = (proof: string): void => {
    if (!options.admits(proof)) {
      cut(closeCodes.notAdmitted, 'not admitted');
      return;
    }
    wire.off('data', countBeforeHello);
    cancelTimer();
    send({ kind: 'welcome', version });
    listener = options.onAdmitted();
    subscription = console.subscribe((push) => {
      send({ kind: 'push', push });
      listener?.sent();
    });
    cancelTimer = clock.schedule(pingEveryMs, ping);
  };

  socket.on('message', (data, binary) => {
    // After a close was asked for, ws still delivers what the page had on the way.
    if (socket.readyState !== socket.OPEN) return;
    const bytes = binary && data instanceof Uint8Array ? data : null;
    if (subscription === null) {
      const proof = bytes === null ? null : codec.proofOf(bytes);
      if (proof === null) cut(closeCodes.malformed, 'malformed hello');
      else greet(proof);
      return;
    }
    const message = bytes === null ? null : codec.decode(bytes);
    if (message === null) {
      cut(closeCodes.malformed, 'malformed message');
      return;
    }
    switch (message.kind) {
      case 'link':
        listener?.answered();
        subscription.answer(message.message);
        return;
      case 'call':
        void call(message);
        return;
    }
  });
  socket.on('error', (error) => logger.warn('page-socket-error', { error: error.message }));
  socket.once('close', () => {
    cancelTimer();
    subscription?.close();
    listener?.closed();
  });
}
