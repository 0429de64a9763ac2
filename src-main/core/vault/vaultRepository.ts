import {
  failed,
  ok,
  type Failure,
  type Result,
  type VaultSummary,
} from '../../../src-preload/contract/index.ts';
import { makeFailure, type Moments } from '../base/failure.ts';
import { sameValue } from '../base/json.ts';
import { message, type Message } from '../base/messages/message.ts';
import { originOf } from '../base/origins.ts';
import { noDeviceSecret, type BasePorts, type DeviceSecretReading } from '../base/ports.ts';
import {
  bindingOf,
  decodeHeader,
  encodeHeader,
  kdfOf,
  vaultIdOf,
  type VaultHeader,
  type VaultOwner,
} from './header.ts';
import type { KeyCopy, SealedKeys } from './sealedKey.ts';
import { isShut, shutTrouble, type ShutTrouble } from './keyStoreTrouble.ts';
import { createOpenVault, type OpenVault } from './openVault.ts';
import type { RecordFolders } from './records.ts';
import { forgetDataKeys, forgetKeys, keysOf, newDataKeys, type DataKeys } from './seal.ts';
import { StorageError, type VaultStorage } from './storage.ts';
import { storing } from './storageFailure.ts';
import { VaultKeys, type KeyTrouble } from './vaultKeys.ts';

export type VaultOpening =
  | { readonly kind: 'opened'; readonly vault: OpenVault }
  | {
      readonly kind: 'wrong-password';
      /** The contents of the vault, for the question about the previous password. */
      readonly sealed: {
        readonly incidents: number;
        readonly unsent: number;
        readonly lastSyncAt: number | null;
      };
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly failure: Failure };

export interface VaultRepositoryOptions
  extends
    Pick<BasePorts, 'hasher' | 'random' | 'logger'>,
    Partial<Pick<BasePorts, 'deviceSecret'>>,
    Pick<Moments, 'serverNow'> {
  readonly storage: VaultStorage;
  readonly records: RecordFolders;
  readonly deployment: { readonly id: string; readonly infrastructureUrl: string };
}

const nameBytes = 16;

/** The vaults of one deployment: one for each account, and those set aside. */
export class VaultRepository {
  readonly #options: VaultRepositoryOptions;
  readonly #owner: VaultOwner;
  readonly #open = new Set<string>();

  constructor(options: VaultRepositoryOptions) {
    this.#options = options;
    const { id, infrastructureUrl } = options.deployment;
    this.#owner = { deploymentId: id, origin: originOf(infrastructureUrl) };
  }

