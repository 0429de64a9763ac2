import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  chunksOf,
  fileKey,
  fullChunksOf,
  headerBytes,
  openChunk,
  saltOf,
  sealedChunkBytes,
} from '../../../src-main/adapters/vault/records/sealedFile.ts';
import { blockPlace, unsealBlock } from '../../../src-main/core/vault/block.ts';
import {
  boundTo,
  keysOf,
  recordKeysOf,
  unsealBytes,
  unsealRecord,
  type DataKeys,
} from '../../../src-main/core/vault/seal.ts';
import { decodeKeyCopy, unwrapDataKeys } from '../../../src-main/core/vault/sealedKey.ts';
import { cheapHasher } from '../../support/ports.ts';

/** Who copied a key file of a vault, and knows the password that it had then. */
export interface FormerKey {
  readonly vaultId: string;
  readonly identity: string;
  readonly keys: DataKeys;
}

export async function formerKey(vaultId: string, copy: Uint8Array, password: string): Promise<FormerKey> {
  const decoded = decodeKeyCopy(copy);
  const wrapping = { hasher: cheapHasher, deviceSecret: null, vaultId };
  const unwrapped = decoded && (await unwrapDataKeys(wrapping, decoded, password));
  if (!decoded || !unwrapped) throw new Error('The copy does not open');
  return { vaultId, identity: decoded.identity, keys: unwrapped.keys };
}

/** Names and texts of all that the key opens in a data folder, without the console. */
export async function openedBy({ vaultId, identity, keys }: FormerKey, dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'vaults', vaultId);
  const cacheKeys = keysOf(keys, identity);
  const recordKeys = recordKeysOf(keys, identity);
  const found: string[] = [];
  const take = (name: string, bytes: Uint8Array | null): void => {
    if (bytes) found.push(`${name} ${Buffer.from(bytes).toString('latin1')}`);
  };

  // A copy, since reading a database with a log changes it.
  const copy = await mkdtemp(join(tmpdir(), 'field-console-former-'));
  try {
    await cp(folder, copy, { recursive: true });
    const rowsOf = (name: string, table: string): Record<string, unknown>[] => {
      const database = new DatabaseSync(join(copy, name));
      try {
        return database.prepare(`SELECT * FROM ${table}`).all();
      } finally {
        database.close();
      }
    };
    for (const { number, sealed } of rowsOf('cache.sqlite', 'blocks')) {
      const place = blockPlace(identity, Number(number));
      take('block', unsealBlock(cacheKeys.records, sealed as Uint8Array, place)?.entries ?? null);
    }
    for (const { key, sealed } of rowsOf('cache.sqlite', 'documents')) {
      const row = Buffer.from(key as Uint8Array).toString('hex');
      const place = { identity, table: 'documents', row } as const;
      take('document', unsealRecord(cacheKeys.documents, sealed as Uint8Array, place));
    }
    for (const { kind, key, sealed } of rowsOf('outbox.sqlite', 'entries')) {
      const bound = boundTo('row', identity, String(kind), Buffer.from(key as Uint8Array).toString('hex'));
      take('row', unsealBytes(recordKeys.rows, sealed as Uint8Array, bound));
    }
  } finally {
    await rm(copy, { recursive: true });
  }

  for (const [name, spool] of [
    ['spool', { files: recordKeys.files, texts: recordKeys.sidecars }],
    ['contents', { files: recordKeys.contents, texts: recordKeys.contentNotes }],
  ] as const) {
    for (const file of await readdir(join(folder, name)).catch(() => [])) {
      const bytes = await readFile(join(folder, name, file));
      const [id = '', ending = ''] = file.split('.');
      if (ending === 'sidecar' || ending === 'key') {
        take(ending, unsealBytes(spool.texts, bytes, boundTo(ending, identity, id)));
        continue;
      }
      const salt = saltOf(bytes.subarray(0, headerBytes));
      if (!salt) continue;
      const key = fileKey(spool.files, { identity, id, salt });
      const chunks = ending === 'sealed' ? (chunksOf(bytes.length) ?? 0) : fullChunksOf(bytes.length);
      for (let index = 0; index < chunks; index += 1) {
        const at = headerBytes + index * sealedChunkBytes;
        const last = ending === 'sealed' && index === chunks - 1;
        take(
          ending,
          openChunk(key, bytes.subarray(at, at + sealedChunkBytes), index, last)?.subarray(0, 99) ?? null,
        );
      }
    }
  }
  const small = [
    ['head', join(folder, 'actions.head')],
    ['anchor', join(dataDir, 'anchors', `${vaultId}.${identity}`)],
  ] as const;
  for (const [kind, path] of small) {
    const bytes = await readFile(path).catch(() => null);
    take(kind, bytes && unsealBytes(recordKeys.head, bytes, boundTo(kind, identity)));
  }
  return found;
}
