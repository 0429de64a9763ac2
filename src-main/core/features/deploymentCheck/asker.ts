import {
  failed,
  mostCheckRequests,
  ok,
  type Failure,
  type Result,
} from '../../../../src-preload/contract/index.ts';
import { makeFailure } from '../../base/failure.ts';
import { createServerTime, type ServerTime } from '../../base/serverTime.ts';
import { createLogin } from '../../service/session/login.ts';
import type { LoginOutcome } from '../../service/session/loginOutcome.ts';
import type { TokenSource } from '../../service/session/tokens.ts';
import { listAnswer, smallAnswer } from '../../service/transport/answerBounds.ts';
import { repeatsSecret } from '../../service/transport/echoedSecret.ts';
import type { Answer, ApiName } from '../../service/transport/request.ts';
import { Line } from '../../service/transport/line.ts';
import { createTransport, type Transport } from '../../service/transport/transport.ts';
import type { TransportOptions } from '../../service/transport/transportOptions.ts';

/** Why nothing was sent. */
export type Withheld = 'budget' | 'token-refused' | 'cancelled' | 'signed-out';

export type Asked =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'withheld'; readonly reason: Withheld };

/** A read. The caller gives `query` and `path`, the deployment gives the address. */
export interface Question {
  readonly api: ApiName;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly withToken: boolean;
  /** Ends the answer's body, which is a stream. */
  readonly stream?: AbortSignal;
  readonly isList?: boolean;
}

export interface AskerOptions extends Pick<
  TransportOptions,
  'address' | 'network' | 'clock' | 'random' | 'logger'
> {
  readonly signal: AbortSignal;
  /** Known from the start, since a service may repeat it before the login. */
  readonly password: string;
  /** Whether a text repeats a secret of another session. */
  readonly repeatsSecret?: (text: string) => boolean;
  /** Called after every request. */
  readonly onRequest: (count: number) => void;
}

/**
 * The only way in which a check reaches the service. It counts before it sends, so that the budget is a hard limit. It
 * sends at most one login and repeats nothing. After a 401 for that login's token it sends nothing more.
 */
export class Asker {
  readonly serverTime: ServerTime;
  readonly #options: AskerOptions;
  readonly #transport: Transport;
  #token: string | null = null;
  #stopped: Withheld | null = null;
  #requests = 0;
  #logins = 0;
  #answers = 0;
  #answersWithId = 0;
  readonly #roundTrips: number[] = [];

  constructor(options: AskerOptions) {
    this.#options = options;
    this.serverTime = createServerTime(options);
    this.#transport = createTransport({
      ...options,
      serverTime: this.serverTime,
      tokens: this.#tokens(),
      line: new Line(options.clock, null),
      onOutcome: () => undefined,
      onAttempt: ({ status, requestId }) => {
        if (status === null) return;
        this.#answers += 1;
        if (requestId !== null) this.#answersWithId += 1;
      },
    });
  }

  get requests(): number {
    return this.#requests;
  }

  get logins(): number {
    return this.#logins;
  }

  /** Why no more requests are sent; null while the check runs. */
  get stopped(): 'budget' | 'token-refused' | 'cancelled' | null {
    if (this.#options.signal.aborted) this.#stopped ??= 'cancelled';
    return this.#stopped === 'signed-out' ? null : this.#stopped;
  }

  get answers(): { readonly all: number; readonly withId: number } {
    return { all: this.#answers, withId: this.#answersWithId };
  }

  /** Milliseconds from sending to the last byte, of each answer that was read whole. */
  get roundTrips(): readonly number[] {
    return this.#roundTrips;
  }

  /** Whether `text` repeats the password or a token, or a part of one. */
  isSecret(text: string): boolean {
    return repeatsSecret(text, this.#secrets()) || this.#options.repeatsSecret?.(text) === true;
  }

  /** Takes one of the budget, for what is no request of HTTP; null when it may be sent. */
  spend(): Withheld | null {
    if (this.#options.signal.aborted) this.#stopped ??= 'cancelled';
    if (this.#requests >= mostCheckRequests) this.#stopped ??= 'budget';
    if (this.#stopped !== null) return this.#stopped;
    this.#requests += 1;
    this.#options.onRequest(this.#requests);
    return null;
  }

  async signIn(username: string): Promise<LoginOutcome | Withheld> {
    if (this.#logins > 0) return 'signed-out';
    const withheld = this.spend();
    if (withheld !== null) return withheld;
    this.#logins += 1;
    const { signal, address, password } = this.#options;
    const login = createLogin({ transport: () => this.#transport, serverTime: this.serverTime, address });
    const outcome = await login(username, password, signal);
    if (outcome.kind === 'granted') this.#token = outcome.token;
    return outcome;
  }

  async get(question: Question): Promise<Asked> {
    if (question.withToken && this.#token === null) return { kind: 'withheld', reason: 'signed-out' };
    const withheld = this.spend();
    if (withheld !== null) return { kind: 'withheld', reason: withheld };
    const { signal } = this.#options;
    const { stream } = question;
    const result = await this.#transport.send({
      api: question.api,
      operation: 'check_deployment',
      resource: question.path,
      method: 'GET',
      path: question.path,
      query: question.query ?? {},
      headers: stream === undefined ? {} : { accept: 'text/event-stream' },
      authorization: question.withToken ? 'required' : 'none',
      retries: false,
      interactive: true,
      recheck: true,
      bounds: question.isList === true ? listAnswer : smallAnswer,
      backoff: stream === undefined ? 'answer' : 'head',
      signal: stream === undefined ? signal : AbortSignal.any([signal, stream]),
    });
    if (result.ok) {
      if (stream === undefined) this.#roundTrips.push(result.value.responseMs);
      return { kind: 'answer', answer: result.value };
    }
    const { failure } = result;
    if (failure.status === 401 && question.withToken) this.#stopped = 'token-refused';
    if (failure.code === 'cancelled' && signal.aborted) this.#stopped ??= 'cancelled';
    return { kind: 'failed', failure };
  }

  close(): Promise<void> {
    this.#token = null;
    return this.#transport.close();
  }

  #secrets(): readonly string[] {
    return [this.#options.password, this.#token].filter((secret) => secret !== null);
  }

  #tokens(): TokenSource {
    const none = (code: 'signed-out' | 'upload-token-missing'): Result<never> =>
      failed(makeFailure({ code, at: this.serverTime.serverNow() }));
    const held = (): { value: string; generation: number } | null =>
      this.#token === null ? null : { value: this.#token, generation: 1 };
    return {
      fresh: () => {
        const token = held();
        return Promise.resolve(token === null ? none('signed-out') : ok(token));
      },
      present: held,
      refused: () => Promise.resolve({ kind: 'surfaced' }),
      accepted: () => undefined,
      upload: () => none('upload-token-missing'),
      uploadRefused: () => undefined,
      secrets: () => this.#secrets(),
    };
  }
}
