import { ok, type Failure, type Result } from '../../../../src-preload/contract/index.ts';
import { listAnswer } from '../transport/answerBounds.ts';
import type { LargeAnswerPermit } from '../transport/largeAnswers.ts';
import type { Answer } from '../transport/request.ts';
import type { Transport } from '../transport/transport.ts';
import { conditionOf, readValidator, type Validator } from '../transport/validators.ts';
import { readHeaderClaims, readHeaderCursor } from './headerCursor.ts';
import type { ListClaims } from './incidentList.ts';

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
  /** An operator waits: where the next attempt is over 5 s away, the call fails at once with `retryAt`. */
  readonly interactive?: boolean | undefined;
  /** "Check again": sends one request although the last one had a 403, after which none is sent. */
  readonly recheck?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The caller releases it when it needs the large answer no longer. */
  readonly permit?: LargeAnswerPermit | undefined;
}

export interface ListOptions extends CallOptions {
  /** Of the last answer to the same request: an answer that is as it was need not come again. */
  readonly validator?: Validator | null | undefined;
}

export interface ServiceAnswer {
  /** Parsed JSON, unknown until a schema has read it. */
  readonly body: unknown;
  /** Why later records are missing from a list. */
  readonly cut?: Failure | null;
  readonly requestId: string | null;
  readonly responseMs: number;
  /** `next_cursor` from a header; one in a wrapping object is in `body`. */
  readonly linkCursor: string | null;
  /** What status and headers say of a list. */
  readonly claims?: ListClaims | undefined;
  /** The answer is as it was when the validator came; there is no body. */
  readonly isUnchanged?: boolean | undefined;
  readonly validator?: Validator | null | undefined;
  /** Of the body, as they came. */
  readonly bytes?: number | undefined;
}

/** Query of GET /evidence (interface: it accepts the pagination conventions). */
export interface ListEvidenceParams {
  readonly limit?: number | undefined;
  /** A `next_cursor` as it came. */
  readonly cursor?: string | undefined;
}

export interface InfrastructureApi {
  listIncidents(params: ListIncidentsParams, options?: ListOptions): Promise<Result<ServiceAnswer>>;
  listEvidence(params: ListEvidenceParams, options?: ListOptions): Promise<Result<ServiceAnswer>>;
  /** Never causes a login: sends the present token, or none before sign-in. */
  health(options?: CallOptions): Promise<Result<ServiceAnswer>>;
}

/**
 * The Infrastructure API. The specification does not say whether its reads need a token. Incidents and evidence are
 * asked for with one; health is asked for with or without one, so that it is known before sign-in.
 */
export function createInfrastructureApi(options: {
  readonly transport: Transport;
  /** Path of the list of evidence, from the deployment file. */
  readonly evidencePath: string;
}): InfrastructureApi {
  const { transport, evidencePath } = options;
  return {
    async listIncidents(params, call = {}) {
      const result = await transport.send({
        api: 'infrastructure',
        operation: 'list_incidents',
        bounds: listAnswer,
        keepsCut: true,
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
        ...listCallOf(call),
      });
      return result.ok ? ok(serviceAnswer(result.value)) : result;
    },
    async listEvidence({ limit, cursor }, call = {}) {
      const result = await transport.send({
        api: 'infrastructure',
        operation: 'list_evidence',
        bounds: listAnswer,
        keepsCut: true,
        method: 'GET',
        path: evidencePath,
        query: { limit, cursor },
        authorization: 'required',
        ...listCallOf(call),
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
        ...callOf(call),
      });
      return result.ok ? ok(serviceAnswer(result.value)) : result;
    },
  };
}

/** A caller's options, as the transport takes them: an option that is not given must be absent. */
export const callOf = ({ interactive = false, recheck = false, signal, permit }: CallOptions) => ({
  interactive,
  recheck,
  ...(signal === undefined ? {} : { signal }),
  ...(permit === undefined ? {} : { permit }),
});

const listCallOf = ({ validator = null, ...call }: ListOptions) => ({
  ...callOf(call),
  ...(validator === null ? {} : { headers: conditionOf(validator) }),
});

/** The part of an answer that callers of an API see. */
export const serviceAnswer = (answer: Answer): ServiceAnswer => ({
  body: answer.body,
  cut: answer.cut,
  requestId: answer.requestId,
  responseMs: answer.responseMs,
  linkCursor: readHeaderCursor(answer.headers),
  claims: readHeaderClaims(answer.status, answer.headers),
  isUnchanged: answer.isUnchanged,
  validator: readValidator(answer.headers),
  bytes: answer.bytes,
});
