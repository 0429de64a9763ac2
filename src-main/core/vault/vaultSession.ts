import { ok, type Failure, type Result, type StorageState } from '../../../src-preload/contract/index.ts';
import { message, type Message } from '../base/messages/message.ts';
import type { Clock, Logger } from '../base/ports.ts';
import { SerialQueue } from '../base/queues.ts';
import { Timer } from '../base/timer.ts';
import type { ConsoleStore } from '../state/consoleStore.ts';
import { IncidentWriter, type Restored } from './incidentWriter.ts';
import { saysKeyStoreShut } from './keyStoreTrouble.ts';
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

export interface VaultSessionOptions {
  /** Null for a deployment without storage, such as the embedded training. */
  readonly repository: Pick<VaultRepository, 'create' | 'erase' | 'open' | 'setAside' | 'summaries'> | null;
  /** Used when nothing can be stored on the disk. */
  readonly memory: VaultPort;
  readonly store: ConsoleStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly serverNow: () => number;
  readonly records: RecordFolders;
  /** Whether the service answers: the account begins again from it, without what only the memory holds. */
  readonly isOnline: () => boolean;
  /** The vault opened after the session began: the features of the account begin again, with its records. */
  readonly onReopened: () => Promise<void>;
  /** Called before the vault closes, for the last writes. Resolves when nothing uses it. */
  readonly onLeaving: () => Promise<void>;
  /** Called when nothing of the operator is referred to any longer. */
  readonly onLeft: () => void;
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
 * Manages one deployment's vaults: opens them for the session, stores the store's incidents in the open one, and
 * reports in the slice `storage`. A disk error never ends a session: the console continues in memory, reports it, and
 * tries to open the vault again.
 */
export class VaultSession implements VaultPort {
  readonly #options: VaultSessionOptions;
  #vault: OpenVault | null = null;
  #incidentWriter: IncidentWriter | null = null;
  #records: VaultRecords | null = null;
  #unsent: number | null = null;
  #sealed: Extract<VaultOpening, { kind: 'wrong-password' }>['sealed'] | null = null;
  /** Closes vaults: none opens before the last one is closed. */
  readonly #leaving = new SerialQueue();
  /**
   * The running openings. When a close comes meanwhile, the opened vault is closed again, and the close waits for that.
   */
  readonly #openings = new Set<Promise<unknown>>();
  /** Counts closings: an opening from before one must not take effect after it. */
  #left = 0;
  #toldAtElapsed = -Infinity;
  readonly #telling: Timer;
  /** For the next try to open a vault, or the records of the open one. */
  #lacking: Credentials | null = null;
  readonly #reopening: Timer;

  constructor(options: VaultSessionOptions) {
    this.#options = options;
    this.#telling = new Timer(options.clock, () => this.#tell());
    this.#reopening = new Timer(options.clock, () => void this.#reopen());
  }

  /** The vault of the open question about a previous password; null when there is none. */
  get sealed(): Omit<NonNullable<StorageState['previousPassword']>, 'throttledUntil'> | null {
    return this.#sealed;
  }

