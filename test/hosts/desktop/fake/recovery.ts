import type * as Electron from 'electron';
import type { RecoveredDesktop } from '../../../../src-main/hosts/desktop/recovery.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/clock.ts';

type Contents = RecoveredDesktop['window']['webContents'];
type App = RecoveredDesktop['electron']['app'];

type Listener = (...args: never[]) => void;

/** As much of an emitter as Electron's types promise of their own. */
class Events {
  readonly done: string[];
  readonly #listeners = new Map<string, Set<Listener>>();
  constructor(done: string[]) {
    this.done = done;
  }
  on(event: string, listener: Listener): this {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
    return this;
  }
  off(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }
  emit(event: string, ...args: unknown[]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(...(args as never[]));
  }
  get watched(): boolean {
    return [...this.#listeners.values()].some(({ size }) => size > 0);
  }
}

class FakeContents extends Events implements Contents {
  destroyed = false;
  isDestroyed(): boolean {
    return this.destroyed;
  }
  forcefullyCrashRenderer(): void {
    this.done.push('crash');
    this.gone('killed');
  }
  gone(reason: Electron.RenderProcessGoneDetails['reason']): void {
    this.emit('render-process-gone', {}, { reason, exitCode: 9 } satisfies Electron.RenderProcessGoneDetails);
  }
  failLoad(code: number, isMainFrame = true): void {
    this.emit('did-fail-load', {}, code, 'failed', 'console://app/', isMainFrame, 1, 1);
  }
}

class FakeApp extends Events implements App {
  relaunch(options?: Electron.RelaunchOptions): void {
    this.done.push(`relaunch ${(options?.args ?? []).join(' ')}`);
  }
  exit(status = 0): void {
    this.done.push(`exit ${String(status)}`);
  }
  childGone(details: Pick<Electron.Details, 'type' | 'reason'> & Partial<Electron.Details>): void {
    this.emit('child-process-gone', {}, { exitCode: 133, ...details } satisfies Electron.Details);
  }
}

/** A window whose page can die, and what was done about it, in order. */
export class RecoveredWindow implements RecoveredDesktop {
  readonly done: string[] = [];
  readonly contents = new FakeContents(this.done);
  readonly app = new FakeApp(this.done);
  readonly window = { webContents: this.contents };
  readonly electron = { app: this.app };
  readonly clock: VirtualClock = createVirtualClock();
  readonly logged: string[] = [];
  readonly logger = {
    debug: (event: string) => void this.logged.push(event),
    info: (event: string) => void this.logged.push(event),
    warn: (event: string) => void this.logged.push(event),
    error: (event: string) => void this.logged.push(event),
  };
  readonly #traffic = new Set<{ readonly sent: () => void; readonly answered: () => void }>();

  load(path: '/' | '/stopped.html' = '/'): void {
    this.done.push(`load ${path}`);
  }
  onTraffic(listener: { readonly sent: () => void; readonly answered: () => void }): () => void {
    this.#traffic.add(listener);
    return () => void this.#traffic.delete(listener);
  }
  push(): void {
    for (const { sent } of this.#traffic) sent();
  }
  answer(): void {
    for (const { answered } of this.#traffic) answered();
  }
  /** What was done since the last call. */
  take(): string[] {
    return this.done.splice(0);
  }
  /** Whether anything still listens to the window or the application. */
  get watched(): boolean {
    return this.contents.watched || this.app.watched || this.#traffic.size > 0;
  }
}
