import type { ConnectionChange, ConsoleState } from '../../../../src-preload/contract/index.ts';

/** How many changes are remembered. */
const mostChanges = 200;
const apis = ['infrastructure', 'coordination'] as const;

/** How the connections to both APIs changed, in memory only. */
export class ConnectionHistory {
  readonly #changes: ConnectionChange[] = [];
  readonly #latest = new Map<ConnectionChange['api'], ConnectionChange>();

  /** Looks at the slice `connection`; only another state, or another reason for it, is a change. */
  look(connection: ConsoleState['connection'], at: number): void {
    for (const api of apis) {
      const { state, failure } = connection[api];
      const code = failure?.code ?? null;
      const latest = this.#latest.get(api);
      if (latest ? latest.state === state && latest.code === code : state === 'unknown') continue;
      const change = { at, api, state, code };
      this.#latest.set(api, change);
      this.#changes.push(change);
      if (this.#changes.length > mostChanges) this.#changes.shift();
    }
  }

  /** The latest first. */
  changes(): ConnectionChange[] {
    return this.#changes.toReversed();
  }
}
