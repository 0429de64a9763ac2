import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTileDatabase } from '../../../src-main/adapters/maps/tileDatabase.ts';
import { createUtilityFork } from '../../../src-main/hosts/desktop/utilityProgram.ts';
import { temporaryFolder } from '../../adapters/support.ts';
import { createVirtualClock, until } from '../../support/clock.ts';
import { endlessMbtiles } from '../../support/mapFiles.ts';
import { FakeElectron } from './fake/electron.ts';

test('a map is read in a utility process, which is killed in the middle of a query without an end', async () => {
  const fake = new FakeElectron();
  const fork = createUtilityFork(fake.asElectron());
  let ended = 0;
  const path = join(await temporaryFolder(), 'endless.mbtiles');
  await writeFile(path, endlessMbtiles());
  const clock = createVirtualClock();
  const database = await openTileDatabase({
    path,
    clock,
    fork: (file, args) => {
      const program = fork(file, args);
      program.onGone(() => void (ended += 1));
      return program;
    },
  });
  expect((await database.metadata())?.get('name')).toBe('endless');
  const asked = expect(database.zooms()).rejects.toMatchObject({ code: 'MAP_ENDLESS' });
  expect(clock.runNext(clock.elapsed() + 20_000)).toBe(true);
  await asked;
  await until(() => ended === 1, 'the end of the process');
  await database.close();
});
