/**
 * The keys of commands that work wherever the focus is. Keys of one sign alone rest while something is being
 * typed and can be switched off. None is a browser's own that a page cannot have; the first that a kiosk's
 * host keeps back (Ctrl+K, F6) has another beside it.
 */
export const commandKeys = {
  palette: ['Ctrl+K', '.'],
  search: ['/'],
  shortcuts: ['?'],
  nextIncident: ['J'],
  previousIncident: ['K'],
  worstOpen: ['W'],
  changed: ['C'],
  near: ['S'],
  alarms: ['U'],
  live: ['L'],
  farther: ['N'],
  nearer: ['P'],
  note: ['A'],
  pin: ['B'],
  export: ['E'],
  handOver: ['H'],
  timeline: ['T'],
  showAll: ['0'],
  nextRegion: ['F6'],
  previousRegion: ['Shift+F6'],
  toRail: ['1'],
  toPanel: ['2'],
  toMap: ['3'],
  toDetails: ['4'],
  toStatus: ['5'],
} as const satisfies Record<string, readonly string[]>;

export type CommandName = keyof typeof commandKeys;

/** What of a pressed key decides which command it is. */
export type CommandKey = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'
> & { readonly altGraph: boolean };

/** Whether a key is one sign alone, as WCAG 2.1.4 means it. */
export const isSingleKey = (shortcut: string): boolean => [...shortcut].length === 1;

/** The command of a pressed key; null for none. `singleKeys`: whether keys of one sign count. */
export function commandOf(
  pressed: CommandKey,
  { mac, singleKeys }: { readonly mac: boolean; readonly singleKeys: boolean },
): CommandName | null {
  for (const name of Object.keys(commandKeys) as CommandName[]) {
    const keys: readonly string[] = commandKeys[name];
    if (keys.some((key) => (singleKeys || !isSingleKey(key)) && isPressed(key, pressed, mac))) return name;
  }
  return null;
}

function isPressed(shortcut: string, pressed: CommandKey, mac: boolean): boolean {
  const parts = shortcut.split('+');
  const wanted = parts.at(-1) ?? '';
  const key = signOf(pressed);
  const control = mac ? pressed.metaKey : pressed.ctrlKey;
  const other = mac ? pressed.ctrlKey : pressed.metaKey;
  if (isSingleKey(shortcut)) {
    // Some layouts reach a sign by Shift or by Alt Graph, which calls itself Ctrl and Alt.
    if (!pressed.altGraph && (pressed.ctrlKey || pressed.metaKey || pressed.altKey)) return false;
    return key.toUpperCase() === wanted && !(pressed.shiftKey && /[A-Z]/.test(wanted));
  }
  return (
    key.toUpperCase() === wanted.toUpperCase() &&
    control === parts.includes('Ctrl') &&
    pressed.shiftKey === parts.includes('Shift') &&
    !other &&
    !pressed.altKey
  );
}

const signsByCode: Readonly<Record<string, readonly [plain: string, shifted: string]>> = {
  Slash: ['/', '?'],
  Period: ['.', '>'],
};

/** The sign of a key; where the layout writes another script, the one that stands there on a Latin one. */
function signOf({ key, code, shiftKey }: CommandKey): string {
  if (key.length !== 1 || key.charCodeAt(0) < 0x80) return key;
  const [, letter] = /^(?:Key|Digit)([A-Z0-9])$/.exec(code) ?? [];
  return letter ?? signsByCode[code]?.[shiftKey ? 1 : 0] ?? key;
}
