import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { menuTemplate } from '../../src-main/hosts/desktop/menu.ts';
import { zoomMenuItems } from '../../src-main/hosts/desktop/settings/zoom.ts';
import { keyCaps, shortcutGroups, type ShortcutGroup } from '../../src-renderer/lib/shortcuts.ts';

const root = join(import.meta.dirname, '../../src-renderer');

/** Which source acts on the keys of a group, where its own code names them. */
const handlers: Readonly<Partial<Record<ShortcutGroup['id'], readonly string[]>>> = {
  page: ['App.vue', 'components/DrawerFrame.vue'],
  incidents: ['components/IncidentList.vue'],
  rows: ['components/PagedList.vue'],
  outbox: ['views/outbox/OutboxPanel.vue'],
  missions: ['views/missions/MissionList.vue'],
  hold: ['components/HoldButton.vue'],
  area: ['map/areaOverlay.ts', 'views/alarms/AreaDrawBar.vue'],
  resizer: ['views/PanelResizer.vue'],
};

/** Sources that look at keys without acting on one for the operator. */
const others: readonly string[] = [
  // Keys that a kiosk keeps from its browser.
  'lib/browserKeys.ts',
  // A gesture of any key lets a page sound.
  'stores/siren.ts',
  // Any key is a sign that somebody is there.
  'stores/kiosk.ts',
  // Keeps a held Enter from deciding again.
  'views/missions/MissionsPanel.vue',
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

test.each(shortcutGroups.filter(({ id }) => id !== 'window' && id !== 'map'))(
  'the keys listed under “$title” are those that its code acts on, all of them and no other',
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
  const map = [...(await sources())].filter(([path]) => path.startsWith('map/')).map(([, text]) => text);
  expect(map.join()).toContain('Arrow keys move, plus and minus zoom.');
  expect(map.join()).not.toMatch(/keyboard\.disable\(|keyboard: false/);
  const keys = shortcutGroups.find(({ id }) => id === 'map')?.shortcuts.flatMap((one) => one.keys);
  expect(sorted(keys ?? [])).toEqual(sorted(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', '+', '-']));
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
});
