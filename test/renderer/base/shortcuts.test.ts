import { expect, test, vi } from 'vitest';
import { handledKeys } from '../../../build/lint/handledKeys.ts';
import { isKioskKey } from '../../../src-main/hosts/desktop/kiosk.ts';
import { menuTemplate } from '../../../src-main/hosts/desktop/menus.ts';
import { zoomMenuItems } from '../../../src-main/hosts/desktop/settings/zoom.ts';
import { createWords } from '../../../src-main/hosts/desktop/words.ts';
import { languages } from '../../../src-preload/contract/index.ts';
import { actionsOf } from '../../../src-renderer/app/commands/actions.ts';
import {
  commandKeys,
  commandOf,
  isSingleKey,
  type CommandKey,
  type CommandName,
} from '../../../src-renderer/base/commandKeys.ts';
import {
  ariaKeys,
  keyCaps,
  keyText,
  shortcutGroups,
  type ShortcutGroup,
} from '../../../src-renderer/base/shortcuts.ts';
import { isBrowserKey } from '../../../src-renderer/features/kiosk/browserKeys.ts';
import { loadMessages } from '../../../src-renderer/i18n/languages.ts';
import messages from '../../../src-renderer/i18n/messages/en.ts';
import { messageMap } from '../../support/messages.ts';
import { createPage } from '../pageRig.ts';

const sorted = (keys: Iterable<string>): string[] => [...new Set(keys)].sort();
const withoutModifiers = (shortcut: string): string => shortcut.split('+').at(-1) ?? '';

/** Groups whose keys are those of commands, and are held against the table of those below. */
const ofCommands: readonly ShortcutGroup['id'][] = ['commands', 'regions', 'walk'];

const keysHandled = (group: string): string[] => Object.values(handledKeys[group] ?? {}).flat();

// That its code acts on these keys and no other is a rule of ESLint (build/lint/handledKeys.ts).
test.each(shortcutGroups.filter(({ id }) => ![...ofCommands, 'window', 'map'].includes(id)))(
  'the keys listed under “$id” are those that its code acts on, all of them and no other',
  ({ id, shortcuts }) => {
    const listed = shortcuts.flatMap(({ keys }) => keys.map(withoutModifiers));
    expect(sorted(listed)).toEqual(sorted(keysHandled(id)));
  },
);

test('every group whose keys code acts on is listed', () => {
  const ids: readonly string[] = shortcutGroups.map(({ id }) => id);
  expect(Object.keys(handledKeys).filter((group) => !ids.includes(group))).toEqual([]);
});

test('the map’s keys are those that its name promises, and those that walk from mark to mark', () => {
  expect(JSON.stringify(messages)).toContain('Arrow keys move, plus and minus zoom.');
  const keys = shortcutGroups.find(({ id }) => id === 'map')?.shortcuts.flatMap((one) => one.keys) ?? [];
  const arrows = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
  expect(sorted(keys.filter((key) => !key.startsWith('Shift+') && key !== 'Enter'))).toEqual(
    sorted([...arrows, '+', '-']),
  );
  expect(sorted(keysHandled('map'))).toEqual(sorted([...arrows, 'Enter']));
  expect(sorted(keys.filter((key) => key.startsWith('Shift+')))).toEqual(
    sorted(arrows.map((key) => `Shift+${key}`)),
  );
});

test('every command is listed once, with all its keys, and an action does it', () => {
  const listed = shortcutGroups
    .filter(({ id }) => ofCommands.includes(id))
    .flatMap(({ shortcuts }) => shortcuts.map(({ keys }) => keys.join(' ')));
  expect([...listed].sort()).toEqual(
    Object.values(commandKeys)
      .map((keys) => keys.join(' '))
      .sort(),
  );
  vi.stubGlobal('document', new EventTarget());
  const done = createPage().run(() => actionsOf().value.map(({ command }) => command));
  vi.unstubAllGlobals();
  // The palette lists the actions, and is none itself.
  expect(sorted(done.filter((name) => name !== undefined))).toEqual(
    sorted(Object.keys(commandKeys).filter((name) => name !== 'palette')),
  );
});

const pressed = (shortcut: string, change: Partial<CommandKey> = {}): CommandKey => {
  const parts = shortcut.split('+');
  const key = parts.at(-1) ?? '';
  return {
    key: isSingleKey(key) ? key.toLowerCase() : key,
    code: /^[A-Z]$/.test(key) ? `Key${key}` : '',
    ctrlKey: parts.includes('Ctrl'),
    metaKey: false,
    altKey: false,
    shiftKey: parts.includes('Shift'),
    altGraph: false,
    ...change,
  };
};
const both = { mac: false, singleKeys: true };

test('no key with Alt is one by which a browser goes to another page', () => {
  const keys = shortcutGroups.flatMap(({ shortcuts }) => shortcuts.flatMap((one) => one.keys));
  const withAlt = keys.filter((key) => key.startsWith('Alt+'));
  expect(withAlt).toContain('Alt+PageUp');
  expect(withAlt.filter((key) => isBrowserKey(pressed(key, { altKey: true })))).toEqual([]);
});

