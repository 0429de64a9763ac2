import type { MapFiles } from '../../src-main/core/base/ports.ts';

/** Map files in memory, for consoles whose maps are not what a test is about. Databases are not read. */
export function createMemoryMaps(): MapFiles {
  const kept = new Map<string, Uint8Array>();
  const incoming = new Map<string, Uint8Array[]>();
  return {
    free: () => Promise.resolve(null),
    receive: (id) => {
      const pieces: Uint8Array[] = [];
      incoming.set(id, pieces);
      return Promise.resolve({
        write: (bytes) => {
          pieces.push(Uint8Array.from(bytes));
          return Promise.resolve();
        },
        finish: () => Promise.resolve(),
        keep: () => {
          kept.set(id, Buffer.concat(pieces));
          incoming.delete(id);
          return Promise.resolve();
        },
        discard: () => {
          incoming.delete(id);
          return Promise.resolve();
        },
      });
    },
    open: (id, state) => {
      const bytes = (state === 'incoming' && Buffer.concat(incoming.get(id) ?? [])) || kept.get(id);
      if (!bytes) return Promise.reject(Object.assign(new Error('No such file'), { code: 'ENOENT' }));
      return Promise.resolve({
        bytes: bytes.byteLength,
        read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
        close: () => Promise.resolve(),
      });
    },
    openDatabase: () => Promise.reject(new Error('Databases are not read here')),
    list: () => Promise.resolve(new Map([...kept].map(([id, bytes]) => [id, bytes.byteLength]))),
    remove: (id) => {
      kept.delete(id);
      return Promise.resolve();
    },
    sweep: (keep) => {
      incoming.clear();
      for (const id of kept.keys()) if (!keep.has(id)) kept.delete(id);
      return Promise.resolve();
    },
  };
}
