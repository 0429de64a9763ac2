import type { Dispatcher } from 'undici';
import type { ProxyQuestion } from '../../../../src-preload/contract/index.ts';
import { message, type Message } from '../../base/messages/message.ts';

/** A proxy that did not open a tunnel. It has no status: callers would take a proxy's 403 for the service's. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code = 'PROXY_ERROR';
  readonly sentence: Message;

  constructor(sentence: Message, cause?: unknown) {
    super('PROXY_ERROR', { cause });
    this.sentence = sentence;
  }
}

interface Credentials {
  /** The header's value. */
  readonly authorization: string;
  isAccepted: boolean;
  /** Settles when the proxy has answered to their first use. */
  trial: Promise<unknown> | null;
}

/** Opens a tunnel through a proxy, with these headers more. */
type Connect = (headers: Readonly<Record<string, string>>) => Promise<Dispatcher.ConnectData>;

/**
 * Names and passwords for proxies, in memory only. Each goes to the proxy that asked for it (RFC 7617, Basic). One that
 * was refused is forgotten, so that it is not sent again without the operator.
 */
export class ProxySignIn {
  readonly #given = new Map<string, Credentials>();
  readonly #listeners = new Set<() => void>();
  #question: ProxyQuestion | null = null;

  /** The last proxy that asks for a sign-in; null while none does. */
  get question(): ProxyQuestion | null {
    return this.#question;
  }

  /** Calls `listener` when the question changes. The returned function stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** False when this proxy does not ask, or asks for another method than Basic. */
  give(proxy: string, username: string, password: string): boolean {
    if (this.#question?.proxy !== proxy || !this.#question.basic) return false;
    const encoded = Buffer.from(`${username}:${password}`).toString('base64');
    const authorization = ['Basic', encoded].join(' ');
    this.#given.set(proxy, { authorization, isAccepted: false, trial: null });
    return true;
  }

  forget(): void {
    this.#given.clear();
    this.#ask(null);
  }

  /**
   * Opens a tunnel through `proxy`, an origin.
   *
   * @throws ProxyError when the proxy answers with another status than 200.
   */
  async open(proxy: string, connect: Connect): Promise<Dispatcher.ConnectData> {
    const given = this.#given.get(proxy);
    if (given === undefined) return this.#connect(proxy, null, connect);
    // One connection tries them first: some refusals at once can lock an account.
    if (!given.isAccepted && given.trial !== null) {
      await given.trial;
      return this.open(proxy, connect);
    }
    const answer = this.#connect(proxy, given, connect);
    given.trial = answer.catch(() => undefined).finally(() => (given.trial = null));
    return answer;
  }

  async #connect(
    proxy: string,
    given: Credentials | null,
    connect: Connect,
  ): Promise<Dispatcher.ConnectData> {
    const answer = await connect(given === null ? {} : { 'proxy-authorization': given.authorization });
    const { statusCode: status, socket } = answer;
    if (status === 200) {
      if (given !== null) given.isAccepted = true;
      if (this.#question?.proxy === proxy) this.#ask(null);
      return answer;
    }
    socket.on('error', () => undefined).destroy();
    if (status !== 407) throw new ProxyError(message('api.proxyAnswered', { proxy, status: String(status) }));
    const question = this.#questionOf(proxy, given !== null, answer.headers['proxy-authenticate']);
    // Others may have been given meanwhile.
    if (given === null || this.#given.get(proxy) === given) {
      this.#given.delete(proxy);
      this.#ask(question);
    }
    throw new ProxyError(question.sentence);
  }

  #questionOf(proxy: string, wasGiven: boolean, challenge: string | string[] | undefined): ProxyQuestion {
    // Several challenges may be in one header, and commas in their quoted parameters.
    const challenges = [challenge ?? []]
      .flat()
      .join(', ')
      .replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
    if (!/(?:^|,)\s*basic(?:\s|,|$)/i.test(challenges))
      return { proxy, basic: false, sentence: message('api.proxyMethod', { proxy }) };
    const known = this.#question;
    // Requests without credentials follow the refused ones, and do not hide the refusal.
    if (!wasGiven && known?.proxy === proxy && known.basic) return known;
    const sentence = message(wasGiven ? 'api.proxyRefused' : 'api.proxyAsks', { proxy });
    return { proxy, basic: true, sentence };
  }

  #ask(question: ProxyQuestion | null): void {
    if (JSON.stringify(question) === JSON.stringify(this.#question)) return;
    this.#question = question;
    for (const listener of this.#listeners) listener();
  }
}
