import { createHash } from 'node:crypto';
import { refused, type ListAnswer, type ListQuery, type ZooService } from './service.ts';

export interface ApiRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export type ApiAnswer = Pick<ListAnswer, 'status' | 'headers' | 'body'>;

export const credentials = { username: 'operator', password: 'correct horse' };

/** One list of incidents as it was asked for and answered. */
export interface AskedList {
  readonly at: number;
  readonly query: ListQuery;
  readonly answer: ListAnswer;
}

/** Both APIs of a service of the zoo: its list of incidents, and beside it all others, simple and honest. */
export class ZooApi {
  readonly service: ZooService;
  /** Milliseconds after the start. */
  readonly #now: () => number;
  readonly #onList: (asked: AskedList) => void;
  #answers = 0;
  #tokens = 0;

  constructor(service: ZooService, now: () => number, onList: (asked: AskedList) => void = () => undefined) {
    this.service = service;
    this.#now = now;
    this.#onList = onList;
  }

  answer(request: ApiRequest): ApiAnswer {
    const at = this.#now();
    const { status, headers, body } = this.#answer(request, at);
    this.#answers += 1;
    return {
      status,
      body,
      headers: {
        'content-type': 'application/json',
        'x-request-id': `zoo-${String(this.#answers)}`,
        date: new Date(this.service.epoch + at).toUTCString(),
        ...headers,
      },
    };
  }

  #answer({ method, path, headers, body }: ApiRequest, at: number): ApiAnswer {
    const url = new URL(path, 'http://zoo');
    if (url.pathname === '/login') {
      const asked = JSON.parse(body) as typeof credentials;
      if (asked.password !== credentials.password) return refused(401, 'invalid credentials');
      this.#tokens += 1;
      const expires = Math.floor((this.service.epoch + at) / 1_000) + 3_600;
      return json({ token: `zoo-token-${String(this.#tokens)}`, expires_at: expires });
    }
    if (url.pathname === '/health') return json({ status: 'ok', ai: true, pinning: true, ledger: 'ok' });
    if (headers['authorization'] !== `Bearer zoo-token-${String(this.#tokens)}`)
      return refused(401, 'token invalid');
    if (method !== 'GET') return refused(404, 'unknown path');
    if (url.pathname === '/evidence') return json([]);
    if (url.pathname !== '/incidents') return refused(404, 'unknown path');
    const query = Object.fromEntries(url.searchParams) as ListQuery;
    const answer = this.service.list(query, at);
    this.#onList({ at, query, answer });
    if (!this.service.traits.validators || answer.status !== 200) return answer;
    const tag = { etag: `"${createHash('sha256').update(answer.body).digest('hex').slice(0, 24)}"` };
    if (headers['if-none-match'] === tag.etag) return { status: 304, headers: tag, body: '' };
    return { ...answer, headers: { ...answer.headers, ...tag } };
  }
}

const json = (value: unknown): ApiAnswer => ({ status: 200, headers: {}, body: JSON.stringify(value) });