  async open(username: string, password: string): Promise<'opened' | 'sealed'> {
    const before = this.#left;
    await this.#leaving.settled();
    // Closed meanwhile: the caller learns that it was cancelled.
    if (before !== this.#left) return 'sealed';
    if (this.#vault) {
      await this.#reseal(this.#vault, password);
      return 'opened';
    }
    const opening = await this.#open(username, password, before);
    switch (opening.kind) {
      case 'opened':
        return 'opened';
      case 'wrong-password':
        this.#sealed = opening.sealed;
        return 'sealed';
      case 'none':
        await this.#create(username, password, before);
        return 'opened';
      case 'unusable':
        await this.#goOnInMemory({ username, password, problem: opening.failure, before });
        return 'opened';
    }
  }

  async openOffline(
    username: string,
    password: string,
  ): Promise<'opened' | 'wrong-password' | 'none' | Failure> {
    const before = this.#left;
    await this.#leaving.settled();
    if (before !== this.#left) return 'none';
    const opening = await this.#open(username, password, before);
    if (opening.kind !== 'unusable') return opening.kind;
    this.#patch({ problem: opening.failure });
    return opening.failure;
  }

  async openWithPrevious(
    username: string,
    previous: string,
    current: string,
  ): Promise<'opened' | 'wrong-password'> {
    const before = this.#left;
    const opening = await this.#open(username, previous, before);
    switch (opening.kind) {
      case 'opened':
        if (this.#vault) await this.#reseal(this.#vault, current);
        return 'opened';
      case 'wrong-password':
        return 'wrong-password';
      case 'none':
        await this.#create(username, current, before);
        return 'opened';
      case 'unusable':
        await this.#goOnInMemory({ username, password: current, problem: opening.failure, before });
        return 'opened';
    }
  }

  async startNew(username: string, current: string): Promise<void> {
    const before = this.#left;
    const aside = await this.#options.repository?.setAside(username);
    if (!aside || aside.ok) await this.#create(username, current, before);
    else await this.#goOnInMemory({ username, password: current, problem: aside.failure, before });
  }

  async matches(password: string): Promise<boolean> {
    // When a new password could not be stored, memory has the new one and the vault the old one.
    if (await this.#options.memory.matches(password)) return true;
    return this.#vault !== null && (await this.#vault.matches(password));
  }

  leave(): void {
    const asOf = this.#options.store.slice('incidents').lastReadAt;
    const records = this.#records;
    const stopped = this.#options.onLeaving();
    const unsent = this.#unsent;
    this.#records = null;
    this.#unsent = null;
    this.#left += 1;
    this.#telling.stop();
    this.#stopReopening();
    const vault = this.#vault;
    const incidentWriter = this.#incidentWriter;
    this.#vault = null;
    this.#incidentWriter = null;
    this.#sealed = null;
    this.#options.memory.leave();
    this.#patch({ ...storageAtStart, vaults: this.#options.store.slice('storage').vaults });
    // Now, because the store is emptied right after the close.
    const written = incidentWriter?.finish();
    const openings = [...this.#openings];
    void this.#leaving.run(async () => {
      await stopped;
      await Promise.allSettled(openings);
      await this.#closeRecords(records);
      if (vault) await this.#close(vault, { asOf, unsent, written });
      this.#options.onLeft();
    });
  }

  /** The operator's stored records; null when nothing can be stored. */
  get records(): VaultRecords | null {
    return this.#records;
  }

  /** The number of unsent uploads: readable beside a closed vault, and shown before one is erased. */
  noteUnsent(unsent: number): void {
    if (this.#unsent === unsent) return;
    this.#unsent = unsent;
    void this.#vault?.noteSync(null, unsent).then(() => this.list());
  }

  /** Reads the open vault's incidents into the store; null when there is none or no caller waits for it. */
  async restore(): Promise<Restored | null> {
    const before = this.#left;
    const restored = await this.#incidentWriter?.restore();
    if (!restored || before !== this.#left) return null;
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

  /** Shows a sentence that the operator must see once. */
  note(sentence: Message): void {
    const at = this.#options.serverNow();
    this.#patch({ notice: { at, sentence } });
  }

  /** The key store has opened: an operator who works without it learns how to open the stored data. */
  keyStoreOpened(): void {
    const { keeping, problem } = this.#options.store.slice('storage');
    if (keeping === 'memory' && problem !== null && saysKeyStoreShut(problem)) {
      this.note(message('vault.keyStoreOpened'));
    }
  }

  dismissNotice(): void {
    this.#patch({ notice: null });
  }

  /** Updates the list of vaults. */
  async list(): Promise<void> {
    this.#patch({ vaults: [...((await this.#options.repository?.summaries()) ?? [])] });
  }

  /** Destroys a vault that is not open. */
  async erase(id: string): Promise<Result<null>> {
    await this.#leaving.settled();
    const erased = await this.#options.repository?.erase(id);
    await this.list();
    // A vault that a full disk kept shut may open now.
    if (erased?.ok) await this.#reopen();
    return erased ?? ok(null);
  }

  /** Whether `id` is the vault that is open now. */
  isOpen(id: string): boolean {
    return this.#vault?.id === id;
  }

  /** Resolves when every vault that was left is closed. */
  async settled(): Promise<void> {
    await this.#leaving.settled();
  }

  /** `before`: the count of closings at the request. If it has changed, the vault is not opened. */
  #open(username: string, password: string, before: number): Promise<VaultOpening> {
    return this.#opening(async () => {
      const opening = (await this.#options.repository?.open(username, password)) ?? { kind: 'none' };
      if (opening.kind === 'opened') await this.#adopt(opening.vault, { username, password }, before);
      return opening;
    });
  }

  #create(username: string, password: string, before: number): Promise<void> {
    return this.#opening(async () => {
      if (before !== this.#left) return;
      const made = await this.#options.repository?.create(username, password);
      if (made?.ok) await this.#adopt(made.value, { username, password }, before);
      else await this.#goOnInMemory({ username, password, problem: made?.failure ?? null, before });
    });
  }

  async #opening<T>(work: () => Promise<T>): Promise<T> {
    const opening = work();
    this.#openings.add(opening);
    try {
      return await opening;
    } finally {
      this.#openings.delete(opening);
    }
  }

  async #adopt(vault: OpenVault, credentials: Credentials, before: number): Promise<void> {
    if (before !== this.#left) {
      await vault.close();
      return;
    }
    this.#vault = vault;
    this.#sealed = null;
    this.#incidentWriter = this.#incidentWriterOf(vault);
    this.#patch({ keeping: 'disk', problem: null });
    if (vault.notice !== null) this.note(vault.notice);
    const opened = await vault.openRecords();
    if (before !== this.#left) await this.#closeRecords(opened.ok ? opened.value : null);
    else if (opened.ok) this.#takeRecords(opened.value, vault.id);
    else {
      this.#patch({ problem: opened.failure });
      this.#tryLater(credentials, opened.failure);
    }
    await this.list();
  }

  #incidentWriterOf(vault: OpenVault): IncidentWriter {
    const { store, clock } = this.#options;
    return new IncidentWriter({
      cache: vault.cache,
      store,
      clock,
      onStored: () => {
        this.#stored(vault);
      },
      onProblem: (problem) => {
        if (this.#vault === vault) this.#patch({ keeping: problem ? 'memory' : 'disk', problem });
      },
    });
  }

  /** A disk may work again; what else keeps a vault shut needs the operator. */
  #tryLater(credentials: Credentials, { sentence }: Failure): void {
    if (!('id' in sentence) || !sentence.id.startsWith('storage.')) return;
    this.#lacking = credentials;
    this.#reopening.set(reopenEveryMs);
  }

