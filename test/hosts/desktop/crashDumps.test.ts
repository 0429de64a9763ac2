import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepCrashDumps } from '../../../src-main/hosts/desktop/crashDumps.ts';
import { FakeElectron } from './fake/electron.ts';

let folder: string;
let fake: FakeElectron;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'field-console-crashes-'));
  fake = new FakeElectron();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const crashes = (): string => join(folder, 'crashes');
const keep = () => {
  const { app, crashReporter } = fake.asElectron();
  return keepCrashDumps({ app, crashReporter, dataDir: folder });
};
/** A dump where Crashpad leaves it. */
function dump(name: string, at: number): void {
  mkdirSync(join(crashes(), 'completed'), { recursive: true });
  const path = join(crashes(), 'completed', name);
  writeFileSync(path, Buffer.alloc(1_500_000));
  utimesSync(path, at, at);
}

it('keeps what crashes on this computer, for this user alone, and sends nothing', () => {
  const { describe } = keep();
  expect(fake.crashReports).toEqual([{ uploadToServer: false }]);
  expect(fake.app.paths.get('crashDumps')).toBe(crashes());
  if (process.platform !== 'win32') expect(statSync(crashes()).mode & 0o777).toBe(0o700);
  expect(describe()).toBe('none');
  dump('a.dmp', 1_700_000_000);
  dump('b.dmp', 1_700_086_400);
  writeFileSync(join(crashes(), 'settings.dat'), '');
  expect(describe()).toBe('2: 2023-11-15T22:13:20Z (1.5 MB), 2023-11-14T22:13:20Z (1.5 MB)');
});

it('keeps the latest five: the next start removes the others', () => {
  for (let day = 1; day <= 7; day += 1) dump(`${String(day)}.dmp`, 1_700_000_000 + day);
  keep();
  expect(readdirSync(join(crashes(), 'completed')).sort()).toEqual([
    '3.dmp',
    '4.dmp',
    '5.dmp',
    '6.dmp',
    '7.dmp',
  ]);
});

it('starts without them where the folder cannot be written', () => {
  writeFileSync(crashes(), 'in the way');
  expect(keep().describe()).toBe('not kept: the folder cannot be written');
  expect(fake.crashReports).toEqual([]);
});
