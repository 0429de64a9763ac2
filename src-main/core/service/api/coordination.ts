import { ok, type Result } from '../../../../src-preload/contract/index.ts';
import { listAnswer } from '../transport/answerBounds.ts';
import type { Answer } from '../transport/request.ts';
import type { Transport } from '../transport/transport.ts';
import { callOf, serviceAnswer, type CallOptions, type ServiceAnswer } from './infrastructure.ts';

/** One attempt to upload a file (interface: POST /storage, multipart). */
export interface UploadCall {
  readonly path: string;
  readonly key: string;
  readonly contentType: string;
  readonly contentLength: number;
  /** Makes the same bytes at each call: after a 401 and a renewal the body is sent a second time. */
  readonly body: () => AsyncIterable<Uint8Array>;
  /** Sends the separate service token in place of the session's (interface: Authentication, 7). */
  readonly separateToken: boolean;
  readonly signal: AbortSignal;
  /** Bytes of the body that have left so far; starts at 0 again when the body is sent a second time. */
  readonly onProgress: (bytes: number) => void;
}

/** One decision on a mission (interface: POST /admin/missions/approve). */
export interface DecisionCall {
  readonly path: string;
  readonly operation: 'approve_mission' | 'reject_mission';
  readonly missionId: string;
  readonly key: string;
  /** JSON text. */
  readonly body: string;
}

/** A 2xx answer: 202 promises less than the others. */
export interface ActionTaken extends ServiceAnswer {
  readonly status: number;
}

/** An answer, or why there is none. `left` is false only if certainly no byte of the request was sent. */
export interface ActionAnswer {
  readonly result: Result<ActionTaken>;
  readonly left: boolean;
  /** The body of an answer that is not 2xx; absent where there is none that could be read. */
  readonly refusal?: unknown;
}

export interface EventStream {
  /** With 204 the service asks not to connect again. */
  readonly status: number;
  readonly requestId: string | null;
  /** The header as it came, or null. To check, because a network's sign-in page answers with 200 too. */
  readonly contentType: string | null;
  /** The stream's bytes as they come. Ends or rejects when the connection does. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * The Coordination API. The deployment file gives the paths, since the specification names only two. No call is
 * repeated, except once after a 401 and the renewal that followed it.
 */
export interface CoordinationApi {
  /** Has no total deadline: a large file may take hours. Fails when nothing moves for longer than a very slow link needs. */
  upload(call: UploadCall): Promise<ActionAnswer>;
  decide(call: DecisionCall): Promise<ActionAnswer>;
  /** GET of the list of pending missions. */
  pendingMissions(path: string, options?: CallOptions): Promise<Result<ServiceAnswer>>;
  /** Opens a stream of server-sent events. `lastEventId` is sent as `Last-Event-ID`. */
  events(
    path: string,
    options: { readonly lastEventId: string | null; readonly signal: AbortSignal },
  ): Promise<Result<EventStream>>;
}

export function createCoordinationApi(options: { readonly transport: Transport }): CoordinationApi {
  const { transport } = options;
  return {
    async upload(call) {
      let left = false;
      const result = await transport.send({
        api: 'coordination',
        operation: 'upload_file',
        method: 'POST',
        path: call.path,
        headers: {
          'content-type': call.contentType,
          'content-length': String(call.contentLength),
          'idempotency-key': call.key,
        },
        body: call.body,
        onProgress: call.onProgress,
        authorization: call.separateToken ? 'upload' : 'required',
        retries: false,
        interactive: true,
        backoff: 'progress',
        onSent: () => (left = true),
        signal: call.signal,
      });
      return { result: takenOf(result), left };
    },

    async decide(call) {
      let left = false;
      let refusal: unknown;
      const result = await transport.send({
        api: 'coordination',
        operation: call.operation,
        resource: call.missionId,
        method: 'POST',
        path: call.path,
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(call.body)),
          'idempotency-key': call.key,
        },
        body: () => call.body,
        authorization: 'required',
        isUrgent: true,
        retries: false,
        interactive: true,
        onSent: () => (left = true),
        onRefusal: (body) => (refusal = body),
      });
      return { result: takenOf(result), left, refusal };
    },

    async pendingMissions(path, call = {}) {
      const result = await transport.send({
        api: 'coordination',
        operation: 'list_pending_missions',
        bounds: listAnswer,
        method: 'GET',
        path,
        authorization: 'required',
        ...callOf(call),
      });
      return result.ok ? ok(serviceAnswer(result.value)) : result;
    },

    async events(path, { lastEventId, signal }) {
      const result = await transport.send({
        api: 'coordination',
        operation: 'stream_events',
        method: 'GET',
        path,
        headers: {
          accept: 'text/event-stream',
          'cache-control': 'no-cache',
          ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
        },
        authorization: 'required',
        retries: false,
        backoff: 'head',
        signal,
      });
      if (!result.ok) return result;
      const { body, headers: answered, requestId, status } = result.value;
      const contentType = answered['content-type'] ?? null;
      return ok({ requestId, status, contentType, bytes: body as AsyncIterable<Uint8Array> });
    },
  };
}

const takenOf = (result: Result<Answer>): Result<ActionTaken> =>
  result.ok ? ok({ ...serviceAnswer(result.value), status: result.value.status }) : result;
