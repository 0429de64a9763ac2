import { ok, type Failure, type Result, type StorageState } from '../../../src-preload/contract/index.ts';
import { textOf } from '../base/errors.ts';
import type { Moments } from '../base/failure.ts';
import { message, type Message } from '../base/messages/message.ts';
import type { BasePorts } from '../base/ports.ts';
import { SerialQueue } from '../base/queues.ts';
import type { Scope } from '../base/scope.ts';
import { Timer } from '../base/timer.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import { IncidentWriter, type Restored } from './incidentWriter.ts';
import { createMemoryVault } from './memoryVault.ts';
import type { OpenVault } from './openVault.ts';
import type { RecordFolders, VaultRecords } from './records.ts';
import { storing } from './storageFailure.ts';
import type { VaultPort } from './vaultPort.ts';
import type { VaultOpening, VaultRepository } from './vaultRepository.ts';

const rollbackSentences: Readonly<Record<NonNullable<VaultRecords['rollback']>, Message>> = {
  older: message('vault.rollback.older'),
  altered: message('vault.rollback.altered'),
};

export const storageAtStart: StorageState = {
  vaults: [],
  keeping: 'nothing',
  problem: null,
  notice: null,
  incidents: 0,
  bytes: null,
  previousPassword: null,
};

export interface AttemptVaultOptions
  extends Pick<BasePorts, 'hasher' | 'random' | 'logger' | 'collectGarbage'>, Pick<Moments, 'serverNow'> {
  /** Null for a deployment without storage, such as the embedded training. */
  readonly repository: Pick<VaultRepository, 'create' | 'erase' | 'open' | 'setAside' | 'summaries'> | null;
  readonly store: ConsoleStore;
  readonly records: RecordFolders;
  /** Whether the service answers: the account begins again from it, without what only the memory holds. */
  readonly isOnline: () => boolean;
  /** The vault opened after the session began: the features of the account begin again, with its records. */
  readonly onReopened: () => Promise<void>;
  /** Called before the vault closes, for the last writes. Resolves when nothing uses it. */
  readonly onLeaving: () => Promise<void>;
}

/** How often the size of a vault and its header are updated, milliseconds. */
const tellEveryMs = 5_000;

/** How often a vault that the disk did not open is tried again, milliseconds. */
const reopenEveryMs = 30_000;

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * The vault of one sign-in attempt: opens it, stores the store's incidents in it, and reports in the slice `storage`. A
 * disk error never ends a session: the console continues in memory, reports it, and tries to open the vault again.
 *
 * It closes when the attempt ends. What opens later is closed at once, and shows nothing: another operator may already
 * sign in.
 */
export class AttemptVault implements VaultPort {
  readonly ready: Promise<void>;
  readonly #options: AttemptVaultOptions;
  readonly #attempt: Scope;
  readonly #closing: SerialQueue;
  /** Used when nothing can be stored on the disk. */
  #memory: VaultPort;
  #vault: OpenVault | null = null;
  #incidentWriter: IncidentWriter | null = null;
  #records: VaultRecords | null = null;
  #unsent: number | null = null;
  #sealed: Extract<VaultOpening, { kind: 'wrong-password' }>['sealed'] | null = null;
  /** The running openings. The close waits for them. */
  readonly #openings = new SerialQueue();
  #toldAtElapsed = -Infinity;
  readonly #telling: Timer;
  /** For the next try to open a vault, or the records of the open one. */
  #lacking: Credentials | null = null;
  readonly #reopening: Timer;

