import type { Random } from '../base/ports.ts';
import type { RecordKeys, RenewableRecords } from './records.ts';
import { forgetDataKeys, forgetKeys, keyBytes, keysOf, recordKeysOf, type DataKeys } from './seal.ts';
import type { KeyCopy, SealedKeys } from './sealedKey.ts';
import type { CacheStore } from './storage.ts';
import type { VaultKeys } from './vaultKeys.ts';

/** The data keys of an open vault, and their copy on the disk. */
export class OpenKeys {
  readonly #files: VaultKeys;
  readonly #random: Random;
  #keys: DataKeys;
  #sealed: SealedKeys;

  constructor(options: {
    readonly keys: VaultKeys;
    readonly random: Random;
    readonly dataKeys: DataKeys;
    readonly sealed: SealedKeys;
  }) {
    this.#files = options.keys;
    this.#random = options.random;
    this.#keys = options.dataKeys;
    this.#sealed = options.sealed;
  }

  get copy(): KeyCopy {
    return this.#sealed.copy;
  }

  /** To be overwritten after their use. */
  recordKeys(): RecordKeys {
    return recordKeysOf(this.#keys, this.copy.identity);
  }

  matches(password: string): Promise<boolean> {
    return this.#files.matches(this.copy, password);
  }

  /** Adds a new key, and seals all of them with another password. */
  async change(password: string): Promise<void> {
    const keys: DataKeys = { ...this.#keys, ring: [this.#random.bytes(keyBytes), ...this.#keys.ring] };
    this.#sealed = await this.#files.seal(keys, password, this.#sealed.settled ?? this.copy);
    this.#keys = keys;
  }

  /**
   * Has everything sealed with the newest key, from this call on; null when it is. Resolves when all of it is, with what
   * then drops the older keys; with null when something needs them. `records` are null when they are not open.
   */
  renew(store: CacheStore, records: RenewableRecords | null): Promise<(() => Promise<void>) | null> | null {
    const { settled } = this.#sealed;
    if (settled === null) return null;
    const cacheKeys = keysOf(this.#keys, this.copy.identity);
    const recordKeys = this.recordKeys();
    const renewals = Promise.all([records?.renew(recordKeys) ?? false, store.renew(cacheKeys)]);
    forgetKeys(cacheKeys);
    forgetKeys(recordKeys);
    return renewals.then(([isDone]) => (isDone ? () => this.#settle(settled) : null));
  }

  /** Overwrites the keys. */
  forget(): void {
    forgetDataKeys(this.#keys);
  }

  async #settle(settled: KeyCopy): Promise<void> {
    // The password has changed once more.
    if (this.#sealed.settled !== settled) return;
    await this.#files.replace(settled);
    this.#sealed = { copy: settled, settled: null };
    const [newest, ...older] = this.#keys.ring;
    for (const key of older) key.fill(0);
    this.#keys = { ...this.#keys, ring: [newest] };
  }
}
