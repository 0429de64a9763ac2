import type { App } from '../../../src-main/core/scopes/app.ts';
import type {
  ConsoleState,
  LinkMessage,
  Push,
  Result,
  SliceName,
} from '../../../src-preload/contract/index.ts';

export interface FakeSubscriber {
  readonly send: (push: Push) => void;
  readonly answers: LinkMessage[];
  closed: boolean;
}

/** A console that remembers what hosts ask of it and pushes what a test tells it to. */
export class FakeConsole implements App {
  readonly calls: { verb: string; request: unknown }[] = [];
  readonly subscribers: FakeSubscriber[] = [];
  wakes = 0;
  closes = 0;
  readonly tiles: [id: string, z: number, x: number, y: number][] = [];
  tileAnswer: Awaited<ReturnType<App['bytes']['tile']>> = { kind: 'empty' };
  takeSpool: App['bytes']['spool'] = () => Promise.resolve('unknown');
  readonly exports = new Map<string, NonNullable<ReturnType<App['bytes']['exported']>>>();
  readonly evidence = new Map<string, NonNullable<ReturnType<App['bytes']['evidence']>>>();
  readonly bytes: App['bytes'] = {
    tile: (...asked) => {
      this.tiles.push(asked);
      return Promise.resolve(this.tileAnswer);
    },
    spool: (importId, body) => this.takeSpool(importId, body),
    exported: (id) => this.exports.get(id) ?? null,
    evidence: (ticket) => this.evidence.get(ticket) ?? null,
  };
  answer: (verb: string, request: unknown) => Promise<Result<unknown>> = () =>
    Promise.resolve({ ok: true, value: null });

  call = (verb: string, request: unknown): Promise<Result<unknown>> => {
    this.calls.push({ verb, request });
    return this.answer(verb, request);
  };
  subscribe = (send: (push: Push) => void) => {
    const subscriber: FakeSubscriber = { send, answers: [], closed: false };
    this.subscribers.push(subscriber);
    send(snapshot);
    return {
      answer: (message: LinkMessage) => void subscriber.answers.push(message),
      close: () => {
        subscriber.closed = true;
      },
    };
  };
  readonly slices: Partial<ConsoleState> = {};
  readonly #watchers = new Set<() => void>();
  /** Changes a slice, as hosts that watch it see it. */
  tell<N extends SliceName>(name: N, value: ConsoleState[N]): void {
    this.slices[name] = value;
    for (const watcher of [...this.#watchers]) watcher();
  }
  watch = <N extends SliceName>(name: N, listener: (value: ConsoleState[N]) => void): (() => void) => {
    let told: ConsoleState[N] | undefined;
    const look = (): void => {
      const value = this.slices[name];
      if (value === undefined || value === told) return;
      told = value;
      listener(value);
    };
    look();
    this.#watchers.add(look);
    return () => this.#watchers.delete(look);
  };
  readonly links: string[] = [];
  readonly files: string[] = [];
  openLink = (link: string): Promise<Result<null>> => {
    this.links.push(link);
    return Promise.resolve({ ok: true, value: null });
  };
  openFile = (path: string): Promise<Result<null>> => {
    this.files.push(path);
    return Promise.resolve({ ok: true, value: null });
  };
  wake = (): void => {
    this.wakes += 1;
  };
  close = (): Promise<void> => {
    this.closes += 1;
    return Promise.resolve();
  };
}

export const snapshot: Push = {
  epoch: 'e1',
  revision: 1,
  base: null,
  slices: {},
  incidents: new Uint8Array([1, 2, 3, 4]),
};
