import type { TrainingSwitches } from '../../src-preload/contract/index.ts';

/** Faults of one request; a refused connection is the listener's and has no request. */
export type RequestFault = Exclude<
  TrainingSwitches['fault' | 'uploadFault' | 'missionFault'],
  'none' | 'refuse'
>;

/** One request as a route sees it before its body. */
export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Who asks; null on a public route. */
  readonly account: string | null;
  /** The `Idempotency-Key`, where the route knows such keys. */
  readonly key: string | null;
  /** The service's switches when the request is handled. */
  readonly switches: TrainingSwitches;
  /** What this request meets. */
  readonly fault: RequestFault | 'none';
}

export interface TrainingRequest extends RequestHead {
  readonly body: Uint8Array;
}

/** An answer before the headers that every answer carries. `body` is JSON text. */
export interface TrainingAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

interface BaseRoute {
  readonly path: string;
  /**
   * `bearer` needs a valid token (interface: Authentication); `upload` takes the separate service token
   * as well (Authentication, 7).
   */
  readonly access: 'public' | 'bearer' | 'upload';
  /** A refusal before anything is looked at, such as a missing scope. It is not kept under a key. */
  readonly refuse?: (head: RequestHead) => TrainingAnswer | null;
  /** True where the route makes its own of the fault `conflict`. */
  readonly meetsConflict?: boolean;
}

/** A route whose request is held in memory as a whole. */
export interface WholeRoute extends BaseRoute {
  readonly kind?: 'whole';
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** True where `Idempotency-Key` counts; login changes nothing that a retry could double. */
  readonly idempotent: boolean;
  readonly handle: (request: TrainingRequest) => TrainingAnswer | Promise<TrainingAnswer>;
}

/**
 * A route whose body is read while it comes and may be larger than memory. Nothing is changed while it
 * is received: the effect runs after the last byte, once for a key.
 */
export interface StreamedRoute extends BaseRoute {
  readonly kind: 'streamed';
  readonly method: 'POST' | 'PUT';
  readonly receive: (
    head: RequestHead,
    body: AsyncIterable<Uint8Array>,
  ) => Promise<{ readonly refused: TrainingAnswer } | { readonly effect: () => TrainingAnswer }>;
}

/** A route whose answer has no end. */
export interface EventRoute extends BaseRoute {
  readonly kind: 'events';
  readonly method: 'GET';
  readonly open: (head: RequestHead, sink: EventSink) => void;
}

export type TrainingRoute = WholeRoute | StreamedRoute | EventRoute;

/** Where the bytes of a stream of events go. */
export interface EventSink {
  write(bytes: Uint8Array): void;
  /** Bytes that were written and have not left. */
  readonly waiting: number;
  end(): void;
  /** Runs `run` once, when either side ended it. */
  onClose(run: () => void): void;
}

/** A stream in place of an answer. */
export interface OpenedStream {
  readonly open: (sink: EventSink) => void;
}

export const json = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): TrainingAnswer => ({
  status,
  headers,
  body: JSON.stringify(value),
});

/** The service's small error envelope (interface: Errors). */
export const refusal = (
  status: number,
  error: string,
  headers: Record<string, string> = {},
): TrainingAnswer => json(status, { error }, headers);

/** The first of what a header holds. */
export const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;
