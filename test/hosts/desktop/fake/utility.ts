import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';

/** A utility process: one of Node, which is ended with its test by its standard input. */
export class FakeUtilityProcess extends EventEmitter {
  readonly #child;

  constructor(file: string, args: readonly string[]) {
    super();
    this.#child = fork(file, [...args], {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code, signal) => this.emit('exit', signal === 'SIGKILL' ? 9 : (code ?? 15)));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  postMessage(message: unknown): void {
    this.#child.send(message as object);
  }

  /** Only asks, as Electron's does. */
  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }
}

export const forkUtility = (file: string, args: readonly string[] = []): FakeUtilityProcess =>
  new FakeUtilityProcess(file, args);