  #stopReopening(): void {
    this.#lacking = null;
    this.#reopening.stop();
  }

  async #reopen(): Promise<void> {
    const credentials = this.#lacking;
    if (credentials === null) return;
    if (!this.#options.isOnline()) {
      this.#reopening.set(reopenEveryMs);
      return;
    }
    const before = this.#left;
    const vault = this.#vault;
    this.#lacking = null;
    await (vault === null
      ? this.#openLater(credentials, before)
      : this.#openRecordsLater(vault, credentials, before));
    if (before !== this.#left || this.#vault === null || this.#records === null) return;
    this.#options.memory.leave();
    await this.#options.onReopened();
  }

  async #openLater({ username, password }: Credentials, before: number): Promise<void> {
    const opening = await this.#open(username, password, before);
    if (opening.kind === 'none') await this.#create(username, password, before);
    if (opening.kind !== 'unusable' || before !== this.#left) return;
    this.#patch({ problem: opening.failure });
    this.#tryLater({ username, password }, opening.failure);
  }

  /** The cache of the vault is open, its records are not. */
  #openRecordsLater(vault: OpenVault, credentials: Credentials, before: number): Promise<void> {
    return this.#opening(async () => {
      const opened = await vault.openRecords();
      if (before !== this.#left) await this.#closeRecords(opened.ok ? opened.value : null);
      else if (opened.ok) {
        await this.#incidentWriter?.finish();
        if (before !== this.#left) return this.#closeRecords(opened.value);
        this.#incidentWriter = this.#incidentWriterOf(vault);
        this.#takeRecords(opened.value, vault.id);
        this.#patch({ problem: null });
      } else this.#tryLater(credentials, opened.failure);
    });
  }

