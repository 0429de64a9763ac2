import { ok, type Result } from '../../../src-preload/contract/index.ts';
import { message, type Message } from '../base/messages/message.ts';
import type { Logger, Random } from '../base/ports.ts';
import { SerialQueue } from '../base/queues.ts';
import type { IncidentCache } from '../state/incidentCache.ts';
import { decodeEntries, encodeEntries } from './entry.ts';
import { encodeHeader, kdfOf, type VaultHeader } from './header.ts';
import { OpenKeys } from './openKeys.ts';
import type { SealedKeys } from './sealedKey.ts';
import type { RecordFolders, RenewableRecords, VaultRecords } from './records.ts';
import { forgetKeys, type DataKeys } from './seal.ts';
import type { CacheLoss, CacheStore, VaultStorage } from './storage.ts';
import { storing } from './storageFailure.ts';
import type { VaultKeys } from './vaultKeys.ts';

const lossSentences: Readonly<Record<CacheLoss, Message>> = {
  missing: message('vault.lost.missing'),
  unreadable: message('vault.lost.unreadable'),
};

/** A vault whose data keys are in memory. */
export interface OpenVault {
  readonly id: string;
  readonly cache: IncidentCache;
  /** A sentence for the operator about the opening, such as a cache that was set aside and rebuilt; else null. */
  readonly notice: Message | null;
  /** Whether `password` is the one that seals the vault. */
  matches(password: string): Promise<boolean>;
  /**
   * Seals a new data key, and those before it, with another password, and destroys the copies for the old one. From then
   * on everything is sealed with the new key; what was written before is sealed again in the background.
   */
  reseal(password: string): Promise<Result<null>>;
  /** Opens the records of the operator. The caller closes them, before the vault. */
  openRecords(): Promise<Result<VaultRecords>>;
  /**
   * Writes into the header, which is readable without a key, when data were last stored and how many uploads are
   * unsent. Null leaves the present value.
   */
  noteSync(at: number | null, unsent: number | null): Promise<void>;
  /** Erases the keys from memory and closes the files. */
  close(): Promise<void>;
}

/** Makes an open vault from its parts. `header` is the stored one; `onClose` is called once. */
export function createOpenVault(options: {
  readonly id: string;
  readonly storage: VaultStorage;
  readonly keys: VaultKeys;
  readonly dataKeys: DataKeys;
  readonly sealed: SealedKeys;
  readonly random: Random;
  /** Whether a copy of the key from before the last change of the password was found. */
  readonly older: boolean;
  readonly header: VaultHeader;
  readonly store: CacheStore;
  readonly lost: CacheLoss | null;
  readonly records: RecordFolders;
  readonly logger: Logger;
  readonly serverNow: () => number;
  readonly onClose: () => void;
}): OpenVault {
  const { id, storage, older, store, lost, records, logger, serverNow } = options;
  const keys = new OpenKeys(options);
  let { header } = options;
  let opened: RenewableRecords | null = null;
  const renewing: Promise<unknown>[] = [];
  let closing: Promise<void> | null = null;
  /** Writes to the key copies and the header run one after another. */
  const writes = new SerialQueue();
  /** What fails is mended by the next one. */
  const storeHeader = (): Promise<unknown> =>
    storing(options, 'header', async () => ok(await storage.write(id, 'about.json', encodeHeader(header))));

  /** Seals again what may be sealed with an older key, and then drops that. What fails is left to the next opening. */
  function renew(): void {
    const renewal = keys.renew(store, opened);
    if (renewal === null) return;
    const work = async (): Promise<Result<null>> => {
      const settle = await renewal;
      if (settle) await writes.run(settle);
      return ok(null);
    };
    renewing.push(storing(options, 'renew', work));
  }

  async function close(): Promise<void> {
    await Promise.all(renewing);
    await writes.settled();
    keys.forget();
    try {
      await store.close();
    } catch (error) {
      logger.warn('vault.close-failed', { detail: error instanceof Error ? error.message : String(error) });
    }
    options.onClose();
  }

  return {
    id,
    cache: createSealedCache({ store, logger, serverNow, bytes: () => storage.bytes(id) }),
    notice: lost ? lossSentences[lost] : older ? message('vault.rollback.key') : null,
    matches: (password) => keys.matches(password),
    reseal: (password) =>
      writes.run(() =>
        storing(options, 'reseal', async () => {
          await keys.change(password);
          renew();
          header = { ...header, kdf: kdfOf(keys.copy, keys.copy.salt) };
          await storeHeader();
          return ok(null);
        }),
      ),
    openRecords: () =>
      writes.run(() =>
        storing(options, 'open-actions', async () => {
          const actionKeys = keys.recordKeys();
          try {
            // When no upload was unsent, a missing outbox is no loss.
            const fresh = header.unsent === 0;
            opened = await records.open({ vaultId: id, keys: actionKeys, now: serverNow(), fresh });
            renew();
            return ok(opened);
          } finally {
            forgetKeys(actionKeys);
          }
        }),
      ),
    noteSync: (at, unsent) =>
      writes.run(async () => {
        header = { ...header, lastSyncAt: at ?? header.lastSyncAt, unsent: unsent ?? header.unsent };
        await storeHeader();
      }),
    close: () => (closing ??= close()),
  };
}

/** The cache of an open vault: plain incidents on this side, sealed blocks in the store. */
function createSealedCache(options: {
  readonly store: CacheStore;
  /** Bytes of the whole vault. */
  readonly bytes: () => Promise<number>;
  readonly logger: Logger;
  readonly serverNow: () => number;
}): IncidentCache {
  const { store, logger } = options;
  return {
    load: (take) =>
      storing(options, 'load', async () =>
        ok(
          await store.load(async (json) => {
            await take(decodeEntries(json));
            // Freed now: the garbage collector would hold a hundred of them until later.
            if (json.buffer instanceof ArrayBuffer) json.buffer.transfer(0);
          }),
        ),
      ),
    write: ({ upserts, removals, documents }) =>
      storing(options, 'write', async () => {
        await store.write({ upserts: encodeEntries(upserts), removals, documents });
        return ok(null);
      }),
    document: (name) =>
      storing(options, 'document', async () => {
        const { text, damaged } = await store.document(name);
        if (damaged) logger.warn('vault.document-damaged', { name });
        return ok(text);
      }),
    size: () =>
      storing(options, 'size', async () =>
        ok({ incidents: await store.count(), bytes: await options.bytes() }),
      ),
  };
}
