import {
  failed,
  ok,
  type Failure,
  type Result,
  type UpdatesState,
} from '../../../../src-preload/contract/index.ts';
import { english, message, type Message } from '../../base/messages/message.ts';
import { Poller } from '../../base/poller.ts';
import type { AppContext } from '../context.ts';
import type { Policy } from '../policy/index.ts';
import { judgeRelease, type AdmittedRelease, type Verdict } from './judge.ts';
import { nextUpdateState, type UpdateEvent } from './machine.ts';
import { UpdateMemory } from './memory.ts';
import { copyFailure, failureOf, refusalOf } from './messages.ts';
import { isAmong, largestManifest, manifestName, signatureName } from './release.ts';
import { largestSignature } from './signature.ts';
import { isWhole, stagePackage } from './staging.ts';
import {
  SourceError,
  type PrivateCopy,
  type ReleaseSource,
  type SignedRelease,
  type UpdateHost,
} from './updateHost.ts';

export const updatesAtStart: UpdatesState = {
  offered: 'browser',
  server: false,
  state: { kind: 'idle' },
  lastCheckAt: null,
};

const progressEveryMs = 250;

interface Found {
  readonly source: ReleaseSource;
  readonly admitted: AdmittedRelease;
  readonly signed: SignedRelease;
}

interface Taken extends Omit<Found, 'source'> {
  readonly copy: PrivateCopy;
}

const hour = 3_600_000;
/** The interval of automatic checks, and the random part of it. */
const everyMs = 6 * hour;
const jitterMs = hour;
/** The first automatic check comes after the start. */
const firstMs = 60_000;

/** Updates from a server or a folder. All sources go through the same checks, and the installer gets a checked copy. */
export class Updates {
  readonly #app: AppContext;
  readonly #host: UpdateHost | null;
  readonly #memory: UpdateMemory;
  readonly #offered: UpdatesState['offered'];
  readonly #server: string | null;
  #loaded: Promise<void> = Promise.resolve();
  /** The running work. A second request is refused, not queued. */
  #work: { readonly done: Promise<unknown>; readonly stop: AbortController } | null = null;
  #found: Found | null = null;
  #taken: Taken | null = null;
  /** The automatic checks. Their times are random, so that consoles that start together do not ask together. */
  readonly #asking: Poller<null, void>;
  #closed = false;

  /** The context's time must be the computer's: no update may depend on a deployment. */
  constructor(app: AppContext) {
    this.#app = app;
    this.#host = app.ports.control.updates;
    this.#memory = new UpdateMemory(app.ports);
    const { offered, server } = offerOf(this.#host, app.policy);
    this.#offered = offered;
    this.#server = server;
    const { clock, random } = app;
    this.#asking = new Poller({
      clock,
      byItself: null,
      run: () => this.#askUnasked(),
      after: () => (this.#closed ? null : everyMs + (2 * random.fraction() - 1) * jitterMs),
    });
  }

