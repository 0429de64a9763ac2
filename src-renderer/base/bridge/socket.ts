import { Packr } from 'msgpackr/index-no-eval';
import {
  closeCodes,
  consoleMessageLimits,
  consoleMessageSchema,
  failed,
  isPlainPack,
  packerOptions,
  proofHeader,
  proofKey,
  socketPath,
  socketProtocol,
  verbNames,
  type ConsoleMessage,
  type Hello,
  type LinkMessage,
  type PageMessage,
  type Push,
  type Result,
  type Verbs,
} from '../../../src-preload/contract/index.ts';
import { pageFailure } from '../failure.ts';
import { admit, openFromLaunchFile } from './admission.ts';
import type { Bridge, LinkState, RouteBody } from './bridge.ts';

/**
 * Milliseconds before reconnecting attempt number `attempt` (from 0): full jitter over a doubling
 * window from 0.5 s to 10 s, so that the tabs of a restarted console do not all return at once.
 */
export function reconnectDelay(attempt: number, fraction: () => number): number {
  const ceiling = Math.min(10_000, 500 * 2 ** Math.min(attempt, 10));
  return 100 + Math.floor(fraction() * ceiling);
}

const packer = new Packr(packerOptions);

const bridgeLost = pageFailure('bridge-lost', 'failures.lost', 'failures.lostRemedy');

type Settle = (result: Result<unknown>) => void;

/** Wire protocol version 1 (contract/wire.ts) as a Bridge. Reconnects automatically until refused. */
export class SocketBridge implements Bridge {
  readonly verbs: Verbs;
  #socket: WebSocket | null = null;
  #code: string | null;
  #link: LinkState = { state: 'connecting' };
  #attempt = 0;
  #nextId = 0;
  readonly #calls = new Map<number, Settle>();
  readonly #pushListeners = new Set<(push: Push) => void>();
  readonly #linkListeners = new Set<(link: LinkState) => void>();

  /** @param code the launch code taken from the address, or null when this tab was admitted before. */
  constructor(code: string | null) {
    this.#code = code;
    const entries = verbNames.map((verb) => [verb, (request: unknown) => this.#call(verb, request)]);
    this.verbs = Object.fromEntries(entries) as Verbs;
    void this.#open();
  }

  subscribe(listener: (push: Push) => void): () => void {
    this.#pushListeners.add(listener);
    // A listener that comes after the snapshot would wait for ever: ask for it again.
    if (this.#link.state === 'up') this.answer({ kind: 'resync' });
    return () => this.#pushListeners.delete(listener);
  }

  raise(): void {
    window.focus();
  }

  answer(message: LinkMessage): void {
    if (this.#link.state === 'up') this.#send({ kind: 'link', message });
  }

  routeHeaders(): Readonly<Record<string, string>> {
    const proof = sessionStorage.getItem(proofKey);
    return proof === null ? {} : { [proofHeader]: proof };
  }

  routeBody(file: Blob): RouteBody {
    // Chromium streams a Blob from where it lies, and refuses a stream over HTTP/1.1.
    return { body: file };
  }

  onLink(listener: (link: LinkState) => void): () => void {
    this.#linkListeners.add(listener);
    listener(this.#link);
    return () => this.#linkListeners.delete(listener);
  }

  #setLink(link: LinkState): void {
    this.#link = link;
    for (const listener of this.#linkListeners) listener(link);
  }

  #send(message: PageMessage | Hello): void {
    this.#socket?.send(Uint8Array.from(packer.pack(message)));
  }

  #call(verb: string, request: unknown): Promise<Result<unknown>> {
    if (this.#link.state !== 'up') return Promise.resolve(failed(bridgeLost));
    const id = this.#nextId;
    this.#nextId = (this.#nextId + 1) >>> 0;
    return new Promise((settle) => {
      this.#calls.set(id, settle);
      this.#send({ kind: 'call', id, verb, request });
    });
  }

  async #open(): Promise<void> {
    const admission = await admit(this.#code, sessionStorage);
    if (admission.admitted === null) {
      this.#retry();
      return;
    }
    this.#code = null;
    if (!admission.admitted) {
      this.#setLink({ state: 'refused', sentence: admission.sentence });
      return;
    }
    const address = new URL(socketPath, location.href);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address, socketProtocol);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#send({ kind: 'hello', proof: admission.proof });
    });
    socket.addEventListener('message', (event: MessageEvent<ArrayBuffer>) => {
      this.#receive(new Uint8Array(event.data));
    });
    socket.addEventListener('close', (event) => {
      this.#closed(event.code);
    });
  }

  #receive(bytes: Uint8Array): void {
    if (!isPlainPack(bytes, consoleMessageLimits)) throw new Error('The console sent no plain MessagePack');
    const message: ConsoleMessage = consoleMessageSchema.parse(packer.unpack(bytes));
    switch (message.kind) {
      case 'welcome':
        this.#attempt = 0;
        this.#setLink({ state: 'up' });
        return;
      case 'reply': {
        const settle = this.#calls.get(message.id);
        this.#calls.delete(message.id);
        settle?.(message.result);
        return;
      }
      case 'push':
        for (const listener of this.#pushListeners) listener(message.push);
    }
  }

  #closed(code: number): void {
    this.#socket = null;
    for (const settle of this.#calls.values()) settle(failed(bridgeLost));
    this.#calls.clear();
    if (code === closeCodes.notAdmitted) {
      sessionStorage.removeItem(proofKey);
      this.#setLink({ state: 'refused', ...openFromLaunchFile() });
      return;
    }
    this.#retry();
  }

  #retry(): void {
    if (this.#link.state !== 'lost') this.#setLink({ state: 'lost', since: performance.now() });
    setTimeout(() => void this.#open(), reconnectDelay(this.#attempt, Math.random));
    this.#attempt += 1;
  }
}
