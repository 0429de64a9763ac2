import { ok } from '../../../src-preload/contract/index.ts';
import type { Logger } from '../base/ports.ts';
import { encodeHeader, kdfOf, type VaultHeader } from './header.ts';
import type { KeyCopy } from './keyCopy.ts';
import type { RecordFolders } from './records.ts';
import { actionKeysOf, forgetKeys } from './seal.ts';
import { createSealedCache } from './sealedCache.ts';
import type { CacheLoss, CacheStore, VaultStorage } from './storage.ts';
import { storing } from './storageFailure.ts';
import type { OpenVault } from './vaultRepository.ts';
import type { VaultKeys } from './vaultKeys.ts';
import { message, type Message } from '../base/messages/message.ts';

const lossSentences: Readonly<Record<CacheLoss, Message>> = {
  missing: message('vault.lost.missing'),
  unreadable: message('vault.lost.unreadable'),
};

/** An open vault over its parts. `header` is what stands beside it; `onClose` is called once. */
export function createOpenVault(options: {
  readonly id: string;
  readonly storage: VaultStorage;
  readonly keys: VaultKeys;
  readonly dataKey: Uint8Array;
  readonly copy: KeyCopy;
  readonly header: VaultHeader;
  readonly store: CacheStore;
  readonly lost: CacheLoss | null;
  readonly actions: RecordFolders;
  readonly logger: Logger;
  readonly now: () => number;
  readonly onClose: () => void;
}): OpenVault {
  const { id, storage, keys, dataKey, store, lost, actions, logger, now } = options;
  let { copy, header } = options;
  let closing: Promise<void> | null = null;
  /** Writes to the key copies and the header follow one another. */
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const done = last.then(run);
    last = done.catch(() => undefined);
    return done;
  };
  const writeHeader = (): Promise<void> => storage.write(id, 'about.json', encodeHeader(header));

  async function close(): Promise<void> {
    await last;
    dataKey.fill(0);
    try {
      await store.close();
    } catch (error) {
      logger.warn('vault.close-failed', { detail: error instanceof Error ? error.message : String(error) });
    }
    options.onClose();
  }

  return {
    id,
    cache: createSealedCache({ store, logger, now, bytes: () => storage.bytes(id) }),
    notice: lost && lossSentences[lost],
    matches: (password) => keys.matches(copy, password),
    reseal: (password) =>
      inTurn(() =>
        storing({ what: 'reseal', logger, now }, async () => {
          copy = await keys.seal(dataKey, password, copy.identity);
          header = { ...header, kdf: kdfOf(copy, copy.salt) };
          await writeHeader();
          return ok(null);
        }),
      ),
    openActions: () =>
      inTurn(() =>
        storing({ what: 'open-actions', logger, now }, async () => {
          const actionKeys = actionKeysOf(dataKey, copy.identity);
          try {
            // Where nothing waited to be sent, an outbox that is not there is none that was lost.
            const fresh = header.unsent === 0;
            return ok(await actions.open({ vaultId: id, keys: actionKeys, now: now(), fresh }));
          } finally {
            forgetKeys(actionKeys);
          }
        }),
      ),
    noteSync: (at, unsent) =>
      inTurn(async () => {
        header = { ...header, lastSyncAt: at ?? header.lastSyncAt, unsent: unsent ?? header.unsent };
        await storing({ what: 'header', logger, now }, async () => ok(await writeHeader()));
      }),
    close: () => (closing ??= close()),
  };
}