  /** `closing` closes vaults: none opens before the last one is closed. */
  constructor(options: AttemptVaultOptions, attempt: Scope, closing: SerialQueue) {
    this.#options = options;
    this.#attempt = attempt;
    this.#closing = closing;
    this.ready = closing.settled();
    this.#memory = createMemoryVault(options);
    this.#telling = new Timer(attempt.clock, () => this.#tell());
    this.#reopening = new Timer(attempt.clock, () => void this.tryAgain());
    attempt.onEnd(() => this.#leave());
  }

  /** The vault of the open question about a previous password; null when there is none. */
  get sealed(): Omit<NonNullable<StorageState['previousPassword']>, 'throttledUntil'> | null {
    return this.#sealed;
  }

  /** The operator's stored records; null when nothing can be stored. */
  get records(): VaultRecords | null {
    return this.#records;
  }

  async open(username: string, password: string): Promise<'opened' | 'sealed'> {
    if (this.#vault) {
      await this.#reseal(this.#vault, password);
      return 'opened';
    }
    const opening = await this.#open({ username, password });
    if (opening.kind === 'wrong-password') {
      this.#sealed = opening.sealed;
      return 'sealed';
    }
    if (opening.kind !== 'opened') await this.#goOn(opening, { username, password });
    return 'opened';
  }

  async openOffline(
    username: string,
    password: string,
  ): Promise<'opened' | 'wrong-password' | 'none' | Failure> {
    const opening = await this.#open({ username, password });
    if (opening.kind !== 'unusable') return opening.kind;
    this.#patch({ problem: opening.failure });
    return opening.failure;
  }

  async openWithPrevious(
    username: string,
    previous: string,
    current: string,
  ): Promise<'opened' | 'wrong-password'> {
    const opening = await this.#open({ username, password: previous });
    if (opening.kind === 'wrong-password') return 'wrong-password';
    if (opening.kind !== 'opened') await this.#goOn(opening, { username, password: current });
    else if (this.#vault) await this.#reseal(this.#vault, current);
    return 'opened';
  }

  async startNew(username: string, current: string): Promise<void> {
    const credentials = { username, password: current };
    const aside = await this.#options.repository?.setAside(username);
    if (!aside || aside.ok) await this.#create(credentials);
    else await this.#goOnInMemory(credentials, aside.failure);
  }

  async matches(password: string): Promise<boolean> {
    // When a new password could not be stored, memory has the new one and the vault the old one.
    if (await this.#memory.matches(password)) return true;
    return this.#vault !== null && (await this.#vault.matches(password));
  }

  /** Shows a sentence that the operator must see once. */
  note(sentence: Message): void {
    const { store, serverNow } = this.#options;
    store.patch('storage', { notice: { at: serverNow(), sentence } });
  }

  /** Updates the list of vaults. */
  async list(): Promise<void> {
    const { store, repository } = this.#options;
    store.patch('storage', { vaults: [...((await repository?.summaries()) ?? [])] });
  }

  /** The number of unsent uploads: readable beside a closed vault, and shown before one is erased. */
  noteUnsent(unsent: number): void {
    if (this.#unsent === unsent) return;
    this.#unsent = unsent;
    void this.#vault?.noteSync(null, unsent).then(() => this.list());
  }

  /** Reads the open vault's incidents into the store; null when there is none or no caller waits for it. */
  async restore(): Promise<Restored | null> {
    const restored = await this.#incidentWriter?.restore();
    if (!restored || this.#attempt.isOver) return null;
    if (restored.damaged > 0) {
      this.note(message('vault.damagedRecords', { n: restored.damaged }));
    } else if (restored.older) {
      this.#options.logger.error('vault-cache-older');
      // The finding about the whole vault says more.
      if ((this.#records?.rollback ?? null) === null) this.note(message('vault.rollback.incidents'));
    }
    await this.#measure();
    return restored;
  }

  noteLedger(text: string): void {
    this.#incidentWriter?.noteLedger(text);
  }

  /** Whether `id` is the vault that is open. */
  isOpen(id: string): boolean {
    return this.#vault?.id === id;
  }

  /** Tries to open what the disk did not open. */
  async tryAgain(): Promise<void> {
    const credentials = this.#lacking;
    if (credentials === null) return;
    if (!this.#options.isOnline()) {
      this.#reopening.set(reopenEveryMs);
      return;
    }
    const vault = this.#vault;
    this.#lacking = null;
    await (vault === null ? this.#openLater(credentials) : this.#openRecordsLater(vault, credentials));
    if (this.#vault === null || this.#records === null) return;
    this.#memory = createMemoryVault(this.#options);
    await this.#options.onReopened();
  }

  #leave(): void {
    const { store, onLeaving, collectGarbage } = this.#options;
    const { lastReadAt } = store.slice('incidents');
    const stopped = onLeaving();
    const vault = this.#vault;
    const records = this.#records;
    const unsent = this.#unsent;
    // Now, because the store is emptied right after the close.
    const written = this.#incidentWriter?.finish();
    const openings = this.#openings.settled();
    this.#vault = this.#incidentWriter = this.#records = this.#sealed = this.#lacking = null;
    store.patch('storage', { ...storageAtStart, vaults: store.slice('storage').vaults });
    void this.#closing.run(async () => {
      await stopped;
      await openings;
      await this.#closeRecords(records);
      try {
        await written;
        await vault?.noteSync(lastReadAt, unsent);
      } finally {
        await vault?.close();
        if (vault) await this.list();
      }
      // Nothing of the operator is referred to any longer.
      collectGarbage();
    });
  }

  #open(credentials: Credentials): Promise<VaultOpening> {
    return this.#openings.run(async () => {
      const { username, password } = credentials;
      const opening = (await this.#options.repository?.open(username, password)) ?? { kind: 'none' };
      if (opening.kind === 'opened') await this.#adopt(opening.vault, credentials);
      return opening;
    });
  }

  /** The account has no vault, or it does not open: another one follows, or the memory. */
  #goOn(
    opening: Extract<VaultOpening, { kind: 'none' | 'unusable' }>,
    credentials: Credentials,
  ): Promise<void> {
    if (opening.kind === 'none') return this.#create(credentials);
    return this.#goOnInMemory(credentials, opening.failure);
  }

  #create(credentials: Credentials): Promise<void> {
    return this.#openings.run(async () => {
      if (this.#attempt.isOver) return;
      const { username, password } = credentials;
      const made = await this.#options.repository?.create(username, password);
      if (made?.ok) await this.#adopt(made.value, credentials);
      else await this.#goOnInMemory(credentials, made?.failure ?? null);
    });
  }

  async #adopt(vault: OpenVault, credentials: Credentials): Promise<void> {
    if (this.#attempt.isOver) return vault.close();
    this.#vault = vault;
    this.#sealed = null;
    this.#incidentWriter = this.#incidentWriterOf(vault);
    this.#patch({ keeping: 'disk', problem: null });
    if (vault.notice !== null) this.note(vault.notice);
    const failure = await this.#takeRecords(vault.openRecords());
    if (failure !== null) {
      this.#patch({ problem: failure });
      this.#tryLater(credentials, failure);
    }
    await this.list();
  }

  #incidentWriterOf(vault: OpenVault): IncidentWriter {
    const { store } = this.#options;
    const { clock } = this.#attempt;
    return new IncidentWriter({
      cache: vault.cache,
      store,
      clock,
      // Updates the header and the size, at once and then at most every few seconds.
      onStored: () => this.#telling.setOnce(Math.max(0, this.#toldAtElapsed + tellEveryMs - clock.elapsed())),
      onProblem: (problem) => this.#patch({ keeping: problem ? 'memory' : 'disk', problem }),
    });
  }

