import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { menuTemplate } from '../../src-main/hosts/desktop/menu.ts';
import { zoomMenuItems } from '../../src-main/hosts/desktop/settings/zoom.ts';
import {
  commandKeys,
  commandOf,
  isSingleKey,
  type CommandKey,
  type CommandName,
} from '../../src-renderer/lib/commandKeys.ts';
import { isBrowserKey } from '../../src-renderer/lib/browserKeys.ts';
import {
  ariaKeys,
  keyCaps,
  keyText,
  shortcutGroups,
  type ShortcutGroup,
} from '../../src-renderer/lib/shortcuts.ts';
import { languages } from '../../src-preload/contract/index.ts';
import { loadMessages } from '../../src-renderer/i18n/languages.ts';
import messages from '../../src-renderer/locales/en/index.ts';
import { messageMap } from '../support/messages.ts';
import { isKioskKey } from '../../src-main/hosts/desktop/keys.ts';

const root = join(import.meta.dirname, '../../src-renderer');

/** Which source acts on the keys of a group, where its own code names them. */
const handlers: Readonly<Partial<Record<ShortcutGroup['id'], readonly string[]>>> = {
  page: ['views/WorkspaceDesk.vue', 'components/DrawerFrame.vue', 'views/SavedViewRow.vue'],
  search: ['views/commands/SearchBox.vue'],
  incidents: ['components/incidentScroll.ts', 'components/IncidentList.vue', 'components/IncidentGrid.vue'],
  columns: ['components/GridHeader.vue', 'views/columns/ColumnsMenu.vue'],
  columnEdge: ['components/ColumnEdge.vue'],
  place: ['views/coordinates/GoToBox.vue'],
  timeline: ['lib/brush.ts', 'views/timeline/TimeBrush.vue', 'views/timeline/ReplayBar.vue'],
  note: ['views/log/NoteEditor.vue'],
  tour: ['views/help/TourOverlay.vue'],
  rows: ['components/PagedList.vue'],
  outbox: ['views/outbox/OutboxPanel.vue'],
  missions: ['views/missions/MissionList.vue'],
  hold: ['components/HoldButton.vue'],
  area: ['map/areaOverlay.ts', 'components/DrawingBar.vue'],
  resizer: ['views/PanelResizer.vue'],
};

/** Sources that look at keys without acting on one for the operator. */
const others: readonly string[] = [
  // Keys on the map, which have a test of their own.
  'views/commands/MapWalk.vue',
  // Keys of commands, which have a table of their own.
  'views/commands/CommandKeys.vue',
  // Keys that a kiosk keeps from its browser.
  'lib/browserKeys.ts',
  // A gesture of any key lets a page sound.
  'stores/siren.ts',
  // Any key is a sign that somebody is there.
  'stores/kiosk.ts',
  // Any key on the map ends the looking that it does by itself.
  'map/mapCamera.ts',
  // Keeps a held Enter from deciding again.
  'views/missions/DecisionBar.vue',
];

const named = /'(Arrow\w+|Home|End|PageUp|PageDown|Enter|Escape|Backspace|Delete| )'/g;
const asProperty = /\b(Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown):/g;
const asModifier = /@keydown\.(esc|enter)/g;

function keysIn(source: string): readonly string[] {
  const found = [...source.matchAll(named), ...source.matchAll(asProperty)].map(([, key = '']) => key);
  const modifiers = [...source.matchAll(asModifier)].map(([, key]) => (key === 'esc' ? 'Escape' : 'Enter'));
  return [...found, ...modifiers];
}
const sorted = (keys: Iterable<string>): string[] => [...new Set(keys)].sort();
const withoutModifiers = (shortcut: string): string => shortcut.split('+').at(-1) ?? '';

async function sources(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(vue|ts)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(relative(root, path).replaceAll('\\', '/'), await readFile(path, 'utf8'));
  }
  return found;
}

/** Groups whose keys are those of commands, and are held against the table of those below. */
const ofCommands: readonly ShortcutGroup['id'][] = ['commands', 'regions', 'walk'];

test.each(shortcutGroups.filter(({ id }) => ![...ofCommands, 'window', 'map'].includes(id)))(
  'the keys listed under “$id” are those that its code acts on, all of them and no other',
  async ({ id, shortcuts }) => {
    const all = await sources();
    const files = handlers[id] ?? [];
    const handled = files.flatMap((file) => keysIn(all.get(file) ?? ''));
    expect(sorted(shortcuts.flatMap(({ keys }) => keys.map(withoutModifiers)))).toEqual(sorted(handled));
  },
);

test('no source acts on a key outside of a listed group', async () => {
  const known = [...Object.values(handlers).flat(), ...others];
  const acting = [...(await sources())].filter(([, source]) =>
    /\bevent\.key\b|@key(down|up)|'key(down|up)'|onKeyStroke/.test(source),
  );
  const strangers = acting.map(([path]) => path).filter((path) => !known.includes(path));
  expect(strangers).toEqual([]);
});

test('the map’s keys are those that its name promises, and its library has not been told to leave them', async () => {
  const all = await sources();
  const map = [...all].filter(([path]) => path.startsWith('map/')).map(([, text]) => text);
  expect(JSON.stringify(messages)).toContain('Arrow keys move, plus and minus zoom.');
  expect(map.join()).not.toMatch(/keyboard\.disable\(|keyboard: false/);
  const keys = shortcutGroups.find(({ id }) => id === 'map')?.shortcuts.flatMap((one) => one.keys) ?? [];
  const arrows = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
  expect(sorted(keys.filter((key) => !key.startsWith('Shift+') && key !== 'Enter'))).toEqual(
    sorted([...arrows, '+', '-']),
  );
  const walked = keysIn(all.get('views/commands/MapWalk.vue') ?? '');
  expect(sorted(walked)).toEqual(sorted([...arrows, 'Enter']));
  expect(sorted(keys.filter((key) => key.startsWith('Shift+')))).toEqual(
    sorted(arrows.map((key) => `Shift+${key}`)),
  );
});

test('every command is listed once, with all its keys, and an action does it', async () => {
  const listed = shortcutGroups
    .filter(({ id }) => ofCommands.includes(id))
    .flatMap(({ shortcuts }) => shortcuts.map(({ keys }) => keys.join(' ')));
  expect([...listed].sort()).toEqual(
    Object.values(commandKeys)
      .map((keys) => keys.join(' '))
      .sort(),
  );
  const all = await sources();
  const actions = ['goActions', 'lookActions', 'workActions'].map((name) =>
    all.get(`views/commands/${name}.ts`),
  );
  for (const name of Object.keys(commandKeys).filter((one) => one !== 'palette'))
    expect(actions.join(), name).toMatch(new RegExp(`(command|rail|panel|map|details|status): '${name}'`));
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
  const zoom = zoomMenuItems({ change: () => undefined }).filter(({ visible }) => visible !== false);
  const menu = menuTemplate({ platform: 'linux', development: false, kiosk: false, zoom });
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
