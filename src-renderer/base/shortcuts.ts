import { t, type MessageKey } from '../i18n/index.ts';
import { keyedCommands, type CommandGroup, type KeyedCommand } from './commandKeys.ts';

/** A key, or keys held together, as `KeyboardEvent.key` names them: `Alt+ArrowUp`. */
export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: MessageKey;
}

export interface ShortcutGroup {
  readonly id:
    | 'page'
    | 'commands'
    | 'regions'
    | 'walk'
    | 'map'
    | 'search'
    | 'place'
    | 'timeline'
    | 'columns'
    | 'columnEdge'
    | 'note'
    | 'handover'
    | 'tour'
    | 'incidents'
    | 'rows'
    | 'viewer'
    | 'outbox'
    | 'missions'
    | 'alarms'
    | 'drones'
    | 'hold'
    | 'resizer'
    | 'area'
    | 'window';
  readonly title: MessageKey;
  /** Only the desktop application has it: a browser has its own keys. */
  readonly desktop?: true;
  readonly shortcuts: readonly Shortcut[];
}

/** Saves what is being written in several lines. */
export const saveKeys = 'Ctrl+Enter';

/** The keys of commands that are listed in a group, in the order of their table. */
export const commandShortcuts = (
  group: CommandGroup,
  commands: Readonly<Record<string, KeyedCommand>> = keyedCommands,
): readonly Shortcut[] =>
  Object.values(commands).filter(({ does }) => does.startsWith(`shortcuts.${group}.`));

