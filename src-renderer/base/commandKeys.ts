import type { MessageKey } from '../i18n/index.ts';

/** A command with keys. Its action, in the palette's registry (app/commands), says what it does and when. */
export interface KeyedCommand {
  readonly keys: readonly string[];
  /** The id of the action; none for the palette, which lists the actions. */
  readonly action?: string;
  /** What the list of keys says of it; the key's second part is the group there. */
  readonly does: CommandMessage;
}
/** Groups of the list of keys that have the keys of commands. */
export type CommandGroup = 'commands' | 'regions' | 'walk';
type CommandMessage = Extract<MessageKey, `shortcuts.${CommandGroup}.${string}`>;

/**
 * The keys of commands that work wherever the focus is, in the order of the list of keys. Keys of one sign alone
 * rest while something is being typed and can be switched off. None is a browser's own that a page cannot have; the
 * first that a kiosk's host keeps back (Ctrl+K, F6) has another beside it. One table for all features: a key has one
 * meaning on the whole page, and build/quick-card.ts reads it without the page.
 */
export const keyedCommands = {
  palette: { keys: ['Ctrl+K', '.'], does: 'shortcuts.commands.palette' },
  search: { keys: ['/'], action: 'search', does: 'shortcuts.commands.search' },
  shortcuts: { keys: ['?'], action: 'shortcuts', does: 'shortcuts.commands.shortcuts' },
  nextIncident: { keys: ['J'], action: 'next-incident', does: 'shortcuts.commands.nextIncident' },
  previousIncident: { keys: ['K'], action: 'previous-incident', does: 'shortcuts.commands.previousIncident' },
  worstOpen: { keys: ['W'], action: 'worst-open', does: 'shortcuts.commands.worstOpen' },
  changed: { keys: ['C'], action: 'changed', does: 'shortcuts.commands.changed' },
  near: { keys: ['S'], action: 'near', does: 'shortcuts.commands.near' },
  nextDrone: { keys: ['D'], action: 'next-drone', does: 'shortcuts.commands.nextDrone' },
  followDrone: { keys: ['F'], action: 'follow-drone', does: 'shortcuts.commands.followDrone' },
  alarms: { keys: ['U'], action: 'next-alarm', does: 'shortcuts.commands.alarms' },
  live: { keys: ['L'], action: 'drawer-sync', does: 'shortcuts.commands.live' },
  farther: { keys: ['N'], action: 'farther', does: 'shortcuts.walk.farther' },
  nearer: { keys: ['P'], action: 'nearer', does: 'shortcuts.walk.nearer' },
  note: { keys: ['A'], action: 'note', does: 'shortcuts.commands.note' },
  pin: { keys: ['B'], action: 'pin', does: 'shortcuts.commands.pin' },
  export: { keys: ['E'], action: 'export', does: 'shortcuts.commands.export' },
  handOver: { keys: ['H'], action: 'hand-over', does: 'shortcuts.commands.handOver' },
  timeline: { keys: ['T'], action: 'timeline', does: 'shortcuts.commands.timeline' },
  showAll: { keys: ['0'], action: 'show-all', does: 'shortcuts.commands.showAll' },
  nextRegion: { keys: ['F6'], action: 'next-region', does: 'shortcuts.regions.next' },
  previousRegion: { keys: ['Shift+F6'], action: 'previous-region', does: 'shortcuts.regions.previous' },
  toRail: { keys: ['1'], action: 'region-rail', does: 'shortcuts.regions.rail' },
  toPanel: { keys: ['2'], action: 'region-panel', does: 'shortcuts.regions.panel' },
  toMap: { keys: ['3'], action: 'region-map', does: 'shortcuts.regions.map' },
  toDetails: { keys: ['4'], action: 'region-details', does: 'shortcuts.regions.details' },
  toStatus: { keys: ['5'], action: 'region-status', does: 'shortcuts.regions.status' },
} as const satisfies Record<string, KeyedCommand>;

export type CommandName = keyof typeof keyedCommands;
export const commandNames = Object.keys(keyedCommands) as CommandName[];

export const commandKeys = Object.fromEntries(
  commandNames.map((name) => [name, keyedCommands[name].keys]),
) as { readonly [N in CommandName]: (typeof keyedCommands)[N]['keys'] };

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
  for (const name of commandNames) {
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
