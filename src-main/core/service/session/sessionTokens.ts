import { failed, ok, type Failure, type Result } from '../../../../src-preload/contract/index.ts';
import type { Logins } from './logins.ts';
import type { Refused } from './refusalRest.ts';
import { waitingFailure } from './session.ts';
import type { SessionContext } from './sessionContext.ts';
import type { AfterRefusal, Token, TokenSource } from './tokens.ts';
import type { UploadToken } from './uploadToken.ts';

/** Gives out the tokens of a session, and decides which request causes a login. */
export class SessionTokens implements TokenSource {
  readonly #context: SessionContext;
  readonly #logins: Logins;
  readonly #uploadToken: UploadToken;
  readonly #onChange: () => void;

  /** `onChange`: the state of the upload token changed. */
  constructor(context: SessionContext, logins: Logins, uploadToken: UploadToken, onChange: () => void) {
    this.#context = context;
    this.#logins = logins;
    this.#uploadToken = uploadToken;
    this.#onChange = onChange;
  }

  async fresh(signal: AbortSignal): Promise<Result<Token>> {
    const logins = this.#logins;
    if (logins.flight !== null) return this.#after(logins.flight, signal);
    if (logins.machine.state === 'active' && logins.holder.takeByTime()) {
      return this.#after(logins.renew(), signal);
    }
    return this.#settled();
  }

  present(): Token | null {
    return this.#logins.holder.usable;
  }

  async refused(generation: number, refused: Refused, signal: AbortSignal): Promise<AfterRefusal> {
    const logins = this.#logins;
    const { holder } = logins;
    if (holder.isPresent(generation)) {
      const { state } = logins.machine;
      if (state === 'active' || state === 'tokens-refused') {
        if (!holder.takeByRefusal(refused)) return this.#surfaced();
        void logins.replaceToken();
      } else {
        // A running or planned login replaces this token; no other one is needed.
        holder.refuse();
        logins.step({ kind: 'token-refused' });
      }
    }
    if (refused.repeated) return { kind: 'surfaced' };
    const next = logins.flight === null ? this.#settled() : await this.#after(logins.flight, signal);
    return next.ok ? { kind: 'token', token: next.value } : { kind: 'failed', failure: next.failure };
  }

  accepted(generation: number, by: string): void {
    const { holder } = this.#logins;
    if (!holder.isPresent(generation)) return;
    holder.accept(by);
    this.#logins.tokensAccepted();
  }

  upload(): Result<Token> {
    const { token, state } = this.#uploadToken;
    if (token !== null) return ok(token);
    return this.#fail(state === 'refused' ? 'upload-token-refused' : 'upload-token-missing');
  }

  uploadRefused(generation: number): void {
    if (this.#uploadToken.refuse(generation)) this.#onChange();
  }

  secrets(): readonly string[] {
    const { credentials, holder } = this.#logins;
    return [credentials?.password, holder.unrefused?.value, this.#uploadToken.token?.value].filter(
      (secret) => secret !== undefined,
    );
  }

  /** The token or failure for a request that causes no login. */
  #settled(): Result<Token> {
    const { machine, holder } = this.#logins;
    switch (machine.state) {
      case 'none':
      case 'signing-in':
        return this.#fail('signed-out');
      case 'rejected':
        return failed(machine.failure);
      case 'tokens-refused':
        return holder.usable === null ? failed(machine.failure) : ok(holder.usable);
      case 'active':
        // After its end, while no login may be sent, the token is used until a 401.
        return holder.unrefused === null ? this.#fail('session-waiting') : ok(holder.unrefused);
      case 'renewing':
      case 'waiting':
        if (holder.usable !== null) return ok(holder.usable);
        if (machine.state !== 'waiting') return this.#fail('session-waiting');
        return failed(waitingFailure(machine, this.#context.serverNow()));
    }
  }

  /** The same after the answer to the running login. */
  async #after(flight: Promise<unknown>, signal: AbortSignal): Promise<Result<Token>> {
    const { attempt } = this.#logins;
    if (!(await settledBefore(flight, signal))) return this.#fail('cancelled');
    return attempt.isOver ? this.#fail('signed-out') : this.#settled();
  }

  /** The 401 of the present token stays: no login follows. */
  #surfaced(): AfterRefusal {
    this.#logins.reviewToken();
    const { machine } = this.#logins;
    return machine.state === 'tokens-refused'
      ? { kind: 'failed', failure: machine.failure }
      : { kind: 'surfaced' };
  }

  #fail(code: Failure['code']): Result<never> {
    return this.#context.refuse({ code });
  }
}

/** True when `work` has settled, false when `signal` was aborted before that. */
function settledBefore(work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const abort = (): void => resolve(false);
    if (signal.aborted) {
      resolve(false);
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    void work.then(() => {
      signal.removeEventListener('abort', abort);
      resolve(true);
    });
  });
}