  /** The latest first. A header that cannot be read is left out and logged. */
  async summaries(): Promise<readonly VaultSummary[]> {
    const binding = bindingOf(this.#owner);
    const found: VaultSummary[] = [];
    await storing(this.#options, 'list', async () => {
      for (const id of await this.#options.storage.ids()) {
        const header = await this.#header(id);
        if (header === 'damaged') this.#options.logger.warn('vault.header-unreadable', { vault: id });
        if (!header || header === 'damaged' || header.binding !== binding) continue;
        const { username, lastSyncAt, unsent } = header;
        // The name shows it too: a power cut may have come between the renaming and the flag.
        const setAside = header.setAside || id !== vaultIdOf(this.#owner, username);
        found.push({ id, username, lastSyncAt, unsent, setAside });
      }
      return ok(null);
    });
    return found.sort((a, b) => (b.lastSyncAt ?? -Infinity) - (a.lastSyncAt ?? -Infinity) || 0);
  }

  /** Opens the account's vault. A wrong password takes a whole key derivation, as a right one does. */
  async open(username: string, password: string): Promise<VaultOpening> {
    const { storage } = this.#options;
    const id = vaultIdOf(this.#owner, username);
    const opening = await storing<VaultOpening>(this.#options, 'open', async () => {
      if (this.#open.has(id)) return failed(this.#conflict(message('vault.openAlready')));
      const exists = await storage.exists(id);
      if (!exists) return ok({ kind: 'none' });
      storage.prepare();
      const device = await this.#deviceFor(id);
      // Nothing is tried, made or replaced before the key store has answered.
      if (isShut(device)) return ok(this.#unusable(shutTrouble[device.kind]));
      const keys = this.#keys(id, device);
      const opened = await keys.open(password);
      switch (opened.kind) {
        case 'none': {
          // Keys are the first files of a vault: when there is nothing else, its creation was interrupted.
          const kept = await storage.countClosed(id);
          return ok(kept > 0 ? this.#unusable('damaged') : { kind: 'none' });
        }
        case 'unusable':
          return ok(this.#unusable(opened.trouble));
        case 'wrong-password':
          return ok(await this.#sealed(id));
        case 'opened':
          break;
      }
      const { keys: dataKeys, copy, settled, older } = opened;
      const sealed = { copy, settled };
      if (older) this.#options.logger.error('vault-key-older', { vault: id });
      return ok({
        kind: 'opened',
        vault: await this.#enter({ id, username, keys, dataKeys, sealed, older, fresh: false }),
      });
    });
    return opening.ok ? opening.value : { kind: 'unusable', failure: opening.failure };
  }

  /** Makes the account's vault. There must be none, or it must have been set aside. */
  create(username: string, password: string): Promise<Result<OpenVault>> {
    const { storage, random } = this.#options;
    const id = vaultIdOf(this.#owner, username);
    return storing(this.#options, 'create', async () => {
      // Sealed with only the password it would be weaker than intended, without any message about it.
      const device = await (this.#options.deviceSecret ?? noDeviceSecret).read();
      if (isShut(device)) return failed(this.#unusable(shutTrouble[device.kind]).failure);
      const keys = this.#keys(id, device);
      if (this.#open.has(id) || (await keys.exist())) {
        return failed(this.#conflict(message('vault.exists')));
      }
      storage.prepare();
      const dataKeys = newDataKeys((length) => random.bytes(length));
      const identity = hex(random.bytes(nameBytes));
      const sealed = await keys.seal(dataKeys, password, { identity, turn: 0 });
      return ok(await this.#enter({ id, username, keys, dataKeys, sealed, older: false, fresh: true }));
    });
  }

  /** Sets the account's vault aside unopened. */
  setAside(username: string): Promise<Result<null>> {
    const { storage, random } = this.#options;
    const id = vaultIdOf(this.#owner, username);
    return storing(this.#options, 'set-aside', async () => {
      if (this.#open.has(id)) return failed(this.#conflict(message('vault.closeFirst')));
      if (!(await storage.exists(id))) return ok(null);
      const aside = hex(random.bytes(nameBytes));
      const header = await this.#header(id);
      await storage.rename(id, aside);
      // Without a header it would not be in the list and could never be erased.
      const known = header && header !== 'damaged' ? header : this.#newHeader(username, null);
      await storage.write(aside, 'about.json', encodeHeader({ ...known, setAside: true }));
      return ok(null);
    });
  }

  /** Destroys a vault that is not open: its key first, then its files. */
  erase(id: string): Promise<Result<null>> {
    const { storage } = this.#options;
    return storing(this.#options, 'erase', async () => {
      if (this.#open.has(id)) return failed(this.#conflict(message('vault.signOutFirst')));
      const header = await this.#header(id);
      const foreign = header && header !== 'damaged' && header.binding !== bindingOf(this.#owner);
      if (foreign || !(await storage.exists(id))) return failed(this.#conflict(message('vault.none')));
      await storage.destroy(id);
      return ok(null);
    });
  }

  /** Asks the key store if the vault needs it. Another vault opens with the password, whatever the key store says. */
  async #deviceFor(vaultId: string): Promise<DeviceSecretReading> {
    const { deviceSecret = noDeviceSecret } = this.#options;
    if (await this.#keys(vaultId, { kind: 'none' }).needDevice()) return deviceSecret.read();
    const known = deviceSecret.peek();
    return isShut(known) ? { kind: 'none' } : known;
  }

  #keys(vaultId: string, device: DeviceSecretReading): VaultKeys {
    const { storage, hasher, random } = this.#options;
    return new VaultKeys({
      storage,
      hasher,
      deviceSecret: device.kind === 'secret' ? device.secret : null,
      vaultId,
      randomBytes: (length) => random.bytes(length),
    });
  }

  /** Opens the cache with the key, and corrects the header. */
  async #enter(entry: {
    readonly id: string;
    readonly username: string;
    readonly keys: VaultKeys;
    readonly dataKeys: DataKeys;
    readonly sealed: SealedKeys;
    readonly older: boolean;
    readonly fresh: boolean;
  }): Promise<OpenVault> {
    const { storage, records, random, logger, serverNow } = this.#options;
    const { id, username, dataKeys, fresh } = entry;
    const { copy } = entry.sealed;
    if (this.#open.has(id)) throw new StorageError('busy', 'opened twice at once');
    const cacheKeys = keysOf(dataKeys, copy.identity);
    this.#open.add(id);
    try {
      const stored = await this.#header(id);
      const kept = stored && stored !== 'damaged' ? stored : this.#newHeader(username, null);
      const header = { ...kept, setAside: false, kdf: kdfOf(copy, copy.salt) };
      await this.#putHeader(id, header, stored, fresh);
      const { store, lost } = await storage.openCache({ id, keys: cacheKeys, now: serverNow(), fresh });
      if (lost) logger.warn('vault.cache-lost', { vault: id, lost });
      const onClose = (): void => void this.#open.delete(id);
      return createOpenVault({
        ...entry,
        random,
        storage,
        records,
        logger,
        serverNow,
        header,
        store,
        lost,
        onClose,
      });
    } catch (error) {
      this.#open.delete(id);
      forgetDataKeys(dataKeys);
      throw error;
    } finally {
      forgetKeys(cacheKeys);
    }
  }

  /** A readable vault must open on a full or read-only disk too, so the header is written only when needed. */
  async #putHeader(
    id: string,
    header: VaultHeader,
    stored: VaultHeader | 'damaged' | null,
    needed: boolean,
  ): Promise<void> {
    if (stored && stored !== 'damaged' && sameValue(stored, header)) return;
    const write = async (): Promise<Result<void>> =>
      ok(await this.#options.storage.write(id, 'about.json', encodeHeader(header)));
    await (needed ? write() : storing(this.#options, 'header', write));
  }

  async #header(id: string): Promise<VaultHeader | 'damaged' | null> {
    const bytes = await this.#options.storage.read(id, 'about.json');
    return bytes && (decodeHeader(bytes) ?? 'damaged');
  }

  #newHeader(username: string, copy: KeyCopy | null): VaultHeader {
    return {
      format: 1,
      deployment: this.#owner.deploymentId,
      binding: bindingOf(this.#owner),
      username,
      lastSyncAt: null,
      unsent: 0,
      setAside: false,
      kdf: kdfOf(copy ?? this.#options.hasher.cost, copy?.salt ?? new Uint8Array(0)),
    };
  }

  async #sealed(id: string): Promise<VaultOpening> {
    const header = await this.#header(id);
    const known = header === 'damaged' ? null : header;
    const incidents = await this.#options.storage.countClosed(id);
    const sealed = { incidents, unsent: known?.unsent ?? 0, lastSyncAt: known?.lastSyncAt ?? null };
    return { kind: 'wrong-password', sealed };
  }

  #unusable(trouble: KeyTrouble | ShutTrouble): Extract<VaultOpening, { kind: 'unusable' }> {
    const failure = makeFailure({
      code: 'storage-failed',
      at: this.#options.serverNow(),
      sentence: message(`vault.${trouble}.sentence`),
      remedy: message(`vault.${trouble}.remedy`),
    });
    this.#options.logger.warn('vault.unusable', { trouble });
    return { kind: 'unusable', failure };
  }

  #conflict(sentence: Message): Failure {
    return makeFailure({ code: 'conflict', at: this.#options.serverNow(), sentence, remedy: null });
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
