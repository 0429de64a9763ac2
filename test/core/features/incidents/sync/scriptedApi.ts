import { makeFailure } from '../../../../../src-main/core/base/failure.ts';
import type {
  CallOptions,
  InfrastructureApi,
  ListIncidentsParams,
  ServiceAnswer,
} from '../../../../../src-main/core/service/api/infrastructure.ts';
import {
  failed,
  ok,
  type Failure,
  type FailureCode,
  type Result,
} from '../../../../../src-preload/contract/index.ts';

export interface AskedList {
  readonly params: ListIncidentsParams;
  readonly options: CallOptions | undefined;
}

const answer = (body: unknown, linkCursor: string | null = null): Result<ServiceAnswer> =>
  ok({ body, requestId: 'req-1', responseMs: 12, linkCursor });

export const failure = (code: FailureCode, parts: Partial<Failure> = {}): Failure =>
  makeFailure({ code, at: 0, ...parts });

/** Stands where the API does: answers what the test put there, and notes what was asked. */
export class ScriptedApi implements Pick<InfrastructureApi, 'listIncidents' | 'health'> {
  readonly asked: AskedList[] = [];
  healthChecks = 0;
  /** What GET /incidents answers; a Failure fails, a Promise waits. */
  onList: (params: ListIncidentsParams) => unknown = () => [];
  onHealth: () => unknown = () => ({ status: 'ok' });

  async listIncidents(params: ListIncidentsParams, options?: CallOptions): Promise<Result<ServiceAnswer>> {
    this.asked.push({ params, options });
    return this.#reply(await this.onList(params));
  }

  async health(): Promise<Result<ServiceAnswer>> {
    this.healthChecks += 1;
    return this.#reply(await this.onHealth());
  }

  #reply(value: unknown): Result<ServiceAnswer> {
    if (typeof value === 'object' && value !== null && 'code' in value && 'sentence' in value) {
      return failed(value as Failure);
    }
    return answer(value);
  }
}
