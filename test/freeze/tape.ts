import type { VerbName, VerbRequest } from '../../src-preload/contract/index.ts';
import type { OpenConsole } from '../core/scopes/appFixtures.ts';
import type { Mirror } from '../core/state/storeFixtures.ts';

/** How much a vault takes on the disk, of which a part may wait in a second file of its database. */
const measured = /("incidents":\d+,"bytes"):\d+/;

/**
 * Writes down what a console tells and answers: each verb with its request and result, and after each step the
 * slices and rows that are other than before. Pushes of one step are one entry, since how they are divided depends
 * on sockets. Ports and folders stand by a name, numbers drawn at random by their order.
 */
export class Tape {
  #open: OpenConsole;
  readonly #settle: (answer: Promise<unknown>) => Promise<void>;
  readonly #lines: string[] = [];
  readonly #names: readonly (readonly [string, string])[];
  #before = new Map<string, string>();

  constructor(
    open: OpenConsole,
    options: {
      /** Waits until all is quiet; `answer` is that of the verb that was called. */
      readonly settle: (answer: Promise<unknown>) => Promise<void>;
      /** What differs from run to run, and its name on the tape. */
      readonly names: readonly (readonly [string, string])[];
    },
  ) {
    this.#open = open;
    this.#settle = options.settle;
    this.#names = options.names;
  }

  /** Calls a verb, and writes down what came of it once all is quiet. */
  async call<V extends VerbName>(verb: V, request: VerbRequest<V>): Promise<void> {
    const answer = this.#open.call(verb, request);
    await this.#settle(answer);
    this.#lines.push(`call ${verb} ${JSON.stringify(request)}`, `answer ${JSON.stringify(await answer)}`);
    this.#changes();
  }

  /** Lets something happen, by its name. */
  async step(name: string, act: () => unknown): Promise<void> {
    this.#lines.push(`step ${name}`);
    await act();
    await this.#settle(Promise.resolve());
    this.#changes();
  }

  /** Goes on with the console of another start. */
  async restart(name: string, start: () => Promise<OpenConsole>): Promise<void> {
    await this.step(name, async () => {
      this.#open = await start();
    });
  }

  /** Writes down the slices that are other than before. */
  #changes(): void {
    const { mirror } = this.#open;
    const rows = [...mirror.rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    // How many bytes a request takes depends on the digits of a port.
    const { line: _, ...slices } = mirror.slices;
    const now = new Map(
      Object.entries({ ...slices, rows }).map(([name, value]) => [
        name,
        JSON.stringify(value).replace(measured, '$1:"some"'),
      ]),
    );
    const changed = [...now].filter(([name, text]) => this.#before.get(name) !== text);
    const gone = [...this.#before.keys()].filter((name) => !now.has(name));
    this.#before = now;
    for (const [name, text] of changed.sort(([a], [b]) => (a < b ? -1 : 1)))
      this.#lines.push(`  ${name} ${text}`);
    for (const name of gone.sort()) this.#lines.push(`  ${name} gone`);
  }

  /** Whether another page shows the same. */
  same(other: Mirror): boolean {
    return JSON.stringify(other.slices) === JSON.stringify(this.#open.mirror.slices);
  }

  /** One line for each step, call, answer and changed slice. */
  get text(): string {
    let text = this.#lines.join('\n');
    for (const [from, to] of this.#names) text = text.replaceAll(from, to);
    // Of training's gateway, another one at each start.
    text = text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8443');
    const seen = new Map<string, string>();
    return `${text.replaceAll(/\b(?=\w*\d)[0-9a-f]{16,32}\b/g, (id) => {
      const name = seen.get(id) ?? `id-${String(seen.size + 1)}`;
      seen.set(id, name);
      return name;
    })}\n`;
  }
}
