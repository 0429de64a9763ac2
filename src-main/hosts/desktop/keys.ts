import type { Input } from 'electron';

type Keys = Pick<Input, 'type' | 'key' | 'shift' | 'control' | 'alt' | 'meta'>;

/** Keys that move, edit and confirm; with a modifier only those of `editing` keep their meaning. */
const editing = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Backspace', 'Delete'];
const plain = new Set([
  ...editing,
  'Enter',
  'Tab',
  'Escape',
  'Insert',
  'PageUp',
  'PageDown',
  'ContextMenu',
  'Copy',
  'Cut',
  'Paste',
  'Undo',
  'Redo',
]);
/** Keys that are nothing by themselves, and parts of letters that take several strokes. */
const modifiers = new Set([
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
  'NumLock',
  'Fn',
  'Dead',
  'Process',
  'Compose',
  'Unidentified',
]);
const clipboard = new Set(['a', 'c', 'v', 'x', 'y', 'z', 'insert']);
const clipboardShifted = new Set(['v', 'z']);

const isCharacter = (key: string): boolean => [...key].length === 1;

/**
 * Whether a kiosk's page may hear of a key stroke. What is not known to be typing, editing or moving
 * is denied, since a shortcut that somebody forgot to name would be a way out: developer tools,
 * reload, zoom, print, find, back, a new window, leaving full screen, closing.
 */
export function isKioskKey(input: Keys, platform: NodeJS.Platform): boolean {
  // A stroke is decided when it goes down; letting go does nothing by itself.
  if (input.type === 'keyUp') return true;
  const { key, shift, control, alt, meta } = input;
  if (modifiers.has(key)) return true;
  const mac = platform === 'darwin';
  if (!control && !alt && !meta) return isCharacter(key) || plain.has(key);
  // Letters of the third level: Option on a Mac, AltGr elsewhere, which Windows reports as both keys.
  const third = mac ? alt && !control && !meta : alt && control && !meta;
  if (third) return isCharacter(key) || (mac && editing.includes(key));
  const primary = mac ? meta && !control && !alt : control && !meta && !alt;
  if (!primary) return false;
  if (editing.includes(key)) return true;
  return (shift ? clipboardShifted : clipboard).has(key.toLowerCase());
}
