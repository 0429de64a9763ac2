import { Packr } from 'msgpackr';
import { once } from 'node:events';
import { request } from 'node:http';
import { WebSocket } from 'ws';
import {
  consoleMessageSchema,
  packerOptions,
  socketProtocol,
  type ConsoleMessage,
  type Hello,
  type PageMessage,
} from '../../../src-preload/contract/index.ts';

const packer = new Packr(packerOptions);

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** One HTTP request with exactly these headers: `path` goes out as it is written. */
export function ask(
  origin: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array } = {},
): Promise<Answer> {
  const { port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers: options.headers ?? {} },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => (body += text));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}

export const originOf = (url: string): string => new URL(url).origin;
export const codeOf = (url: string): string => new URL(url).hash.replace('#launch=', '');

export function exchange(url: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  return ask(url, '/exchange', {
    method: 'POST',
    headers: { origin: originOf(url), 'content-type': 'application/json', ...headers },
    body: body ?? JSON.stringify({ code: codeOf(url) }),
  });
}

/** Trades the code in `url` as a page does. */
export async function admit(url: string, cookie?: string): Promise<{ cookie: string; proof: string }> {
  const answer = await exchange(url, cookie === undefined ? {} : { cookie });
  if (answer.status !== 200) throw new Error(`Refused: ${answer.status} ${answer.body}`);
  const set = String(answer.headers['set-cookie']);
  return { cookie: set.split(';', 1)[0] ?? '', proof: (JSON.parse(answer.body) as { proof: string }).proof };
}

/** A page's socket that keeps what it received. */
export class PageSocket {
  readonly socket: WebSocket;
  readonly received: ConsoleMessage[] = [];
  readonly closed: Promise<number>;
  #waiting: (() => void)[] = [];

  constructor(url: string, headers: Record<string, string> = {}, protocol: string = socketProtocol) {
    const address = new URL('/socket', url);
    address.protocol = 'ws:';
    address.hash = '';
    this.socket = new WebSocket(address, protocol, { headers: { origin: originOf(url), ...headers } });
    this.socket.on('message', (data) => {
      const value: unknown = packer.unpack(data as Buffer);
      this.received.push(consoleMessageSchema.parse(value));
      for (const wake of this.#waiting.splice(0)) wake();
    });
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.on('close', resolve));
  }
  async opened(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }
  send(message: PageMessage | Hello): void {
    this.socket.send(packer.pack(message));
  }
  sendValue(value: unknown): void {
    this.socket.send(packer.pack(value));
  }
  /** Acknowledges every push that comes, as a page does: else the console sends no second one. */
  acknowledgePushes(): void {
    const acknowledge = (): void => {
      const last = this.received.at(-1);
      if (last?.kind !== 'push') return;
      const { epoch, revision } = last.push;
      this.send({ kind: 'link', message: { kind: 'acknowledge', epoch, revision } });
    };
    acknowledge();
    this.socket.on('message', acknowledge);
  }
  /** The first message that `wanted` accepts, as soon as there is one. */
  async message<K extends ConsoleMessage['kind']>(
    kind: K,
    wanted: (message: Extract<ConsoleMessage, { kind: K }>) => boolean = () => true,
  ): Promise<Extract<ConsoleMessage, { kind: K }>> {
    for (;;) {
      const found = this.received.find(
        (message) => message.kind === kind && wanted(message as Extract<ConsoleMessage, { kind: K }>),
      );
      if (found !== undefined) return found as Extract<ConsoleMessage, { kind: K }>;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

/** Opens a page all the way to its first push. */
export async function openPage(
  url: string,
  cookie?: string,
): Promise<PageSocket & { readonly cookie: string; readonly proof: string }> {
  const admitted = await admit(url, cookie);
  const page = await new PageSocket(url, { cookie: admitted.cookie }).opened();
  page.send({ kind: 'hello', proof: admitted.proof });
  await page.message('push');
  return Object.assign(page, admitted);
}