  #takeRecords(records: VaultRecords, vault: string): void {
    this.#records = records;
    const { rollback } = records;
    if (rollback === null) return;
    this.#options.logger.error('vault-rolled-back', { vault, rollback });
    this.note(rollbackSentences[rollback]);
  }

  async #closeRecords(records: VaultRecords | null): Promise<void> {
    try {
      await records?.close();
    } catch (error) {
      this.#options.logger.warn('records.close-failed', {
        detail: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async #reseal(vault: OpenVault, password: string): Promise<void> {
    if (await vault.matches(password)) return;
    const resealed = await vault.reseal(password);
    if (resealed.ok) return;
    await this.#options.memory.open('', password);
    this.note(message('vault.notResealed'));
  }

  async #goOnInMemory({
    username,
    password,
    problem,
    before,
  }: {
    readonly username: string;
    readonly password: string;
    readonly problem: Failure | null;
    readonly before: number;
  }): Promise<void> {
    if (before !== this.#left) return;
    if (problem) this.#options.logger.warn('vault-in-memory', { code: problem.code });
    await this.#options.memory.open(username, password);
    if (before !== this.#left) {
      this.#options.memory.leave();
      return;
    }
    this.#sealed = null;
    this.#patch({ keeping: 'memory', problem });
    if (problem !== null) this.#tryLater({ username, password }, problem);
    // A deployment without storage still sends files. With a failing disk, files could be lost, so none are accepted.
    if (this.#options.repository === null) await this.#openTemporary(before);
  }

  async #openTemporary(before: number): Promise<void> {
    const { records, logger, serverNow } = this.#options;
    const opened = await storing({ what: 'open-temporary', logger, now: serverNow }, async () =>
      ok(await records.openTemporary()),
    );
    if (before !== this.#left) await this.#closeRecords(opened.ok ? opened.value : null);
    else if (opened.ok) this.#records = opened.value;
    else this.#patch({ problem: opened.failure });
  }

  async #close(
    vault: OpenVault,
    end: {
      readonly asOf: number | null;
      readonly unsent: number | null;
      readonly written: Promise<void> | undefined;
    },
  ): Promise<void> {
    try {
      await end.written;
      await vault.noteSync(end.asOf, end.unsent);
    } finally {
      await vault.close();
      await this.list();
    }
  }

  /** Updates the header and the size, at once and then at most every few seconds. */
  #stored(vault: OpenVault): void {
    if (this.#vault !== vault) return;
    this.#telling.setOnce(Math.max(0, this.#toldAtElapsed + tellEveryMs - this.#options.clock.elapsed()));
  }

  #tell(): void {
    const { clock, store } = this.#options;
    this.#toldAtElapsed = clock.elapsed();
    const { lastReadAt } = store.slice('incidents');
    if (lastReadAt !== null) void this.#vault?.noteSync(lastReadAt, this.#unsent);
    void this.#measure();
  }

  async #measure(): Promise<void> {
    const vault = this.#vault;
    const size = await vault?.cache.size();
    if (size?.ok && this.#vault === vault) this.#patch(size.value);
  }

  #patch(change: Partial<StorageState>): void {
    this.#options.store.patch('storage', change);
  }
}