test.each(Object.entries(commandKeys).flatMap(([name, keys]) => keys.map((key) => ({ name, key }))))(
  '$key is the command $name and no other',
  ({ name, key }) => {
    expect(commandOf(pressed(key), both)).toBe(name);
    expect(commandOf(pressed(key, { altKey: true }), both)).toBeNull();
    expect(commandOf(pressed(key), { mac: false, singleKeys: false })).toBe(isSingleKey(key) ? null : name);
  },
);

test('signs are found where a layout hides them, and letters where it writes another script', () => {
  expect(commandOf(pressed('?', { shiftKey: true }), both)).toBe('shortcuts');
  expect(commandOf(pressed('/', { altGraph: true, ctrlKey: true, altKey: true }), both)).toBe('search');
  expect(commandOf(pressed('م', { code: 'KeyN' }), both)).toBe('farther');
  expect(commandOf(pressed('؟', { code: 'Slash', shiftKey: true }), both)).toBe('shortcuts');
  expect(commandOf(pressed('٣', { code: 'Digit3' }), both)).toBe('toMap');
  // A capital is somebody who types, and Ctrl with a letter is the browser's.
  expect(commandOf(pressed('N', { key: 'N', shiftKey: true }), both)).toBeNull();
  expect(commandOf(pressed('N', { ctrlKey: true }), both)).toBeNull();
});

test('a Mac has its own key for commands', () => {
  const mac = { mac: true, singleKeys: true };
  expect(commandOf(pressed('K', { metaKey: true }), mac)).toBe('palette');
  expect(commandOf(pressed('Ctrl+K'), mac)).toBeNull();
});

test('no single key is one that a kiosk keeps back, and every command that has one kept back has another way', () => {
  const reaches = (key: string): boolean => {
    const { ctrlKey: control, shiftKey: shift, key: sign } = pressed(key);
    const input = { type: 'keyDown' as const, key: sign, shift, control, alt: false, meta: false };
    return isKioskKey(input, 'linux') && !isBrowserKey(pressed(key));
  };
  const unreachable = (Object.keys(commandKeys) as CommandName[]).filter(
    (name) => !commandKeys[name].some(reaches),
  );
  // The parts of the page have a digit each.
  expect(unreachable).toEqual(['nextRegion', 'previousRegion']);
  expect(
    Object.values(commandKeys)
      .flat()
      .filter((key) => isSingleKey(key) && !reaches(key)),
  ).toEqual([]);
});

test('the window’s keys are those of its menu', () => {
  const keys = shortcutGroups.find(({ id }) => id === 'window')?.shortcuts.flatMap((one) => one.keys);
  const words = createWords({ getLocale: () => 'en', getPreferredSystemLanguages: () => [] });
  const zoom = zoomMenuItems({ change: () => undefined }, words).filter(({ visible }) => visible !== false);
  const menu = menuTemplate({
    platform: 'linux',
    development: false,
    kiosk: false,
    zoom,
    words,
    quit: () => undefined,
  });
  const view = menu?.find(({ label }) => label === 'View')?.submenu;
  const accelerators = (Array.isArray(view) ? view : []).flatMap(({ accelerator, role }) => {
    // The role brings its key along.
    if (role === 'togglefullscreen') return ['F11'];
    return accelerator?.replace('CommandOrControl', 'Ctrl').replace('Plus', '+') ?? [];
  });
  expect(sorted(keys ?? [])).toEqual(sorted(accelerators));
});

test('keys read as they are printed', () => {
  expect(keyCaps('Alt+ArrowUp', false)).toEqual(['Alt', '↑']);
  expect(keyCaps('Alt+ArrowUp', true)).toEqual(['⌥', '↑']);
  expect(keyCaps('Ctrl++', false)).toEqual(['Ctrl', '+']);
  expect(keyCaps('Ctrl+-', true)).toEqual(['⌘', '−']);
  expect(keyCaps('F11', false)).toEqual(['F11']);
  expect(keyCaps('F11', true)).toEqual(['⌃', '⌘', 'F']);
  expect(keyCaps(' ', false)).toEqual(['Space']);
  expect(keyCaps('PageDown', false)).toEqual(['PgDn']);
  expect(['Ctrl+K', 'Alt', '?', 'Shift+F6'].map((key) => keyText(key, false))).toEqual([
    ...['Ctrl+K', 'Alt', '?', 'Shift+F6'],
  ]);
  expect(['Ctrl+K', 'Alt', '?', 'Shift+F6'].map((key) => keyText(key, true))).toEqual([
    ...['⌘K', '⌥', '?', '⇧F6'],
  ]);
  expect([ariaKeys('Ctrl+K', false), ariaKeys('Ctrl+K', true), ariaKeys('T', true)]).toEqual([
    ...['Control+K', 'Meta+K', 'T'],
  ]);
});

test.each(languages)('no text of %s names a key that a Mac calls otherwise', async (language) => {
  const words = messageMap(language === 'en' ? messages : await loadMessages(language));
  const named = [...words].filter(
    ([key, text]) =>
      !key.startsWith('shortcuts.keys.') && /(?<!\p{L})(?:Ctrl|Control|Alt|Cmd|Option)(?!\p{L})/u.test(text),
  );
  expect(named).toEqual([]);
});
