import process from 'node:process';
import { makeFolder } from '../../../src-main/adapters/durableFiles.ts';
import { createRecordFolders } from '../../../src-main/adapters/vault/records/folders.ts';
import { bytesOf, fileId, keysOf, now, placeOf, vaultId } from '../vault/records/actionBytes.ts';

/**
 * Opens (or makes) the actions of a data folder and writes into them until it is killed: in each round
 * two rows in one change, the head, a sidecar, and a spooled file. Prints what was acknowledged.
 */
const [dataDir = '', first = '0'] = process.argv.slice(2);
await makeFolder(placeOf(dataDir));
const folders = createRecordFolders({ dataDir });
const { store, spool } = await folders.open({ vaultId, keys: keysOf(), now, fresh: first === '0' });
const say = (what: string, round: number): void => void process.stdout.write(`${what} ${String(round)}\n`);
say('opened', 0);
for (let round = Number(first); ; round += 1) {
  const text = String(round);
  const write = async (): Promise<void> => {
    await store.write([
      { table: 'uploads', id: 'last', text },
      { table: 'uploads', id: `of ${text}`, text },
    ]);
    say('rows', round);
  };
  const note = async (): Promise<void> => {
    await store.writeHead(text);
    say('head', round);
    await spool.writeSidecar(fileId(0), text);
    say('sidecar', round);
  };
  const fill = async (): Promise<void> => {
    const file = await spool.receive(fileId(round + 1));
    const bytes = bytesOf(round % 3 === 0 ? 100 : 1_300_000, text);
    for (let at = 0; at < bytes.byteLength; at += 65_536) await file.write(bytes.subarray(at, at + 65_536));
    await file.finish();
    say('file', round);
  };
  await Promise.all([write(), note(), fill()]);
}
