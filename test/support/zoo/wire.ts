import { Dispatcher } from 'undici';
import type { Clock } from '../../../src-main/core/base/ports.ts';
import type { ApiAnswer, ApiRequest } from './api.ts';

/** How long each answer takes, milliseconds. */
const latencyMs = 40;

/** A network on the virtual clock: what undici would send is answered in the process, without sockets. */
export class VirtualWire extends Dispatcher {
  readonly #clock: Clock;
  readonly #answer: (request: ApiRequest) => ApiAnswer;

  constructor(clock: Clock, answer: (request: ApiRequest) => ApiAnswer) {
    super();
    this.#clock = clock;
    this.#answer = answer;
  }

  override dispatch(
    { method, path, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    const request = {
      method,
      path,
      headers: headers as ApiRequest['headers'],
      body: typeof body === 'string' ? body : '',
    };
    const cancel = this.#clock.schedule(latencyMs, () => {
      const { status, headers: own, body: text } = this.#answer(request);
      handler.onResponseStart?.(controller, status, own);
      if (text !== '') handler.onResponseData?.(controller, Buffer.from(text));
      handler.onResponseEnd?.(controller, {});
    });
    const controller = createController((reason) => {
      cancel();
      handler.onResponseError?.(controller, reason);
    });
    handler.onRequestStart?.(controller, {});
    return true;
  }

  override close = (): Promise<void> => Promise.resolve();
  override destroy = (): Promise<void> => Promise.resolve();
}

function createController(onAbort: (reason: Error) => void): Dispatcher.DispatchController {
  let reason: Error | null = null;
  return {
    get aborted() {
      return reason !== null;
    },
    get reason() {
      return reason;
    },
    paused: false,
    abort(why) {
      if (reason !== null) return;
      reason = why;
      onAbort(why);
    },
    pause: () => undefined,
    resume: () => undefined,
  };
}
