import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/base/ports.ts';
import type { CountedWarnings } from './countedWarnings.ts';

/** The most connections at once. One page of a browser uses at most seven, including its socket. */
export const mostConnections = 256;
/** How long a connection may be open without a request, in milliseconds. */
const requestWithinMs = 5_000;
/** How long an answer to a page without the proof may take, in milliseconds. */
const answerWithinMs = 30_000;
/** How long the other side may take to close after the close message, in milliseconds. */
const goodbyeWithinMs = 1_000;

/**
 * What is known about the other side of a connection.
 *
 * `stranger`: any process of this machine. `known`: sent the cookie, which other local servers may have seen.
 * `admitted`: also sent the proof, in a request or in a socket's hello.
 */
export type Trust = 'stranger' | 'known' | 'admitted';

const trustLevels: readonly Trust[] = ['stranger', 'known', 'admitted'];

interface Connection {
  readonly socket: Duplex;
  trust: Trust;
  answering: boolean;
  cancelDeadline: () => void;
}

/**
 * The connections to the browser host's port, which every process of this machine can open.
 *
 * A connection that is not admitted has a time limit for everything. When all places are taken, the oldest connection
 * that is not admitted is closed, silent strangers first; an admitted one never is. So a page with its cookie always
 * gets a place, however many strangers hold theirs.
 */
export class Connections {
  readonly #clock: Clock;
  readonly #warnings: CountedWarnings;
  /** From the oldest to the newest. */
  readonly #open = new Map<Duplex, Connection>();

  constructor(options: { readonly clock: Clock; readonly warnings: CountedWarnings }) {
    this.#clock = options.clock;
    this.#warnings = options.warnings;
  }

  /** Gives a new connection a place, or destroys it when admitted pages have all places. */
  accept(socket: Duplex): void {
    if (this.#open.size >= mostConnections && !this.#makePlace()) {
      socket.destroy();
      return;
    }
    const connection: Connection = {
      socket,
      trust: 'stranger',
      answering: false,
      cancelDeadline: this.#destroyAfter(socket, requestWithinMs),
    };
    this.#open.set(socket, connection);
    socket.once('close', () => {
      connection.cancelDeadline();
      this.#open.delete(socket);
    });
  }

  /**
   * Whether a request may start. One that comes before the last answer was received ends the connection: no browser
   * sends that, and its answers would pile up.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(socket);
    // It was parsed together with the request that ended the connection.
    if (connection === undefined || socket.destroyed) return false;
    if (connection.answering) {
      this.#warnings.warn('connection-ended', 'pipelined');
      socket.destroy();
      return false;
    }
    connection.answering = true;
    connection.cancelDeadline();
    connection.cancelDeadline = this.#destroyAfter(socket, answerWithinMs);
    const taken = (): void => {
      connection.answering = false;
      connection.cancelDeadline();
    };
    response.once('finish', taken);
    response.once('close', taken);
    return true;
  }

  /** Whether a connection may become a WebSocket, whose hello has a separate limit. */
  beginSocket(socket: Duplex): boolean {
    const connection = this.#open.get(socket);
    if (connection === undefined || connection.answering || socket.destroyed) return false;
    connection.cancelDeadline();
    return true;
  }

  /** Sets who is on the other side. An admitted page's answer has a separate limit. */
  raise(socket: Duplex, trust: Trust): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    if (trustLevels.indexOf(trust) > trustLevels.indexOf(connection.trust)) connection.trust = trust;
    if (trust === 'admitted') connection.cancelDeadline();
  }

  /** Sends last words and closes, whether or not the other side receives them or closes too. */
  dismiss(socket: Duplex, words: string): void {
    const connection = this.#open.get(socket);
    if (connection === undefined || connection.answering || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(words);
    connection.cancelDeadline();
    connection.cancelDeadline = this.#destroyAfter(socket, goodbyeWithinMs);
  }

  destroyAll(): void {
    for (const socket of [...this.#open.keys()]) socket.destroy();
  }

  #destroyAfter(socket: Duplex, ms: number): () => void {
    return this.#clock.schedule(ms, () => socket.destroy());
  }

  #makePlace(): boolean {
    let first: Connection | null = null;
    for (const connection of this.#open.values()) {
      if (connection.trust === 'admitted') continue;
      if (first === null || worthOf(connection) < worthOf(first)) first = connection;
    }
    this.#warnings.warn('connections-full', first === null ? 'all-admitted' : 'one-ended');
    if (first === null) return false;
    this.#open.delete(first.socket);
    first.socket.destroy();
    return true;
  }
}

/** The higher, the longer it stays when places run out. */
const worthOf = ({ trust, answering }: Connection): number =>
  2 * trustLevels.indexOf(trust) + (answering ? 1 : 0);
