import type { Dialog, SaveDialogOptions } from 'electron';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DesktopControl } from '../../../src-main/core/base/control.ts';
import { watchDialogs } from '../../../src-main/hosts/desktop/dialogs.ts';
import { createSaver } from '../../../src-main/hosts/desktop/saving.ts';

let folder: string;
let asked: SaveDialogOptions[];
let chosen: string | null;
let saveAs: DesktopControl['saveAs'];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'field-console-saving-'));
  asked = [];
  chosen = join(folder, 'chosen.csv');
  const showSaveDialog = ((options: SaveDialogOptions) => {
    asked.push(options);
    return Promise.resolve({ canceled: chosen === null, filePath: chosen ?? '' });
  }) as Dialog['showSaveDialog'];
  saveAs = createSaver({
    dialogs: watchDialogs(),
    electron: {
      BrowserWindow: { getFocusedWindow: () => null, getAllWindows: () => [] },
      dialog: { showSaveDialog },
    },
    makeSuffix: () => 'x1',
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function begun() {
  const saving = await saveAs('incidents.csv');
  if (!saving) throw new Error('Nothing was chosen');
  return saving;
}

it('offers the name, and writes nothing when no place is chosen', async () => {
  chosen = null;
  expect(await saveAs('incidents.csv')).toBeNull();
  expect(asked).toMatchObject([{ defaultPath: 'incidents.csv', filters: [{ extensions: ['csv'] }] }]);
  expect(await readdir(folder)).toEqual([]);
});

it('writes beside the place, and puts the file there whole', async () => {
  await writeFile(join(folder, 'chosen.csv'), 'what was there before');
  const saving = await begun();
  expect(saving.fileName).toBe('chosen.csv');
  await saving.write(Buffer.from('one '));
  await saving.write(Buffer.from('two'));
  expect(await readFile(join(folder, 'chosen.csv'), 'utf8')).toBe('what was there before');
  await saving.keep();
  expect(await readFile(join(folder, 'chosen.csv'), 'utf8')).toBe('one two');
  expect(await readdir(folder)).toEqual(['chosen.csv']);
  // Nobody else on this computer reads it.
  expect((await stat(join(folder, 'chosen.csv'))).mode & 0o077).toBe(0);
  // What is called once too often harms nothing.
  await saving.discard();
  expect(await readdir(folder)).toEqual(['chosen.csv']);
});

it('leaves what was there before when the file is not kept', async () => {
  await writeFile(join(folder, 'chosen.csv'), 'what was there before');
  const saving = await begun();
  await saving.write(Buffer.from('half'));
  await saving.discard();
  expect(await readdir(folder)).toEqual(['chosen.csv']);
  expect(await readFile(join(folder, 'chosen.csv'), 'utf8')).toBe('what was there before');
});

it('says with the system’s own code when there is no such folder', async () => {
  chosen = join(folder, 'gone', 'chosen.csv');
  await expect(saveAs('incidents.csv')).rejects.toMatchObject({ code: 'ENOENT' });
});

it.skipIf(process.getuid?.() === 0)('says so when it may not write there', async () => {
  await chmod(folder, 0o500);
  await expect(saveAs('incidents.csv')).rejects.toMatchObject({ code: 'EACCES' });
});

it('does not take a name of its own for one that is there', async () => {
  await writeFile(join(folder, '.chosen.csv.x1.part'), 'somebody else’s');
  await expect(saveAs('incidents.csv')).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(join(folder, '.chosen.csv.x1.part'), 'utf8')).toBe('somebody else’s');
});
