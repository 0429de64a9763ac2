import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../core/base/ports.ts';
import type { CountedWarnings } from './countedWarnings.ts';

/** Connections at once. One page of a browser holds seven at most, its socket included. */
export const mostConnections = 256;
/** How long a connection may be open without a request, in milliseconds. */
const requestWithinMs = 5_000;
/** How long an answer to a page that brought no proof may be on its way, in milliseconds. */
const answerWithinMs = 30_000;
/** How long the other side may take to close after a goodbye, in milliseconds. */
const goodbyeWithinMs = 1_000;

/**
 * What is known of the other side of a connection.
 *
 * `stranger`: any process of this machine. `known`: brought the cookie, which other local servers may have
 * seen. `admitted`: brought the proof as well, in a request or in a socket's hello.
 */
export type Standing = 'stranger' | 'known' | 'admitted';

const standings: readonly Standing[] = ['stranger', 'known', 'admitted'];

interface Connection {
  readonly socket: Duplex;
  standing: Standing;
  answering: boolean;
  cancelDeadline: () => void;
}

/**
 * The places of the browser host's port, which every process of this machine can connect to.
 *
 * A connection that is not admitted has a limit in time for everything it does. When all places are taken, the
 * oldest one of those that are not admitted goes, silent strangers first, and never an admitted one: a page
 * that comes with its cookie finds a place however many strangers hold on to theirs.
 */
export class Connections {
  readonly #clock: Clock;
  readonly #warnings: CountedWarnings;
  /** From the oldest to the youngest. */
  readonly #open = new Map<Duplex, Connection>();

  constructor(options: { readonly clock: Clock; readonly warnings: CountedWarnings }) {
    this.#clock = options.clock;
    this.#warnings = options.warnings;
  }

  /** Gives a new connection its place, or destroys it where every place is an admitted page's. */
  accept(socket: Duplex): void {
    if (this.#open.size >= mostConnections && !this.#makePlace()) {
      socket.destroy();
      return;
    }
    const connection: Connection = {
      socket,
      standing: 'stranger',
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
   * Whether a request may be started. One that comes before the answer to the last one was taken ends the
   * connection: no browser sends that, and its answers would pile up.
   */
  begin({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(socket);
    // What was parsed in one piece with the request that ended the connection.
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

  /** Whether a connection may become a WebSocket's, whose hello has its own limit. */
  beginSocket(socket: Duplex): boolean {
    const connection = this.#open.get(socket);
    if (connection === undefined || connection.answering || socket.destroyed) return false;
    connection.cancelDeadline();
    return true;
  }

  /** Learns who is on the other side. An admitted page's answer has its own limit. */
  raise(socket: Duplex, standing: Standing): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    if (standings.indexOf(standing) > standings.indexOf(connection.standing)) connection.standing = standing;
    if (standing === 'admitted') connection.cancelDeadline();
  }

  /** Ends a connection with last words, whether or not the other side takes them or closes as well. */
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
      if (connection.standing === 'admitted') continue;
      if (first === null || worthOf(connection) < worthOf(first)) first = connection;
    }
    this.#warnings.warn('connections-full', first === null ? 'all-admitted' : 'one-ended');
    if (first === null) return false;
    this.#open.delete(first.socket);
    first.socket.destroy();
    return true;
  }
}

/** Who stays longer when places run out. */
const worthOf = ({ standing, answering }: Connection): number =>
  2 * standings.indexOf(standing) + (answering ? 1 : 0);