/** Every key that the console acts on itself, by the place that has the focus. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    id: 'page',
    title: 'shortcuts.page.title',
    shortcuts: [{ keys: ['Escape'], does: 'shortcuts.page.close' }],
  },
  {
    id: 'commands',
    title: 'shortcuts.commands.title',
    shortcuts: commandShortcuts('commands'),
  },
  {
    id: 'regions',
    title: 'shortcuts.regions.title',
    shortcuts: commandShortcuts('regions'),
  },
  {
    id: 'walk',
    title: 'shortcuts.walk.title',
    shortcuts: commandShortcuts('walk'),
  },
  {
    id: 'map',
    title: 'shortcuts.map.title',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], does: 'shortcuts.map.move' },
      { keys: ['+', '-'], does: 'shortcuts.map.zoom' },
      {
        keys: ['Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowLeft', 'Shift+ArrowRight'],
        does: 'shortcuts.map.walk',
      },
      { keys: ['Enter'], does: 'shortcuts.map.open' },
    ],
  },
  {
    id: 'search',
    title: 'shortcuts.search.title',
    shortcuts: [
      { keys: ['Escape'], does: 'shortcuts.search.clear' },
      { keys: ['ArrowUp', 'ArrowDown'], does: 'shortcuts.search.offer' },
      { keys: ['Enter', 'ArrowDown'], does: 'shortcuts.search.toList' },
    ],
  },
  {
    id: 'incidents',
    title: 'shortcuts.incidents.title',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'shortcuts.incidents.row' },
      { keys: ['PageUp', 'PageDown'], does: 'shortcuts.incidents.page' },
      { keys: ['Home', 'End'], does: 'shortcuts.incidents.end' },
      { keys: ['Enter'], does: 'shortcuts.incidents.open' },
      { keys: [' '], does: 'shortcuts.incidents.mark' },
      { keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], does: 'shortcuts.incidents.stretch' },
      { keys: ['ArrowLeft', 'ArrowRight'], does: 'shortcuts.incidents.group' },
      { keys: ['Escape'], does: 'shortcuts.incidents.close' },
    ],
  },
  {
    id: 'columns',
    title: 'shortcuts.columns.title',
    shortcuts: [
      { keys: ['ArrowLeft', 'ArrowRight'], does: 'shortcuts.columns.other' },
      { keys: ['Home', 'End'], does: 'shortcuts.columns.end' },
      { keys: ['Enter', ' '], does: 'shortcuts.columns.sort' },
      { keys: ['ArrowDown'], does: 'shortcuts.columns.rows' },
      { keys: ['Alt+ArrowUp', 'Alt+ArrowDown'], does: 'shortcuts.columns.move' },
    ],
  },
  {
    id: 'columnEdge',
    title: 'shortcuts.columnEdge.title',
    shortcuts: [
      { keys: ['ArrowLeft', 'ArrowRight'], does: 'shortcuts.columnEdge.width' },
      { keys: ['Home', 'End'], does: 'shortcuts.columnEdge.end' },
      { keys: ['Enter'], does: 'shortcuts.columnEdge.usual' },
    ],
  },
  {
    id: 'place',
    title: 'shortcuts.place.title',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'shortcuts.place.choose' },
      { keys: ['Enter'], does: 'shortcuts.place.go' },
      { keys: ['Escape'], does: 'shortcuts.place.close' },
    ],
  },
  {
    id: 'timeline',
    title: 'shortcuts.timeline.title',
    shortcuts: [
      { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], does: 'shortcuts.timeline.step' },
      { keys: ['PageUp', 'PageDown'], does: 'shortcuts.timeline.page' },
      { keys: ['Home', 'End'], does: 'shortcuts.timeline.end' },
      { keys: [' '], does: 'shortcuts.timeline.play' },
      { keys: ['Escape'], does: 'shortcuts.timeline.clear' },
    ],
  },
  {
    id: 'note',
    title: 'shortcuts.note.title',
    shortcuts: [
      { keys: [saveKeys], does: 'shortcuts.note.save' },
      { keys: ['Escape'], does: 'shortcuts.note.leave' },
    ],
  },
  {
    id: 'handover',
    title: 'shortcuts.handover.title',
    shortcuts: [{ keys: [saveKeys], does: 'shortcuts.handover.give' }],
  },
  {
    id: 'rows',
    title: 'shortcuts.rows.title',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'shortcuts.rows.row' },
      { keys: ['PageUp', 'PageDown'], does: 'shortcuts.rows.page' },
      { keys: ['Home', 'End'], does: 'shortcuts.rows.end' },
      { keys: ['Enter', ' '], does: 'shortcuts.rows.open' },
      { keys: ['Escape'], does: 'shortcuts.rows.close' },
    ],
  },
  {
    id: 'viewer',
    title: 'shortcuts.viewer.title',
    shortcuts: [
      { keys: ['PageUp', 'PageDown'], does: 'shortcuts.viewer.step' },
      { keys: ['ArrowLeft', 'ArrowRight'], does: 'shortcuts.viewer.stepOrMove' },
      { keys: ['ArrowUp', 'ArrowDown'], does: 'shortcuts.viewer.move' },
    ],
  },
  {
    id: 'outbox',
    title: 'shortcuts.outbox.title',
    shortcuts: [
      { keys: ['Alt+ArrowUp', 'Alt+ArrowDown'], does: 'shortcuts.outbox.move' },
      { keys: ['Alt+PageUp'], does: 'shortcuts.outbox.first' },
      { keys: ['Delete'], does: 'shortcuts.outbox.discard' },
    ],
  },
  {
    id: 'alarms',
    title: 'shortcuts.alarms.title',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'shortcuts.alarms.row' },
      { keys: ['Delete', 'Backspace'], does: 'shortcuts.alarms.acknowledge' },
    ],
  },
  {
    id: 'missions',
    title: 'shortcuts.missions.title',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'shortcuts.missions.row' },
      { keys: ['Home', 'End'], does: 'shortcuts.missions.end' },
      { keys: ['Enter'], does: 'shortcuts.missions.approve' },
    ],
  },
  {
    id: 'drones',
    title: 'shortcuts.drones.title',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'shortcuts.drones.row' },
      { keys: ['PageUp', 'PageDown'], does: 'shortcuts.drones.page' },
      { keys: ['Home', 'End'], does: 'shortcuts.drones.end' },
      { keys: ['Enter', ' '], does: 'shortcuts.drones.go' },
      { keys: ['Escape'], does: 'shortcuts.drones.close' },
    ],
  },
  {
    id: 'hold',
    title: 'shortcuts.hold.title',
    shortcuts: [{ keys: ['Enter', ' '], does: 'shortcuts.hold.decide' }],
  },
  {
    id: 'area',
    title: 'shortcuts.area.title',
    shortcuts: [
      { keys: [' '], does: 'shortcuts.area.corner' },
      { keys: ['Backspace'], does: 'shortcuts.area.undo' },
      { keys: ['Enter'], does: 'shortcuts.area.finish' },
      { keys: ['Escape'], does: 'shortcuts.area.leave' },
    ],
  },
  {
    id: 'tour',
    title: 'shortcuts.tour.title',
    shortcuts: [
      { keys: ['PageUp', 'PageDown'], does: 'shortcuts.tour.step' },
      { keys: ['Escape'], does: 'shortcuts.tour.end' },
    ],
  },
  {
    id: 'resizer',
    title: 'shortcuts.resizer.title',
    shortcuts: [{ keys: ['ArrowLeft', 'ArrowRight'], does: 'shortcuts.resizer.move' }],
  },
  {
    id: 'window',
    title: 'shortcuts.window.title',
    desktop: true,
    shortcuts: [
      { keys: ['Ctrl++', 'Ctrl+-'], does: 'shortcuts.window.zoom' },
      { keys: ['Ctrl+0'], does: 'shortcuts.window.actual' },
      { keys: ['F11'], does: 'shortcuts.window.full' },
    ],
  },
];

const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  '-': '−',
};
/** Keys that a language's keyboards may name in their own way. */
const names: Readonly<Record<string, MessageKey>> = {
  Ctrl: 'shortcuts.keys.ctrl',
  Alt: 'shortcuts.keys.alt',
  Shift: 'shortcuts.keys.shift',
  Enter: 'shortcuts.keys.enter',
  ' ': 'shortcuts.keys.space',
  Escape: 'shortcuts.keys.escape',
  PageUp: 'shortcuts.keys.pageUp',
  PageDown: 'shortcuts.keys.pageDown',
  Home: 'shortcuts.keys.home',
  End: 'shortcuts.keys.end',
  Delete: 'shortcuts.keys.delete',
  Backspace: 'shortcuts.keys.backspace',
};
const macModifiers: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };
const nameOf = (key: string): string | undefined => {
  const name = names[key];
  return name === undefined ? undefined : t(name);
};

/** The parts of a shortcut as they are printed on keys; a Mac has other modifiers. */
export function keyCaps(shortcut: string, mac: boolean): readonly string[] {
  if (mac && shortcut === 'F11') return ['⌃', '⌘', 'F'];
  // The last part may itself be a plus sign.
  const parts = shortcut.split(/\+(?=.)/);
  return parts.map((part) => (mac ? macModifiers[part] : undefined) ?? signs[part] ?? nameOf(part) ?? part);
}

/** A shortcut as it stands in a sentence, by the names on the keys: `Ctrl+K`, `⌘K`. */
export const keyText = (shortcut: string, mac: boolean): string =>
  keyCaps(shortcut, mac).join(mac ? '' : '+');

/** The same for `aria-keyshortcuts`, which has its own names: `Control+K`, `Meta+K`. */
export const ariaKeys = (shortcut: string, mac: boolean): string =>
  shortcut.replace(/^Ctrl(?=\+)/, mac ? 'Meta' : 'Control');

/** Which keys have the names of a Mac's. */
export const onMac = (): boolean => /mac/i.test(navigator.platform);
