import process from 'node:process';
import { makeFolder } from '../../../src-main/adapters/durableFiles.ts';
import { createRecordFolders } from '../../../src-main/adapters/vault/records/folders.ts';
import { StorageError } from '../../../src-main/core/vault/storage.ts';
import { bytesOf, fileId, keysOf, mebibyte, now, placeOf, vaultId } from '../vault/records/actionBytes.ts';

/** Spools one file of so many MiB into the vault of a data folder, and prints how that went. */
const [dataDir = '', size = '0'] = process.argv.slice(2);
// What the system does to a file that grows too large: without this it ends the process.
process.on('SIGXFSZ', () => undefined);
await makeFolder(placeOf(dataDir));
const folders = createRecordFolders({ dataDir });
const records = await folders.open({ vaultId, keys: keysOf(), now, fresh: true });
try {
  const file = await records.spool.receive(fileId(1));
  await file.write(bytesOf(Number(size) * mebibyte));
  await file.finish();
  process.stdout.write('spooled\n');
} catch (error) {
  process.stdout.write(`${error instanceof StorageError ? error.reason : String(error)}\n`);
}
await folders.close();