  /** A disk may work again; what else keeps a vault shut needs the operator. */
  #tryLater(credentials: Credentials, { sentence }: Failure): void {
    if (!('id' in sentence) || !sentence.id.startsWith('storage.')) return;
    this.#lacking = credentials;
    this.#reopening.set(reopenEveryMs);
  }

  async #openLater(credentials: Credentials): Promise<void> {
    const opening = await this.#open(credentials);
    if (opening.kind === 'none') await this.#create(credentials);
    if (opening.kind !== 'unusable') return;
    this.#patch({ problem: opening.failure });
    this.#tryLater(credentials, opening.failure);
  }

  /** The cache of the vault is open, its records are not. */
  #openRecordsLater(vault: OpenVault, credentials: Credentials): Promise<void> {
    return this.#openings.run(async () => {
      const failure = await this.#takeRecords(vault.openRecords());
      if (failure !== null) return this.#tryLater(credentials, failure);
      await this.#incidentWriter?.finish();
      this.#incidentWriter = this.#incidentWriterOf(vault);
      this.#patch({ problem: null });
    });
  }

  /** Takes records once they open. The failure when they do not. */
  async #takeRecords(opening: Promise<Result<VaultRecords>>): Promise<Failure | null> {
    const opened = await opening;
    if (!opened.ok) return opened.failure;
    if (this.#attempt.isOver) {
      await this.#closeRecords(opened.value);
      return null;
    }
    this.#records = opened.value;
    const { rollback } = opened.value;
    if (rollback !== null) {
      this.#options.logger.error('vault-rolled-back', { vault: this.#vault?.id, rollback });
      this.note(rollbackSentences[rollback]);
    }
    return null;
  }

  async #closeRecords(records: VaultRecords | null): Promise<void> {
    try {
      await records?.close();
    } catch (error) {
      this.#options.logger.warn('records.close-failed', { detail: textOf(error) });
    }
  }

  async #reseal(vault: OpenVault, password: string): Promise<void> {
    if (await vault.matches(password)) return;
    const resealed = await vault.reseal(password);
    if (resealed.ok) return;
    await this.#memory.open('', password);
    this.note(message('vault.notResealed'));
  }

  async #goOnInMemory({ username, password }: Credentials, problem: Failure | null): Promise<void> {
    const { repository, records, logger } = this.#options;
    await this.#memory.open(username, password);
    if (this.#attempt.isOver) return;
    if (problem) logger.warn('vault-in-memory', { code: problem.code });
    this.#sealed = null;
    this.#patch({ keeping: 'memory', problem });
    if (problem !== null) this.#tryLater({ username, password }, problem);
    // A deployment without storage still sends files. With a failing disk, files could be lost, so none are accepted.
    if (repository !== null) return;
    const failure = await this.#takeRecords(
      storing(this.#options, 'open-temporary', async () => ok(await records.openTemporary())),
    );
    if (failure !== null) this.#patch({ problem: failure });
  }

  #tell(): void {
    this.#toldAtElapsed = this.#attempt.clock.elapsed();
    const { lastReadAt } = this.#options.store.slice('incidents');
    if (lastReadAt !== null) void this.#vault?.noteSync(lastReadAt, this.#unsent);
    void this.#measure();
  }

  async #measure(): Promise<void> {
    const size = await this.#vault?.cache.size();
    if (size?.ok) this.#patch(size.value);
  }

  #patch(change: Partial<StorageState>): void {
    if (!this.#attempt.isOver) this.#options.store.patch('storage', change);
  }
}
