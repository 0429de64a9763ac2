import { expect, it } from 'vitest';
import { isBrowserKey, type PressedKey } from '../../../../src-renderer/features/kiosk/browserKeys.ts';

/** `Ctrl+Shift+i` as a browser tells of it; `code` where the layout does not write Latin letters. */
function pressed(keys: string, change: Partial<PressedKey> = {}): PressedKey {
  const parts = keys === 'Ctrl++' ? ['Ctrl', '+'] : keys.split('+');
  const key = parts.at(-1) ?? '';
  return {
    key,
    code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
    ctrlKey: parts.includes('Ctrl'),
    metaKey: parts.includes('Cmd'),
    altKey: parts.includes('Alt'),
    shiftKey: parts.includes('Shift'),
    altGraph: false,
    ...change,
  };
}

it.each([
  ...['F5', 'Ctrl+F5', 'Ctrl+r', 'Ctrl+Shift+R', 'Cmd+r', 'BrowserRefresh'],
  ...['Ctrl++', 'Ctrl+-', 'Ctrl+=', 'Ctrl+0', 'Cmd+0', 'Cmd+-'],
  ...['Ctrl+p', 'Cmd+p', 'Print', 'Ctrl+f', 'Cmd+f', 'Ctrl+g', 'F3', 'Ctrl+s', 'Ctrl+o', 'Ctrl+l'],
  ...['Alt+ArrowLeft', 'Alt+ArrowRight', 'Alt+Home', 'Cmd+[', 'Cmd+]', 'Cmd+ArrowLeft', 'BrowserBack'],
  ...['F12', 'Ctrl+Shift+I', 'Ctrl+Shift+J', 'Ctrl+Shift+C', 'Cmd+Alt+i', 'Ctrl+u', 'Cmd+Alt+u'],
  ...['Ctrl+n', 'Ctrl+t', 'Ctrl+w', 'Ctrl+Shift+N', 'Ctrl+1', 'Ctrl+Tab', 'F11', 'F7', 'Ctrl+d'],
])('%s is a browser’s', (keys) => {
  expect(isBrowserKey(pressed(keys))).toBe(true);
});

it.each([
  ...['a', 'A', '0', '+', '-', 'Tab', 'Shift+Tab', 'Enter', 'Escape', ' ', 'ArrowLeft', 'Home', 'Backspace'],
  ...['Ctrl+a', 'Ctrl+c', 'Ctrl+v', 'Ctrl+x', 'Ctrl+z', 'Ctrl+y', 'Ctrl+Shift+z', 'Cmd+c', 'Cmd+v', 'Cmd+a'],
  ...['Ctrl+ArrowLeft', 'Ctrl+Home', 'Ctrl+Backspace', 'Shift+ArrowRight', 'Shift', 'Control'],
])('%s stays the operator’s', (keys) => {
  expect(isBrowserKey(pressed(keys))).toBe(false);
});

it('leaves a sign alone that a layout reaches by Alt Graph, which says it is Ctrl and Alt', () => {
  const euro = pressed('Ctrl+Alt+€', { code: 'KeyE', altGraph: true });
  expect(isBrowserKey(euro)).toBe(false);
  expect(isBrowserKey({ ...pressed('Ctrl+Alt+q'), key: '@', altGraph: true })).toBe(false);
});

it('knows reload on a keyboard that writes Cyrillic', () => {
  expect(isBrowserKey(pressed('Ctrl+к', { code: 'KeyR' }))).toBe(true);
  expect(isBrowserKey(pressed('Ctrl+с', { code: 'KeyC' }))).toBe(false);
});
