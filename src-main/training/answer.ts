import type { TrainingSwitches } from '../../src-preload/contract/index.ts';

/** One request as a route sees it. */
export interface TrainingRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
  /** The service's switches when the request is handled. */
  readonly switches: TrainingSwitches;
}

/** An answer before the headers that every answer carries. `body` is JSON text. */
export interface TrainingAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TrainingRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** `bearer` needs a valid token (interface: Authentication). */
  readonly access: 'public' | 'bearer';
  /** True where `Idempotency-Key` counts; login changes nothing that a retry could double. */
  readonly idempotent: boolean;
  readonly handle: (request: TrainingRequest) => TrainingAnswer | Promise<TrainingAnswer>;
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
