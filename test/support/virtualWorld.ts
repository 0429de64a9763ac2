import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { VirtualClock } from './clock.ts';

/** One request as it left, at a time of the virtual clock. */
export interface SentRequest {
  readonly elapsed: number;
  readonly origin: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
}

export interface VirtualWorldOptions {
  readonly clock: VirtualClock;
  /** Requests that the service has and that wait for the clock, or for ever. */
  readonly held: () => number;
  /** Runs when all is quiet, before each move of the clock. */
  readonly onQuiet?: () => void;
  readonly onSent?: (request: SentRequest) => void;
}

/**
 * A world in which time passes only when nothing else can happen.
 *
 * It is quiet when every request that undici was given is held by the service on the virtual clock
 * (or for ever), no socket is connecting, and nobody has asked for another turn of the event loop. Only
 * then does the clock go to its next timer, one timer at a time. So how long a socket takes in real
 * time changes nothing, and the same seed gives the same story.
 */
export interface VirtualWorld {
  /** Waits, in real time, until all is quiet. Rejects with what still moves after `mostMs`. */
  settle(): Promise<void>;
  advance(ms: number): Promise<void>;
  /** Most timers that waited, and most requests that were under way, at any quiet moment. */
  readonly peaks: { readonly timers: number; readonly requests: number };
  /** Must be called: gives the event loop back its own functions. */
  close(): void;
}

interface ChannelMessage {
  readonly request: { readonly origin: unknown; readonly method: string; readonly path: string };
}

const quietTurns = 3;
const mostSettlingMs = 20_000;

export function createVirtualWorld(options: VirtualWorldOptions): VirtualWorld {
  const { clock, held, onQuiet, onSent } = options;
  const underWay = new Set<object>();
  const yielding = watchTurns();
  const peaks = { timers: 0, requests: 0 };
  let connecting = 0;
  let events = 0;

  const listen: Record<string, (message: unknown) => void> = {
    'undici:request:create': (message) => {
      const { request } = message as ChannelMessage;
      events += 1;
      underWay.add(request);
      onSent?.({
        elapsed: clock.elapsed(),
        origin: String(request.origin),
        method: request.method,
        path: request.path,
      });
    },
    'undici:request:trailers': finished,
    'undici:request:error': finished,
    'undici:client:beforeConnect': () => void (connecting += 1),
    'undici:client:connected': () => void (connecting -= 1),
    'undici:client:connectError': () => void (connecting -= 1),
  };
  function finished(message: unknown): void {
    events += 1;
    underWay.delete((message as ChannelMessage).request);
  }
  for (const [name, listener] of Object.entries(listen)) subscribe(name, listener);

  const isQuiet = (): boolean => underWay.size === held() && connecting === 0 && yielding.asked() === 0;

  async function settle(): Promise<void> {
    const end = performance.now() + mostSettlingMs;
    let seen = events;
    for (let quiet = 0; quiet < quietTurns;) {
      await yielding.next();
      quiet = isQuiet() && seen === events ? quiet + 1 : 0;
      seen = events;
      if (quiet === 0 && performance.now() > end) {
        throw new Error(
          `Something moves without end: ${String(underWay.size)} requests under way, ` +
            `${String(held())} held, ${String(connecting)} connecting, ${String(yielding.asked())} turns asked for`,
        );
      }
    }
    peaks.timers = Math.max(peaks.timers, clock.pending());
    peaks.requests = Math.max(peaks.requests, underWay.size);
    onQuiet?.();
  }

  return {
    settle,
    async advance(ms) {
      const target = clock.elapsed() + ms;
      do await settle();
      while (clock.runNext(target));
      if (target > clock.elapsed()) clock.sleep(target - clock.elapsed());
    },
    peaks,
    close() {
      for (const [name, listener] of Object.entries(listen)) unsubscribe(name, listener);
      yielding.close();
    },
  };
}

/** Counts the turns of the event loop that anybody has asked for by `setImmediate` and not had yet. */
function watchTurns() {
  const own = { set: globalThis.setImmediate, clear: globalThis.clearImmediate };
  const asked = new Set<NodeJS.Immediate>();
  const watched = (run: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate => {
    const turn = own.set(() => {
      asked.delete(turn);
      run(...args);
    });
    asked.add(turn);
    return turn;
  };
  globalThis.setImmediate = Object.assign(watched, own.set) as typeof setImmediate;
  globalThis.clearImmediate = (turn) => {
    if (turn) asked.delete(turn);
    own.clear(turn);
  };
  return {
    asked: () => asked.size,
    next: () => new Promise<void>((resolve) => own.set(resolve)),
    close() {
      globalThis.setImmediate = own.set;
      globalThis.clearImmediate = own.clear;
    },
  };
}
