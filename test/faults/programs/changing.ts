/**
 * Changes the password of a vault, writes into it, and waits until no older key is needed, unless it is killed
 * (support/killAt.ts). Says `changed`, `written` and `settled`, a line each. Where the password has changed already, it
 * only waits.
 *
 * Arguments: data folder, old password, new password.
 */
import process from 'node:process';
import { openVault, settled, writeAfterwards } from '../../adapters/vault/changedVault.ts';
import { arm } from '../support/killAt.ts';

const [dataDir = '', before = '', next = ''] = process.argv.slice(2);
const say = (what: string): void => void process.stdout.write(`${what}\n`);

arm();
let opened = await openVault(dataDir, next);
if (!opened) {
  opened = await openVault(dataDir, before);
  if (!opened) throw new Error('The vault does not open');
  const changed = await opened.vault.reseal(next);
  if (!changed.ok) throw new Error('The password does not change');
  say('changed');
  await writeAfterwards(opened);
  say('written');
}
await settled(dataDir, opened.vault.id);
say('settled');
await opened.close();
