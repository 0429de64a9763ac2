import { ok, type Result } from '../../../../src-preload/contract/index.ts';
import { listAnswer } from '../transport/answerBounds.ts';
import type { AnswerHold } from '../transport/largeAnswers.ts';
import type { Answer } from '../transport/request.ts';
import type { Transport } from '../transport/transport.ts';
import { readHeaderCursor } from './headerCursor.ts';

/** Query of GET /incidents (interface: list_incidents). Times are in the deployment's unit. */
export interface ListIncidentsParams {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly severity?: string | undefined;
  readonly status?: string | undefined;
  readonly limit?: number | undefined;
  /** A `next_cursor` as it came. */
  readonly cursor?: string | undefined;
}

export interface CallOptions {
  /** An operator is waiting: a wait of over 5 s fails at once with `retryAt`. */
  readonly interactive?: boolean | undefined;
  /** "Check again": lets one request through although the scope was missing last time. */
  readonly recheck?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The caller releases it once the answer is stored, or what it has of it is small. */
  readonly hold?: AnswerHold | undefined;
}

export interface ServiceAnswer {
  /** Parsed JSON, unknown until a schema has read it. */
  readonly body: unknown;
  readonly requestId: string | null;
  readonly responseMs: number;
  /** `next_cursor` from a header; one in a wrapping object is in `body`. */
  readonly linkCursor: string | null;
}

/** Query of GET /evidence (interface: it accepts the pagination conventions). */
export interface ListEvidenceParams {
  readonly limit?: number | undefined;
  /** A `next_cursor` as it came. */
  readonly cursor?: string | undefined;
}

export interface InfrastructureApi {
  listIncidents(params: ListIncidentsParams, options?: CallOptions): Promise<Result<ServiceAnswer>>;
  listEvidence(params: ListEvidenceParams, options?: CallOptions): Promise<Result<ServiceAnswer>>;
  /** Never causes a login: sends the token there is, and asks without one before sign-in. */
  health(options?: CallOptions): Promise<Result<ServiceAnswer>>;
}

/**
 * The Infrastructure API. Whether these two operations need a token is not specified: incidents are
 * asked for with one; health with the one there is, so that it is known before sign-in too.
 */
export function createInfrastructureApi(options: {
  readonly transport: Transport;
  /** Where the list of evidence is. */
  readonly evidencePath: string;
}): InfrastructureApi {
  const { transport, evidencePath } = options;
  return {
    async listIncidents(params, call = {}) {
      const result = await transport.send({
        api: 'infrastructure',
        operation: 'list_incidents',
        bounds: listAnswer,
        method: 'GET',
        path: '/incidents',
        query: {
          start_time: params.startTime,
          end_time: params.endTime,
          severity: params.severity,
          status: params.status,
          limit: params.limit,
          cursor: params.cursor,
        },
        authorization: 'required',
        interactive: call.interactive ?? false,
        recheck: call.recheck ?? false,
        ...(call.signal === undefined ? {} : { signal: call.signal }),
        ...(call.hold === undefined ? {} : { hold: call.hold }),
      });
      return result.ok ? ok(serviceAnswer(result.value)) : result;
    },
    async listEvidence({ limit, cursor }, call = {}) {
      const result = await transport.send({
        api: 'infrastructure',
        operation: 'list_evidence',
        bounds: listAnswer,
        method: 'GET',
        path: evidencePath,
        query: { limit, cursor },
        authorization: 'required',
        interactive: call.interactive ?? false,
        recheck: call.recheck ?? false,
        ...(call.signal === undefined ? {} : { signal: call.signal }),
        ...(call.hold === undefined ? {} : { hold: call.hold }),
      });
      return result.ok ? ok(serviceAnswer(result.value)) : result;
    },
    async health(call = {}) {
      const result = await transport.send({
        api: 'infrastructure',
        operation: 'health',
        method: 'GET',
        path: '/health',
        authorization: 'present',
        interactive: call.interactive ?? false,
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      });
      return result.ok ? ok(serviceAnswer(result.value)) : result;
    },
  };
}

/** What of an answer the callers of an API see. */
export const serviceAnswer = (answer: Answer): ServiceAnswer => ({
  body: answer.body,
  requestId: answer.requestId,
  responseMs: answer.responseMs,
  linkCursor: readHeaderCursor(answer.headers),
});
