/** A key, or keys held together, as `KeyboardEvent.key` names them: `Alt+ArrowUp`. */
export interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

export interface ShortcutGroup {
  readonly id:
    'page' | 'map' | 'incidents' | 'rows' | 'outbox' | 'missions' | 'hold' | 'resizer' | 'area' | 'window';
  readonly title: string;
  /** Only the desktop application has it: a browser has keys of its own. */
  readonly desktop?: true;
  readonly shortcuts: readonly Shortcut[];
}

/** Every key that the console acts on itself, by the place that has the focus. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    id: 'page',
    title: 'Anywhere',
    shortcuts: [{ keys: ['Escape'], does: 'Close the details, a drawer, a menu or a dialog' }],
  },
  {
    id: 'map',
    title: 'Map',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], does: 'Move it' },
      { keys: ['+', '-'], does: 'Closer or farther' },
    ],
  },
  {
    id: 'incidents',
    title: 'List of incidents',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'To the incident above or below' },
      { keys: ['PageUp', 'PageDown'], does: 'One page up or down' },
      { keys: ['Home', 'End'], does: 'To the first or the last' },
      { keys: ['Enter', ' '], does: 'Open its details' },
      { keys: ['Escape'], does: 'Close the details' },
    ],
  },
  {
    id: 'rows',
    title: 'Lists of evidence, uploads and the log',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'To the row above or below' },
      { keys: ['PageUp', 'PageDown'], does: 'One page up or down' },
      { keys: ['Home', 'End'], does: 'To the first or the last' },
      { keys: ['Enter', ' '], does: 'Open or close the row' },
      { keys: ['Escape'], does: 'Back from inside a row to the list' },
    ],
  },
  {
    id: 'outbox',
    title: 'Outbox',
    shortcuts: [
      { keys: ['Alt+ArrowUp', 'Alt+ArrowDown'], does: 'Send it one place earlier or later' },
      { keys: ['Alt+Home'], does: 'Send it first' },
      { keys: ['Delete'], does: 'Discard it' },
    ],
  },
  {
    id: 'missions',
    title: 'List of missions',
    shortcuts: [
      { keys: ['ArrowUp', 'ArrowDown'], does: 'To the mission above or below' },
      { keys: ['Home', 'End'], does: 'To the first or the last' },
    ],
  },
  {
    id: 'hold',
    title: 'Decisions',
    shortcuts: [{ keys: ['Enter', ' '], does: 'Held down: decide' }],
  },
  {
    id: 'area',
    title: 'Drawing an area of alarms',
    shortcuts: [
      { keys: [' '], does: 'A corner at the middle of the map' },
      { keys: ['Backspace'], does: 'Take the last corner back' },
      { keys: ['Enter'], does: 'Finish' },
      { keys: ['Escape'], does: 'Leave it as it was' },
    ],
  },
  {
    id: 'resizer',
    title: 'Edge of the panel',
    shortcuts: [{ keys: ['ArrowLeft', 'ArrowRight'], does: 'Narrower or wider' }],
  },
  {
    id: 'window',
    title: 'Window',
    desktop: true,
    shortcuts: [
      { keys: ['Ctrl++', 'Ctrl+-'], does: 'Draw the page larger or smaller' },
      { keys: ['Ctrl+0'], does: 'Draw it at its own size' },
      { keys: ['F11'], does: 'Full screen, and back' },
    ],
  },
];

const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc',
  ' ': 'Space',
  '-': '−',
};

/** The parts of a shortcut as they are printed on keys; a Mac has other modifiers. */
export function keyCaps(shortcut: string, mac: boolean): readonly string[] {
  if (mac && shortcut === 'F11') return ['⌃', '⌘', 'F'];
  // The last part may itself be a plus sign.
  const parts = shortcut.split(/\+(?=.)/);
  const modifiers: Readonly<Record<string, string>> = mac ? { Ctrl: '⌘', Alt: '⌥' } : {};
  return parts.map((part) => modifiers[part] ?? signs[part] ?? part);
}
