import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { VirtualClock } from './clock.ts';
import { patience } from './patience.ts';
import { flush } from './quiet.ts';

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
 * (or for ever), no socket is connecting, and neither the disk nor a thread owes an answer (`flush`). Only
 * then does the clock go to its next timer, one timer at a time. So how long a socket, a file or a thread
 * takes in real time changes nothing, and the same seed gives the same story.
 */
export interface VirtualWorld {
  /** Waits, in real time, until all is quiet. Rejects where something moves without end. */
  settle(): Promise<void>;
  advance(ms: number): Promise<void>;
  /** Most timers that waited, and most requests that were under way, at any quiet moment. */
  readonly peaks: { readonly timers: number; readonly requests: number };
  /** Must be called: it listens to undici until then. */
  close(): void;
}

interface ChannelMessage {
  readonly request: { readonly origin: unknown; readonly method: string; readonly path: string };
}

export function createVirtualWorld(options: VirtualWorldOptions): VirtualWorld {
  const { clock, held, onQuiet, onSent } = options;
  const underWay = new Set<object>();
  const peaks = { timers: 0, requests: 0 };
  let connecting = 0;

  const listen: Record<string, (message: unknown) => void> = {
    'undici:request:create': (message) => {
      const { request } = message as ChannelMessage;
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
    underWay.delete((message as ChannelMessage).request);
  }
  for (const [name, listener] of Object.entries(listen)) subscribe(name, listener);

  async function settle(): Promise<void> {
    const end = performance.now() + patience.step;
    for (;;) {
      await flush();
      if (underWay.size === held() && connecting === 0) break;
      if (performance.now() > end) {
        throw new Error(
          `Something moves without end: ${String(underWay.size)} requests under way, ` +
            `${String(held())} held, ${String(connecting)} connecting`,
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
    },
  };
}