  /** Removes what an earlier run left, and begins the automatic checks where they are allowed. */
  start(): void {
    this.#app.store.set('updates', {
      ...updatesAtStart,
      offered: this.#offered,
      server: this.#server !== null,
    });
    const host = this.#host;
    if (host === null) return;
    this.#loaded = Promise.all([host.folder.sweep(), this.#memory.load()]).then(() => this.#settleInstall());
    if (this.#server === null || this.#app.policy.kiosk !== 'off') return;
    this.#asking.in(firstMs);
  }

  /** Checks the server for an operator, regardless of the rollout. */
  check(): Promise<Result<null>> {
    const server = this.#server;
    return this.#alone(['idle', 'current', 'available', 'refused'], async (host, signal) => {
      if (server === null) return this.#cannot(message('update.noServer'));
      this.#step({ kind: 'check' });
      const source = host.server(server);
      const { verdict, signed } = await this.#judge(host, source, signal);
      await this.#memory.keep({ lastCheckAt: this.#app.serverNow() });
      this.#found = null;
      if (verdict.kind === 'current') this.#step({ kind: 'nothing' });
      if (verdict.kind !== 'newer') return this.#settle(verdict);
      this.#found = { source, admitted: verdict.admitted, signed };
      this.#step({ kind: 'found', release: verdict.admitted.release });
      return ok(null);
    });
  }

  take(): Promise<Result<null>> {
    return this.#alone(['available'], (host, signal) => {
      const found = this.#found;
      return found === null
        ? Promise.resolve(this.#cannot(message('update.noneFound')))
        : this.#take(host, found, signal);
    });
  }

  takeFromFolder(): Promise<Result<null>> {
    return this.#alone(['idle', 'current', 'available', 'refused'], async (host, signal) => {
      const source = await chosenUntil(host.chooseFolder(), signal);
      if (source === null) return ok(null);
      this.#step({ kind: 'check' });
      const { verdict, signed } = await this.#judge(host, source, signal);
      if (verdict.kind === 'current') this.#step({ kind: 'nothing' });
      if (verdict.kind !== 'newer') return this.#settle(verdict);
      return this.#take(host, { source, admitted: verdict.admitted, signed }, signal);
    });
  }

  install(version: string): Promise<Result<null>> {
    return this.#alone(['ready'], async (host) => {
      const taken = this.#taken;
      if (taken === null || taken.admitted.release.version !== version) {
        return this.#cannot(message('update.otherReady'));
      }
      const { copy, admitted, signed } = taken;
      this.#step({ kind: 'install' });
      // Hours may have passed since the check, and the file may have been changed.
      if (!(await isWhole(copy, admitted.package).catch(() => false)))
        return this.#refuse(copyFailure('changed', this.#app.serverNow()));
      await this.#memory.keep({ installing: version });
      const { bytes, sha512, kind } = admitted.package;
      const outcome = await host.install({ path: copy.path, version, bytes, sha512, kind, signed });
      if (outcome.kind === 'begun') return ok(null);
      this.#app.logger.warn('update-not-installed', { detail: outcome.detail });
      await this.#memory.keep({ installing: null });
      return this.#refuse(this.#app.fail({ code: 'update-refused', sentence: outcome.sentence }));
    });
  }

  /** Stops the running work, and discards its result. */
  async dismiss(): Promise<Result<null>> {
    if (this.#state.kind === 'installing') return this.#busy();
    this.#work?.stop.abort();
    await this.#work?.done;
    await this.#discard();
    this.#step({ kind: 'dismiss' });
    return ok(null);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#asking.stop();
    this.#work?.stop.abort();
    await this.#loaded;
    await this.#work?.done;
    // A package that is being installed must stay. All others were checked for this run only.
    if (this.#state.kind !== 'installing') await this.#discard();
  }

  get #state(): UpdatesState['state'] {
    return this.#app.store.slice('updates').state;
  }

  /** Runs one piece of work at a time, only where updates are offered, and only from these states. */
  async #alone(
    from: readonly UpdatesState['state']['kind'][],
    run: (host: UpdateHost, signal: AbortSignal) => Promise<Result<null>>,
  ): Promise<Result<null>> {
    const host = this.#host;
    if (host === null || this.#offered !== 'yes') {
      const code =
        this.#offered === 'policy' || this.#offered === 'kiosk' ? 'policy-forbids' : 'update-refused';
      const sentence = code === 'policy-forbids' ? undefined : message('update.notHere');
      return this.#app.refuse({ code, sentence, remedy: null });
    }
    if (this.#closed || this.#work !== null) return this.#busy();
    const stop = new AbortController();
    const done = this.#loaded.then(async () => {
      if (stop.signal.aborted || !from.includes(this.#state.kind)) return this.#busy();
      try {
        return await run(host, stop.signal);
      } catch (error) {
        return this.#broke(error, stop.signal);
      }
    });
    this.#work = { done, stop };
    try {
      return await done;
    } finally {
      this.#work = null;
    }
  }

  async #judge(
    host: UpdateHost,
    source: ReleaseSource,
    signal: AbortSignal,
  ): Promise<{ readonly verdict: Verdict; readonly signed: SignedRelease }> {
    const manifest = await source.read(manifestName, largestManifest, signal);
    const signature = await source.read(signatureName, largestSignature, signal);
    const { trust, target } = host;
    const verdict = judgeRelease({
      manifest,
      signature,
      trust,
      target,
      running: { version: this.#app.version, sequence: trust.sequence },
      greatestSeen: this.#memory.now.greatestSeen,
      now: this.#app.serverNow(),
    });
    const seen = verdict.kind === 'newer' ? verdict.admitted.sequence : verdict.sequence;
    if (seen !== null && seen > this.#memory.now.greatestSeen)
      await this.#memory.keep({ greatestSeen: seen });
    return { verdict, signed: { manifest, signatures: signature } };
  }

  async #take(
    host: UpdateHost,
    { source, admitted, signed }: Found,
    signal: AbortSignal,
  ): Promise<Result<null>> {
    const { clock, logger } = this.#app;
    this.#step({ kind: 'take', release: admitted.release });
    let toldAt = clock.elapsed();
    const staged = await stagePackage({
      source,
      folder: host.folder,
      wanted: admitted.package,
      signal,
      onProgress: (bytes) => {
        if (clock.elapsed() - toldAt < progressEveryMs) return;
        toldAt = clock.elapsed();
        this.#step({ kind: 'progress', bytes });
      },
    });
    if (staged.kind === 'refused') return this.#refuse(copyFailure(staged.fault, this.#app.serverNow()));
    this.#found = null;
    this.#taken = { copy: staged.copy, admitted, signed };
    logger.info('update-ready', { version: admitted.release.version, sequence: admitted.sequence });
    this.#step({ kind: 'taken' });
    return ok(null);
  }

  /** Takes the verdict on a release that is refused or already running. */
  #settle(verdict: Exclude<Verdict, { kind: 'newer' }>): Promise<Result<null>> {
    if (verdict.kind === 'current') return Promise.resolve(ok(null));
    const { version } = verdict;
    const running = this.#app.version;
    return this.#refuse(refusalOf(verdict.reason, { version, running, at: this.#app.serverNow() }));
  }

  async #refuse(failure: Failure): Promise<Result<null>> {
    this.#app.logger.warn('update-refused', {
      code: failure.code,
      sentence: english(failure.sentence),
    });
    await this.#discard();
    this.#step({ kind: 'refuse', failure });
    return failed(failure);
  }

  #broke(error: unknown, signal: AbortSignal): Promise<Result<null>> | Result<null> {
    if (signal.aborted)
      return failed(failureOf(new SourceError('cancelled', 'stopped'), this.#app.serverNow()));
    this.#app.logger.warn('update-broke', {
      detail: error instanceof Error ? error.message : 'unknown',
    });
    return this.#refuse(failureOf(error, this.#app.serverNow()));
  }

  async #discard(): Promise<void> {
    const taken = this.#taken;
    this.#taken = null;
    this.#found = null;
    await taken?.copy.remove();
  }

  /** At the start, reports the result of an installation that an earlier run started. */
  async #settleInstall(): Promise<void> {
    const { installing, lastCheckAt } = this.#memory.now;
    this.#tell({ lastCheckAt });
    if (installing === null) return;
    await this.#memory.keep({ installing: null });
    if (installing === this.#app.version) {
      this.#app.logger.info('update-installed', { version: installing });
      return;
    }
    const sentence = message('update.notInstalled', { version: installing, running: this.#app.version });
    const failure = this.#app.fail({ code: 'update-refused', sentence });
    this.#step({ kind: 'refuse', failure });
  }

  /** An automatic check. Shows only what needs an action: an unreachable server is not news to an operator. */
  async #askUnasked(): Promise<void> {
    const server = this.#server;
    if (server === null || !['idle', 'current'].includes(this.#state.kind)) return;
    await this.#alone(['idle', 'current'], async (host, signal) => {
      const source = host.server(server);
      let verdict: Verdict;
      let signed: SignedRelease;
      try {
        ({ verdict, signed } = await this.#judge(host, source, signal));
      } catch (error) {
        const reason = error instanceof SourceError ? error.reason : 'unknown';
        this.#app.logger.info('update-not-asked', { reason });
        return ok(null);
      }
      const lastCheckAt = this.#app.serverNow();
      await this.#memory.keep({ lastCheckAt });
      this.#tell({ lastCheckAt });
      if (verdict.kind !== 'newer') return this.#settle(verdict);
      const { admitted } = verdict;
      if (!isAmong(admitted.rollout, this.#memory.now.consoleId, admitted.sequence)) return ok(null);
      this.#found = { source, admitted, signed };
      this.#step({ kind: 'found', release: admitted.release });
      return ok(null);
    });
  }

  #cannot(sentence: Message): Result<null> {
    return this.#app.refuse({ code: 'update-refused', sentence, remedy: null });
  }

  #busy(): Result<null> {
    const sentence = message('update.busy');
    return this.#app.refuse({ code: 'conflict', sentence, remedy: null });
  }

  #step(event: UpdateEvent): void {
    const state = nextUpdateState(this.#state, event);
    if (state !== null) this.#tell({ state, lastCheckAt: this.#memory.now.lastCheckAt });
  }

  #tell(change: Partial<Pick<UpdatesState, 'state' | 'lastCheckAt'>>): void {
    this.#app.store.set('updates', { ...this.#app.store.slice('updates'), ...change });
  }
}

/** An open dialog must not keep the console from closing. */
const chosenUntil = (
  choice: Promise<ReleaseSource | null>,
  signal: AbortSignal,
): Promise<ReleaseSource | null> =>
  Promise.race([
    choice,
    new Promise<null>((resolve) => {
      if (signal.aborted) resolve(null);
      signal.addEventListener('abort', () => resolve(null), { once: true });
    }),
  ]);

/** Whether this console can be updated, and from which server; if not, the most important reason. */
export function offerOf(
  host: Pick<UpdateHost, 'offered' | 'trust'> | null,
  policy: Pick<Policy, 'kiosk' | 'updates'>,
): { readonly offered: UpdatesState['offered']; readonly server: string | null } {
  if (host === null) return { offered: 'browser', server: null };
  if (host.offered !== 'yes') return { offered: host.offered, server: null };
  if (host.trust.keys.length === 0) return { offered: 'unsigned', server: null };
  if (!policy.updates.allowed) return { offered: policy.kiosk === 'off' ? 'policy' : 'kiosk', server: null };
  return { offered: 'yes', server: policy.updates.server ?? host.trust.server };
}
