/**
 * Changes the password of a vault, writes into it, and waits until no older key is needed or that is left to the next
 * opening, unless it is killed (support/harmAt.ts). What the disk fails once is done a second time. Says `changed`,
 * `written` and `settled`, a line each. Where the password has changed already, it only waits.
 *
 * Arguments: data folder, old password, new password.
 */
import process from 'node:process';
import { keysIn, openVault, writeAfterwards, type Opened } from '../../adapters/vault/changedVault.ts';
import { until } from '../../support/clock.ts';
import { arm } from '../support/harmAt.ts';

const [dataDir = '', before = '', next = ''] = process.argv.slice(2);
const say = (what: string): void => void process.stdout.write(`${what}\n`);
const twice = (work: () => Promise<unknown>): Promise<unknown> => work().catch(work);
const open = async (): Promise<{ opened: Opened; isChanged: boolean } | null> => {
  for (const secret of [next, before]) {
    const opened = await openVault(dataDir, secret).catch(() => null);
    if (opened) return { opened, isChanged: secret === next };
  }
  return null;
};

arm();
const found = (await open()) ?? (await open());
if (!found) throw new Error('The vault does not open');
const { opened, isChanged } = found;
if (!isChanged) {
  const { vault } = opened;
  const changed = (await vault.reseal(next)).ok || (await vault.reseal(next)).ok;
  if (!changed) throw new Error('The password does not change');
  say('changed');
  await writeAfterwards(opened, twice);
  say('written');
}
const isSettled = (): boolean => keysIn(dataDir, opened.vault.id).every((count) => count === 1);
await until(() => isSettled() || opened.renewalFailed(), 'the end of the sealing');
if (isSettled()) say('settled');
await opened.close();
