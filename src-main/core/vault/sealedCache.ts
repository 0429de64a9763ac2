import { ok } from '../../../src-preload/contract/index.ts';
import type { Logger } from '../base/ports.ts';
import type { IncidentCache } from '../state/incidentCache.ts';
import { decodeEntries, encodeEntries } from './entry.ts';
import type { CacheStore } from './storage.ts';
import { storing } from './storageFailure.ts';

/** The cache of an open vault: incidents here, sealed blocks beyond the store. */
export function createSealedCache(options: {
  readonly store: CacheStore;
  /** Bytes that the whole vault takes. */
  readonly bytes: () => Promise<number>;
  readonly logger: Logger;
  readonly now: () => number;
}): IncidentCache {
  const { store, logger } = options;
  return {
    load: (take) =>
      storing({ ...options, what: 'load' }, async () =>
        ok(await store.load((json) => take(decodeEntries(json)))),
      ),
    write: ({ upserts, removals, documents }) =>
      storing({ ...options, what: 'write' }, async () => {
        await store.write({ upserts: encodeEntries(upserts), removals, documents });
        return ok(null);
      }),
    document: (name) =>
      storing({ ...options, what: 'document' }, async () => {
        const { text, damaged } = await store.document(name);
        if (damaged) logger.warn('vault.document-damaged', { name });
        return ok(text);
      }),
    size: () =>
      storing({ ...options, what: 'size' }, async () =>
        ok({ incidents: await store.count(), bytes: await options.bytes() }),
      ),
  };
}
