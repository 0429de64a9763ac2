import type { MenuItemConstructorOptions } from 'electron';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWords, storedLanguage } from '../../../src-main/hosts/desktop/words.ts';
import { languages } from '../../../src-preload/contract/index.ts';
import { desktopUnderTest, type DesktopUnderTest } from '../support/desktopHost.ts';

let desktop: DesktopUnderTest;
beforeEach(async () => {
  desktop = await desktopUnderTest();
});
afterEach(() => desktop.end());

const titles = () => desktop.electron.menu?.map(({ label }) => label);

it('the menu is in the language of the computer’s owner, until another one is chosen', async () => {
  // As navigator.languages of the page: the first one is not among ours.
  desktop.electron.app.languages = ['de-AT', 'fr-CA', 'en'];
  await desktop.run();
  expect(titles()).toEqual(['Console', 'Édition', 'Affichage', 'Fenêtre']);
  desktop.options.words.use('zh-Hans');
  expect(titles()).toEqual(['控制台', '编辑', '视图', '窗口']);
  desktop.options.words.use('system');
  expect(titles()).toEqual(['Console', 'Édition', 'Affichage', 'Fenêtre']);
});

it.each(['linux', 'win32', 'darwin'] as const)(
  'no entry has Electron’s own English words on %s',
  async (platform) => {
    desktop.options.words.use('hi');
    const window = await desktop.run({ platform });
    const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
    window.webContents.emit('context-menu', {}, { isEditable: true, selectionText: '', editFlags });
    const entries = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
      items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? entries(item.submenu) : [])]);
    const all = entries([...(desktop.electron.menu ?? []), ...desktop.electron.popups.flat()]);
    expect(all.length).toBeGreaterThan(20);
    const foreign = all.filter(
      ({ type, label }) => type !== 'separator' && !/\p{Script=Devanagari}/u.test(label ?? ''),
    );
    expect(foreign.map(({ label }) => label)).toEqual(platform === 'darwin' ? ['Field Console'] : []);
  },
);

it.each(languages)('a question has its plural forms in %s', (language) => {
  const words = createWords(desktop.electron.app);
  words.use(language);
  const forms = [1, 2, 3, 11, 100].map((n) => words.text('closing.question', { n }));
  expect(new Set(forms).size).toBeGreaterThan(language === 'zh-Hans' ? 0 : 1);
  for (const form of forms) expect(form).not.toMatch(/[{|}]/);
});

it('the command line stays English', () => {
  const words = createWords(desktop.electron.app);
  words.use('es');
  expect(words.english('boxes.notStarted', { reason: 'EIO' })).toBe('The console could not start: EIO');
  expect(words.text('boxes.notStarted', { reason: 'EIO' })).toBe('La consola no pudo arrancar: EIO');
});

it('a start knows the stored language before its console is open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'field-console-words-'));
  expect(storedLanguage(folder)).toBe('system');
  for (const [text, expected] of [
    ['{"language":"fr","theme":"red"}', 'fr'],
    ['{"language":"xx"}', 'system'],
    ['not json', 'system'],
  ] as const) {
    await writeFile(join(folder, 'preferences.json'), text);
    expect(storedLanguage(folder)).toBe(expected);
  }
  await rm(folder, { recursive: true });
});
