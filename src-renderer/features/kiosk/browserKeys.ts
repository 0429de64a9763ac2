/** What of a pressed key decides whether a browser would act on it. */
export type PressedKey = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'
> & { readonly altGraph: boolean };

/** Help, find, reload, caret browsing, full screen, developer tools; and keys made for a browser. */
const alone: ReadonlySet<string> = new Set([
  ...['F1', 'F3', 'F5', 'F6', 'F7', 'F11', 'F12'],
  ...['BrowserBack', 'BrowserForward', 'BrowserRefresh', 'BrowserHome', 'BrowserSearch', 'BrowserFavorites'],
  ...['BrowserStop', 'Print', 'Find', 'ZoomIn', 'ZoomOut', 'LaunchMail'],
]);

/** What stays the operator's: all, copy, paste, cut, undo, redo. */
const editing: ReadonlySet<string> = new Set(['a', 'c', 'v', 'x', 'z', 'y']);
const developer: ReadonlySet<string> = new Set(['i', 'j', 'c', 'k', 'u', 'm']);
const zoom: ReadonlySet<string> = new Set(['+', '-', '=', '_', '0']);
const navigation: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', '[', ']']);

/** The letter on the key, also where the layout writes another script. */
function letterOf({ key, code }: PressedKey): string | null {
  const lower = key.toLowerCase();
  if (/^[a-z]$/.test(lower)) return lower;
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? null;
}

/**
 * Whether a browser would act on a key: reload, zoom, print, find, save, navigate, open its
 * tools. Keys that edit text are not among them.
 */
export function isBrowserKey(pressed: PressedKey): boolean {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = pressed;
  if (alone.has(key)) return true;
  // A sign that a layout reaches by Alt Graph says it is Ctrl and Alt together.
  if (pressed.altGraph) return false;
  const command = ctrlKey || metaKey;
  const letter = letterOf(pressed);
  if (!command) return altKey && (navigation.has(key) || letter === 'd');
  if (zoom.has(key) || /^Numpad(Add|Subtract|0)$/.test(code)) return true;
  if (navigation.has(key)) return metaKey;
  if (letter === null) return /^[1-9]$/.test(key) || key === 'Tab' || key.startsWith('F');
  if (shiftKey || altKey) return developer.has(letter) || !editing.has(letter);
  return !editing.has(letter);
}
