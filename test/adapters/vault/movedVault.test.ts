import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultDataFolder, moveRoamingData } from '../../../src-main/adapters/dataFolder.ts';
import { temporaryFolder } from '../support.ts';
import { makeVault, openVault, wrongWith } from './changedVault.ts';

test('a vault that was moved out of the roaming profile opens with all that it held', async () => {
  const home = await temporaryFolder();
  const env = { APPDATA: join(home, 'Roaming'), LOCALAPPDATA: join(home, 'Local') };
  const windows = { platform: 'win32', env, home } as const;
  const roaming = join(env.APPDATA, 'Field Console');
  await mkdir(env.LOCALAPPDATA);
  await makeVault(roaming, 'secret');
  moveRoamingData(windows);
  expect(await readdir(env.APPDATA)).toEqual([]);
  const opened = await openVault(defaultDataFolder(windows), 'secret');
  expect(opened && (await wrongWith(opened, false))).toEqual([]);
  await opened?.close();
});
