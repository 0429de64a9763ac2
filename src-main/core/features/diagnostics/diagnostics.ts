import {
  ok,
  type BundleFile,
  type ConnectionChange,
  type ConsoleState,
  type DiagnosticsReport,
  type PageFacts,
  type Result,
  type SelfTestStep,
} from '../../../../src-preload/contract/index.ts';
import { message } from '../../base/messages/message.ts';
import type { AppContext } from '../context.ts';
import { bundleFiles, bundleName } from './bundle.ts';
import { checksOf, runChecks, type Probe } from './checks.ts';
import { bundledLog } from './logLines.ts';
import type { RequestJournal } from './requestJournal.ts';
import { sectionsOf } from './sections.ts';
import { readSealing } from './vaultFacts.ts';

/** What is examined. */
export interface Examined {
  readonly journal: RequestJournal;
  readonly probe: Probe;
}

/** How much of the log goes into a bundle, in bytes. */
const mostLogBytes = 2 * 1024 * 1024;

type SelfTest = { readonly steps: SelfTestStep[]; readonly at: number };

/** The facts that support needs, without secret or confidential data. */
export class Diagnostics {
  readonly #app: AppContext;
  readonly #examined: Examined;
  readonly #history = new ConnectionHistory();
  #testing: Promise<SelfTest> | null = null;
  #tested: SelfTest | null = null;

  constructor(app: AppContext, examined: Examined) {
    const { scope, store, serverNow } = app;
    this.#app = app;
    this.#examined = examined;
    scope.onEnd(
      store.watch('connection', (connection) => {
        this.#history.look(connection, serverNow());
      }),
    );
  }

  async report(page: PageFacts): Promise<Result<DiagnosticsReport>> {
    return ok(await this.#report(page));
  }

  /** Runs the self-test. Calls during a run share its result: a second run would only slow the first. */
  async selfTest(page: PageFacts): Promise<Result<{ steps: SelfTestStep[] }>> {
    const { steps } = await this.#test(page);
    return ok({ steps });
  }

  /** Prepares a bundle and lists its contents. It includes the latest self-test, or runs one now. */
  async bundle(
    page: PageFacts,
  ): Promise<Result<{ exportId: string; fileName: string; files: BundleFile[] }>> {
    const { policy, ports, downloads, serverNow, refuse } = this.#app;
    if (!policy.exports) {
      return refuse({ code: 'policy-forbids', sentence: message('diagnostics.noSaving') });
    }
    const { steps, at } = this.#tested ?? (await this.#test(page));
    const report = await this.#report(page);
    const tail = await ports.diagnostics.logTail(mostLogBytes).catch(() => ({ lines: [], unreadable: 0 }));
    const { files, listed } = bundleFiles({ report, steps, testedAt: at, log: bundledLog(tail) });
    const madeAt = serverNow();
    const zip = await ports.diagnostics.zip(files, madeAt);
    return ok({ ...downloads.put(bundleName(madeAt), zip), files: listed });
  }

  async #report(page: PageFacts): Promise<DiagnosticsReport> {
    const { ports, policy, store, version, serverNow } = this.#app;
    const { diagnostics, vaults, control, deviceSecret } = ports;
    const sections = sectionsOf({
      version,
      page,
      policy,
      runtime: diagnostics.runtime(),
      folder: await diagnostics.folder().catch(() => null),
      hostFacts: await control.facts().catch(() => []),
      sealing: await readSealing(vaults, store.slice('storage').vaults),
      hasDeviceSecret: deviceSecret.peek().kind === 'secret',
      slice: (name) => store.slice(name),
    });
    return {
      madeAt: serverNow(),
      sections,
      connections: this.#history.changes(),
      requests: this.#examined.journal.lines(),
    };
  }

  #test(page: PageFacts): Promise<SelfTest> {
    this.#testing ??= this.#runTest(page).finally(() => {
      this.#testing = null;
    });
    return this.#testing;
  }

  async #runTest(page: PageFacts): Promise<SelfTest> {
    const { ports, serverNow } = this.#app;
    const checks = checksOf(this.#app, this.#examined.probe, page);
    this.#tested = { steps: await runChecks(checks, ports.clock), at: serverNow() };
    return this.#tested;
  }
}

/** How many changes are remembered. */
const mostChanges = 200;
const apis = ['infrastructure', 'coordination'] as const;

/** The changes of the connections to both APIs, in memory only. */
export class ConnectionHistory {
  readonly #changes: ConnectionChange[] = [];
  readonly #latest = new Map<ConnectionChange['api'], ConnectionChange>();

  /** Looks at the slice `connection`. A change is another state, or another reason for it. */
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
